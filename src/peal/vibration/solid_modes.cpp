#include <peal/fem/assembly.h>
#include <peal/fem/mode_errors.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/util/error.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/tet_bend.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace peal::vibration {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;

constexpr int solid_order = 3;
/// Elements of third order to the shortest wave. Frequencies are then up to 1 % too high before
/// they are corrected (docs/theory/vibration-modes.md).
constexpr double elements_per_wave = 2.9;
/// Frequencies converge with about this power of the edge length (measured on the mug).
constexpr double convergence_order = 5.0;
/// Factors of the reported error of a corrected frequency: fractions of the corrections, larger for
/// large ones. Where triangles of the given mesh are coarse, the smooth surface through them is a
/// guess, accurate to a fraction of its deviation from the triangles. The floor is for errors that
/// none of the corrections measures.
constexpr double discretisation_part = 0.25, discretisation_square = 8.0, fit_part = 0.4,
                 facets_part = 0.4, error_floor = 5e-4;
/// Corrections lower frequencies, so modes up to this far above the band are included.
constexpr double above_band = 1.02;
/// Number of triangles below which the cost is small.
constexpr double few_triangles = 150.0;
/// Largest number of unknowns: memory grows to about 2 GB.
constexpr std::size_t most_unknowns = 250000;

double angular(double frequency) {
  return 2.0 * std::numbers::pi * frequency;
}
double square(double x) {
  return x * x;
}

/// Young's modulus in the softest direction [Pa]: its waves are the shortest.
double softest_modulus(const base::Material& material) {
  return material.orthotropy ? std::ranges::min(material.orthotropy->young_moduli)
                             : material.young_modulus;
}

/// Speed of shear waves [m/s].
double shear_speed(const base::Material& material) {
  return std::sqrt(softest_modulus(material) / (2.0 * (1.0 + material.poisson_ratio)) /
                   material.density);
}

/// The shortest wavelength in a wall [m]: bending of a thin plate (Kirchhoff), (E t^2 / (12 rho (1
/// - nu^2)))^(1/4) sqrt(2 pi / f), but not shorter than surface waves (0.9 of the shear
/// wavelength).
double shortest_wave(const base::Material& material, double thickness, double frequency) {
  const double nu = material.poisson_ratio;
  const double bending = std::pow(softest_modulus(material) * square(thickness) /
                                      (12.0 * material.density * (1.0 - nu * nu)),
                                  0.25) *
                         std::sqrt(2.0 * std::numbers::pi / frequency);
  return std::min(bending, 0.9 * shear_speed(material) / frequency);
}

/// The wanted edge length at each vertex [m]. Wavelength is not the only criterion: at low
/// frequencies the cross-section of a bar or of a glass's stem needs enough elements, too.
std::vector<double> edge_lengths(const SmoothSurface& smooth, const base::Material& material,
                                 double frequency, double per_wave) {
  const TriMesh& mesh = smooth.mesh();
  std::vector<double> thickness(mesh.triangles.size()), wave(mesh.triangles.size());
  double least = std::sqrt(surface_area(mesh) / (0.433 * few_triangles));
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    thickness[t] = smooth.thickness(t);
    wave[t] = shortest_wave(material, thickness[t], frequency) / per_wave;
    // Flat elements are stiffer in bending: measured errors grow as (l / t)^2 (k l)^6, so that l =
    // l_0 (4 t / l)^(1/3) keeps them constant where elements are more than four times as long as
    // thick.
    if (wave[t] > 4.0 * thickness[t])
      wave[t] = std::pow(wave[t], 0.75) * std::pow(4.0 * thickness[t], 0.25);
    least = std::min(least, wave[t]);
  }
  std::vector<double> lengths(mesh.vertices.size(), bounds(mesh).diagonal().norm());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const double length = std::min(wave[t], std::max(least, 1.5 * thickness[t]));
    for (const std::uint32_t v : mesh.triangles[t]) lengths[v] = std::min(lengths[v], length);
  }
  return lengths;
}

