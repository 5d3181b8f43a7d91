#include <peal/render/render.h>
#include <peal/util/measure.h>
#include <peal/validation/entries.h>
#include <peal/vibration/ideal_disc.h>
#include <peal/vibration/ideal_line.h>
#include <peal/vibration/modal_bank.h>
#include <peal/vibration/polygon_membrane.h>
#include <peal/vibration/struck_sound.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;
using vibration::BarEnd;
using vibration::IdealShape;
using vibration::PlateEdge;
using vibration::Vec2;

/// Largest relative error of the first modes against published or exact values [unit Hz].
Claim largest_error(const std::string& what, const IdealShape& shape, double unit,
                    const std::vector<double>& published, double tolerance) {
  double largest = shape.modes().size() < published.size() ? 1.0 : 0.0;
  for (std::size_t i = 0; i < std::min(published.size(), shape.modes().size()); ++i) {
    const double error = shape.modes()[i].frequency / (unit * published[i]) - 1.0;
    largest = std::max(largest, std::abs(error));
  }
  return {
      fmt::format("{}: largest relative error of the first {} frequencies", what, published.size()),
      "", 0.0, largest, tolerance};
}

std::vector<double> squares(std::vector<double> values) {
  for (double& value : values) value *= value;
  return values;
}

std::vector<double> roots(std::vector<double> values) {
  for (double& value : values) value = std::sqrt(value);
  return values;
}

