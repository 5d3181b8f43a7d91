#include <peal/fem/assembly.h>
#include <peal/fem/mode_errors.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/util/error.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/residual_modes.h>
#include <peal/vibration/ringing_surface.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/tet_bend.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

namespace peal::vibration {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;

constexpr int solid_order = 3;
/// Parts of the surface whose compliance the residual modes carry: a ball has about as many
/// harmonics up to the order of waves in it at the frequency where it ceases to ring.
constexpr int residual_patches = 36;
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
/// The same for what a simplified surface leaves out, which is corrected to first order.
constexpr double target_part = 0.4;

double angular(double frequency) {
  return 2.0 * std::numbers::pi * frequency;
}
double square(double x) {
  return x * x;
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
  fem::Eigenpairs residual;  ///< in place of the modes above, if asked for

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

/// More triangles have too many unknowns: a tetrahedron each at least, as where the facets of both
/// sides of a wall lie above each other.
constexpr auto most_triangles = static_cast<std::size_t>(1.1 * most_unknowns / unknowns_per_tet);

geometry::Replacement replacement(double accuracy) {
  return {.sides_per_wall = sides_per_wall(accuracy)};
}

class Solver {
 public:
  Solver(RingingSurface surface, const base::Material& material, const SolidModesSettings& settings,
         util::Progress& progress, const std::string& file, std::vector<std::string>& notices)
      : smooth_(surface.mesh),
        target_(std::move(surface.target)),
        surface_error_(surface.error),
        thickness_(thicknesses(smooth_.query())),
        material_(material),
        settings_(settings),
        progress_(progress),
        file_(file),
        notices_(notices),
        finer_(surface.mesh.vertices.size(), 1.0) {}

  /// The limit that the number of unknowns sets to a band, as far as it is known before meshing.
  std::optional<BandLimit> limit_of(double frequency, double per_wave) const {
    return affordable_band(smooth_.mesh(), thickness_, material_, frequency, per_wave);
  }

  /// Also finds what stands for the modes above the band, up to a frequency [Hz].
  void want_residual(double highest) { residual_to_ = highest; }

  /// Returns nullopt if the system is too large, or the surface cannot be filled. A partial
  /// solution ends early if the lowest modes show that the mesh must be refined.
  std::optional<Solution> solve(double frequency, double per_wave, bool may_be_partial) {
    progress_.begin("mesh", 0.0);
    const auto filling = geometry::filled(
        smooth_,
        [&](const SmoothSurface& smooth) { return wanted_edges(smooth, frequency, per_wave); },
        {.most_triangles = most_triangles,
         .replacement = replacement(settings_.accuracy),
         .may_replace = false},
        file_, notices_);
    problem_ = filling ? filling->problem : std::string();
    if (!problem_.empty()) {
      progress_.end();
      return std::nullopt;
    }
    if (!filling || unknowns_per_tet * double(filling->mesh.tets.size()) > 1.1 * most_unknowns) {
      progress_.end();
      return std::nullopt;
    }
    CurvedTetMesh mesh = straight(filling->mesh);
    bend(mesh, filling->surface, smooth_);
    progress_.end();

    const Body body(mesh, solid_order, material_, settings_.clamps);
    if (3.0 * double(body.space.nodes.size()) > most_unknowns) return std::nullopt;
    fem::LanczosSettings lanczos;
    lanczos.max_value = square(angular(above_band * frequency));
    // Coarse elements may give a few modes in a different order.
    if (settings_.count > 0) lanczos.count = settings_.count + 4 + settings_.count / 10;
    lanczos.shift = square(angular(0.02 * frequency));
    lanczos.progress = [&](double part) { progress_.update(part); };
    bool partial = false;
    if (may_be_partial)
      lanczos.early = [&](const fem::Eigenpairs& lowest) {
        // The step goes on, under its own name.
        util::Silent silent;
        partial = needs_refinement(corrected(mesh, body, lowest, silent), settings_.accuracy);
        return !partial;
      };
    progress_.begin("modes", 0.0);
    const MatrixXd rigid = fem::rigid_motions(body.matrices, body.space.nodes);
    fem::Eigenpairs pairs;
    try {
      pairs = fem::lowest_eigenpairs(body.matrices, rigid, lanczos);
    } catch (const util::NumericsError& error) {
      // Bent elements may be folded where the surface is bad: another surface may do. A body may
      // also be clamped everywhere.
      if (!settings_.clamps.empty()) throw;
      problem_ = error.what();
      progress_.end();
      return std::nullopt;
    }
    progress_.end();
    fem::Eigenpairs residual;
    if (residual_to_ > 0.0 && !partial) {
      MatrixXd known(rigid.rows(), rigid.cols() + pairs.vectors.cols());
      known << rigid, pairs.vectors;
      residual = residual_modes(body.matrices, body.space, known, lanczos.shift,
                                square(angular(residual_to_)), residual_patches);
    }
    Solution solution = corrected(mesh, body, std::move(pairs), progress_);
    solution.partial = partial;
    solution.residual = std::move(residual);
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

  /// Why the surface could not be filled the last time; empty if it could.
  const std::string& problem() const { return problem_; }

  /// Requests shorter edges where they are needed.
  void refine(const Solution& solution);
  void unrefine() { finer_.assign(smooth_.mesh().vertices.size(), 1.0); }

 private:
  std::vector<double> wanted_edges(const SmoothSurface& smooth, double frequency, double per_wave) {
    if (thickness_.size() != smooth.mesh().triangles.size()) {  // another surface
      thickness_ = thicknesses(smooth.query());
      finer_.assign(smooth.mesh().vertices.size(), 1.0);
    }
    std::vector<double> lengths =
        edge_lengths(smooth.mesh(), thickness_, material_, frequency, per_wave);
    for (std::size_t v = 0; v < lengths.size(); ++v) lengths[v] *= finer_[v];
    return lengths;
  }

  /// Corrects frequencies to first order for elements of the next order and for the exact surface.
  Solution corrected(const CurvedTetMesh& mesh, const Body& body, fem::Eigenpairs pairs,
                     util::Progress& progress) {
    if (pairs.values.size() > 0 && !(pairs.values.minCoeff() > 0.0)) {
      throw util::NumericsError("a vibration mode has no stiffness: the mesh is too distorted");
    }
    Solution solution;
    solution.frequencies = pairs.values.cwiseSqrt() / angular(1.0);
    if (solution.count() > 0) {
      progress.begin("errors", 0.0);
      const fem::GeometryErrors shape =
          fem::geometry_errors(mesh, body.space, material_, pairs, smooth_, target_.get());
      solution.excess =
          fem::discretisation_errors(mesh, body.space, body.matrices, material_, pairs);
      const VectorXd excess = solution.excess.rowwise().sum();
      solution.frequencies.array() *= (shape.fit + shape.target - excess).array().exp();
      solution.discretisation =
          discretisation_part * excess + discretisation_square * excess.cwiseAbs2();
      solution.geometry =
          (fit_part * shape.fit.cwiseAbs() + (target_ ? target_part * shape.target.cwiseAbs()
                                                      : facets_part * shape.facets.cwiseAbs()))
              .array() +
          (error_floor + surface_error_);
      progress.end();
    }
    solution.shapes = std::move(pairs.vectors);
    return solution;
  }

  SmoothSurface smooth_;
  std::shared_ptr<const geometry::SurfaceQuery> target_;  ///< what it approximates; null: itself
  double surface_error_;           ///< told of frequencies for what it leaves out [1]
  std::vector<double> thickness_;  ///< behind each triangle [m]
  const base::Material& material_;
  const SolidModesSettings& settings_;
  util::Progress& progress_;
  std::string file_;
  std::vector<std::string>& notices_;
  std::string problem_;
  double residual_to_ = 0.0;   ///< [Hz]; 0: nothing stands for the modes above the band
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
  const double bending = std::sqrt(base::softest_young_modulus(material) * square(thickness) /
                                   (12.0 * material.density * (1.0 - nu * nu)));
  const double plate = 2.0 * (count + 3.0) * bending / area;
  return 1.2 * std::min(block, plate);
}

base::ModalModel modal_model(const Solution& solution, const base::Material& material) {
  base::ModalModel model;
  model.surface = solution.space.surface;
  const Eigen::Index modes = solution.count(), residual = solution.residual.values.size();
  const VectorXd errors = solution.errors();
  const std::vector<std::int32_t>& nodes = solution.space.surface_node;
  model.shapes.resize(3 * static_cast<Eigen::Index>(nodes.size()), modes + residual);
  const auto add = [&](const base::Mode& mode, const auto& shape) {
    const auto column = static_cast<Eigen::Index>(model.modes.size());
    model.modes.push_back(mode);
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      model.shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), column) =
          shape.template segment<3>(3 * nodes[v]).template cast<float>();
    }
  };
  for (Eigen::Index m = 0; m < modes; ++m) {
    const double frequency = solution.frequencies[m];
    add({frequency, material.damping.decay_rate(frequency), errors[m]}, solution.shapes.col(m));
  }
  for (Eigen::Index m = 0; m < residual; ++m) {
    const double frequency = std::sqrt(solution.residual.values[m]) / angular(1.0);
    add({frequency, material.damping.decay_rate(frequency), 1.0}, solution.residual.vectors.col(m));
  }
  return model;
}

}  // namespace

