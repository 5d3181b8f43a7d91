#include <peal/validation/duct.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace peal::validation {

namespace {

constexpr std::array wavelengths{10.0, 17.0, 34.0};  ///< [cells]

Outcome run_absorbing_layer() {
  struct Limit {
    double degrees, decibel;
  };
  Outcome outcome;
  for (const Limit& limit : {Limit{0, -60}, Limit{45, -50}, Limit{65, -40}}) {
    for (const double cells : wavelengths) {
      const double ours = duct_reflection(cells, limit.degrees, wave::Side::absorbing_layer);
      outcome.claims.push_back(
          {fmt::format("reflection at {:g} degrees, {:g} cells in a wavelength", limit.degrees,
                       cells),
           "", 0.0, ours, std::pow(10.0, limit.decibel / 20.0)});
      outcome.remarks += fmt::format("{:g} degrees, {:g} cells {:.1f} dB. ", limit.degrees, cells,
                                     20.0 * std::log10(ours));
    }
  }
  return outcome;
}

Outcome run_engquist_majda() {
  struct Case {
    double degrees, published;
  };
  const std::array<Case, 4> cases{
      {{0, 0.0}, {30, 0.00515477614287156}, {45, 0.0294372515228594}, {60, 0.111111111111111}}};
  Outcome outcome;
  for (const Case& one : cases) {
    for (const double cells : {16.0, 24.0, 40.0}) {
      // The grid adds its own error of second order to the condition's.
      outcome.claims.push_back(
          {fmt::format("reflection at {:g} degrees, {:g} cells in a wavelength", one.degrees,
                       cells),
           "", one.published, duct_reflection(cells, one.degrees, wave::Side::engquist_majda),
           std::max(1e-3, 0.2 * one.published)});
    }
  }
  return outcome;
}

}  // namespace

Entry absorbing_layer() {
  return {.key = "absorbing-layer",
          .title = "Reflection of the absorbing layer",
          .source =
              "Stated limits: -60 dB at normal incidence, -50 dB at 45 and -40 dB at 65 "
              "degrees",
          .method =
              "Waves of one transverse mode in a duct that ends with the layer of 5 cells; "
              "the difference from an endless duct.",
          .run = run_absorbing_layer};
}

Entry engquist_majda() {
  return {.key = "engquist-majda",
          .title = "Reflection of the Engquist-Majda condition",
          .source =
              "((1 - cos a) / (1 + cos a))^2 for the condition of second order (reference "
              "A17)",
          .method =
              "Waves of one transverse mode in a duct that ends with the condition; the "
              "difference from an endless duct.",
          .run = run_engquist_majda};
}

}  // namespace peal::validation
