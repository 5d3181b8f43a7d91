#include <peal/base/prescribed_source.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::base {

PrescribedSource::PrescribedSource(Shape shape, Law law, double end)
    : shape_(std::move(shape)), law_(std::move(law)), end_(end) {}

PrescribedSource::PrescribedSource(Law law, double end)
    : PrescribedSource([](const SurfacePoint&) { return 1.0; }, std::move(law), end) {}

SurfaceBasis PrescribedSource::basis(std::span<const SurfacePoint> points) const {
  SurfaceBasis::Dense column(static_cast<Eigen::Index>(points.size()), 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    column(static_cast<Eigen::Index>(i)) = static_cast<float>(shape_(points[i]));
  }
  return SurfaceBasis(std::move(column));
}

void PrescribedSource::coefficients(Rate rate, SampleRange range, Coefficients& out) const {
  out.setZero(1, range.size());
  for (std::int64_t n = range.begin; n < range.end; ++n) {
    const double t = rate.seconds(n);
    if (t <= end_) out(0, n - range.begin) = static_cast<float>(law_(t));
  }
}

std::vector<SampleRange> PrescribedSource::active(Rate rate, SampleRange range) const {
  if (std::isfinite(end_)) {
    const auto end = static_cast<std::int64_t>(std::ceil(rate.samples(end_))) + 1;
    range.end = std::min(range.end, end);
  }
  if (range.empty()) return {};
  return {range};
}

void PrescribedSource::hash(Rate rate, SampleRange range, util::Fingerprint& fingerprint) const {
  Coefficients values;
  coefficients(rate, range, values);
  fingerprint.add(std::span<const float>(values.data(), static_cast<std::size_t>(values.size())));
  for (int i = 0; i < 27; ++i) {
    const Vec3 direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    const Vec3 normal = direction.isZero() ? Vec3::UnitY() : direction.normalized();
    fingerprint.add(shape_({.position = 0.01 * direction, .normal = normal}));
  }
}

}  // namespace peal::base
