#pragma once

#include <peal/base/time.h>
#include <peal/radiation/radiating_surface.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace peal::radiation {

/// The motion of a surface over an interval, as contiguous signals: the normal acceleration of its
/// patches if all its sources are given by vertices, or else that of its sample points.
class SurfaceSignals {
 public:
  /// Keeps a reference to the surface.
  SurfaceSignals(RadiatingSurface& surface, base::Rate rate);

  /// Whether all sources of a body give vertices at this rate.
  static bool has_vertices(const base::Body& body, base::Rate rate);

  /// The number of channels: patches or sample points.
  std::size_t channels() const { return channels_; }

  /// Evaluates at least the samples [begin, end); those that are known from the previous call are
  /// reused.
  void take(std::int64_t begin, std::int64_t end);
  /// The signal of a channel from an index on, which must have been taken.
  const float* at(std::size_t channel, std::int64_t index) const {
    return &samples_[channel * length_ + static_cast<std::size_t>(index - begin_)];
  }
  /// Whether a channel is zero at all samples taken.
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
  std::int64_t normals_apart_;  ///< interval between exact normals [samples]
  std::size_t channels_;
  base::SourceEvaluator sources_;     ///< evaluated at the sample points
  std::int64_t begin_ = 0, end_ = 0;  ///< range of samples taken
  std::size_t length_ = 0;            ///< samples of a channel in memory
  std::vector<float> samples_;        ///< channel by channel
  std::vector<char> is_silent_;
  base::Coefficients vertices_, other_;  ///< components of vertices at a few samples
  /// The normals of the patches at an index, their changes until the next exact normals, and those
  /// normals.
  std::vector<std::array<float, 3>> normals_, turns_, next_normals_;
  std::optional<std::int64_t> normals_begin_;  ///< index of `normals_` [samples]
};

}  // namespace peal::radiation