namespace {

/// Bands are lowered at most this often; each time to about the size that fits.
constexpr int most_lowerings = 12;
/// Surfaces that cannot be filled: tolerances and lattices that are tried.
constexpr double smaller_tolerance = 0.4, least_factor = 0.1, finer_lattice = 0.7;
constexpr int most_lattices = 2;

/// The search for modes: how high, how fine.
class ModeSearch {
 public:
  ModeSearch(geometry::CheckedSolid solid, const base::Material& material,
             const SolidModesSettings& settings, util::Progress& progress, const std::string& file,
             std::vector<std::string>& notices)
      : solid_(std::move(solid)),
        material_(material),
        settings_(settings),
        progress_(progress),
        file_(file),
        notices_(notices),
        has_band_(settings.max_frequency > 0.0),
        per_wave_(elements_per_wave(settings.accuracy)),
        band_(has_band_ ? settings.max_frequency
                        : first_band(solid_.mesh, material, settings.count)) {
    const SolidSize size{signed_volume(solid_.mesh), surface_area(solid_.mesh)};
    const auto rings_to =
        ringing_band(size, material, has_band_ ? settings.max_frequency : unlimited);
    limit_band(rings_to);
    // A number of modes is what was asked for.
    if (rings_to && has_band_ && settings.count == 0) residual_to_ = settings.max_frequency;
  }

