#include <peal/validation/entries.h>
#include <peal/vibration/ideal_line.h>
#include <peal/vibration/initial_motion.h>
#include <peal/vibration/struck_sound.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using std::numbers::pi;
using Quantity = vibration::ModalResponse::Quantity;

// Reference S01: a string of 0.65 m at 73.9 N, pulled out by 3 mm at 0.13 m from its end.
constexpr double string_length = 0.65, string_tension = 73.9, string_density = 0.0031;
constexpr double pull_at = 0.13, pull = 0.003;
constexpr double plucked_amplitudes[] = {
    0.00223331615586688,   0.000903395361954218, 0.00040150904975743,   0.00013958225974168,  0.0,
    -6.20365598851911e-05, -7.3746560159528e-05, -5.64622101221386e-05, -2.75718043934183e-05};

/// Amplitudes of the modes in the middle of their bellies after a force [m].
std::vector<double> amplitudes_after(const vibration::IdealShape& shape,
                                     const vibration::ModalForce& force) {
  const vibration::ModalResponse response(shape.modes(), {force});
  const base::SampleRange late{2000, 2001};
  const Eigen::MatrixXf q = response.evaluate({96000}, late, Quantity::displacement);
  const Eigen::MatrixXf v = response.evaluate({96000}, late, Quantity::velocity);
  std::vector<double> amplitudes;
  for (std::size_t n = 0; n < shape.modes().size(); ++n) {
    const auto row = static_cast<Eigen::Index>(n);
    const double w = 2.0 * pi * shape.modes()[n].frequency;
    amplitudes.push_back(
        std::hypot(static_cast<double>(q(row, 0)), static_cast<double>(v(row, 0)) / w) *
        std::sqrt(2.0 / shape.mass()));
  }
  return amplitudes;
}

Outcome run_plucked_string() {
  const auto shape = vibration::string_modes(string_length, string_tension, string_density,
                                             {.max_frequency = 10000.0});
  const std::vector<double> there = shape->displacement({pull_at - 0.5 * string_length, 0.0});
  const scene::Strike strike{.pluck = scene::Pluck{.displacement = pull}};
  const auto forces =
      vibration::modal_forces(std::span(&strike, 1), {}, std::span(&there, 1), shape->modes());
  const std::vector<double> plucked = amplitudes_after(*shape, forces[0]);
  const double half = 0.5 * string_length;
  const scene::InitialMotion triangle{
      .profile = {{-half, 0.0}, {pull_at - half, pull}, {half, 0.0}}};
  const std::vector<double> initial = amplitudes_after(
      *shape, vibration::initial_force(*shape, scene::IdealString{.length = string_length},
                                       triangle, {0.0, 0.0}, 0.001));
  Outcome outcome;
  for (std::size_t n = 0; n < std::size(plucked_amplitudes); ++n) {
    const double exact = 1e3 * std::abs(plucked_amplitudes[n]);
    outcome.claims.push_back({fmt::format("amplitude of partial {}, plucked", n + 1), "mm", exact,
                              1e3 * plucked[n], 0.01 * exact + 1e-6});
    outcome.claims.push_back({fmt::format("amplitude of partial {}, from a triangle", n + 1), "mm",
                              exact, 1e3 * initial[n], 1e-3 * exact + 1e-6});
  }
  // The highest below 10 kHz that is not silent: n^2 times its amplitude over sin(n pi b).
  const std::size_t high = 84;
  const double part = std::abs(std::sin(pi * 84.0 * pull_at / string_length) /
                               std::sin(pi * pull_at / string_length));
  outcome.claims.push_back({"n^2 of partial 84 against the first", "1", 1.0,
                            84.0 * 84.0 * plucked[high - 1] / (part * plucked[0]), 0.01});
  return outcome;
}

}  // namespace

Entry plucked_string() {
  return {.key = "plucked-string",
          .title = "A plucked string",
          .source =
              "Amplitudes fall with 1 / n^2 (reference S01); van den Doel & Pai 1998, "
              "equations 4 and 5 with y_0 and v_0 where they belong",
          .method = "A string held by a force that lets go, and one that begins as a triangle.",
          .run = run_plucked_string};
}

}  // namespace peal::validation
