#include <peal/base/plausible_size.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/sounds/hammer.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/program.h>
#include <peal/util/store.h>
#include <peal/vibration/band_limit.h>
#include <peal/vibration/contact_patch.h>
#include <peal/vibration/initial_motion.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/radiation_amplitudes_cache.h>
#include <peal/vibration/shell_modes.h>
#include <peal/vibration/solid_modes.h>
#include <peal/vibration/struck_sound.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace peal::sounds {

namespace {

/// Adds a notice unless it is there already, because a body may be checked twice.
void add_once(std::string notice, std::vector<std::string>& notices) {
  if (std::ranges::find(notices, notice) == notices.end()) notices.push_back(std::move(notice));
}

/// Where a force of a strike or a contact acts, and how it is spread.
struct ForcePlace {
  geometry::Vec3 at;                        ///< [m]
  std::optional<geometry::Vec3> direction;  ///< absent: into the surface
  double patch = 0.0;                       ///< radius [m]
  bool has_history = false;                 ///< its direction varies
};

/// Those of the forces and plucks among the strikes, then those of the contacts, as for
/// modal_forces().
std::vector<ForcePlace> places_of(std::span<const scene::Strike> strikes,
                                  std::span<const StruckForce> contacts) {
  std::vector<ForcePlace> places;
  for (const scene::Strike& strike : strikes)
    places.push_back({strike.at, strike.direction, strike.patch_radius.value_or(0.0)});
  for (const StruckForce& one : contacts)
    places.push_back({one.force.at, one.force.direction, one.patch, one.force.history != nullptr});
  return places;
}

/// The shapes of all modes there: at the nearest points of the surface, in the mean over the patch.
Eigen::Matrix3Xf shapes_in_patch(const base::ModalModel& model,
                                 const geometry::SurfaceQuery& surface, const geometry::Vec3& at,
                                 const geometry::Vec3& normal, double patch) {
  Eigen::Matrix3Xf shapes = Eigen::Matrix3Xf::Zero(3, model.shapes.cols());
  for (const vibration::PatchPoint& point : vibration::contact_patch(at, normal, patch)) {
    const geometry::SurfacePoint near = surface.closest_point(point.at);
    shapes += static_cast<float>(point.weight) * model.shapes_at(near.triangle, near.barycentrics);
  }
  return shapes;
}

/// How modes meet forces: by their shape along each, and by their shapes in all directions.
struct Gains {
  std::vector<std::vector<double>> along;  ///< a list a force [kg^-1/2]
  std::vector<Eigen::Matrix3Xf> shapes;    ///< of those with a history, a matrix a contact
};

Gains gains_on(const base::ModalModel& model, const geometry::SurfaceQuery& surface,
               const std::vector<ForcePlace>& places, std::size_t strikes) {
  Gains gains;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ForcePlace& place = places[i];
    const geometry::SurfacePoint near = surface.closest_point(place.at);
    const geometry::Vec3 normal = geometry::area_vector(model.surface, near.triangle).normalized();
    const Eigen::Matrix3Xf shapes =
        shapes_in_patch(model, surface, near.point, normal, place.patch);
    const Eigen::VectorXf along =
        shapes.transpose() * place.direction.value_or(-normal).cast<float>();
    gains.along.emplace_back(along.data(), along.data() + along.size());
    if (i >= strikes) gains.shapes.push_back(place.has_history ? shapes : Eigen::Matrix3Xf());
  }
  return gains;
}

/// An ideal shape moves along y.
Gains gains_on(const vibration::IdealShape& shape, const std::vector<ForcePlace>& places,
               std::size_t strikes) {
  Gains gains;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ForcePlace& place = places[i];
    std::vector<double> moved(shape.modes().size(), 0.0);
    for (const vibration::PatchPoint& point :
         vibration::contact_patch(place.at, geometry::Vec3::UnitY(), place.patch)) {
      const std::vector<double> there = shape.displacement({point.at.x(), point.at.z()});
      for (std::size_t n = 0; n < moved.size(); ++n) moved[n] += point.weight * there[n];
    }
    if (i >= strikes) {
      gains.shapes.emplace_back();
      if (place.has_history) {
        gains.shapes.back().setZero(3, static_cast<Eigen::Index>(moved.size()));
        gains.shapes.back().row(1) = Eigen::Map<const Eigen::RowVectorXd>(
                                         moved.data(), static_cast<Eigen::Index>(moved.size()))
                                         .cast<float>();
      }
    }
    const double along = place.direction ? place.direction->y() : -1.0;
    for (double& gain : moved) gain *= along;
    gains.along.push_back(std::move(moved));
  }
  return gains;
}

