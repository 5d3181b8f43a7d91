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

bool is_stable(const Orthotropy& orthotropy) {
  const auto& [el, er, et] = orthotropy.young_moduli;
  const auto& [lr, lt, rt] = orthotropy.poisson_ratios;
  const double rl = lr * er / el, tl = lt * et / el, tr = rt * et / er;
  const bool is_positive = std::ranges::min(orthotropy.young_moduli) > 0.0 &&
                           std::ranges::min(orthotropy.shear_moduli) > 0.0;
  return is_positive && lr * rl < 1.0 && lt * tl < 1.0 && rt * tr < 1.0 &&
         1.0 - lr * rl - lt * tl - rt * tr - 2.0 * lr * rt * tl > 0.0;
}

double softest_young_modulus(const Material& material) {
  return material.orthotropy ? std::ranges::min(material.orthotropy->young_moduli)
                             : material.young_modulus;
}

}  // namespace peal::base
