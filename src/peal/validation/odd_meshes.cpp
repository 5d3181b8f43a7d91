#include <peal/validation/entries.h>
#include <peal/validation/odd_bodies.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <numbers>
#include <string>
#include <vector>

namespace peal::validation {

namespace {

constexpr int odd_modes = 30;
constexpr double odd_accuracy = 0.01;

const base::Material odd_copper{"copper", 8940.0, 123.4e9, 0.34, {}};
const base::Material odd_beech{"beech", 720.0, 14e9, 0.35, {}};

vibration::SolidModes modes_of_odd(const geometry::TriMesh& mesh, const base::Material& material,
                                   double accuracy) {
  util::Silent silent;
  return vibration::solid_modes(
      mesh, material, {.max_frequency = 0.0, .count = odd_modes, .accuracy = accuracy}, silent);
}

/// Frequencies of the copper ball of 50 mm [Hz]: Lamb 1882, as in reference S17.
std::vector<double> ball_frequencies() {
  const double shear = odd_copper.young_modulus / (2.0 * (1.0 + odd_copper.poisson_ratio));
  const double unit = std::sqrt(shear / odd_copper.density) / (2.0 * std::numbers::pi * 0.05);
  std::vector<double> all;
  for (const auto& [eta, n] : {std::pair(2.5011326204094, 2), std::pair(2.65079071174309, 2),
                               std::pair(3.60873496819298, 1), std::pair(3.86469977822304, 3),
                               std::pair(3.95261630285538, 3)})
    all.insert(all.end(), 2 * n + 1, eta * unit);
  return all;
}

struct OddDifference {
  double worst = 0.0;   ///< largest difference [1]
  double held = 0.0;    ///< part of the modes whose difference is within the stated error
  double stated = 0.0;  ///< largest stated error
};

/// `reference_error`: of the reference itself.
OddDifference odd_difference(const std::vector<base::Mode>& modes,
                             const std::vector<double>& reference, double reference_error) {
  OddDifference result;
  const std::size_t count = std::min(modes.size(), reference.size());
  for (std::size_t i = 0; i < count; ++i) {
    const double error = std::abs(modes[i].frequency / reference[i] - 1.0);
    result.worst = std::max(result.worst, error);
    result.stated = std::max(result.stated, modes[i].relative_error);
    result.held += error <= modes[i].relative_error + reference_error ? 1.0 : 0.0;
  }
  result.held /= static_cast<double>(std::max<std::size_t>(1, count));
  return result;
}

std::vector<double> odd_frequencies(const std::vector<base::Mode>& modes) {
  std::vector<double> all;
  for (const base::Mode& mode : modes) all.push_back(mode.frequency);
  return all;
}

/// A body that cannot be computed is a failed claim, and the others are computed.
template <class Add>
void add_body(Outcome& outcome, const std::string& name, const Add& add) try {
  add();
} catch (const std::exception& error) {
  outcome.claims.push_back({name + ": " + error.what(), "", 1.0, 0.0, 0.0});
}

void add_balls(Outcome& outcome) {
  for (const double noise : {0.001, 0.003})
    add_body(outcome, "noisy ball", [&] {
      const auto found = modes_of_odd(noisy_ball(noise, 5.19e-4), odd_copper, odd_accuracy);
      const OddDifference difference = odd_difference(found.model.modes, ball_frequencies(), 0.0);
      outcome.claims.push_back(
          {fmt::format("ball of 330 k triangles with noise of {:g} %, largest error ({} unknowns)",
                       100.0 * noise, found.unknowns),
           "%", 0.0, 100.0 * difference.worst, 100.0 * noise});
    });
}

void add_chair(Outcome& outcome) {
  const auto exact = modes_of_odd(box_chair_union(), odd_beech, 0.002);
  for (const double accuracy : {0.01, 0.005}) {
    const auto found = modes_of_odd(box_chair(), odd_beech, accuracy);
    double own = 0.0;
    for (const base::Mode& mode : exact.model.modes) own = std::max(own, mode.relative_error);
    const OddDifference difference =
        odd_difference(found.model.modes, odd_frequencies(exact.model.modes), own);
    outcome.claims.push_back(
        {fmt::format("chair of crossing boxes against their union, accuracy "
                     "{:g} %, largest error (stated {:.2g} %, {} unknowns)",
                     100.0 * accuracy, 100.0 * difference.stated, found.unknowns),
         "%", 0.0, 100.0 * difference.worst, 100.0 * std::max(0.01, difference.stated)});
    outcome.claims.push_back(
        {fmt::format("chair, accuracy {:g} %, part of {} modes within their stated "
                     "error",
                     100.0 * accuracy, odd_modes),
         "%", 100.0, 100.0 * difference.held, 5.0});
  }
}

/// The stated error is compared with the change at half the tolerance.
void add_odd(Outcome& outcome) {
  for (const OddBody& body : odd_bodies())
    add_body(outcome, body.name, [&] {
      const auto coarse = modes_of_odd(body.mesh, body.material, odd_accuracy);
      const auto fine = modes_of_odd(body.mesh, body.material, 0.5 * odd_accuracy);
      const OddDifference difference =
          odd_difference(coarse.model.modes, odd_frequencies(fine.model.modes), 0.0);
      outcome.claims.push_back(
          {fmt::format("{}, modes found ({} unknowns)", body.name, coarse.unknowns), "",
           double(odd_modes), double(coarse.model.modes.size()), 0.0});
      outcome.claims.push_back(
          {fmt::format("{}, largest change at half the tolerance (stated {:.2g} %)", body.name,
                       100.0 * difference.stated),
           "%", 0.0, 100.0 * difference.worst, 100.0 * difference.stated});
    });
}

Outcome run_odd_meshes() {
  Outcome outcome;
  add_balls(outcome);
  add_body(outcome, "scan", [&] {
    const auto scan = modes_of_odd(scanned_lump(9.34e-4), odd_copper, odd_accuracy);
    outcome.claims.push_back(
        {fmt::format("scan of 330 k triangles, modes found ({} unknowns)", scan.unknowns), "",
         double(odd_modes), double(scan.model.modes.size()), 0.0});
  });
  add_body(outcome, "chair", [&] { add_chair(outcome); });
  add_odd(outcome);
  outcome.remarks =
      "All bodies are modelled in code (validation/odd_bodies.h). The factors of the stated errors "
      "were chosen with the chair and a ball.";
  return outcome;
}

}  // namespace

Entry odd_meshes() {
  return {.key = "odd-meshes",
          .title = "Modes of meshes as people have them",
          .source = "Lamb 1882 for the ball; the exact union of the chair's boxes",
          .method = "`peal modes --count 30 --accuracy 0.01` of noisy, crossing and broken meshes.",
          .run = run_odd_meshes,
          .cost = Cost::slow};
}

}  // namespace peal::validation
