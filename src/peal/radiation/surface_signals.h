#pragma once

#include <peal/base/time.h>
#include <peal/radiation/radiating_surface.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace peal::radiation {

/// What a surface does over an interval, as signals that follow each other in memory: the
/// normal acceleration of its patches, if all its sources are given by vertices, or else that of
/// its places.
class SurfaceSignals {
 public:
  /// The surface is kept.
  SurfaceSignals(RadiatingSurface& surface, base::Rate rate);

  /// Whether what sounds on a body can be asked by vertices at this rate.
  static bool has_vertices(const base::Body& body, base::Rate rate);

  /// Patches or sample points.
  std::size_t channels() const { return channels_; }

  /// Takes at least the instants [begin, end); what was taken before of them is not asked again.
  void take(std::int64_t begin, std::int64_t end);
  /// A channel from an instant on that was taken.
  const float* at(std::size_t channel, std::int64_t index) const {
    return &samples_[channel * length_ + static_cast<std::size_t>(index - begin_)];
  }
  /// Whether a channel is zero at all instants taken.
  bool is_silent(std::size_t channel) const { return is_silent_[channel] != 0; }

 private:
  void make_room(std::int64_t begin, std::int64_t end, std::int64_t known);
  void evaluate_samples(std::int64_t begin, std::int64_t end);
  void evaluate_patches(std::int64_t begin, std::int64_t end);
  void read_vertices(std::int64_t begin);
  void take_normals(std::int64_t begin);
  void bind(double t);

  RadiatingSurface& surface_;
  base::Rate rate_;
  std::int64_t normals_apart_;  ///< instants
  std::size_t channels_;
  base::SourceEvaluator sources_;     ///< at the sample points
  std::int64_t begin_ = 0, end_ = 0;  ///< instants
  std::size_t length_ = 0;            ///< of a channel in memory
  std::vector<float> samples_;        ///< channel by channel
  std::vector<char> is_silent_;
  base::Coefficients vertices_, other_;  ///< components of vertices at a few instants
  /// Of patches at an instant, and how they turn until the next one that they are taken at.
  std::vector<std::array<float, 3>> normals_, turns_, next_normals_;
  std::optional<std::int64_t> normals_begin_;  ///< that instant
};

}  // namespace peal::radiation