Outcome run_ideal_shapes() {
  const double unit = 0.5 / pi;
  Outcome outcome;
  const auto claim = [&](const std::string& what, const IdealShape& shape, double scale,
                         const std::vector<double>& published, double tolerance = 1e-6) {
    outcome.claims.push_back(largest_error(what, shape, scale, published, tolerance));
  };
  claim("string (S01)", *vibration::string_modes(0.65, 73.9, 0.0031, {.max_frequency = 1200}), 1.0,
        {118.767610783639, 237.535221567279, 356.302832350918, 475.070443134558, 593.838053918197,
         712.605664701836, 831.373275485476, 950.140886269115, 1068.90849705275, 1187.67610783639});
  const auto bar = [](BarEnd left, BarEnd right) {
    return vibration::bar_modes(1, 1, 1, left, right, {.max_frequency = 70});
  };
  const std::vector<double> both_ends = {4.730040744862704,  7.853204624095838, 10.995607838001671,
                                         14.137165491257464, 17.27875965739948, 20.42035224562606};
  claim("bar, free (S02)", *bar(BarEnd::free, BarEnd::free), unit, squares(both_ends));
  claim("bar, clamped (S02)", *bar(BarEnd::clamped, BarEnd::clamped), unit, squares(both_ends));
  claim("bar, clamped and free (S02)", *bar(BarEnd::clamped, BarEnd::free), unit,
        squares({1.8751040687119611, 4.694091132974175, 7.854757438237613, 10.995540734875467,
                 14.13716839104647, 17.278759532088237}));
  claim("prong of a tuning fork, partials over the first (S05)",
        *bar(BarEnd::clamped, BarEnd::free),
        bar(BarEnd::clamped, BarEnd::free)->modes()[0].frequency,
        {1.0, 6.266893025770665, 17.547481936808445});
  claim("bar, pinned (S02)", *bar(BarEnd::pinned, BarEnd::pinned), unit,
        squares({pi, 2 * pi, 3 * pi, 4 * pi, 5 * pi, 6 * pi}));
  claim("bar, clamped and pinned (P-S02)", *bar(BarEnd::clamped, BarEnd::pinned), unit,
        squares({3.926602312047919, 7.068582745628732, 10.21017612281303, 13.351768777754094,
                 16.49336143134641, 19.634954084936208}));
  claim("rectangular membrane (S07)",
        *vibration::rectangular_membrane({1, 0.8}, 1, 1, {.max_frequency = 3}), unit,
        {5.02900201608545, 7.40943145464344, 8.45899709823203, 10.0580040321709, 10.2101761241668,
         12.1926582947038, 12.2683115022652, 13.1656723069554, 13.3517687777566, 14.8188629092869,
         15.0870060482563, 16.0190422444141});
  claim("circular membrane (S09)", *vibration::circular_membrane(1, 1, 1, {.max_frequency = 2}),
        unit,
        {2.404825557695773, 3.8317059702075125, 3.8317059702075125, 5.135622301840683,
         5.135622301840683, 5.520078110286311, 6.380161895923983, 6.380161895923983,
         7.015586669815619, 7.015586669815619, 7.588342434503804, 7.588342434503804});
  claim("L-shaped membrane (S10)",
        *vibration::polygon_membrane({{-1, -1}, {0, -1}, {0, 0}, {1, 0}, {1, 1}, {-1, 1}}, 1, 1,
                                     {.max_frequency = 1.22}),
        unit,
        roots({9.63972384402194, 15.1972519264543, 19.7392088021787, 29.5214811141447,
               31.912635957138, 41.4745098902152, 44.9484877813511, 49.3480220054467,
               49.3480220054467, 56.7096098873847}));
  claim("equilateral membrane, as a polygon (P-S06)",
        *vibration::polygon_membrane({{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}}, 1, 1,
                                     {.max_frequency = 3.0}),
        unit,
        roots({52.6378901391432, 122.821743658001, 122.821743658001, 210.551560556573,
               228.097523936287, 228.097523936287, 333.373304214574, 333.373304214574}));
  const auto disc = [](PlateEdge edge, double nu) {
    return vibration::circular_plate(1, 1, nu, 1, edge, {.max_frequency = 10});
  };
  claim("circular plate, clamped (S11)", *disc(PlateEdge::clamped, 0.3), unit,
        {10.2158262298673, 21.2603976946146, 21.2603976946146, 34.8770354203197, 34.8770354203197,
         39.7711482364571, 51.0300354837761, 51.0300354837761, 60.8286718200205});
  claim("circular plate, free, nu = 0.33 (S12)", *disc(PlateEdge::free, 0.33), unit,
        {5.26203696029707, 5.26203696029707, 9.06889866178618, 12.2438942579542, 12.2438942579542,
         20.5130869056765, 20.5130869056765, 21.5272172153407, 21.5272172153407});
  claim("circular plate, supported, nu = 0.3 (P-S09)", *disc(PlateEdge::supported, 0.3), unit,
        {4.93514904257491, 13.8981650730487, 13.8981650730487, 25.6132967208, 25.6132967208,
         29.7200047320761, 39.9573141177955, 39.9573141177955});
  const auto square = [](PlateEdge edge) {
    return vibration::rectangular_plate({.size = {1, 1},
                                         .bending_stiffness = 1,
                                         .poisson_ratio = 0.3,
                                         .areal_density = 1,
                                         .low_x = edge,
                                         .high_x = edge,
                                         .low_z = edge,
                                         .high_z = edge},
                                        {.max_frequency = 28});
  };
  claim("square plate, clamped (S13)", *square(PlateEdge::clamped), unit,
        {35.9851911159299, 73.3938455259661, 73.3938455259661, 108.216501693523, 131.580772614479,
         132.20479020154, 165.000406196886, 165.000406196886});
  claim("square plate, supported (S14)", *square(PlateEdge::supported), unit,
        {19.7392088021787, 49.3480220054468, 49.3480220054468, 78.9568352087149, 98.6960440108936,
         98.6960440108936, 128.304857214162, 128.304857214162});
  claim("square plate, free, nu = 0.3 (S15)", *square(PlateEdge::free), unit,
        {13.4681973118204, 19.596137340585, 24.2702009072775, 34.8008911149033, 34.8008911149033,
         61.0932340561587, 61.0932340561587, 63.6861329912644, 69.2654054065439});
  return outcome;
}

