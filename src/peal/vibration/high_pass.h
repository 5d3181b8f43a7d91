#pragma once

#include <peal/base/modes.h>
#include <peal/base/radiation_filter.h>
#include <peal/base/time.h>

#include <Eigen/Core>
#include <cstdint>

namespace peal::vibration {

/// A base::RadiationFilter at a sample rate: sections (s / (s + corner)) by the bilinear transform,
/// scaled so that the mode rings as loud as without.
class HighPass {
 public:
  HighPass(const base::RadiationFilter& filter, const base::Mode& mode, base::Rate rate);

  /// After as many samples what was before is forgotten to 1e-7.
  std::int64_t memory() const { return memory_; }
  /// Filters samples from rest on.
  void apply(Eigen::Ref<Eigen::VectorXd> samples) const;

 private:
  std::int64_t order_, memory_ = 0;
  double pole_ = 0.0, gain_ = 1.0;
};

}  // namespace peal::vibration
