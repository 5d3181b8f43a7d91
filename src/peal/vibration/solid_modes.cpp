#include <peal/geometry/mass_properties.h>
#include <peal/util/error.h>
#include <peal/vibration/fem_project.h>
#include <peal/vibration/fem_rigid.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/tet_check.h>
#include <peal/vibration/tet_program.h>
#include <peal/vibration/tet_surface.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::vibration {

namespace {

using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;

constexpr int element_order = 3;
/// Elements of third order to a wavelength that keep the error of frequencies below 0.5 % on the
/// mug, the wine glass and the references (docs/theory/vibration-modes.md).
constexpr double elements_per_wave = 3.0;
/// More unknowns than this are not solved for: memory grows to about 2 GB.
constexpr std::size_t most_unknowns = 250000;

double angular(double frequency) {
  return 2.0 * std::numbers::pi * frequency;
}
double square(double x) {
  return x * x;
}

/// Speed of shear waves [m/s].
double shear_speed(const base::Material& material) {
  return std::sqrt(material.young_modulus / (2.0 * (1.0 + material.poisson_ratio)) /
                   material.density);
}

/// The shortest wave in a wall [m]: bending of a thin plate (Kirchhoff),
/// (E t^2 / (12 rho (1 - nu^2)))^(1/4) sqrt(2 pi / f), but no shorter body waves than those of the
/// surface (0.9 of shear).
double shortest_wave(const base::Material& material, double thickness, double frequency) {
  const double nu = material.poisson_ratio;
  const double bending = std::pow(material.young_modulus * square(thickness) /
                                      (12.0 * material.density * (1.0 - nu * nu)),
                                  0.25) *
                         std::sqrt(2.0 * std::numbers::pi / frequency);
  return std::min(bending, 0.9 * shear_speed(material) / frequency);
}

/// Wanted length of edges at each vertex [m].
std::vector<double> edge_lengths(const SmoothSurface& smooth, const base::Material& material,
                                 double frequency, double per_wave) {
  const TriMesh& mesh = smooth.mesh();
  std::vector<double> lengths(mesh.vertices.size(), bounds(mesh).diagonal().norm());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const double length = shortest_wave(material, smooth.thickness(t), frequency) / per_wave;
    for (const std::uint32_t v : mesh.triangles[t]) lengths[v] = std::min(lengths[v], length);
  }
  return lengths;
}

/// Displacements of nodes on the surface that clamps hold.
std::vector<bool> held_by(const std::vector<Clamp>& clamps, const FemSpace& space) {
  if (clamps.empty()) return {};
  std::vector<bool> held(3 * space.nodes.size(), false);
  for (const std::int32_t node : space.surface_node) {
    for (const Clamp& clamp : clamps) {
      if (!clamp.box.contains(space.nodes[node])) continue;
      for (int k = 0; k < 3; ++k)
        if (clamp.axes[k]) held[3 * node + k] = true;
    }
  }
  return held;
}

/// The body in one finite element space.
struct Body {
  FemSpace space;
  FemMatrices matrices;

  Body(const CurvedTetMesh& mesh, int order, const base::Material& material,
       const std::vector<Clamp>& clamps)
      : space(fem_space(mesh, order)), matrices(assemble(mesh, space, material)) {
    auto held = held_by(clamps, space);
    if (!held.empty()) hold(matrices, std::move(held));
  }
};

/// One mesh, solved.
struct Solution {
  FemSpace space;
  Eigenpairs pairs;
  VectorXd errors;  ///< relative, of frequencies
  std::size_t tets = 0;
};

class Solver {
 public:
  Solver(const TriMesh& surface, const base::Material& material,
         const SolidModesSettings& settings, util::Progress& progress, const std::string& file)
      : smooth_(surface), material_(material), settings_(settings), progress_(progress), file_(file) {}