/// The strikes that are forces or plucks.
std::vector<scene::Strike> forces_among(const std::vector<scene::Strike>& strikes) {
  std::vector<scene::Strike> result;
  for (const scene::Strike& strike : strikes)
    if (strike.is_force() || strike.pluck) result.push_back(strike);
  return result;
}

/// The forces of contacts and of hammers.
std::vector<StruckForce> contacts_and_hammers(const scene::Object& object,
                                              const base::ContactForces& forces,
                                              std::shared_ptr<const base::ContactCompliance> body,
                                              std::vector<std::string>& notices) {
  std::vector<StruckForce> result;
  for (const base::ContactForce& force : forces.impacts) result.push_back({force, 0.0});
  const auto is_hammer = [](const scene::Strike& strike) { return strike.hammer.has_value(); };
  if (std::ranges::any_of(object.strikes, is_hammer)) {
    std::vector<std::string> found;
    std::ranges::move(hammer_forces(object, std::move(body), found), std::back_inserter(result));
    for (std::string& notice : found) add_once(std::move(notice), notices);
  }
  return result;
}

std::vector<base::ContactForce> contact_forces_of(const std::vector<StruckForce>& struck) {
  std::vector<base::ContactForce> forces;
  for (const StruckForce& one : struck) forces.push_back(one.force);
  return forces;
}

/// Gains of sustained forces, a column a place, from those at one place: `gains(at, direction)`.
template <typename Gains>
std::vector<vibration::ModalSustainedForce> sustained_gains(
    const std::vector<base::SustainedForce>& sustained, std::size_t modes, const Gains& gains) {
  std::vector<vibration::ModalSustainedForce> result;
  for (const base::SustainedForce& force : sustained) {
    Eigen::MatrixXf columns(static_cast<Eigen::Index>(modes),
                            static_cast<Eigen::Index>(force.points.size()));
    for (std::size_t i = 0; i < force.points.size(); ++i) {
      columns.col(static_cast<Eigen::Index>(i)) =
          gains(force.points[i].at, force.points[i].direction);
    }
    result.push_back({std::make_shared<base::SustainedForce>(force), std::move(columns)});
  }
  return result;
}

/// What contacts that last take from modes; `shapes(at)` are those of all modes at a point.
template <typename Shapes>
std::vector<vibration::ModalRest> modal_rests(const std::vector<base::LastingContact>& lasting,
                                              const std::vector<base::Mode>& modes,
                                              const Shapes& shapes) {
  std::vector<vibration::ModalRest> rests;
  for (const base::LastingContact& contact : lasting) {
    const Eigen::Matrix3Xf there = shapes(contact.at);
    const Eigen::ArrayXd along =
        (there.transpose() * contact.normal.cast<float>()).template cast<double>().array();
    rests.push_back(vibration::modal_rest(contact, modes, along));
  }
  return rests;
}

void mention_modes(const scene::Object& object, const std::vector<base::Mode>& modes,
                   double max_frequency, std::vector<std::string>& notices) {
  if (modes.empty()) {
    add_once(fmt::format("\"{}\" is silent when struck: it has no mode up to {:g} Hz", object.name,
                         max_frequency),
             notices);
  }
  const bool for_ever =
      std::ranges::any_of(modes, [](const base::Mode& mode) { return mode.decay_rate <= 0.0; });
  if (for_ever) {
    add_once(fmt::format("\"{}\" never decays: its material has no damping", object.name), notices);
  }
}