/// Figures 5 to 7: a square of sides 1 whose lowest mode is at 500 Hz, struck at three points.
Outcome run_square_strikes() {
  // Reference S08, relative to w_11 = 1: modes at 500, 790.6, 1000 Hz, ... where a pair of equal
  // frequencies is heard as one, by the root of the sum of squares.
  struct Figure {
    int number;
    Vec2 at;
    std::vector<double> amplitudes;  ///< of the first 12 modes
  };
  const Figure figures[] = {
      {5,
       {0.1, 0.1},
       {0.0954915028125263, 0.114876460273681, 0.114876460273681, 0.172745751406263,
        0.111803398874989, 0.111803398874989, 0.186517528273791, 0.186517528273791,
        0.100804339135792, 0.100804339135792, 0.218169499062491, 0.176776695296637}},
      {6,
       {0.1, 0.4},
       {0.293892626146237, 0.114876460273681, 0.353553390593274, 0.172745751406263,
        -0.0812299240582266, 0.344095480117793, -0.135512916509351, 0.186517528273791,
        -0.100804339135792, 0.310243855034057, -0.158509419382526, -0.176776695296637}},
      {7,
       {0.5, 0.4},
       {0.951056516295154, 0.371748034460185, 0, 0, -0.262865556059567, -0.42532540417602, 0,
        -0.230548343941645, -0.326209693870365, 0, 0.195928417430824, 0}}};
  const auto membrane = vibration::rectangular_membrane({1, 1}, std::pow(500 * std::sqrt(2.0), 2),
                                                        1.0, {.max_frequency = 20000, .most = 400});
  const auto& modes = membrane->modes();
  Outcome outcome;
  for (const Figure& figure : figures) {
    const auto u = membrane->displacement(figure.at - Vec2(0.5, 0.5));
    std::vector<double> frequency, ours, energy_scaled = vibration::strike_amplitudes(u, modes);
    for (std::size_t i = 0; i < modes.size(); ++i) {
      // Mass-normalised shapes of a unit mass are twice the product of sines.
      frequency.push_back(modes[i].frequency);
      ours.push_back(std::abs(0.5 * u[i] * modes[0].frequency / modes[i].frequency));
    }
    double largest = 0.0, centroid = 0.0, power = 0.0;
    for (std::size_t i = 0; i < figure.amplitudes.size();) {
      double a = 0.0, b = 0.0;
      const double f = modes[i].frequency;
      for (; i < figure.amplitudes.size() && std::abs(modes[i].frequency - f) < 1e-6 * f; ++i) {
        a += std::pow(ours[i], 2);
        b += std::pow(figure.amplitudes[i], 2);
      }
      if (i == figure.amplitudes.size()) break;  // the twelfth's twin is the thirteenth
      largest = std::max(largest, std::abs(std::sqrt(a) - std::sqrt(b)));
    }
    double energy = 0.0;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      centroid += frequency[i] * ours[i] * ours[i];
      power += ours[i] * ours[i];
      energy += std::pow(energy_scaled[i] * 2 * pi * modes[i].frequency, 2);
    }
    const std::string point = fmt::format("struck at ({:g}, {:g})", figure.at.x(), figure.at.y());
    outcome.claims.push_back(
        {point + ": largest error of the first amplitudes (S08)", "", 0.0, largest, 1e-12});
    outcome.claims.push_back(
        {point + ": energy of the scaled amplitudes (equation 11)", "", 1.0, energy, 1e-12});
    outcome.charts.push_back(
        {.title = fmt::format("Figure {}: square membrane {}", figure.number, point),
         .x = {.label = "frequency (Hz)", .min = 0, .max = 0},
         .y = {.label = "amplitude", .min = 0, .max = 0},
         .series = {{fmt::format("400 modes, mean {:.0f} Hz", centroid / power), frequency, ours,
                     plot::Look::points}}});
  }
  outcome.remarks =
      "The nearer the point is to the rim, the more of the amplitude is at high frequencies, as "
      "the "
      "paper says of its figures; it prints no numbers.";
  return outcome;
}

