#include <peal/fem/assembly.h>
#include <peal/fem/mode_errors.h>
#include <peal/fem/rigid_motions.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/util/error.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/mode_solver.h>
#include <peal/vibration/residual_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::vibration {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Vec3;

namespace {

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
std::vector<bool> held_by(const std::vector<Clamp>& clamps, const fem::Space& space,
                          const std::string& file) {
  if (clamps.empty()) return {};
  for (const Clamp& clamp : clamps) {
    if (std::ranges::any_of(space.surface_node, [&](std::int32_t node) {
          return clamp.box.contains(space.nodes[node]);
        }))
      continue;
    const Vec3 &low = clamp.box.min(), &high = clamp.box.max();
    throw util::InputError(
        {file, ""},
        fmt::format("no point of the surface is in the clamp from ({:g}, {:g}, {:g}) to ({:g}, "
                    "{:g}, {:g}) m",
                    low.x(), low.y(), low.z(), high.x(), high.y(), high.z()),
        "Move or enlarge its box; `peal inspect` shows where the body is.");
  }
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

/// The modes up to `limit` [Hz], at most `count` if that is not 0, by ascending frequency.
void sort_modes(SolidSolution& solution, double limit, int count) {
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
bool is_too_coarse(const SolidSolution& solution, Eigen::Index mode, double accuracy) {
  return solution.discretisation[mode] + solution.geometry[mode] > accuracy &&
         solution.excess.row(mode).sum() > allowed_excess(accuracy);
}

/// More triangles have too many unknowns: a tetrahedron each at least, as where the facets of both
/// sides of a wall lie above each other.
constexpr auto most_triangles = static_cast<std::size_t>(1.1 * most_unknowns / unknowns_per_tet);

}  // namespace

bool needs_refinement(const SolidSolution& solution, double accuracy) {
  for (Eigen::Index m = 0; m < solution.count(); ++m)
    if (is_too_coarse(solution, m, accuracy)) return true;
  return false;
}

geometry::Replacement replacement(double accuracy) {
  return {.sides_per_wall = sides_per_wall(accuracy)};
}

base::ModalModel modal_model(const SolidSolution& solution, const base::Material& material) {
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

/// The body in one finite element space.
struct ModeSolver::Body {
  fem::Space space;
  fem::Matrices matrices;

  Body(const CurvedTetMesh& mesh, int order, const base::Material& material,
       const std::vector<Clamp>& clamps, const std::string& file)
      : space(fem::make_space(mesh, order)), matrices(fem::assemble(mesh, space, material)) {
    auto held = held_by(clamps, space, file);
    if (!held.empty()) constrain(matrices, std::move(held));
  }
};

ModeSolver::ModeSolver(RingingSurface surface, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file, std::vector<std::string>& notices)
    : smooth_(surface.mesh),
      target_(std::move(surface.target)),
      surface_error_(surface.error),
      thickness_(thicknesses(smooth_.query())),
      material_(material),
      settings_(settings),
      progress_(progress),
      file_(file),
      notices_(notices),
      finer_(surface.mesh.vertices.size(), 1.0),
      finer_before_(finer_) {}

std::optional<SolidSolution> ModeSolver::solve(double frequency, double per_wave,
                                               bool may_be_partial) {
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

  const Body body(mesh, solid_order, material_, settings_.clamps, file_);
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
  SolidSolution solution = corrected(mesh, body, std::move(pairs), progress_);
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

std::vector<double> ModeSolver::wanted_edges(const SmoothSurface& smooth, double frequency,
                                             double per_wave) {
  if (thickness_.size() != smooth.mesh().triangles.size()) {  // another surface
    thickness_ = thicknesses(smooth.query());
    finer_.assign(smooth.mesh().vertices.size(), 1.0);
    finer_before_ = finer_;
  }
  std::vector<double> lengths =
      edge_lengths(smooth.mesh(), thickness_, material_, frequency, per_wave);
  for (std::size_t v = 0; v < lengths.size(); ++v) lengths[v] *= finer_[v];
  return lengths;
}

SolidSolution ModeSolver::corrected(const CurvedTetMesh& mesh, const Body& body,
                                    fem::Eigenpairs pairs, util::Progress& progress) {
  if (pairs.values.size() > 0 && !(pairs.values.minCoeff() > 0.0)) {
    throw util::NumericsError("a vibration mode has no stiffness: the mesh is too distorted");
  }
  SolidSolution solution;
  solution.frequencies = pairs.values.cwiseSqrt() / angular(1.0);
  if (solution.count() > 0) {
    progress.begin("errors", 0.0);
    const fem::GeometryErrors shape =
        fem::geometry_errors(mesh, body.space, material_, pairs, smooth_, target_.get());
    solution.excess = fem::discretisation_errors(mesh, body.space, body.matrices, material_, pairs);
    const VectorXd excess = solution.excess.rowwise().sum();
    solution.frequencies.array() *= (shape.fit + shape.target - excess).array().exp();
    solution.discretisation =
        discretisation_part * excess + discretisation_square * excess.cwiseAbs2();
    solution.geometry =
        (fit_part * shape.fit.cwiseAbs() +
         (target_ ? target_part * shape.target.cwiseAbs() : facets_part * shape.facets.cwiseAbs()))
            .array() +
        (error_floor + surface_error_);
    progress.end();
  }
  solution.shapes = std::move(pairs.vectors);
  return solution;
}

void ModeSolver::refine(const SolidSolution& solution) {
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
  finer_before_ = finer_;
  for (std::size_t v = 0; v < now.size(); ++v) finer_[v] *= now[v];
}

bool ModeSolver::halve_refinement() {
  if (finer_ == finer_before_) return false;
  for (std::size_t v = 0; v < finer_.size(); ++v)
    finer_[v] = std::sqrt(finer_[v] * finer_before_[v]);
  return true;
}

}  // namespace peal::vibration