RingingBody ideal(const scene::Object& object, const ModalSound& sound,
                  const base::ContactForces& forces, std::vector<std::string>& notices) {
  const std::shared_ptr<const vibration::IdealShape> shape = vibration::make_ideal_shape(
      *object.ideal_shape(), *object.material, {.max_frequency = sound.max_frequency});
  if (shape->is_cut()) {
    add_once(fmt::format("\"{}\" uses its lowest {} modes only, up to {:.0f} Hz", object.name,
                         shape->modes().size(), shape->modes().back().frequency),
             notices);
  }
  auto model = std::make_shared<base::ModalModel>(
      vibration::modal_model(*shape, *object.mesh, object.material->damping));
  auto rubbed = sustained_gains(
      forces.sustained, model->modes.size(),
      [&](const geometry::Vec3& at, const geometry::Vec3& direction) -> Eigen::VectorXf {
        const std::vector<double> shapes = shape->displacement({at.x(), at.z()});
        return static_cast<float>(direction.y()) *
               Eigen::Map<const Eigen::VectorXd>(shapes.data(),
                                                 static_cast<Eigen::Index>(shapes.size()))
                   .cast<float>();
      });
  const std::vector<scene::Strike> strikes = forces_among(object.strikes);
  const std::vector<StruckForce> struck = contacts_and_hammers(
      object, forces, std::make_shared<IdealCompliance>(shape, model->modes, sound.max_frequency),
      notices);
  const Gains gains = gains_on(*shape, places_of(strikes, struck), strikes.size());
  std::vector<vibration::ModalForce> modal = vibration::modal_forces(
      strikes, contact_forces_of(struck), gains.along, model->modes, gains.shapes);
  for (const scene::Strike& strike : object.strikes) {
    if (!strike.initial) continue;
    modal.push_back(vibration::initial_force(*shape, *object.ideal_shape(), *strike.initial,
                                             {strike.at.x(), strike.at.z()}, strike.t));
  }
  auto rests = modal_rests(forces.lasting, model->modes, [&](const geometry::Vec3& at) {
    Eigen::Matrix3Xf shapes =
        Eigen::Matrix3Xf::Zero(3, static_cast<Eigen::Index>(model->modes.size()));
    const std::vector<double> moved = shape->displacement({at.x(), at.z()});
    for (std::size_t k = 0; k < moved.size(); ++k)
      shapes(1, static_cast<Eigen::Index>(k)) = static_cast<float>(moved[k]);
    return shapes;
  });
  auto response = std::make_shared<vibration::ModalResponse>(model->modes, std::move(modal),
                                                             std::move(rubbed), std::move(rests));
  return {.model = std::move(model),
          .response = std::move(response),
          .area = vibration::facing_area(*object.ideal_shape())};
}

/// Modes that are known by their shapes on a surface, all of them up to a frequency [Hz].
RingingBody with_shapes(const scene::Object& object, const base::ContactForces& forces,
                        std::shared_ptr<const base::ModalModel> own, double highest,
                        const base::Medium& medium, std::vector<std::string>& notices) {
  const util::Store store(util::stored::radiation_amplitudes);
  auto radiation = std::make_shared<const base::RadiationAmplitudes>(
      vibration::stored_radiation_amplitudes(store, *own, medium));
  for (std::string& notice : store.notices()) add_once(std::move(notice), notices);
  const auto model = std::make_shared<base::ModalModel>(*own);
  base::add_radiation_decay(*radiation, model->modes);
  std::vector<vibration::ModalForce> modal;
  std::vector<vibration::ModalSustainedForce> rubbed;
  std::vector<vibration::ModalRest> rests;
  if (!object.strikes.empty() || !forces.empty()) {
    const geometry::SurfaceQuery surface(model->surface);
    const std::vector<scene::Strike> strikes = forces_among(object.strikes);
    const std::vector<StruckForce> struck = contacts_and_hammers(
        object, forces, std::make_shared<vibration::ModalCompliance>(model, highest), notices);
    const Gains gains = gains_on(*model, surface, places_of(strikes, struck), strikes.size());
    modal = vibration::modal_forces(strikes, contact_forces_of(struck), gains.along, model->modes,
                                    gains.shapes);
    rubbed = sustained_gains(
        forces.sustained, model->modes.size(),
        [&](const geometry::Vec3& at, const geometry::Vec3& direction) -> Eigen::VectorXf {
          const geometry::SurfacePoint near = surface.closest_point(at);
          return model->shapes_at(near.triangle, near.barycentrics).transpose() *
                 direction.cast<float>();
        });
    rests = modal_rests(forces.lasting, model->modes,
                        [&](const geometry::Vec3& at) -> Eigen::Matrix3Xf {
                          const geometry::SurfacePoint near = surface.closest_point(at);
                          return model->shapes_at(near.triangle, near.barycentrics);
                        });
  }
  auto response = std::make_shared<vibration::ModalResponse>(model->modes, std::move(modal),
                                                             std::move(rubbed), std::move(rests));
  return {.model = model,
          .in_vacuum = std::move(own),
          .response = std::move(response),
          .radiation = std::move(radiation)};
}

