#pragma once

#include <peal/base/surface_source.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::base {

/// The normal accelerations of some points at one sample, as a radiator evaluates them [m/s^2].
inline std::vector<float> accelerations_of(std::shared_ptr<const SurfaceSource> source,
                                           std::span<const SurfacePoint> points, SampleTime time) {
  SourceEvaluator evaluator({&source, 1});
  evaluator.set_points(points);
  const std::span<const float> values = evaluator.accelerations(time);
  return {values.begin(), values.end()};
}

/// The fingerprint of what a source does within a range.
inline std::string hash_of(const SurfaceSource& source, Rate rate, SampleRange range) {
  util::Fingerprint fingerprint;
  source.hash(rate, range, fingerprint);
  return fingerprint.hex();
}

}  // namespace peal::base
