#pragma once

#include <peal/base/motion.h>
#include <peal/base/time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace peal::radiation {

using base::Vec3;

/// A stretch of time in which a motion does not jump: begin <= t < end [s].
struct Piece {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  bool ends() const { return std::isfinite(begin) || std::isfinite(end); }
  /// The time in the piece nearest to t: beyond its ends the motion is held.
  double clamp(double t) const;
  /// 1 inside, falling smoothly to 0 over the last `edge_time` before each end: a source that
  /// jumps is faded out and in again, because a cut would click.
  double fade(double t) const;

  static constexpr double edge_time = 0.005;  ///< [s]
};

/// The pieces between the jumps of a motion; one endless piece if it never jumps.
std::vector<Piece> pieces(const base::Motion& motion);

/// Places and velocities of a moving point at audio samples, read at fractional samples.
///
/// Between samples the path is straight: at 48 kHz and an acceleration of 1000 m/s^2 that is
/// wrong by 5e-8 m. Velocity is the mean over +-5 ms: the level of a moving source depends on it
/// (convective amplification), and a path of straight stretches between animation frames must not
/// make the level jump at every frame.
class SampledPath {
 public:
  SampledPath(const base::Motion& motion, const Vec3& offset, const Piece& piece, base::Rate rate,
              base::SampleRange range);

  /// Place [m] at a fractional sample index within the range, and its derivative [m/sample].
  struct Point {
    Vec3 position;
    Vec3 slope;
  };
  Point at(double index) const {
    const auto [i, fraction] = locate(index);
    const Vec3 slope = positions_[i + 1] - positions_[i];
    return {positions_[i] + fraction * slope, slope};
  }
  Vec3 velocity(double index) const {  ///< [m/s]
    const auto [i, fraction] = locate(index);
    return velocities_[i] + fraction * (velocities_[i + 1] - velocities_[i]);
  }

  /// The largest step between two samples [m].
  double largest_step() const { return largest_step_; }

 private:
  std::pair<std::size_t, double> locate(double index) const {
    const double local = std::clamp(index - static_cast<double>(first_), 0.0,
                                    static_cast<double>(positions_.size() - 2));
    const auto whole = static_cast<std::int64_t>(local);
    return {static_cast<std::size_t>(whole), local - static_cast<double>(whole)};
  }

  std::int64_t first_;
  std::vector<Vec3> positions_;
  std::vector<Vec3> velocities_;
  double largest_step_ = 0.0;
};

}  // namespace peal::radiation