Outcome run_damping() {
  Outcome outcome;
  double worst = 0.0;
  const double exact[3][3] = {{1.59154943091895, 0.318309886183791, 0.0636619772367581},
                              {0.159154943091895, 0.0318309886183791, 0.00636619772367581},
                              {0.0159154943091895, 0.00318309886183791, 0.000636619772367581}};
  const double losses[] = {0.001, 0.01, 0.1}, frequencies[] = {200, 1000, 5000};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const base::Damping damping{.internal_friction = losses[i]};
      worst =
          std::max(worst, std::abs(1.0 / damping.decay_rate(frequencies[j]) / exact[i][j] - 1.0));
    }
  }
  outcome.claims.push_back(
      {"internal friction: largest relative error of nine decay times (D01)", "", 0, worst, 1e-12});
  worst = 0.0;
  const base::Damping rayleigh{.mass = 6.0, .stiffness = 1e-7};
  const double decay[] = {3.07895683520871, 4.97392088021787, 52.3480220054468, 447.132198049021};
  const double at[] = {200, 1000, 5000, 15000};
  for (int i = 0; i < 4; ++i) {
    worst = std::max(worst, std::abs(rayleigh.decay_rate(at[i]) / decay[i] - 1.0));
  }
  outcome.claims.push_back(
      {"Rayleigh: largest relative error of four decay rates (D02)", "", 0, worst, 1e-12});

  // Modes as the bank renders them, measured from the sound.
  double frequency_error = 0.0, decay_error = 0.0;
  for (const double f : {30.0, 200.0, 1000.0, 5000.0, 15000.0}) {
    const base::Mode mode{f, rayleigh.decay_rate(f)};
    const auto samples = static_cast<std::size_t>(48000 * std::min(1.0, 3.0 / mode.decay_rate));
    vibration::ModalBank bank(std::vector{mode}, {48000});
    const double one = 1.0;
    bank.set_gains({&one, 1}, {&one, 1});
    std::vector<float> force(samples, 0.0f), out(samples, 0.0f);
    force[0] = 1.0f;
    bank.process(force, out);
    const auto received = util::find_mode(util::as_double(out), 48000, f, 0.2 * f);
    const double w = 2 * pi * f, d = mode.decay_rate;
    const double damped = std::sqrt(w * w - d * d) / (2 * pi);
    frequency_error = std::max(frequency_error, std::abs(received.frequency / damped - 1.0));
    decay_error = std::max(decay_error, std::abs(received.decay / d - 1.0));
  }
  outcome.claims.push_back(
      {"modal bank: largest relative error of the frequency heard", "", 0, frequency_error, 1e-6});
  outcome.claims.push_back(
      {"modal bank: largest relative error of the decay rate heard", "", 0, decay_error, 1e-4});

  // D03: the recursion's answer to one impulse, at the two samples that the reference gives.
  const double wd = 2000 * pi, d = 30.0;
  vibration::ModalBank bank(std::vector<base::Mode>{{std::sqrt(wd * wd + d * d) / (2 * pi), d}},
                            {44100});
  const double one = 1.0;
  bank.set_gains({&one, 1}, {&one, 1});
  std::vector<float> force(64, 0.0f), out(64, 0.0f);
  force[0] = 44100.0f;
  bank.process(force, out);
  outcome.claims.push_back({"impulse response after one sample (D03)", "m kg^1/2",
                            2.25837310302564e-05, static_cast<double>(out[1]), 1e-11});
  return outcome;
}

}  // namespace

Entry ideal_shapes() {
  return {.key = "ideal-shapes",
          .title = "Frequencies of ideal shapes",
          .source =
              "van den Doel & Pai 1998, section 6; exact and converged values (references S01, "
              "S02, S05, S07, S09 to S15, P-S02, P-S06, P-S09)",
          .method = "Modes of strings, bars, membranes and plates by the code that scenes use.",
          .run = run_ideal_shapes};
}

Entry square_membrane_strikes() {
  return {.key = "square-membrane-strikes",
          .title = "A square membrane struck at three points",
          .source = "van den Doel & Pai 1998, equations 10 and 11, figures 5 to 7 (reference S08)",
          .method =
              "Amplitudes of the first 400 modes, the lowest at 500 Hz; pairs of equal "
              "frequency are compared by the root of the sum of their squares.",
          .run = run_square_strikes};
}

Entry modal_damping() {
  return {.key = "modal-damping",
          .title = "Decay of modes",
          .source =
              "van den Doel & Pai 1998, equations 12 and 13 with the missing pi (references "
              "D01 to D03)",
          .method =
              "Decay rates of the damping models, and single modes rendered by the modal bank "
              "and measured from the sound.",
          .run = run_damping};
}

}  // namespace peal::validation
