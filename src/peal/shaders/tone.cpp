#include <peal/shaders/tone.h>

#include <cmath>
#include <numbers>

namespace peal::shaders {

void Tone::fill(base::Rate rate, std::int64_t first, std::span<float> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double t = rate.seconds(first + static_cast<std::int64_t>(i));
    double value = 0.0;
    for (std::size_t k = 0; k < sound_.harmonics.size(); ++k) {
      const double frequency = static_cast<double>(k + 1) * sound_.frequency;
      if (frequency >= rate.nyquist()) break;
      const double turns = frequency * t;
      value += sound_.harmonics[k] *
               std::sin(2.0 * std::numbers::pi * (turns - std::floor(turns)) + sound_.phase);
    }
    out[i] = static_cast<float>(value);
  }
}

}  // namespace peal::shaders