  Solution solve(double frequency, double per_wave) {
    progress_.begin("mesh", 0.0);
    const std::vector<double> lengths = edge_lengths(smooth_, material_, frequency, per_wave);
    const FittedSurface fitted = fitted_surface(smooth_, lengths);
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    const TetAttempt attempt = filled(fitted.mesh, 0.2 * longest * longest * longest);
    const CurvedTetMesh flat = straight(attempt.mesh);
    CurvedTetMesh mesh = flat;
    bend(mesh, fitted, smooth_);
    progress_.end();

    const Body body(mesh, element_order, material_, settings_.clamps);
    if (3 * body.space.nodes.size() > most_unknowns) too_large(3 * body.space.nodes.size());
    Solution solution;
    solution.tets = mesh.tets.size();
    LanczosSettings lanczos;
    lanczos.max_value = square(angular(frequency));
    lanczos.count = settings_.count;
    lanczos.shift = square(angular(0.02 * frequency));
    lanczos.progress = [&](double part) { progress_.update(part); };
    progress_.begin("modes", 0.0);
    solution.pairs =
        lowest_eigenpairs(body.matrices, rigid_motions(body.matrices, body.space.nodes), lanczos);
    progress_.end();
    progress_.begin("errors", 0.0);
    solution.errors = errors(body, mesh, flat, solution.pairs, lanczos.shift);
    progress_.end();
    solution.space = body.space;
    return solution;
  }

 private:
  TetAttempt filled(const TriMesh& mesh, double max_volume) {
    TetAttempt attempt = tetrahedralise(mesh, max_volume);
    if (!attempt.fine()) attempt = tetrahedralise(smooth_.mesh(), max_volume);
    if (attempt.fine()) return attempt;
    throw util::InputError({file_, ""}, "the solid cannot be cut into tetrahedra: " + attempt.problem,
                           "`peal inspect` shows what is wrong with the surface; unite parts that "
                           "cross, and remove spikes and doubled faces.");
  }

  [[noreturn]] void too_large(std::size_t unknowns) const {
    throw util::InputError(
        {file_, ""},
        fmt::format("the body is too large for the band: {} unknowns, where {} are possible",
                    unknowns, most_unknowns),
        "Ask for a lower --max-frequency, a smaller --count or a larger --accuracy.");
  }

  VectorXd errors(const Body& body, const CurvedTetMesh& mesh, const CurvedTetMesh& flat,
                  const Eigenpairs& pairs, double shift) const;

  SmoothSurface smooth_;
  const base::Material& material_;
  const SolidModesSettings& settings_;
  util::Progress& progress_;
  std::string file_;
};

VectorXd Solver::errors(const Body& body, const CurvedTetMesh& mesh, const CurvedTetMesh& flat,
                        const Eigenpairs& pairs, double shift) const {
  if (pairs.values.size() == 0) return {};
  const Body coarse(mesh, element_order - 1, material_, settings_.clamps);
  Eigen::MatrixXd projected;
  const VectorXd excess = coarse_excess(body.matrices, body.space, coarse.matrices, coarse.space,
                                        pairs, shift, projected);
  const Body straight_body(flat, element_order - 1, material_, settings_.clamps);
  const VectorXd bent = quotients_near(coarse.matrices, projected, shift);
  const VectorXd unbent = quotients_near(straight_body.matrices, projected, shift);
  const VectorXd geometry = 0.5 * (unbent - bent).cwiseAbs().cwiseQuotient(bent);
  if (getenv("PEAL_DIAG")) {
    for (Eigen::Index i = 0; i < excess.size(); ++i)
      printf("DIAG %.10g %.6g %.6g\n", std::sqrt(pairs.values[i]) / 2 / std::numbers::pi,
             0.5 * excess[i], geometry[i]);
  }
  return (0.25 * 0.5 * excess + 0.25 * geometry).array() + 2e-4;
}

}  // namespace

SolidModes solid_modes(const TriMesh& surface, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file) {
  SolidModes result;
  const TriMesh solid = checked_solid(surface, file, result.notices);
  Solver solver(solid, material, settings, progress, file);
  Solution solution = solver.solve(settings.max_frequency, elements_per_wave);
  result.order = element_order;
  result.tets = solution.tets;
  result.unknowns = 3 * solution.space.nodes.size();
  result.mass = material.density * signed_volume(solid);
  result.model.surface = solution.space.surface;
  const auto modes = solution.pairs.values.size();
  result.model.shapes.resize(3 * static_cast<Eigen::Index>(solution.space.surface_node.size()), modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    const double frequency = std::sqrt(std::max(0.0, solution.pairs.values[m])) / angular(1.0);
    result.model.modes.push_back(
        {frequency, material.damping.decay_rate(frequency), solution.errors[m]});
    for (std::size_t v = 0; v < solution.space.surface_node.size(); ++v) {
      result.model.shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), m) =
          solution.pairs.vectors.block<3, 1>(3 * solution.space.surface_node[v], m).cast<float>();
    }
  }
  return result;
}

}  // namespace peal::vibration
