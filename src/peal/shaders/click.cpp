#include <peal/shaders/click.h>

#include <cmath>

namespace peal::shaders {

namespace {

/// Width at half height of a Ricker pulse, in sigmas: twice the root of (1 - x^2) e^(-x^2/2) = 1/2.
constexpr double half_height_width = 2.0 * 0.62590;
constexpr double reach = 6.0;  ///< [sigma]; the pulse is 5e-7 of its peak there

}  // namespace

Click::Click(scene::ClickSound sound) : sound_(sound), sigma_(sound.width / half_height_width) {}

double Click::pulse(double t) const {
  const double x = t / sigma_ - reach;
  return std::abs(x) > reach ? 0.0 : (1.0 - x * x) * std::exp(-0.5 * x * x);
}

void Click::fill(base::Rate rate, std::int64_t first, std::span<float> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double t = rate.seconds(first + static_cast<std::int64_t>(i));
    double value = pulse(t);
    if (sound_.period > 0.0) {
      const double latest = std::floor(t / sound_.period);
      value = pulse(t - latest * sound_.period);
      if (latest >= 1.0) value += pulse(t - (latest - 1.0) * sound_.period);
    }
    out[i] = static_cast<float>(value);
  }
}

std::optional<std::int64_t> Click::length(base::Rate rate) const {
  if (sound_.period > 0.0) return std::nullopt;
  return static_cast<std::int64_t>(std::ceil(rate.samples(2.0 * reach * sigma_)));
}

}  // namespace peal::shaders
