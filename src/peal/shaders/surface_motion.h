#pragma once

#include <peal/base/motion.h>
#include <peal/base/surface_source.h>
#include <peal/base/time.h>
#include <peal/base/world.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/scene.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace peal::shaders {

/// Frames at equal distances in time: those of a mesh sequence, or the keys of an animation.
struct FrameClock {
  double start = 0.0;  ///< time of frame 0 on the scene's clock [s]
  double rate = 0.0;   ///< [1/s]
  std::int64_t count = 0;

  double time(std::int64_t frame) const { return start + static_cast<double>(frame) / rate; }
  double frame_at(double t) const { return (t - start) * rate; }
  /// Highest frequency that the frames resolve [Hz].
  double band() const { return rate / 3.0; }
};

/// Finds the clock of ascending times; none if they are not at equal distances.
std::optional<FrameClock> frame_clock(std::span<const double> times);

/// Second derivative of a signal that is known at whole numbers, up to a third of its rate: the
/// second differences d_n = x_(n-1) - 2 x_n + x_(n+1) are interpolated by a symmetric kernel g,
///   x''(u) = sum_n g(n - u) d_n,
/// whose spectrum is (pi f / sin(pi f))^2, what second differences lack, up to f = 1/3 and falls to
/// nothing at f = 1/2 (Kaiser window of 32 samples, beta 8.3). Exact within 0.01 dB up to 1/3;
/// images lie 75 dB below. x at rest or at constant velocity gives exactly 0.
class SecondDerivative {
 public:
  static constexpr int taps = 32;
  static constexpr int half = taps / 2;

  SecondDerivative();

  /// Values of g at the samples whole - (half - 1) to whole + half, for u = whole + fraction.
  std::array<float, taps> weights(double fraction) const;

 private:
  static constexpr int phases = 128;  ///< linear interpolation has an error of -86 dB
  std::vector<float> table_;          ///< g at multiples of 1 / phases from 0 on
};

/// The source of a surface given frame by frame: a_n(x, t) = n . a(x, t), where a is the
/// acceleration of its vertices in the frame of its body.
///
/// It fades in over the first frames and out over the last ones: before and after them the surface
/// rests, and the jump of its velocity there is not part of the motion. Where a vertex moves faster
/// than sound from one frame to the next, the animation was cut: that step makes no sound.
class SurfaceMotion : public base::SurfaceSource {
 public:
  /// Fewer frames do not determine an acceleration.
  static constexpr std::int64_t least_frames = 2 * SecondDerivative::taps;

  /// `rate` is that of the audio.
  SurfaceMotion(std::shared_ptr<const base::Deformation> deformation, const FrameClock& frames,
                const geometry::TriMesh& mesh, double speed_of_sound, base::Rate rate);

  Eigen::Index columns() const override { return 3 * static_cast<Eigen::Index>(vertices_); }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;
  std::optional<base::Rate> vertex_rate() const override { return rate_; }

 private:
  static constexpr std::int64_t block_frames = 64;
  using Block = std::shared_ptr<const Eigen::MatrixXf>;  ///< a column a frame

  Block block(std::int64_t index) const;
  Block make_block(std::int64_t index) const;
  double fade(std::int64_t frame) const;
  /// Frames 1 to count - 2 on which the accelerations at these samples depend.
  struct Frames {
    std::int64_t first, last;
  };
  Frames frames_for(base::Rate rate, base::SampleRange range) const;
  void add_instants(base::Rate rate, std::int64_t begin, Eigen::Ref<Eigen::MatrixXf> out) const;

  std::shared_ptr<const base::Deformation> deformation_;
  FrameClock frames_;
  std::size_t vertices_;
  std::vector<geometry::Triangle> triangles_;
  base::Rate rate_;
  double longest_step_;  ///< limit for a vertex from frame to frame [m]
  SecondDerivative derivative_;

  mutable std::mutex mutex_;
  mutable std::list<std::pair<std::int64_t, Block>> recent_;  ///< last used first
};

/// The sound of the object's mesh sequence, morph targets or skin, which deform the body; null if
/// they have none in the audible band. Reports in `notices` the band that their frames give.
std::shared_ptr<const base::SurfaceSource> make_surface_motion(const scene::Object& object,
                                                               const base::Body& body,
                                                               const base::World& world,
                                                               std::vector<std::string>& notices);

}  // namespace peal::shaders
