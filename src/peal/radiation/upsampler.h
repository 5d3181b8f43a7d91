#pragma once

#include <peal/base/time.h>
#include <peal/util/low_pass.h>

#include <cstdint>
#include <vector>

namespace peal::radiation {

/// A signal at so many times its rate; nothing was in it above 0.43 of the rate.
std::vector<double> with_samples_between(const std::vector<double>& samples, std::int64_t factor);

/// Filters what is heard at one rate and makes it at another, a multiple of it, or the same.
class Upsampler {
 public:
  /// What is lower than `pass` stays, what is higher than `stop` goes [Hz].
  Upsampler(base::Rate from, base::Rate to, double pass, double stop);

  /// Samples of the first rate that those of the other are made of.
  base::SampleRange needed(base::SampleRange made) const;
  /// From all that are needed.
  std::vector<double> raised(const std::vector<double>& samples, base::SampleRange made) const;

 private:
  std::int64_t factor_;
  util::LowPass filter_;  ///< at the rate that is made
  std::int64_t half_;     ///< samples of the first rate that it reaches to both sides
};

}  // namespace peal::radiation
