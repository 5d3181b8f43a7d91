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

constexpr int solid_order = 3;
/// Elements of third order to a wavelength that keep the error of frequencies below 0.5 % on the
/// mug, the wine glass and the references (docs/theory/vibration-modes.md).
constexpr double elements_per_wave = 3.0;
/// How the error of a frequency is estimated: parts of what the next lower order and of what flat
/// facets would change, plus what neither sees. The first two are the largest ratios of true error
/// to change on cube, bar, coin, disc, spheres and mug, with some margin
/// (docs/theory/vibration-modes.md).
constexpr double coarser_part = 0.14, unbent_part = 0.4, error_floor = 1e-3;
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
  Solver(const TriMesh& surface, const base::Material& material, const SolidModesSettings& settings,
         util::Progress& progress, const std::string& file)
      : smooth_(surface),
        material_(material),
        settings_(settings),
        progress_(progress),
        file_(file) {}

  Solution solve(double frequency, double per_wave) {
    progress_.begin("mesh", 0.0);
    const std::vector<double> lengths = edge_lengths(smooth_, material_, frequency, per_wave);
    FittedSurface fitted;
    const TetMesh tets = filled(lengths, fitted);
    const CurvedTetMesh flat = straight(tets);
    CurvedTetMesh mesh = flat;
    bend(mesh, fitted, smooth_);
    progress_.end();

    const Body body(mesh, solid_order, material_, settings_.clamps);
    if (3 * body.space.nodes.size() > most_unknowns) too_large(3 * body.space.nodes.size());
    Solution solution;
    solution.tets = mesh.tets.size();
    LanczosSettings lanczos;
    lanczos.max_value = square(angular(frequency));
    lanczos.count = settings_.count;
    lanczos.shift = square(angular(0.02 * frequency));
    lanczos.tolerance = 1e-7;  // frequencies are then right to 1e-14
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
  /// Tetrahedra in the refitted surface. Where thin walls make coarse facets cross, finer ones are
  /// tried.
  TetMesh filled(std::vector<double> lengths, FittedSurface& fitted) const {
    std::string problem;
    for (int round = 0; round < 3; ++round) {
      fitted = fitted_surface(smooth_, lengths);
      const double longest = *std::max_element(lengths.begin(), lengths.end());
      TetAttempt attempt = tetrahedralise(fitted.mesh, 0.2 * longest * longest * longest);
      if (attempt.fine()) return std::move(attempt.mesh);
      problem = attempt.problem;
      for (double& length : lengths) length *= 0.7;
    }
    throw util::InputError({file_, ""}, "the solid cannot be cut into tetrahedra: " + problem,
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
  const Body coarse(mesh, solid_order - 1, material_, settings_.clamps);
  Eigen::MatrixXd projected;
  const VectorXd excess = coarse_excess(body.matrices, body.space, coarse.matrices, coarse.space,
                                        pairs, shift, projected);
  const Body straight_body(flat, solid_order - 1, material_, settings_.clamps);
  const VectorXd bent = quotients_near(
      coarse.matrices, rigid_motions(coarse.matrices, coarse.space.nodes), projected, shift);
  const VectorXd unbent = quotients_near(
      straight_body.matrices, rigid_motions(straight_body.matrices, straight_body.space.nodes),
      projected, shift);
  const VectorXd geometry = 0.5 * (unbent - bent).cwiseAbs().cwiseQuotient(bent);
  return (coarser_part * 0.5 * excess + unbent_part * geometry).array() + error_floor;
}

/// A guess at the frequency of mode `count` [Hz]: what a block of the same volume or a plate of the
/// same volume and surface would have (number of plate modes: A / 2 sqrt(rho t / D) f), whichever
/// is lower.
double first_band(const TriMesh& solid, const base::Material& material, int count) {
  const double volume = signed_volume(solid), area = 0.5 * surface_area(solid);
  const double block =
      shear_speed(material) / (2.0 * std::cbrt(volume)) * std::cbrt(1.0 + count / 6.0);
  const double thickness = volume / area, nu = material.poisson_ratio;
  const double bending = std::sqrt(material.young_modulus * square(thickness) /
                                   (12.0 * material.density * (1.0 - nu * nu)));
  const double plate = 2.0 * (count + 3.0) * bending / area;
  return 1.2 * std::min(block, plate);
}

/// Whether many modes miss the accuracy by far: the estimate is a bound, most errors are below
/// half.
bool needs_refinement(const VectorXd& errors, double accuracy) {
  return (errors.array() > 2.0 * accuracy).count() * 10 > errors.size();
}

base::ModalModel modal_model(const Solution& solution, const base::Material& material) {
  base::ModalModel model;
  model.surface = solution.space.surface;
  const auto modes = solution.pairs.values.size();
  const std::vector<std::int32_t>& nodes = solution.space.surface_node;
  model.shapes.resize(3 * static_cast<Eigen::Index>(nodes.size()), modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    const double frequency = std::sqrt(std::max(0.0, solution.pairs.values[m])) / angular(1.0);
    model.modes.push_back({frequency, material.damping.decay_rate(frequency), solution.errors[m]});
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      model.shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), m) =
          solution.pairs.vectors.block<3, 1>(3 * nodes[v], m).cast<float>();
    }
  }
  return model;
}

}  // namespace

SolidModes solid_modes(const TriMesh& surface, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file) {
  SolidModes result;
  const TriMesh solid = checked_solid(surface, file, result.notices);
  Solver solver(solid, material, settings, progress, file);
  const bool has_band = settings.max_frequency > 0.0;
  double band = has_band ? settings.max_frequency : first_band(solid, material, settings.count);
  // P3 frequencies converge with about the sixth power of the edge length.
  double per_wave = elements_per_wave * std::pow(0.005 / settings.accuracy, 1.0 / 6.0);
  Solution solution;
  for (int round = 0; round < 6; ++round) {
    solution = solver.solve(band, per_wave);
    const auto found = solution.pairs.values.size();
    if (!has_band && found < settings.count) {
      band *= 1.6;  // the band was guessed too low for the number asked for
    } else if (found == 0) {
      band *= 2.0;  // nothing in the band: the lowest mode is told anyway
    } else if (round < 3 && needs_refinement(solution.errors, settings.accuracy)) {
      per_wave *= 1.35;
    } else {
      break;
    }
  }
  if (solution.pairs.values.size() == 0) {
    throw util::NumericsError(fmt::format("no vibration mode was found below {:.4g} Hz", band));
  }
  if (has_band && band > settings.max_frequency) {
    solution.pairs.values.conservativeResize(1);
    solution.errors.conservativeResize(1);
    result.notices.push_back(
        fmt::format("no mode lies below {:g} Hz; the lowest one is given", settings.max_frequency));
  }
  const double worst = solution.errors.maxCoeff();
  if (worst > settings.accuracy) {
    result.notices.push_back(
        fmt::format("frequencies may be off by up to {:.2g} %, more than the {:.2g} % asked for",
                    100.0 * worst, 100.0 * settings.accuracy));
  }
  result.order = solid_order;
  result.tets = solution.tets;
  result.unknowns = 3 * solution.space.nodes.size();
  result.model = modal_model(solution, material);
  result.model.mass = material.density * signed_volume(solid);
  return result;
}

}  // namespace peal::vibration
