#include <peal/base/modes_file.h>
#include <peal/geometry/io/stored_mesh.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/volume/tet_check.h>
#include <peal/util/error.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/mode_density.h>
#include <peal/vibration/mode_solver.h>
#include <peal/vibration/solid_modes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

namespace peal::vibration {

namespace {

using geometry::TriMesh;

/// An estimate of the frequency of mode `count` [Hz]: that of a block of the same volume or of a
/// plate of the same volume and surface (number of plate modes: A / 2 sqrt(rho t / D) f), whichever
/// is lower.
double first_band(const TriMesh& solid, const base::Material& material, int count) {
  const double volume = signed_volume(solid), area = 0.5 * surface_area(solid);
  const double block =
      shear_speed(material) / (2.0 * std::cbrt(volume)) * std::cbrt(1.0 + count / 6.0);
  const double thickness = volume / area, nu = material.poisson_ratio;
  const double bending = std::sqrt(base::softest_young_modulus(material) * thickness * thickness /
                                   (12.0 * material.density * (1.0 - nu * nu)));
  const double plate = 2.0 * (count + 3.0) * bending / area;
  return 1.2 * std::min(block, plate);
}

/// Bands are lowered at most this often; each time to about the size that fits.
constexpr int most_lowerings = 12;
/// A refinement that does not fit is halved at most this often.
constexpr int most_halvings = 2;
/// Surfaces that cannot be filled: tolerances and lattices that are tried.
constexpr double smaller_tolerance = 0.4, least_factor = 0.1, finer_lattice = 0.7;
constexpr int most_lattices = 2;
/// A surface is simplified again for a band below this part of the one it was simplified for.
constexpr double simplify_again = 0.6;

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

  SolidSolution run();
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
  std::optional<SolidSolution> first_solution(bool may_be_partial);
  std::optional<SolidSolution> refined_solution(bool may_be_partial, bool& may_refine);
  void say_limit(const SolidSolution& solution);

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
  double simplified_for_ = 0.0;  ///< the band for which the surface was simplified [Hz]
  double tolerance_ = 1.0;       ///< factor of that of the simplified surface
  int lattices_ = 0;             ///< that replaced the surface
  std::optional<ModeSolver> solver_;
};

void ModeSearch::make_solver(bool simplify) {
  progress_.begin("surface", 0.0);
  RingingSurface surface =
      simplify ? simplified_surface(
                     solid_, material_,
                     {.frequency = band_, .accuracy = settings_.accuracy, .tolerance = tolerance_})
               : RingingSurface{solid_.mesh, nullptr};
  progress_.end();
  is_simplified_ = simplify;
  simplified_for_ = band_;
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
std::optional<SolidSolution> ModeSearch::first_solution(bool may_be_partial) {
  limit_band(solver_->limit_of(band_, per_wave_));
  for (int i = 0; i < most_lowerings; ++i) {
    if (auto solution = solver_->solve(band_, per_wave_, may_be_partial)) return solution;
    if (!solver_->problem().empty()) {
      change_surface();
    } else if (!is_simplified_) {
      make_solver(true);
    } else {
      limit_band(computable_band(0.8 * band_));
      if (band_ < simplify_again * simplified_for_) make_solver(true);
    }
  }
  return std::nullopt;
}

/// The next solution, with as much of the refinement as fits; `may_refine` becomes false if that is
/// not all of it.
std::optional<SolidSolution> ModeSearch::refined_solution(bool may_be_partial, bool& may_refine) {
  std::optional<SolidSolution> solution = solver_->solve(band_, per_wave_, may_be_partial);
  for (int i = 0; !solution && i < most_halvings && solver_->halve_refinement(); ++i) {
    may_refine = false;
    solution = solver_->solve(band_, per_wave_, false);
  }
  return solution;
}

void ModeSearch::say_limit(const SolidSolution& solution) {
  const bool is_short =
      has_band_ ? limit_.frequency < settings_.max_frequency : solution.count() < settings_.count;
  if (is_short && !limit_.reason.empty()) notices_.push_back(limit_.reason);
}

SolidSolution ModeSearch::run() {
  make_solver(should_simplify(solid_));
  SolidSolution solution;
  bool may_refine = true;
  for (int round = 0; round < 6; ++round) {
    std::optional<SolidSolution> next =
        solution.count() == 0 ? first_solution(round < 2) : refined_solution(round < 2, may_refine);
    if (!next && solution.count() > 0) {
      if (!solution.partial) break;
      solver_->undo_refinement();
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
  SolidSolution solution = search.run();
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

void hash(const base::Material& material, const SolidModesSettings& settings,
          util::Fingerprint& fingerprint) {
  for (const double number : {material.density, material.young_modulus, material.poisson_ratio})
    fingerprint.add(number);
  if (const auto& wood = material.orthotropy) {
    for (const auto* constants : {&wood->young_moduli, &wood->shear_moduli, &wood->poisson_ratios})
      fingerprint.add(std::span<const double>(*constants));
    fingerprint.add(std::span<const double>(wood->grain.data(), 3));
    fingerprint.add(std::span<const double>(wood->radial.data(), 3));
  }
  const base::Damping& damping = material.damping;
  for (const double number : {damping.internal_friction, damping.mass, damping.stiffness,
                              damping.inverse_stiffness, damping.external})
    fingerprint.add(number);
  fingerprint.add(damping.bands.size());
  for (const base::Damping::Band& band : damping.bands) {
    fingerprint.add(band.up_to);
    fingerprint.add(band.loss_factor);
  }
  fingerprint.add(settings.max_frequency);
  fingerprint.add(settings.count);
  fingerprint.add(settings.accuracy);
  fingerprint.add(settings.clamps.size());
  for (const Clamp& clamp : settings.clamps) {
    fingerprint.add(std::span<const double>(clamp.box.min().data(), 3));
    fingerprint.add(std::span<const double>(clamp.box.max().data(), 3));
    for (const bool axis : clamp.axes) fingerprint.add(axis);
  }
}

std::string modes_key(const geometry::TriMesh& surface, const base::Material& material,
                      const SolidModesSettings& settings) {
  util::Fingerprint fingerprint;
  geometry::hash(surface, fingerprint);
  hash(material, settings, fingerprint);
  return fingerprint.hex();
}

SolidModes stored_solid_modes(const util::Store& store, const geometry::TriMesh& surface,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored) {
  const std::string key = modes_key(surface, material, settings);
  auto found = store.find<SolidModes>(key);
  was_stored = found.has_value();
  if (found) return *std::move(found);
  SolidModes modes = solid_modes(surface, material, settings, progress, file);
  store.save(key, modes);
  return modes;
}

void serialize(util::Archive& archive, SolidModes& modes) {
  archive.number(modes.order, modes.tets, modes.unknowns, modes.residual);
  archive.texts(modes.notices);
  std::string file = archive.reads() ? std::string() : base::modes_bytes(modes.model);
  archive.text(file);
  if (!archive.reads()) return;
  modes.model = base::parse_modes(file, "");
  if (modes.residual > modes.model.modes.size())
    throw util::InputError({}, "not the modes of a solid");
}

double complete_band(const base::ModalModel& model, double wanted) {
  const std::vector<base::Mode>& modes = model.modes;
  if (modes.empty() || modes.back().relative_error < 1.0) return wanted;
  const auto first = std::ranges::find_if(
      modes, [](const base::Mode& mode) { return mode.relative_error >= 1.0; });
  return first == modes.begin() ? wanted : std::min(wanted, std::prev(first)->frequency);
}

}  // namespace peal::vibration
