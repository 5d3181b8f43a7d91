#include <peal/fem/lanczos.h>
#include <peal/fem/shell.h>
#include <peal/geometry/io/stored_mesh.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/util/error.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/shell_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>

namespace peal::vibration {

namespace {

using Eigen::VectorXd;
using geometry::ShellMesh;

constexpr double two_pi = 2.0 * std::numbers::pi;

/// Edges to a bending wave of the highest frequency: modes of free plates are then within 0.5 %
/// before they are corrected. With coarser meshes half as many.
constexpr double shell_edges_per_wave = 6.0;
/// Part of (k h)^2 that the error of a frequency may be, with the wave number k of bending waves
/// and the edge h: twice what free plates of three kinds of triangulation have.
constexpr double dispersion_part = 0.003;
/// What remains where meshes agree: shear of thick walls, lumped mass at free edges [1].
constexpr double least_shell_error = 0.001;
/// Modes are sought up to this factor above the band, as coarse meshes may have them too high.
constexpr double sought_above = 1.1;
/// Corrections by the coarser mesh beyond this are not trusted.
constexpr double largest_correction = 0.05;
constexpr double shell_unknowns_per_triangle = 3.0;  // six at each of half as many vertices

double stiffness_over_mass(const base::Material& material) {
  const double nu = material.poisson_ratio;
  return std::sqrt(material.young_modulus / (12.0 * material.density * (1.0 - nu * nu)));
}

double thinnest(const ShellMesh& shell) {
  return *std::ranges::min_element(shell.thickness);
}

/// Displacements that are fixed: those of vertices in a clamp, and their directors.
std::vector<bool> fixed_by(const std::vector<Clamp>& clamps, const ShellMesh& shell) {
  if (clamps.empty()) return {};
  const std::size_t count = shell.middle.vertices.size();
  std::vector<bool> held(6 * count, false);
  for (const Clamp& clamp : clamps) {
    for (std::size_t v = 0; v < count; ++v) {
      if (!clamp.box.contains(shell.middle.vertices[v])) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        if (!clamp.axes[k]) continue;
        held[3 * v + k] = true;
        held[3 * (count + v) + k] = true;
      }
    }
  }
  return held;
}

/// Modes on one mesh.
struct ShellSolution {
  ShellMesh shell;
  fem::ShellElements elements;
  VectorXd frequencies;    ///< [Hz]
  Eigen::MatrixXd shapes;  ///< of vertices, then of scaled directors
};

class ShellSolver {
 public:
  ShellSolver(const ShellMesh& shell, const base::Material& material,
              const SolidModesSettings& settings, util::Progress& progress, std::string file)
      : shell_(shell),
        material_(material),
        settings_(settings),
        progress_(progress),
        file_(std::move(file)) {}

  ShellSolution solve(double edge, double band) const {
    ShellSolution solution{.shell = geometry::refined_shell(shell_, edge)};
    solution.elements = fem::shell_elements(solution.shell, material_, file_);
    fem::Matrices matrices = fem::shell_matrices(solution.shell, solution.elements);
    if (auto held = fixed_by(settings_.clamps, solution.shell); !held.empty())
      fem::constrain(matrices, std::move(held));
    fem::LanczosSettings lanczos;
    const double sought = two_pi * sought_above * band, shift = two_pi * 0.02 * band;
    lanczos.max_value = sought * sought;
    lanczos.shift = shift * shift;
    if (settings_.count > 0) lanczos.count = settings_.count + 4 + settings_.count / 10;
    lanczos.progress = [&](double part) { progress_.update(part); };
    fem::Eigenpairs pairs = fem::lowest_eigenpairs(
        matrices, fem::shell_rigid_motions(matrices, solution.shell, solution.elements), lanczos);
    if (pairs.values.size() > 0 && !(pairs.values.minCoeff() > 0.0))
      throw util::NumericsError("a vibration mode has no stiffness: the mesh is too distorted");
    solution.frequencies = pairs.values.cwiseSqrt() / two_pi;
    solution.shapes = std::move(pairs.vectors);
    return solution;
  }