RingingBody from_file(const scene::Object& object, const ModalSound& sound,
                      const base::ContactForces& forces, const base::Medium& medium,
                      std::vector<std::string>& notices) {
  const auto& model = object.modal_body()->model;
  const std::size_t count = base::count_up_to(model->modes, sound.max_frequency);
  if (count == model->modes.size()) {
    // What lies above the last mode of a file is not known.
    const double highest = count > 0 ? model->modes.back().frequency : sound.max_frequency;
    return with_shapes(object, forces, model,
                       vibration::complete_band(*model, std::min(highest, sound.max_frequency)),
                       medium, notices);
  }
  auto lower = std::make_shared<base::ModalModel>(*model);
  lower->keep_lowest(count);
  return with_shapes(object, forces, std::move(lower), sound.max_frequency, medium, notices);
}

/// Refuses a mesh whose unit is certainly wrong: meshing it could take for ever.
void check_unit(const scene::Object& object) {
  const base::SizeCheck size = base::check_size(*object.mesh, object.material->density);
  if (!size.is_wrong) return;
  throw util::InputError(
      {"", object.location}, size.describe() + ": " + size.question(),
      fmt::format("Set \"scale\": {:g}, or 1 if its size is right.", size.factors.front()));
}

[[noreturn]] void rethrow_without_modes(const scene::Object& object,
                                        const util::InputError& error) {
  throw util::InputError({"", object.location + ".sound"},
                         fmt::format("\"{}\" has no modes: {}", object.name, error.problem()),
                         error.hint());
}

RingingBody shell(const scene::Object& object, const ModalSound& sound,
                  const base::ContactForces& forces, const base::Medium& medium,
                  util::Progress& progress, std::vector<std::string>& notices) try {
  const util::Store store(util::stored::solid_modes);
  bool was_stored = false;
  vibration::SolidModes found = vibration::stored_shell_modes(
      store, *object.shell, *object.material, {.max_frequency = sound.max_frequency}, progress, {},
      was_stored);
  for (std::string& notice : store.notices()) add_once(std::move(notice), notices);
  for (const std::string& notice : found.notices)
    add_once(fmt::format("\"{}\": {}", object.name, notice), notices);
  return with_shapes(object, forces,
                     std::make_shared<const base::ModalModel>(std::move(found.model)),
                     sound.max_frequency, medium, notices);
} catch (const util::InputError& error) {
  rethrow_without_modes(object, error);
}

RingingBody solid(const scene::Object& object, const ModalSound& sound,
                  const base::ContactForces& forces, const base::Medium& medium,
                  util::Progress& progress, std::vector<std::string>& notices) try {
  if (!object.has_stated_size) check_unit(object);
  const util::Store store(util::stored::solid_modes);
  bool was_stored = false;
  vibration::SolidModes found = vibration::stored_solid_modes(
      store, *object.mesh, *object.material, {.max_frequency = sound.max_frequency}, progress, {},
      was_stored);
  for (std::string& notice : store.notices()) add_once(std::move(notice), notices);
  for (const std::string& notice : found.notices) {
    notices.push_back(fmt::format("\"{}\": {}", object.name, notice));
  }
  const auto model = std::make_shared<const base::ModalModel>(std::move(found.model));
  return with_shapes(object, forces, model, vibration::complete_band(*model, sound.max_frequency),
                     medium, notices);
} catch (const util::InputError& error) {
  rethrow_without_modes(object, error);
}

}  // namespace

geometry::ElementChoice elements_for(const scene::Object& object, const ModalSound& sound) {
  using Elements = ModalSound::Elements;
  if (!object.shell && sound.elements == Elements::shells) {
    throw util::InputError(
        {"", object.location + ".sound"},
        fmt::format("\"{}\" is no wall that could have shell elements", object.name),
        "Give it a \"thickness\", or let \"elements\" be \"automatic\".");
  }
  const bool is_asked_for = sound.elements == Elements::shells;
  if (!object.shell || (sound.elements != Elements::automatic && !is_asked_for)) return {false, {}};
  if (object.material->orthotropy && !is_asked_for)
    return {false, "a solid, because its material has a grain"};
  return geometry::choose_elements(geometry::shell_form(*object.shell), is_asked_for);
}