/// The displacements of surface nodes that clamps fix.
std::vector<bool> held_by(const std::vector<Clamp>& clamps, const fem::Space& space) {
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
  fem::Space space;
  fem::Matrices matrices;

  Body(const CurvedTetMesh& mesh, int order, const base::Material& material,
       const std::vector<Clamp>& clamps)
      : space(fem::make_space(mesh, order)), matrices(fem::assemble(mesh, space, material)) {
    auto held = held_by(clamps, space);
    if (!held.empty()) constrain(matrices, std::move(held));
  }
};

/// The solution on one mesh.
struct Solution {
  fem::Space space;
  MatrixXd shapes;                    ///< one column per mode, M-orthonormal
  VectorXd frequencies;               ///< corrected [Hz], ascending
  VectorXd discretisation, geometry;  ///< relative errors of the frequencies, from two causes
  std::size_t tets = 0;
  MatrixXd excess;                ///< relative excess of each frequency due to each tetrahedron
  std::vector<geometry::Box> of;  ///< bounding boxes of the tetrahedra
  bool partial = false;  ///< whether it has only the lowest modes because the mesh is too coarse

  Eigen::Index count() const { return frequencies.size(); }
  VectorXd errors() const { return discretisation + geometry; }

  /// Keeps only these modes, in this order.
  void select(const std::vector<Eigen::Index>& modes) {
    shapes = MatrixXd(shapes(Eigen::all, modes));
    excess = MatrixXd(excess(modes, Eigen::all));
    for (VectorXd* list : {&frequencies, &discretisation, &geometry})
      *list = VectorXd((*list)(modes));
  }
};

/// The modes up to `limit` [Hz], at most `count` if that is not 0, by ascending frequency.
void sort_modes(Solution& solution, double limit, int count) {
  std::vector<Eigen::Index> order;
  for (Eigen::Index i = 0; i < solution.count(); ++i)
    if (solution.frequencies[i] <= limit) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return solution.frequencies[a] < solution.frequencies[b];
  });
  if (count > 0 && order.size() > static_cast<std::size_t>(count)) order.resize(count);
  solution.select(order);
}

/// The excess at which the error by discretisation, a x + b x^2, is 0.8 of the requested accuracy.
double allowed_excess(double accuracy) {
  const double a = discretisation_part, b = discretisation_square;
  return (std::sqrt(a * a + 4.0 * b * 0.8 * accuracy) - a) / (2.0 * b);
}

/// Whether smaller elements would make a mode nearly as accurate as requested.
bool is_too_coarse(const Solution& solution, Eigen::Index mode, double accuracy) {
  return solution.discretisation[mode] + solution.geometry[mode] > accuracy &&
         solution.excess.row(mode).sum() > allowed_excess(accuracy);
}

bool needs_refinement(const Solution& solution, double accuracy) {
  for (Eigen::Index m = 0; m < solution.count(); ++m)
    if (is_too_coarse(solution, m, accuracy)) return true;
  return false;
}

class Solver {
 public:
  Solver(const TriMesh& surface, const base::Material& material, const SolidModesSettings& settings,
         util::Progress& progress, const std::string& file, std::vector<std::string>& notices)
      : smooth_(surface),
        material_(material),
        settings_(settings),
        progress_(progress),
        file_(file),
        notices_(notices),
        finer_(surface.vertices.size(), 1.0) {}

  /// Returns nullopt if the system is too large. A partial solution ends early if the lowest modes
  /// show that the mesh must be refined.
  std::optional<Solution> solve(double frequency, double per_wave, bool may_be_partial) {
    progress_.begin("mesh", 0.0);
    const geometry::TetFilling filling = geometry::filled(
        smooth_,
        [&](const SmoothSurface& smooth) { return wanted_edges(smooth, frequency, per_wave); },
        file_, notices_);
    CurvedTetMesh mesh = straight(filling.mesh);
    bend(mesh, filling.surface, smooth_);
    progress_.end();

    const Body body(mesh, solid_order, material_, settings_.clamps);
    if (3 * body.space.nodes.size() > most_unknowns) return std::nullopt;
    fem::LanczosSettings lanczos;
    lanczos.max_value = square(angular(above_band * frequency));
    // Coarse elements may give a few modes in a different order.
    if (settings_.count > 0) lanczos.count = settings_.count + 4 + settings_.count / 10;
    lanczos.shift = square(angular(0.02 * frequency));
    lanczos.progress = [&](double part) { progress_.update(part); };
    bool partial = false;
    if (may_be_partial)
      lanczos.early = [&](const fem::Eigenpairs& lowest) {
        partial = needs_refinement(corrected(mesh, body, lowest), settings_.accuracy);
        return !partial;
      };
    progress_.begin("modes", 0.0);
    fem::Eigenpairs pairs = fem::lowest_eigenpairs(
        body.matrices, fem::rigid_motions(body.matrices, body.space.nodes), lanczos);
    progress_.end();
    Solution solution = corrected(mesh, body, std::move(pairs));
    solution.partial = partial;
    sort_modes(solution, frequency, settings_.count);
    solution.tets = mesh.tets.size();
    solution.space = body.space;
    for (const geometry::Tet& tet : mesh.tets) {
      geometry::Box box;
      for (const std::uint32_t v : tet) box.extend(mesh.vertices[v]);
      solution.of.push_back(box);
    }
    return solution;
  }

