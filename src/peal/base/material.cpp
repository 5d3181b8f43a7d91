#include <peal/base/material.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::base {

double Damping::decay_rate(double frequency) const {
  const double w2 = std::pow(2.0 * std::numbers::pi * frequency, 2);
  double loss = internal_friction;
  if (!bands.empty()) {
    const auto band =
        std::ranges::find_if(bands, [&](const Band& one) { return frequency <= one.up_to; });
    loss += band == bands.end() ? bands.back().loss_factor : band->loss_factor;
  }
  return std::numbers::pi * frequency * loss +
         0.5 * (mass + stiffness * w2 + inverse_stiffness / w2) + external;
}

double softest_young_modulus(const Material& material) {
  return material.orthotropy ? std::ranges::min(material.orthotropy->young_moduli)
                             : material.young_modulus;
}

}  // namespace peal::base
