#include <peal/elastic/scaled_stiffness.h>
#include <peal/fem/lanczos.h>
#include <peal/scene/read_scene.h>
#include <peal/simulate/make_solid.h>
#include <peal/validation/entries.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::validation {

namespace {

struct TrialBody {
  const char *name, *shape;
  double allowed;  ///< of its first modes [1]
};

constexpr std::size_t compared = 5;  ///< modes

constexpr TrialBody trial_bodies[] = {
    {"bar 250 x 25 x 8 mm", R"({"box": [0.25, 0.008, 0.025]})", 0.005},
    {"square rod 300 x 10 x 10 mm", R"({"box": [0.3, 0.01, 0.01]})", 0.005},
    {"strip 200 x 30 x 5 mm", R"({"box": [0.2, 0.005, 0.03]})", 0.005},
    {"plate 310 x 110 x 4 mm", R"({"box": [0.31, 0.004, 0.11]})", 0.005},
    {"slanted plate of 4 mm",
     R"({"extrude": {"outline": [[-0.1, -0.08], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.06]], "height": 0.004}})",
     0.005},
    {"L-shaped plate of 4 mm",
     R"({"extrude": {"outline": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0], [0, 0], [0, 0.1], [-0.1, 0.1]],
         "height": 0.004}})",
     0.005},
    {"ring, radius 50 mm, 10 mm high, wall 4 mm",
     R"({"lathe": {"profile": [[0.05, -0.005], [0.05, 0.005]], "wall": 0.004}})", 0.005},
    {"tube, radius 30 mm, 200 mm long, wall 2 mm",
     R"({"lathe": {"profile": [[0.03, -0.1], [0.03, 0.1]], "wall": 0.002}})", 0.005},
    {"cone, radii 10 and 60 mm, 100 mm high, wall 3 mm",
     R"({"lathe": {"profile": [[0.01, 0], [0.06, 0.1]], "wall": 0.003}})", 0.005},
    {"cup, radius 35 to 40 mm, 90 mm high, wall 3 mm",
     R"({"lathe": {"profile": [[0, 0], [0.035, 0], [0.04, 0.09]], "wall": 0.003}})", 0.005},
    {"mug, radius 40 mm, 90 mm high, wall 4 mm",
     R"({"lathe": {"profile": [[0, 0], [0.04, 0], [0.04, 0.09]], "wall": 0.004}})", 0.005},
    {"tube, radius 30 mm, 100 mm long, wall 2 mm, with a flange of 30 mm",
     R"({"lathe": {"profile": [[0.03, 0], [0.03, 0.1], [0.06, 0.1]], "wall": 0.002}})", 0.005},
    {"dish, radius 60 mm, 20 mm high, wall 3 mm",
     R"({"lathe": {"profile": [[0, 0], [0.06, 0], [0.06, 0.02]], "wall": 0.003}})", 0.005},
    {"undercut bar 200 x 30 x 7 to 16 mm",
     R"({"extrude": {"outline": [[-0.1, -0.01], [-0.06, -0.01], [-0.04, -0.001], [0.04, -0.001],
         [0.06, -0.01], [0.1, -0.01], [0.1, 0.006], [-0.1, 0.006]], "height": 0.03}})",
     0.005},
    {"bar 200 x 20 x 10 mm", R"({"box": [0.2, 0.01, 0.02]})", 0.005},
    {"thick plate 180 x 120 x 40 mm", R"({"box": [0.18, 0.04, 0.12]})", 0.005},
    {"thick bar 100 x 25 x 25 mm", R"({"box": [0.1, 0.025, 0.025]})", 0.005},
    {"T-shaped plate of 10 mm",
     R"({"extrude": {"outline": [[-0.15, 0.02], [-0.045, 0.02], [-0.045, -0.07], [0.045, -0.07],
         [0.045, 0.02], [0.15, 0.02], [0.15, 0.07], [-0.15, 0.07]], "height": 0.01}})",
     0.008},
    {"frame 300 x 200 x 10 mm, sides of 40 mm",
     R"({"extrude": {"outline": [[-0.15, -0.1], [0.15, -0.1], [0.15, 0.1], [-0.15, 0.1]],
         "holes": [[[-0.11, -0.06], [0.11, -0.06], [0.11, 0.06], [-0.11, 0.06]]], "height": 0.01}})",
     0.005},
    {"tuning fork 120 x 40 x 12 mm",
     R"({"extrude": {"outline": [[-0.06, -0.02], [0.06, -0.02], [0.06, -0.01], [-0.04, -0.01],
         [-0.04, 0.01], [0.06, 0.01], [0.06, 0.02], [-0.06, 0.02]], "height": 0.012}})",
     0.005},
    {"bar with slopes of 12 degrees, 280 x 50 x 9 to 17 mm",
     R"({"extrude": {"outline": [[-0.14, 0], [-0.07, 0], [-0.035, 0.0075], [0.035, 0.0075], [0.07, 0],
         [0.14, 0], [0.14, 0.017], [-0.14, 0.017]], "height": 0.05}})",
     0.005},
    {"plate with a rim of 43 degrees, radius 62 mm, wall 2.9 mm",
     R"({"lathe": {"profile": [[0, 0], [0.043, 0], [0.0616, 0.017]], "wall": 0.0029}})", 0.005},
    {"bell of four straight pieces, radius 49 mm, wall 2 mm",
     R"({"lathe": {"profile": [[0, 0], [0.0146, 0], [0.0243, -0.0146], [0.0291, -0.0437],
         [0.0485, -0.063]], "wall": 0.002}})",
     0.005},
    {"brick 100 x 70 x 50 mm", R"({"box": [0.1, 0.05, 0.07]})", 0.005},
    {"torus of tetrahedra, radii 60 and 12 mm",
     R"({"torus": {"radius": 0.06, "tube_radius": 0.012}})", 0.005}};

