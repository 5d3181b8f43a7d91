#include <peal/util/measure.h>
#include <peal/util/spectrum.h>
#include <peal/validation/entries.h>
#include <peal/vibration/ideal_rectangle.h>
#include <peal/vibration/struck_sound.h>

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace peal::validation {

namespace {

using vibration::PlateEdge;
using vibration::Vec2;

constexpr base::Rate plate_rate{48000};
constexpr double lowest_plate_mode = 200.0;  ///< [Hz]

/// Reference S13: lambda = w a^2 sqrt(rho h / D) of the first modes that an impact in the middle
/// does and does not wake: a pair with one node line, one with two that cross; then one that is
/// even about both axes and both diagonals.
constexpr double first_lambda = 35.9851911159299;
constexpr double silent_lambda[] = {73.3938455259661, 108.216501693523};
constexpr double even_lambda = 132.20479020154;

double plate_frequency(double lambda) {
  return lowest_plate_mode * lambda / first_lambda;
}

/// A second of the sound of an impact of 0.5 ms; all modes decay at 3 /s.
std::vector<double> struck_plate(const Vec2& at) {
  constexpr double a = 0.3, areal = 2.0;  // side [m], mass an area [kg/m^2]
  const double root = 2.0 * std::numbers::pi * lowest_plate_mode * a * a / first_lambda;
  const auto plate = vibration::rectangular_plate({.size = {a, a},
                                                   .bending_stiffness = areal * root * root,
                                                   .poisson_ratio = 0.3,
                                                   .areal_density = areal,
                                                   .low_x = PlateEdge::clamped,
                                                   .high_x = PlateEdge::clamped,
                                                   .low_z = PlateEdge::clamped,
                                                   .high_z = PlateEdge::clamped},
                                                  {.max_frequency = 2000.0});
  const auto modes = vibration::damped(plate->modes(), {.external = 3.0});
  const vibration::ModalForce blow{{0.0, 5e-4, 1.0}, plate->displacement(a * at)};
  const vibration::StruckSound sound(vibration::ModalResponse(modes, {blow}),
                                     std::vector<std::complex<double>>(modes.size(), 1.0),
                                     std::nullopt, {});
  const base::Signal signal = sound.strength(plate_rate, {48, 48 + 48000});
  return util::as_double(signal.samples);
}

plot::Series spectrum_series(const std::string& name, const std::vector<double>& sound) {
  const auto spectrum = util::average_power(sound, {.window = 16384, .sample_rate = 48000});
  plot::Series series{.name = name};
  for (std::size_t k = 0; k < spectrum.power.size(); ++k) {
    const double frequency = static_cast<double>(k) * spectrum.bin_width;
    if (frequency > 1100.0) break;
    series.x.push_back(frequency);
    series.y.push_back(util::level_db(spectrum.power[k], util::rms(sound)));
  }
  return series;
}

Outcome run_clamped_plate() {
  const auto centre = struck_plate({0.0, 0.0});
  const auto off = struck_plate({0.25, 0.17});
  const auto part = [](const std::vector<double>& sound, double lambda) {
    return util::tone_at(sound, 48000, plate_frequency(lambda)).amplitude;
  };
  Outcome outcome;
  for (const double lambda : {first_lambda, silent_lambda[0], silent_lambda[1]}) {
    const double f = plate_frequency(lambda);
    outcome.claims.push_back({fmt::format("struck off centre: partial at {:.5g} of the first (S13)",
                                          lambda / first_lambda),
                              "Hz", f, util::find_mode(off, 48000, f, 0.02 * f).frequency,
                              1e-5 * f});
  }
  for (const double lambda : silent_lambda) {
    outcome.claims.push_back(
        {fmt::format("struck in the centre: partial at {:.5g}, over that of the other blow",
                     lambda / first_lambda),
         "", 0.0, part(centre, lambda) / part(off, lambda), 1e-3});
  }
  outcome.claims.push_back({"struck in the centre: even partial at 3.6739 over the first, from 0.1",
                            "", 0.5, part(centre, even_lambda) / part(centre, first_lambda), 0.4});
  std::vector<plot::Guide> guides;
  for (const double lambda : {first_lambda, silent_lambda[0], silent_lambda[1], even_lambda})
    guides.push_back({.at = plate_frequency(lambda)});
  outcome.charts.push_back(
      {.title = "Figure 7: a clamped square plate struck in and off its centre",
       .subtitle = "vertical lines: exact frequencies (S13)",
       .x = {.label = "frequency (Hz)", .min = 0, .max = 1100},
       .y = {.label = "level (dB re RMS)", .min = -100, .max = 10},
       .series = {spectrum_series("centre", centre),
                  spectrum_series("off centre by 25 % and 17 %", off)},
       .guides = guides});
  outcome.remarks =
      "The paper prints no numbers; its figure shows the partials 2 and 3 (a pair) and 4 in the "
      "second spectrum only.";
  return outcome;
}

}  // namespace

Entry clamped_plate_strikes() {
  return {.key = "clamped-plate-strikes",
          .title = "A clamped plate struck in its centre lacks the odd modes",
          .source = "O'Brien, Cook & Essl 2001, figures 6 and 7 (frequencies: reference S13)",
          .method =
              "The sound of an ideal plate by its modes, and the part of each partial in it by "
              "least squares.",
          .run = run_clamped_plate};
}

}  // namespace peal::validation
