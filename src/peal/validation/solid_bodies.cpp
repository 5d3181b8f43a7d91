#include <peal/geometry/shapes/shapes.h>
#include <peal/validation/entries.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

using geometry::Vec3;
using std::numbers::pi;

const base::Material reference_steel{"steel", 7850.0, 200e9, 0.3, {}};

base::ModalModel found_modes(const geometry::TriMesh& mesh, double max_frequency,
                             std::vector<vibration::Clamp> clamps = {}) {
  util::Silent silent;
  return vibration::solid_modes(mesh, reference_steel,
                                {.max_frequency = max_frequency, .clamps = std::move(clamps)},
                                silent)
      .model;
}

/// Modes of which a part between two numbers of the surface's motion is along an axis.
std::vector<double> moving_along(const base::ModalModel& model, int axis, double least,
                                 double most) {
  std::vector<double> frequencies;
  for (Eigen::Index m = 0; m < model.shapes.cols(); ++m) {
    double along = 0.0, all = 0.0;
    for (Eigen::Index row = 0; row < model.shapes.rows(); ++row) {
      const double square = std::pow(static_cast<double>(model.shapes(row, m)), 2);
      all += square;
      if (row % 3 == axis) along += square;
    }
    if (along >= least * all && along <= most * all)
      frequencies.push_back(model.modes[static_cast<std::size_t>(m)].frequency);
  }
  return frequencies;
}

/// All but those that stretch a bar along x.
std::vector<double> bending(const base::ModalModel& bar) {
  return moving_along(bar, 0, 0.0, 0.5);
}

std::vector<double> frequencies_of(const base::ModalModel& model) {
  std::vector<double> frequencies;
  for (const base::Mode& mode : model.modes) frequencies.push_back(mode.frequency);
  return frequencies;
}

/// The mode nearest to each published frequency.
void claim_nearest(Outcome& outcome, const std::string& what, const std::vector<double>& ours,
                   const std::vector<double>& published, double tolerance) {
  for (std::size_t i = 0; i < published.size(); ++i) {
    const double f = published[i];
    const auto nearest =
        std::ranges::min_element(ours, {}, [&](double x) { return std::abs(x - f); });
    outcome.claims.push_back({fmt::format("{}, mode {}", what, i + 1), "Hz", f,
                              nearest == ours.end() ? 0.0 : *nearest, tolerance * f});
  }
}

/// Everything at or beyond a plane of x is held.
vibration::Clamp held_at(double x) {
  return {.box = geometry::Box(Vec3(x - 1e-4, -1, -1), Vec3(x + 1e-4, 1, 1))};
}

Outcome run_solid_bars() {
  Outcome outcome;
  const auto bar = geometry::box_mesh({0.3, 0.03, 0.03}, 1.0);
  claim_nearest(outcome, "square bar, free, against Timoshenko's (S03)",
                bending(found_modes(bar, 8500)),
                {1670.37026522035, 4344.95411770332, 7925.390657267346}, 0.005);
  // The theory holds the slope of a section where the solid holds every point: its ends are
  // stiffer.
  claim_nearest(outcome, "square bar, held at one end (S03)",
                bending(found_modes(bar, 4600, {held_at(-0.15)})),
                {269.65538199811766, 1616.1377921300898, 4250.689149155496}, 0.01);
  claim_nearest(outcome, "square bar, held at both ends (S03)",
                bending(found_modes(bar, 4600, {held_at(-0.15), held_at(0.15)})),
                {1621.1883143373461, 4154.710413868181}, 0.015);

  const auto rod = frequencies_of(found_modes(geometry::cylinder_mesh(0.01, 0.3, 0.006), 11000));
  claim_nearest(outcome, "round rod, torsion (S04)", rod, {5217.25717620882, 10434.5143524176},
                0.005);
  // With Rayleigh's correction for the inertia of its swelling.
  const double thinner = 1.0 - std::pow(pi * 0.3 * 0.01, 2) / (4.0 * 0.3 * 0.3);
  claim_nearest(outcome, "round rod, along its axis (S04)", rod, {8412.57441875115 * thinner},
                0.005);

  // Three lengths of rectangular section; the middle one, cut from below, is thinner by half.
  constexpr double length = 0.6, thick = 0.012;
  const double half = 0.5 * 0.27283672637154 * length, cut = (1.0 - 0.490222005805903) * thick;
  const geometry::Polygon side = {
      {-0.5 * length, 0}, {-half, 0},        {-half, cut},          {half, cut},
      {half, 0},          {0.5 * length, 0}, {0.5 * length, thick}, {-0.5 * length, thick}};
  const double unit = thick * std::sqrt(200e9 / (12.0 * 7850.0)) / (2.0 * pi * length * length);
  claim_nearest(
      outcome, "undercut bar of 1:4:10, against Euler's and Bernoulli's (S06)",
      moving_along(found_modes(geometry::extruded_mesh(side, {}, 0.03, 0.02), 1300), 2, 0.7, 1.0),
      {10.7247329233326 * unit, 42.8989316933308 * unit, 107.247329233335 * unit}, 0.03);

  // Lamb's sphere: each mode as often as it has directions.
  constexpr double radius = 0.05;
  const double shear = std::sqrt(200e9 / 2.6 / 7850.0);
  std::vector<double> exact;
  const std::pair<double, int> sphere[] = {{2.5011326204094, 5},
                                           {2.64621703487166, 5},
                                           {3.52998730063981, 3},
                                           {3.86469977822304, 7},
                                           {3.93740128886953, 7}};
  for (const auto& [eta, times] : sphere)
    exact.insert(exact.end(), static_cast<std::size_t>(times), eta * shear / (2.0 * pi * radius));
  const auto ours =
      frequencies_of(found_modes(geometry::sphere_mesh(radius, 0.012), 1.02 * exact.back()));
  outcome.claims.push_back({"sphere: modes up to the 5th kind (S16)", "",
                            static_cast<double>(exact.size()), static_cast<double>(ours.size()),
                            0.0});
  double worst = 0.0;
  for (std::size_t i = 0; i < std::min(exact.size(), ours.size()); ++i)
    worst = std::max(worst, std::abs(ours[i] / exact[i] - 1.0));
  outcome.claims.push_back(
      {"sphere: largest relative error of its frequencies (S16)", "", 0.0, worst, 0.005});
  outcome.remarks =
      "Beam theory is not what a solid does: Timoshenko's bar is within half a percent for the "
      "lowest modes, a held end is stiffer than theory's, and the corners of an undercut are "
      "softer.";
  return outcome;
}

}  // namespace

Entry solid_bars() {
  return {
      .key = "solid-bars",
      .title = "Solid bars, rods and a sphere",
      .source = "Timoshenko, Euler-Bernoulli, Pochhammer and Lamb (references S03, S04, S06, S16)",
      .method = "Finite-element modes of closed meshes at the default accuracy.",
      .run = run_solid_bars,
      .cost = Cost::slow};
}

}  // namespace peal::validation
