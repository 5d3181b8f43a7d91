#include <peal/util/low_pass.h>

#include <cmath>
#include <numbers>

namespace peal::util {

LowPass::LowPass(double sample_rate, double pass, double stop, double attenuation) {
  constexpr double pi = std::numbers::pi;
  const double width = 2.0 * pi * (stop - pass) / sample_rate;
  const auto half = static_cast<int>(std::ceil((attenuation - 8.0) / (2.285 * width) / 2.0));
  const double beta = 0.1102 * (attenuation - 8.7);
  const double middle = (pass + stop) / sample_rate;  // twice the edge, in cycles a sample
  double sum = 0.0;
  for (int i = 0; i <= half; ++i) {
    const double x = static_cast<double>(i) / half;
    const double window = std::cyl_bessel_i(0.0, beta * std::sqrt(1.0 - x * x));
    const double sinc = i == 0 ? middle : std::sin(pi * middle * i) / (pi * i);
    taps_.push_back(sinc * window);
    sum += (i == 0 ? 1.0 : 2.0) * taps_.back();
  }
  for (double& tap : taps_) tap /= sum;
}

std::vector<float> LowPass::apply(std::span<const float> samples) const {
  const auto n = static_cast<std::ptrdiff_t>(samples.size());
  const auto half = static_cast<std::ptrdiff_t>(reach());
  std::vector<double> sums(samples.size() + 2 * reach());
  for (std::ptrdiff_t k = -half; k <= half; ++k) {
    const double tap = taps_[static_cast<std::size_t>(std::abs(k))];
    double* out = sums.data() + half + k;
    for (std::ptrdiff_t i = 0; i < n; ++i) out[i] += tap * static_cast<double>(samples[i]);
  }
  return {sums.begin(), sums.end()};
}

}  // namespace peal::util