RingingBody make_ringing_body(const scene::Object& object, const ModalSound& sound,
                              const base::Medium& medium, util::Progress& progress,
                              std::vector<std::string>& notices, const base::ContactForces& forces,
                              const std::shared_ptr<const base::ModalModel>& known) {
  const bool has_elements =
      object.modal_body() == nullptr && object.ideal_shape() == nullptr && !known;
  const geometry::ElementChoice elements =
      has_elements ? elements_for(object, sound) : geometry::ElementChoice{.is_shell = false};
  if (object.shell && !elements.reason.empty())
    add_once(fmt::format("\"{}\" is computed as {}", object.name, elements.reason), notices);
  RingingBody body =
      object.modal_body() != nullptr    ? from_file(object, sound, forces, medium, notices)
      : object.ideal_shape() != nullptr ? ideal(object, sound, forces, notices)
      : known                           ? with_shapes(object, forces, known,
                                                      vibration::complete_band(*known, sound.max_frequency), medium, notices)
      : elements.is_shell               ? shell(object, sound, forces, medium, progress, notices)
                                        : solid(object, sound, forces, medium, progress, notices);
  mention_modes(object, body.model->modes, sound.max_frequency, notices);
  return body;
}

std::optional<RingingBody> find_ringing_body(const scene::Object& object, const ModalSound& sound,
                                             const base::Medium& medium, util::Progress& progress,
                                             std::vector<std::string>& notices,
                                             const base::ContactForces& forces,
                                             const std::shared_ptr<const base::ModalModel>& known,
                                             bool strict) try {
  if (auto reason = too_many_default_modes(object, sound); !reason.empty()) {
    add_once(std::move(reason), notices);
    return std::nullopt;
  }
  return make_ringing_body(object, sound, medium, progress, notices, forces, known);
} catch (const util::InputError& error) {
  // Without the program, no body would ring.
  const bool is_fatal = strict || !util::find_program("tetgen");
  if (is_fatal && !sound.is_default) throw;
  add_once(
      fmt::format("{}, so it does not ring. {}", error.problem(),
                  sound.is_default ? "To leave it silent, give it \"sound\": []" : error.hint()),
      notices);
  return std::nullopt;
}

std::optional<StoredModes> stored_modes(const scene::Object& object, const ModalSound& sound) {
  if (object.modal_body() != nullptr || object.ideal_shape() != nullptr) return std::nullopt;
  const vibration::SolidModesSettings settings{.max_frequency = sound.max_frequency};
  const std::string key = elements_for(object, sound).is_shell
                              ? vibration::modes_key(*object.shell, *object.material, settings)
                              : vibration::modes_key(*object.mesh, *object.material, settings);
  const util::Store store(util::stored::solid_modes);
  StoredModes result{.file = store.file(key), .are_found = store.contains(key)};
  for (std::string& notice : store.notices()) add_once(std::move(notice), result.notices);
  return result;
}

std::vector<std::string> preview_ringing_body(const scene::Object& object,
                                              const ModalSound& sound) try {
  if (!object.has_stated_size) check_unit(object);
  if (elements_for(object, sound).is_shell) return {};
  return vibration::preview_solid_modes(*object.mesh, *object.material,
                                        {.max_frequency = sound.max_frequency});
} catch (const util::InputError& error) {
  rethrow_without_modes(object, error);
}

std::shared_ptr<const base::ModalModel> on_surface(std::shared_ptr<const base::ModalModel> model,
                                                   const geometry::TriMesh& mesh) {
  if (model->surface.vertices == mesh.vertices && model->surface.triangles == mesh.triangles) {
    return model;
  }
  auto moved = std::make_shared<base::ModalModel>();
  moved->modes = model->modes;
  moved->surface = mesh;
  moved->shapes.resize(3 * static_cast<Eigen::Index>(mesh.vertices.size()), model->shapes.cols());
  const geometry::SurfaceQuery surface(model->surface);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const geometry::SurfacePoint at = surface.closest_point(mesh.vertices[v]);
    moved->shapes.middleRows<3>(3 * static_cast<Eigen::Index>(v)) =
        model->shapes_at(at.triangle, at.barycentrics);
  }
  return moved;
}

}  // namespace peal::sounds
