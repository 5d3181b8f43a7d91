#pragma once

#include <peal/base/time.h>
#include <peal/util/low_pass.h>

#include <cstdint>
#include <vector>

namespace peal::radiation {

/// Upsamples a signal by an integer factor; the signal must have no content above 0.43 of its rate.
std::vector<double> with_samples_between(const std::vector<double>& samples, std::int64_t factor);

/// Low-pass filters a signal and upsamples it to a multiple of its rate, or leaves the rate as it
/// is.
class Upsampler {
 public:
  /// Frequencies below `pass` are kept and those above `stop` are removed [Hz].
  Upsampler(base::Rate from, base::Rate to, double pass, double stop);

  /// The input samples from which the output samples `made` are computed.
  base::SampleRange needed(base::SampleRange made) const;
  /// Computes the samples `made` from all samples that are needed().
  std::vector<double> raised(const std::vector<double>& samples, base::SampleRange made) const;

 private:
  std::int64_t factor_;
  util::LowPass filter_;  ///< at the output rate
  std::int64_t half_;     ///< half width of the filter [input samples]
};

}  // namespace peal::radiation
