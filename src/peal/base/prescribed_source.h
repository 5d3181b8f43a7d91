#pragma once

#include <peal/base/surface_source.h>

#include <functional>
#include <limits>

namespace peal::base {

/// A surface whose acceleration is a formula, a_n(x, t) = shape(x) law(t): for exact solutions.
class PrescribedSource : public SurfaceSource {
 public:
  using Shape = std::function<double(const SurfacePoint& point)>;
  using Law = std::function<double(double t)>;  ///< t [s]

  /// The surface does not accelerate after `end` [s].
  PrescribedSource(Shape shape, Law law, double end = std::numeric_limits<double>::infinity());
  /// A source with the same normal acceleration everywhere.
  explicit PrescribedSource(Law law, double end = std::numeric_limits<double>::infinity());

  Eigen::Index columns() const override { return 1; }
  SurfaceBasis basis(std::span<const SurfacePoint> points) const override;
  void coefficients(Rate rate, SampleRange range, Coefficients& out) const override;
  std::vector<SampleRange> active(Rate rate, SampleRange range) const override;
  /// Adds the values of the law at the samples and of the shape at points of all directions,
  /// because a formula has no data to hash.
  void hash(Rate rate, SampleRange range, util::Fingerprint& fingerprint) const override;

 private:
  Shape shape_;
  Law law_;
  double end_;  ///< [s]
};

}  // namespace peal::base