  /// Requests shorter edges where they are needed.
  void refine(const Solution& solution);
  void unrefine() { finer_.assign(smooth_.mesh().vertices.size(), 1.0); }

 private:
  std::vector<double> wanted_edges(const SmoothSurface& smooth, double frequency, double per_wave) {
    std::vector<double> lengths = edge_lengths(smooth, material_, frequency, per_wave);
    if (finer_.size() != lengths.size()) finer_.assign(lengths.size(), 1.0);  // another surface
    for (std::size_t v = 0; v < lengths.size(); ++v) lengths[v] *= finer_[v];
    return lengths;
  }

  /// Corrects frequencies to first order for elements of the next order and for the exact surface.
  Solution corrected(const CurvedTetMesh& mesh, const Body& body, fem::Eigenpairs pairs) {
    if (pairs.values.size() > 0 && !(pairs.values.minCoeff() > 0.0)) {
      throw util::NumericsError("a vibration mode has no stiffness: the mesh is too distorted");
    }
    Solution solution;
    solution.frequencies = pairs.values.cwiseSqrt() / angular(1.0);
    if (solution.count() > 0) {
      progress_.begin("errors", 0.0);
      const fem::GeometryErrors shape =
          fem::geometry_errors(mesh, body.space, material_, pairs, smooth_);
      solution.excess =
          fem::discretisation_errors(mesh, body.space, body.matrices, material_, pairs);
      const VectorXd excess = solution.excess.rowwise().sum();
      solution.frequencies.array() *= (shape.fit - excess).array().exp();
      solution.discretisation =
          discretisation_part * excess + discretisation_square * excess.cwiseAbs2();
      solution.geometry =
          (fit_part * shape.fit.cwiseAbs() + facets_part * shape.facets.cwiseAbs()).array() +
          error_floor;
      progress_.end();
    }
    solution.shapes = std::move(pairs.vectors);
    return solution;
  }

  SmoothSurface smooth_;
  const base::Material& material_;
  const SolidModesSettings& settings_;
  util::Progress& progress_;
  std::string file_;
  std::vector<std::string>& notices_;
  std::vector<double> finer_;  ///< factor of the edge length for each vertex of the mesh
};

void Solver::refine(const Solution& solution) {
  const double share = allowed_excess(settings_.accuracy) / double(solution.tets);
  std::vector<double> factor(solution.tets, 1.0);
  for (Eigen::Index m = 0; m < solution.count(); ++m) {
    if (!is_too_coarse(solution, m, settings_.accuracy)) continue;
    for (std::size_t t = 0; t < solution.tets; ++t) {
      const double ratio = solution.excess(m, static_cast<Eigen::Index>(t)) / share;
      // The excess of a tetrahedron falls with its size as its contributions to the frequency's
      // error and to the volume do.
      if (ratio > 1.0)
        factor[t] = std::min(factor[t], std::pow(ratio, -1.0 / (convergence_order + 2.0)));
    }
  }
  const std::vector<Vec3>& vertices = smooth_.mesh().vertices;
  std::vector<double> now(vertices.size(), 1.0);
  for (std::size_t t = 0; t < solution.tets; ++t) {
    if (factor[t] > 0.97) continue;
    const geometry::Box& box = solution.of[t];
    for (std::size_t v = 0; v < vertices.size(); ++v)
      if (box.contains(vertices[v])) now[v] = std::min(now[v], std::max(0.5, factor[t]));
  }
  for (std::size_t v = 0; v < now.size(); ++v) finer_[v] *= now[v];
}