  Solution run();
  bool has_band() const { return has_band_; }
  const geometry::CheckedSolid& solid() const { return solid_; }

 private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  void make_solver(bool simplify);
  void change_surface();
  void limit_band(const std::optional<BandLimit>& limit) {
    if (!limit) return;
    limit_ = *limit;
    band_ = std::min(band_, limit_.frequency);
  }
  std::optional<Solution> first_solution(bool may_be_partial);
  void say_limit(const Solution& solution);

  geometry::CheckedSolid solid_;
  const base::Material& material_;
  const SolidModesSettings& settings_;
  util::Progress& progress_;
  const std::string& file_;
  std::vector<std::string>& notices_;
  bool has_band_;
  double per_wave_;
  double band_;  ///< at present [Hz]
  BandLimit limit_{unlimited, {}};
  double residual_to_ = 0.0;  ///< for what does not ring above the band [Hz]
  bool is_simplified_ = false;
  double tolerance_ = 1.0;  ///< factor of that of the simplified surface
  int lattices_ = 0;        ///< that replaced the surface
  std::optional<Solver> solver_;
};

void ModeSearch::make_solver(bool simplify) {
  progress_.begin("surface", 0.0);
  RingingSurface surface =
      simplify ? simplified_surface(solid_, material_,
                                    {.frequency = band_, .accuracy = settings_.accuracy})
               : RingingSurface{solid_.mesh, nullptr};
  progress_.end();
  is_simplified_ = simplify;
  solver_.emplace(std::move(surface), material_, settings_, progress_, file_, notices_);
  solver_->want_residual(residual_to_);
}

/// Another surface in place of one that cannot be filled: closer to the given one, and then from
/// another lattice.
void ModeSearch::change_surface() {
  tolerance_ *= smaller_tolerance;
  if (!is_simplified_ || tolerance_ < least_factor) {
    if (++lattices_ > most_lattices) {
      throw util::InputError({file_, ""}, "the solid cannot be meshed: " + solver_->problem(),
                             "`peal inspect` shows what is wrong with the surface; unite parts "
                             "that cross, and remove spikes and doubled faces.");
    }
    tolerance_ = 1.0;
    const geometry::Replacement finer{.sides_per_wall = sides_per_wall(settings_.accuracy) *
                                                        std::pow(finer_lattice, lattices_)};
    solid_ = geometry::replaced_solid(
        solid_.is_replaced() ? std::move(solid_.broken) : std::move(solid_.mesh),
        "the surface cannot be filled (" + solver_->problem() + ")", finer, file_, notices_);
  }
  make_solver(true);
}

/// The first mesh that is not too large: of a simplified surface, and of a lower band if need be.
std::optional<Solution> ModeSearch::first_solution(bool may_be_partial) {
  limit_band(solver_->limit_of(band_, per_wave_));
  for (int i = 0; i < most_lowerings; ++i) {
    if (auto solution = solver_->solve(band_, per_wave_, may_be_partial)) return solution;
    if (!solver_->problem().empty()) {
      change_surface();
    } else if (!is_simplified_) {
      make_solver(true);
    } else {
      limit_band(computable_band(0.8 * band_));
    }
  }
  return std::nullopt;
}

void ModeSearch::say_limit(const Solution& solution) {
  const bool is_short =
      has_band_ ? limit_.frequency < settings_.max_frequency : solution.count() < settings_.count;
  if (is_short && !limit_.reason.empty()) notices_.push_back(limit_.reason);
}

Solution ModeSearch::run() {
  make_solver(should_simplify(solid_));
  Solution solution;
  bool may_refine = true;
  for (int round = 0; round < 6; ++round) {
    std::optional<Solution> next = solution.count() == 0
                                       ? first_solution(round < 2)
                                       : solver_->solve(band_, per_wave_, round < 2);
    if (!next && solution.count() > 0) {  // too large to be refined
      if (!solution.partial) break;
      may_refine = false;
      solver_->unrefine();
      next = first_solution(false);
    }
    if (!next) {
      throw util::InputError(
          {file_, ""},
          fmt::format("the body needs more than {:.0f} unknowns even up to {:.3g} Hz",
                      most_unknowns, band_),
          "Its surface has too many details, or walls that are too thin for its size: remove "
          "details, or ask for a larger --accuracy.");
    }
    solution = *std::move(next);
    const Eigen::Index found = solution.count();
    if (solution.partial) {
      solver_->refine(solution);
    } else if (!has_band_ && found < settings_.count && band_ < limit_.frequency) {
      band_ = std::min(1.6 * band_,
                       limit_.frequency);  // it was guessed too low for the number asked for
    } else if (found == 0 && band_ < limit_.frequency) {
      band_ = std::min(2.0 * band_, limit_.frequency);  // the lowest mode is reported anyway
    } else if (round < 3 && may_refine && needs_refinement(solution, settings_.accuracy)) {
      solver_->refine(solution);
    } else {
      break;
    }
  }
  if (solution.count() == 0) {
    if (!limit_.reason.empty()) {
      throw util::InputError(
          {file_, ""}, fmt::format("it has no mode below {:.3g} Hz, and {}", band_, limit_.reason),
          "Its walls may be too thin for its size.");
    }
    throw util::NumericsError(fmt::format("no vibration mode was found below {:.4g} Hz", band_));
  }
  say_limit(solution);
  return solution;
}

}  // namespace

