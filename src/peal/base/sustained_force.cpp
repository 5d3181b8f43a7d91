#include <peal/base/sustained_force.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace peal::base {

double SustainedForce::mean(double t0, double t1) const {
  // Times in samples since the sample before the first, where the force begins to rise.
  const double origin = static_cast<double>(begin) - 1.0;
  const double last = static_cast<double>(samples.size()) + 1.0;
  const double from = std::clamp(rate.samples(t0) - origin, 0.0, last);
  const double to = std::clamp(rate.samples(t1) - origin, 0.0, last);
  double sum = 0.0;
  for (double a = from; a < to;) {
    const double left = std::floor(a), b = std::min(left + 1.0, to);
    const auto index = begin - 1 + static_cast<std::int64_t>(left);
    const double middle = 0.5 * (a + b) - left;
    sum += (b - a) * ((1.0 - middle) * at(index) + middle * at(index + 1));
    a = b;
  }
  return sum / rate.samples(t1 - t0);
}

SustainedForce::Between SustainedForce::between(std::int64_t index) const {
  const auto since = static_cast<double>(std::clamp(index, begin, end()) - begin);
  const double way = since / static_cast<double>(point_samples);
  const auto before = std::min(static_cast<std::size_t>(way), points.size() - 2);
  return {before, std::min(way - static_cast<double>(before), 1.0)};
}

SustainedForce::Point SustainedForce::point(std::int64_t index) const {
  const auto [k, part] = between(index);
  return {(1.0 - part) * points[k].at + part * points[k + 1].at,
          (1.0 - part) * points[k].direction + part * points[k + 1].direction};
}

void SustainedForce::hash(double end, util::Fingerprint& fingerprint) const {
  const auto last = static_cast<std::int64_t>(std::ceil(rate.samples(end))) + 1;
  const auto count = static_cast<std::size_t>(
      std::clamp<std::int64_t>(last - begin, 0, static_cast<std::int64_t>(samples.size())));
  fingerprint.add(rate.hz), fingerprint.add(begin);
  fingerprint.add(std::span(samples).first(count));
  const std::size_t used =
      std::min(points.size(), count / static_cast<std::size_t>(point_samples) + 2);
  for (const Point& point : std::span(points).first(used)) {
    fingerprint.add(std::span<const double>(point.at.data(), 3));
    fingerprint.add(std::span<const double>(point.direction.data(), 3));
  }
}

LinearRampResponse::LinearRampResponse(std::complex<double> s, double length, double time) {
  // The integral of exp(s (time - u)) (f0 + (f1 - f0) u / length) du from 0 to `time`.
  hold = std::exp(s * time);
  const std::complex<double> flat = (hold - 1.0) / s;
  second = (hold - 1.0 - s * time) / (s * s * length);
  first = flat - second;
}

}  // namespace peal::base