/// M^-1/2 K M^-1/2 of a free solid at rest, and a mass of 1.
fem::Matrices scaled_matrices(const elastic::Solid& solid) {
  const std::size_t n = solid.rest.size();
  elastic::FreeAxes free;
  for (auto& axis : free) axis.assign(n, 1.0);
  elastic::ScaledStiffness scaled(solid, free, solid.rest);
  fem::Matrices matrices;
  std::vector<double> unit(3 * n, 0.0);
  std::array<std::vector<double>, 3> columns;
  for (auto& column : columns) column.resize(3 * n);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      unit[axis * n + row] = 1.0;
      scaled.apply(unit, columns[axis]);
      unit[axis * n + row] = 0.0;
    }
    for (std::size_t other = 0; other <= row; ++other) {
      geometry::Mat3 block;
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) block(i, j) = columns[i][j * n + other];
      }
      if (other != row && block.isZero(0.0)) continue;
      if (other == row) block = 0.5 * (block + block.transpose()).eval();
      matrices.graph.column.push_back(static_cast<std::int32_t>(other));
      matrices.stiffness.push_back(block);
      matrices.mass.push_back(other == row ? 1.0 : 0.0);
    }
    matrices.graph.row_begin.push_back(static_cast<std::int32_t>(matrices.stiffness.size()));
  }
  matrices.graph.mirror();
  return matrices;
}

/// The lowest frequencies of a free solid of elements [Hz], without its six rigid motions.
std::vector<double> frequencies(const elastic::Solid& solid, double lowest) {
  constexpr Eigen::Index rigid = 6;
  fem::LanczosSettings settings;
  settings.count = rigid + compared;
  settings.shift = std::pow(2.0 * std::numbers::pi * 0.2 * lowest, 2);
  const auto pairs = fem::lowest_eigenpairs(scaled_matrices(solid),
                                            Eigen::MatrixXd(3 * solid.rest.size(), 0), settings);
  std::vector<double> found;
  for (Eigen::Index i = rigid; i < pairs.values.size(); ++i) {
    found.push_back(std::sqrt(pairs.values[i]) / (2.0 * std::numbers::pi));
  }
  return found;
}

scene::Object trial_object(const TrialBody& body) {
  const std::string text = fmt::format(
      R"({{"peal": 1, "duration": 0.1, "dynamics": {{"gravity": [0, 0, 0]}},
          "listeners": [{{"mono": {{"position": [0, 1, 0]}}}}],
          "objects": [{{"name": "body", "shape": {}, "motion": {{"deformable": {{}}}},
            "material": {{"density": 1000, "young_modulus": 1e9, "poisson_ratio": 0.3}}}}],
          "radiation": {{"model": "rays"}}}})",
      body.shape);
  return scene::parse_scene(text, body.name, ".").objects.at(0);
}

Outcome run_deformed_modes() {
  Outcome outcome;
  util::Silent silent;
  for (const TrialBody& body : trial_bodies) {
    const scene::Object object = trial_object(body);
    const auto modes =
        vibration::solid_modes(*object.mesh, *object.material,
                               {.max_frequency = 0.0, .count = compared, .accuracy = 0.002}, silent)
            .model.modes;
    std::vector<std::string> notices;
    const elastic::Solid solid = simulate::make_solid(object, notices);
    const std::vector<double> ours = frequencies(solid, modes.at(0).frequency);
    double worst = 0.0;
    for (std::size_t k = 0; k < compared; ++k) {
      const double error = ours[k] / modes.at(k).frequency - 1.0;
      if (std::abs(error) > std::abs(worst)) worst = error;
    }
    outcome.claims.push_back({fmt::format("{}, {} elements: largest error of the first {} modes",
                                          body.name, solid.forces->elements(), compared),
                              "%", 0.0, 100.0 * worst, 100.0 * body.allowed});
  }
  return outcome;
}

}  // namespace

Entry deformed_modes() {
  return {
      .key = "deformed-modes",
      .title = "Deformable bodies ring as `peal modes` says with the elements that Peal chooses",
      .source = "Peal's own modes of the same bodies by tetrahedra of third order",
      .method = "Lowest eigenvalues of the stiffness and mass of the elements, at rest.",
      .run = run_deformed_modes,
      .cost = Cost::slow};
}

}  // namespace peal::validation