 private:
  const ShellMesh& shell_;
  const base::Material& material_;
  const SolidModesSettings& settings_;
  util::Progress& progress_;
  std::string file_;
};

/// The longest edge of a mesh [m].
double longest_edge_of(const ShellMesh& shell) {
  double longest = 0.0;
  for (const geometry::Triangle& t : shell.middle.triangles) {
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(
          longest, (shell.middle.vertices[t[k]] - shell.middle.vertices[t[(k + 1) % 3]]).norm());
  }
  return longest;
}

/// The size of triangles by which a refined mesh is as large as allowed [m].
double smallest_edge(const ShellMesh& shell) {
  const double triangles = most_unknowns / shell_unknowns_per_triangle;
  return std::sqrt(4.0 / std::numbers::sqrt3 * geometry::surface_area(shell.middle) / triangles);
}

/// A mode moves both faces: half the thickness times what its director does is added on one side
/// and taken off on the other.
Eigen::MatrixXf shapes_on_faces(const ShellSolution& solution, Eigen::Index modes) {
  const auto count = static_cast<Eigen::Index>(solution.shell.middle.vertices.size());
  Eigen::MatrixXf shapes(6 * count, modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    for (Eigen::Index v = 0; v < count; ++v) {
      const auto number = static_cast<std::size_t>(v);
      const double lever =
          0.5 * solution.shell.thickness[number] / std::sqrt(solution.elements.turning[number]);
      const Eigen::Vector3d moved = solution.shapes.block<3, 1>(3 * v, m);
      const Eigen::Vector3d turned = lever * solution.shapes.block<3, 1>(3 * (count + v), m);
      shapes.block<3, 1>(3 * v, m) = (moved + turned).cast<float>();
      shapes.block<3, 1>(3 * (count + v), m) = (moved - turned).cast<float>();
    }
  }
  return shapes;
}

/// Where walls bend too sharply for mitres, faces are those of the elements.
geometry::TriMesh faces_of(const ShellMesh& shell) try {
  return geometry::solid_of(shell);
} catch (const std::invalid_argument&) {
  return geometry::surface_of(shell);
}

}  // namespace

double bending_wavelength(const base::Material& material, double thickness, double frequency) {
  return two_pi * std::sqrt(stiffness_over_mass(material) * thickness / (two_pi * frequency));
}

double expected_shell_modes(const ShellMesh& shell, const base::Material& material,
                            double frequency) {
  const double area = geometry::surface_area(shell.middle);
  const double thickness = geometry::volume(shell) / area;
  return 0.5 * area * frequency / (stiffness_over_mass(material) * thickness);
}

namespace {

/// Modes on two meshes, the second with edges half as long.
struct ShellSolutions {
  ShellSolution coarse, fine;

  bool differ() const {
    return coarse.shell.middle.triangles.size() < fine.shell.middle.triangles.size();
  }
  /// What is added to a frequency [1]: the error goes with the square of the edge.
  std::optional<double> change(Eigen::Index mode) const {
    if (!differ() || mode >= coarse.frequencies.size()) return std::nullopt;
    return (1.0 - coarse.frequencies[mode] / fine.frequencies[mode]) / 3.0;
  }
  double largest_change(Eigen::Index modes) const {
    double largest = 0.0;
    for (Eigen::Index m = 0; m < std::min(modes, fine.frequencies.size()); ++m)
      largest = std::max(largest, std::abs(change(m).value_or(0.0)));
    return largest;
  }
};

/// The band that is computed [Hz], and a notice if it is not the one asked for.
double shell_band(const ShellMesh& shell, const base::Material& material,
                  const SolidModesSettings& settings, std::vector<std::string>& notices) {
  if (settings.max_frequency <= 0.0)
    return (settings.count + 6.0) / std::max(1e-9, expected_shell_modes(shell, material, 1.0));
  const double band = settings.max_frequency, finest = smallest_edge(shell);
  const double edge = bending_wavelength(material, thinnest(shell), band) / shell_edges_per_wave;
  if (edge >= finest) return band;
  // Waves are as long as edges are at a frequency that goes with the inverse square of that.
  const BandLimit limit = computable_band(band * (edge / finest) * (edge / finest));
  notices.push_back(limit.reason);
  return limit.frequency;
}

ShellSolutions solve_shell(const ShellMesh& shell, const base::Material& material,
                           const SolidModesSettings& settings, double band,
                           const ShellSolver& solver) {
  constexpr int most_rounds = 8;
  constexpr double most_refined = 60000.0;  // unknowns, which take a minute
  const double finest = smallest_edge(shell);
  const auto edge_at = [&](double frequency) {
    return bending_wavelength(material, thinnest(shell), frequency) / shell_edges_per_wave;
  };
  ShellSolutions found;
  for (int round = 0; round < most_rounds; ++round) {
    found.fine = solver.solve(edge_at(band), band);
    const bool is_short =
        settings.max_frequency <= 0.0 && found.fine.frequencies.size() < settings.count;
    if (!(is_short || found.fine.frequencies.size() == 0) || edge_at(1.6 * band) < finest) break;
    band *= 1.6;
  }
  if (found.fine.frequencies.size() == 0)
    throw util::NumericsError(fmt::format("no vibration mode was found below {:.4g} Hz", band));
  found.coarse = solver.solve(2.0 * edge_at(band), band);
  // A mesh finer than waves ask for may still be coarse where it is bent: one twice as fine shows
  // it.
  constexpr double most_halved = 150000.0, all_edges = 0.4;
  if (!found.differ() &&
      24.0 * static_cast<double>(found.fine.shell.middle.vertices.size()) < most_halved) {
    found.coarse = std::move(found.fine);
    found.fine = solver.solve(all_edges * longest_edge_of(found.coarse.shell), band);
    return found;
  }
  const Eigen::Index asked = settings.count > 0 ? settings.count : found.fine.frequencies.size();
  const double unknowns = 6.0 * static_cast<double>(found.fine.shell.middle.vertices.size());
  if (least_shell_error + found.largest_change(asked) > settings.accuracy &&
      4.0 * unknowns < most_refined) {
    found.coarse = std::move(found.fine);
    found.fine = solver.solve(0.5 * edge_at(band), band);
  }
  return found;
}

}  // namespace

