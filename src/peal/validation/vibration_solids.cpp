#include <peal/geometry/shapes.h>
#include <peal/validation/entries.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::validation {

namespace {

using geometry::TriMesh;
using geometry::Vec3;

/// A body with known frequencies.
struct Solid {
  std::string name;
  TriMesh mesh;
  base::Material material;
  std::vector<double> frequencies;  ///< [Hz], ascending
  std::vector<vibration::Clamp> clamps;
};

/// Every degenerate frequency as often as it occurs: eta, n of 2 n + 1 modes each, times `unit`.
std::vector<double> with_multiplicity(const std::vector<std::pair<double, int>>& modes,
                                      double unit) {
  std::vector<double> all;
  for (const auto& [eta, n] : modes) all.insert(all.end(), 2 * n + 1, eta * unit);
  std::sort(all.begin(), all.end());
  return all;
}

/// w = eta c_s / a of a sphere.
double sphere_unit(const base::Material& material, double radius) {
  const double shear = material.young_modulus / (2.0 * (1.0 + material.poisson_ratio));
  return std::sqrt(shear / material.density) / (2.0 * std::numbers::pi * radius);
}

TriMesh hollow_sphere(double outer, double inner, double edge) {
  TriMesh cavity = geometry::sphere_mesh(inner, edge);
  for (geometry::Triangle& corners : cavity.triangles) std::swap(corners[0], corners[1]);
  return joined(geometry::sphere_mesh(outer, edge), cavity);
}

/// Plate of S24: u_y = 0 (its normal) on the four edge faces.
std::vector<vibration::Clamp> soft_support() {
  std::vector<vibration::Clamp> clamps;
  for (const double side : {-5.0, 5.0}) {
    const std::array<bool, 3> normal{false, true, false};
    clamps.push_back({geometry::Box(Vec3(side - 1e-6, -1, -6), Vec3(side + 1e-6, 1, 6)), normal});
    clamps.push_back({geometry::Box(Vec3(-6, -1, side - 1e-6), Vec3(6, 1, side + 1e-6)), normal});
  }
  return clamps;
}

std::vector<Solid> solids() {
  const base::Material steel{"steel", 7850.0, 200e9, 0.3, {}};
  const base::Material copper{"copper", 8940.0, 123.4e9, 0.34, {}};
  const base::Material unit{"unit", 1.0, 1.0, 0.3, {}};
  const double ball = sphere_unit(copper, 0.0075), shell = sphere_unit(unit, 1.0);
  std::vector<double> cube;
  for (const double omega :
       {1.77124407, 1.77124407, 2.38517029, 2.38517029, 2.38517029, 2.42565458, 2.42565458,
        2.42565458, 2.75535903, 2.75535903, 2.75535903, 2.83591773, 2.83591773, 2.83591773,
        2.97221944, 2.97221944, 2.97221944, 3.36484397, 3.36484397, 3.41758803, 3.41758803,
        3.41758803, 3.42010621, 3.50303817, 3.50303817, 3.50303817})
    cube.push_back(omega / (2.0 * std::numbers::pi));
  return {
      {"S17 ball bearing",
       geometry::sphere_mesh(0.0075, 0.0015),
       copper,
       with_multiplicity({{2.5011326204094, 2},
                          {2.65079071174309, 2},
                          {3.60873496819298, 1},
                          {3.86469977822304, 3},
                          {3.95261630285538, 3}},
                         ball),
       {}},
      {"S18 cube", geometry::box_mesh({1, 1, 1}, 2.0), unit, cube, {}},
      {"S19 bar",
       geometry::box_mesh({0.2, 0.02, 0.01}, 1.0),
       steel,
       {1285.94966, 2506.98972, 3490.56863, 5800.73693, 6529.93763, 6696.95369, 10774.9497,
        11619.5086, 11930.4768, 12612.9854, 15598.2816, 17473.2897, 18235.8787, 21042.6095},
       {}},
      {"S20 coin",
       geometry::cylinder_mesh(0.01213, 0.00175, 0.001),
       copper,
       {10982.088, 10982.2539, 19029.1056, 24853.4749, 24853.4749, 41187.0421, 41187.0421,
        42309.4978, 42310.5371, 62696.1138, 62696.1138, 67404.969, 67405.8265, 69867.4246,
        69867.4246, 73551.3902},
       {}},
      {"S21 thick disc",
       geometry::cylinder_mesh(0.05, 0.04, 0.005),
       steel,
       {14252.6143, 14252.6143, 21846.6183, 23368.5647, 23368.5647, 26038.6416, 26038.6416,
        27084.87, 27084.87, 33023.2644, 33023.2644, 33241.4946, 35831.6645, 35831.6645, 37411.1058,
        37411.1061},
       {}},
      {"S22 hollow sphere",
       hollow_sphere(1.0, 0.9, 0.1),
       unit,
       with_multiplicity({{1.25953704753557, 2},
                          {1.55182865110196, 3},
                          {1.79791218919823, 4},
                          {2.10040601104488, 2}},
                         shell),
       {}},
      {"S24 thick plate, soft support",
       geometry::box_mesh({10, 1, 10}, 20.0),
       {"steel", 8000.0, 200e9, 0.3, {}},
       {44.1809201, 107.325787, 107.325787, 163.123019, 193.649514, 203.29975, 203.653548,
        206.795633},
       soft_support()},
      {"P-S15 die",
       geometry::box_mesh({0.016, 0.016, 0.016}, 1.0),
       {"abs", 1200.0, 2.4e9, 0.37, {}},
       {24274.3074, 24274.3074, 32829.1529, 32829.1529, 32829.1529, 33280.3614, 33280.3614,
        33280.3614, 37757.6308, 37757.6308, 37757.6308, 40372.6976},
       {}},
  };
}

Outcome run_solids() {
  Outcome outcome;
  std::size_t held = 0, modes = 0;
  for (const Solid& solid : solids()) {
    util::Silent silent;
    vibration::SolidModesSettings settings;
    settings.max_frequency = 1.005 * solid.frequencies.back();
    settings.count = static_cast<int>(solid.frequencies.size());
    settings.clamps = solid.clamps;
    const vibration::SolidModes found =
        vibration::solid_modes(solid.mesh, solid.material, settings, silent);
    double worst = found.model.modes.size() < solid.frequencies.size() ? 1.0 : 0.0;
    for (std::size_t i = 0; i < std::min(found.model.modes.size(), solid.frequencies.size()); ++i) {
      const double error = std::abs(found.model.modes[i].frequency / solid.frequencies[i] - 1.0);
      worst = std::max(worst, error);
      held += error <= found.model.modes[i].relative_error;
      ++modes;
    }
    outcome.claims.push_back({fmt::format("{}, largest error of {} modes ({} unknowns)", solid.name,
                                          solid.frequencies.size(), found.unknowns),
                              "%", 0.0, 100.0 * worst, 0.5});
  }
  outcome.claims.push_back({"modes whose error is within its estimate", "%", 100.0,
                            100.0 * double(held) / double(modes), 5.0});
  return outcome;
}

}  // namespace

Entry solid_vibration() {
  return {.key = "solid-vibration",
          .title = "Vibration modes of solids from their surfaces",
          .source =
              "Exact and converged solutions of three-dimensional elasticity (references S17 "
              "to S22, S24, P-S15)",
          .method =
              "`peal modes` on each body's triangles at the default accuracy of 0.5 %; modes "
              "are compared in order.",
          .run = run_solids,
          .cost = Cost::slow};
}

}  // namespace peal::validation