/// An estimate of the frequency of mode `count` [Hz]: that of a block of the same volume or of a
/// plate of the same volume and surface (number of plate modes: A / 2 sqrt(rho t / D) f), whichever
/// is lower.
double first_band(const TriMesh& solid, const base::Material& material, int count) {
  const double volume = signed_volume(solid), area = 0.5 * surface_area(solid);
  const double block =
      shear_speed(material) / (2.0 * std::cbrt(volume)) * std::cbrt(1.0 + count / 6.0);
  const double thickness = volume / area, nu = material.poisson_ratio;
  const double bending = std::sqrt(softest_modulus(material) * square(thickness) /
                                   (12.0 * material.density * (1.0 - nu * nu)));
  const double plate = 2.0 * (count + 3.0) * bending / area;
  return 1.2 * std::min(block, plate);
}

base::ModalModel modal_model(const Solution& solution, const base::Material& material) {
  base::ModalModel model;
  model.surface = solution.space.surface;
  const Eigen::Index modes = solution.count();
  const VectorXd errors = solution.errors();
  const std::vector<std::int32_t>& nodes = solution.space.surface_node;
  model.shapes.resize(3 * static_cast<Eigen::Index>(nodes.size()), modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    const double frequency = solution.frequencies[m];
    model.modes.push_back({frequency, material.damping.decay_rate(frequency), errors[m]});
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      model.shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), m) =
          solution.shapes.block<3, 1>(3 * nodes[v], m).cast<float>();
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
  Solver solver(solid, material, settings, progress, file, result.notices);
  const bool has_band = settings.max_frequency > 0.0;
  double band = has_band ? settings.max_frequency : first_band(solid, material, settings.count);
  double per_wave =
      elements_per_wave * std::pow(0.005 / settings.accuracy, 1.0 / convergence_order);
  Solution solution;
  bool may_refine = true;
  for (int round = 0; round < 6; ++round) {
    std::optional<Solution> next = solver.solve(band, per_wave, round < 2);
    if (!next && solution.count() > 0) {  // too large to be refined
      if (!solution.partial) break;
      may_refine = false;
      solver.unrefine();
      next = solver.solve(band, per_wave, false);
    }
    if (!next) {
      throw util::InputError(
          {file, ""},
          fmt::format("the body is too large for the band: more than {} unknowns", most_unknowns),
          "Ask for a lower --max-frequency, a smaller --count or a larger --accuracy.");
    }
    solution = *std::move(next);
    const Eigen::Index found = solution.count();
    if (solution.partial) {
      solver.refine(solution);
    } else if (!has_band && found < settings.count) {
      band *= 1.6;  // the band was guessed too low for the number asked for
    } else if (found == 0) {
      band *= 2.0;  // nothing in the band: the lowest mode is reported anyway
    } else if (round < 3 && may_refine && needs_refinement(solution, settings.accuracy)) {
      solver.refine(solution);
    } else {
      break;
    }
  }
  if (solution.count() == 0) {
    throw util::NumericsError(fmt::format("no vibration mode was found below {:.4g} Hz", band));
  }
  if (has_band && band > settings.max_frequency) {
    solution.select({0});
    result.notices.push_back(fmt::format("all modes are above {:g} Hz; only the lowest is listed",
                                         settings.max_frequency));
  }
  Eigen::Index worst_mode = 0;
  const double worst = solution.errors().maxCoeff(&worst_mode);
  if (worst > settings.accuracy) {
    const bool by_shape = solution.geometry[worst_mode] > solution.discretisation[worst_mode];
    result.notices.push_back(fmt::format(
        "frequencies may be off by up to {:.2g} %, more than the {:.2g} % asked for{}",
        100.0 * worst, 100.0 * settings.accuracy,
        by_shape ? ", because the triangles of the mesh are coarse where it is round" : ""));
  }
  result.order = solid_order;
  result.tets = solution.tets;
  result.unknowns = 3 * solution.space.nodes.size();
  result.model = modal_model(solution, material);
  result.model.mass = material.density * signed_volume(solid);
  return result;
}

}  // namespace peal::vibration