SolidModes solid_modes(const TriMesh& surface, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file) {
  SolidModes result;
  ModeSearch search(checked_solid(surface, replacement(settings.accuracy), file, result.notices),
                    material, settings, progress, file, result.notices);
  Solution solution = search.run();
  if (search.has_band() && solution.frequencies.minCoeff() > settings.max_frequency) {
    solution.select({0});
    result.notices.push_back(fmt::format("all modes are above {:g} Hz; only the lowest is listed",
                                         settings.max_frequency));
  }
  Eigen::Index worst_mode = 0;
  const double worst = solution.errors().maxCoeff(&worst_mode);
  if (worst > settings.accuracy) {
    const bool by_shape = solution.geometry[worst_mode] > solution.discretisation[worst_mode];
    result.notices.push_back(
        fmt::format("frequencies may be off by up to {:.2g} %, more than the {:.2g} % asked for{}",
                    100.0 * worst, 100.0 * settings.accuracy,
                    !by_shape ? ""
                    : search.solid().is_replaced()
                        ? ", because the surface had to be replaced"
                        : ", because the triangles of the mesh are coarse where it is round"));
  }
  result.order = solid_order;
  result.tets = solution.tets;
  result.unknowns = 3 * solution.space.nodes.size();
  result.model = modal_model(solution, material);
  result.residual = static_cast<std::size_t>(solution.residual.values.size());
  result.model.mass = material.density * signed_volume(search.solid().mesh);
  return result;
}

}  // namespace peal::vibration