SolidModes shell_modes(const ShellMesh& shell, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file) {
  if (material.orthotropy) {
    throw util::InputError({file, ""}, "a thin shell cannot have a grain",
                           "Let \"elements\" be \"solid\", or remove the grain.");
  }
  SolidModes result;
  const bool has_band = settings.max_frequency > 0.0;
  const double band = shell_band(shell, material, settings, result.notices);
  const ShellSolver solver(shell, material, settings, progress, file);
  progress.begin("modes", 0.0);
  const ShellSolutions found = solve_shell(shell, material, settings, band, solver);
  progress.end();
  const double edge = longest_edge_of(found.fine.shell);
  const double highest =
      has_band ? settings.max_frequency : std::numeric_limits<double>::infinity();
  Eigen::Index count = 0;
  double worst = 0.0;
  for (Eigen::Index m = 0; m < found.fine.frequencies.size(); ++m) {
    double frequency = found.fine.frequencies[m], error = least_shell_error;
    if (const std::optional<double> change = found.change(m)) {
      if (std::abs(*change) < largest_correction) frequency *= 1.0 + *change;
      error += std::abs(*change);
    } else {
      const double waves = two_pi * edge / bending_wavelength(material, thinnest(shell), frequency);
      error += dispersion_part * waves * waves;
    }
    // Corrections do not change the order.
    if (m > 0) frequency = std::max(frequency, result.model.modes.back().frequency);
    if (count > 0 && (frequency > highest || (settings.count > 0 && m >= settings.count))) break;
    result.model.modes.push_back({frequency, material.damping.decay_rate(frequency), error});
    worst = std::max(worst, error);
    ++count;
    if (frequency > highest) {
      result.notices.push_back(
          fmt::format("all modes are above {:g} Hz; only the lowest is listed", highest));
      break;
    }
  }
  if (worst > settings.accuracy) {
    result.notices.push_back(
        fmt::format("frequencies may be off by up to {:.2g} %, more than the {:.2g} % asked for",
                    100.0 * worst, 100.0 * settings.accuracy));
  }
  result.model.surface = faces_of(found.fine.shell);
  result.model.shapes = shapes_on_faces(found.fine, count);
  result.model.mass = material.density * geometry::volume(shell);
  result.tets = found.fine.shell.middle.triangles.size();
  result.unknowns = 6 * found.fine.shell.middle.vertices.size();
  return result;
}

std::string modes_key(const geometry::ShellMesh& shell, const base::Material& material,
                      const SolidModesSettings& settings) {
  util::Fingerprint fingerprint;
  geometry::hash(shell.middle, fingerprint);
  fingerprint.add(std::span<const double>(shell.thickness));
  hash(material, settings, fingerprint);
  return fingerprint.hex();
}

SolidModes stored_shell_modes(const util::Store& store, const geometry::ShellMesh& shell,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored) {
  const std::string key = modes_key(shell, material, settings);
  auto found = store.find<SolidModes>(key);
  was_stored = found.has_value();
  if (found) return *std::move(found);
  SolidModes modes = shell_modes(shell, material, settings, progress, file);
  store.save(key, modes);
  return modes;
}

}  // namespace peal::vibration
