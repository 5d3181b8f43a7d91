#pragma once

#include <peal/base/surface_source.h>
#include <peal/base/time.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace peal::base {

/// A whole surface at one time: points, and the area by which each moves air [m^2], 0 where another
/// body covers it.
struct SampledSurface {
  std::vector<SurfacePoint> points;
  std::vector<double> areas;

  std::size_t size() const { return points.size(); }
};

/// A source whose basis changes with time and depends on the whole surface, such as a bubble that
/// moves below water and moves its surface by its own volume.
class FluxSource : public SurfaceSource {
 public:
  /// The longest time over which basis_at() may be interpolated linearly [s].
  virtual double basis_interval() const = 0;
  /// The basis on a surface at t [s].
  virtual SurfaceBasis basis_at(const SampledSurface& surface, double t) const = 0;
};

/// Evaluates the sum of flux sources of one body, block by block, on the surfaces of two keys.
class FluxEvaluator {
 public:
  explicit FluxEvaluator(std::vector<std::shared_ptr<const FluxSource>> sources);

  bool empty() const { return parts_.empty(); }
  /// Sets the surface at a key and at the next one; the latter may be empty.
  void set_surfaces(SampledSurface first, SampledSurface second);

  /// The normal acceleration a_n [m/s^2] at the points of the first surface and then of the second.
  /// Consecutive samples are cheapest.
  std::span<const float> accelerations(SampleTime time);

 private:
  /// The basis of a source on both surfaces at one sample.
  struct Instant {
    std::optional<std::int64_t> at;
    std::array<SurfaceBasis, 2> basis;
  };
  struct Part {
    std::shared_ptr<const FluxSource> source;
    std::array<Instant, 2> instants;  ///< last used first
    Coefficients coefficients;        ///< of the block
  };

  const Instant& instant(Part& part, std::int64_t at);
  void add(Part& part);

  std::vector<Part> parts_;
  std::array<SampledSurface, 2> surfaces_;
  Rate rate_{0};
  std::optional<std::int64_t> block_;         ///< first sample of the block of `product_`
  std::optional<std::int64_t> coefficients_;  ///< the same of the coefficients
  Eigen::MatrixXf product_;                   ///< points x samples [m/s^2]
};

}  // namespace peal::base
