#include <peal/base/plausible_size.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/store.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/modal_radiation_cache.h>
#include <peal/vibration/solid_modes_cache.h>
#include <peal/vibration/struck_sound.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace peal::sounds {

namespace {

/// Modal force of a unit force of each strike, and then of each contact: at the nearest point of
/// the surface, along the force's direction or against the normal.
std::vector<std::vector<double>> strike_gains(const base::ModalModel& model,
                                              const geometry::SurfaceQuery& surface,
                                              const std::vector<scene::Strike>& strikes,
                                              const std::vector<base::ContactForce>& contacts) {
  std::vector<std::vector<double>> gains;
  const auto add = [&](const geometry::Vec3& point, const std::optional<geometry::Vec3>& along) {
    const geometry::SurfacePoint at = surface.closest_point(point);
    const geometry::Vec3 normal = geometry::area_vector(model.surface, at.triangle).normalized();
    const geometry::Vec3 direction = along.value_or(-normal);
    const Eigen::VectorXf gain =
        model.shapes_at(at.triangle, at.barycentrics).transpose() * direction.cast<float>();
    gains.emplace_back(gain.data(), gain.data() + gain.size());
  };
  for (const scene::Strike& strike : strikes) add(strike.at, strike.direction);
  for (const base::ContactForce& force : contacts) add(force.at, force.direction);
  return gains;
}

/// Shapes of the modes at the points of those contacts whose force is known in its course.
std::vector<Eigen::Matrix3Xf> history_shapes(const base::ModalModel& model,
                                             const geometry::SurfaceQuery& surface,
                                             const std::vector<base::ContactForce>& contacts) {
  std::vector<Eigen::Matrix3Xf> shapes(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!contacts[i].history) continue;
    const geometry::SurfacePoint at = surface.closest_point(contacts[i].at);
    shapes[i] = model.shapes_at(at.triangle, at.barycentrics);
  }
  return shapes;
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

/// Adds a notice unless it is there already, because a body may be checked twice.
void add_once(std::string notice, std::vector<std::string>& notices) {
  if (std::ranges::find(notices, notice) == notices.end()) notices.push_back(std::move(notice));
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
    add_once(fmt::format("\"{}\" rings for ever: its material has no damping", object.name),
             notices);
  }
}

RingingBody ideal(const scene::Object& object, const ModalSound& sound,
                  const base::ContactForces& forces, std::vector<std::string>& notices) {
  const auto shape = vibration::make_ideal_shape(*object.ideal_shape(), *object.material,
                                                 {.max_frequency = sound.max_frequency});
  if (shape->is_cut()) {
    add_once(fmt::format("\"{}\" uses its lowest {} modes only, up to {:.0f} Hz", object.name,
                         shape->modes().size(), shape->modes().back().frequency),
             notices);
  }
  std::vector<std::vector<double>> gains;
  const auto add = [&](const geometry::Vec3& at, double along) {
    gains.push_back(shape->displacement({at.x(), at.z()}));
    for (double& gain : gains.back()) gain *= along;
  };
  for (const scene::Strike& strike : object.strikes)
    add(strike.at, strike.direction ? strike.direction->y() : -1.0);
  std::vector<Eigen::Matrix3Xf> at_blows;
  for (const base::ContactForce& force : forces.impacts) {
    add(force.at, force.direction.y());
    // An ideal shape moves along y.
    at_blows.emplace_back();
    if (!force.history) continue;
    const std::vector<double> moved = shape->displacement({force.at.x(), force.at.z()});
    at_blows.back().setZero(3, static_cast<Eigen::Index>(moved.size()));
    for (std::size_t k = 0; k < moved.size(); ++k)
      at_blows.back()(1, static_cast<Eigen::Index>(k)) = static_cast<float>(moved[k]);
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
  auto response = std::make_shared<vibration::ModalResponse>(
      model->modes,
      vibration::modal_forces(object.strikes, forces.impacts, gains, model->modes, at_blows),
      std::move(rubbed));
  return {.model = std::move(model),
          .response = std::move(response),
          .area = vibration::facing_area(*object.ideal_shape())};
}

/// Modes that are known by their shapes on a surface.
RingingBody with_shapes(const scene::Object& object, const base::ContactForces& forces,
                        std::shared_ptr<const base::ModalModel> own, const base::Medium& medium,
                        std::vector<std::string>& notices) {
  const util::Store store(util::stored::modal_radiation);
  auto radiation = std::make_shared<const base::ModalRadiation>(
      vibration::stored_modal_radiation(store, *own, medium));
  for (std::string& notice : store.notices()) add_once(std::move(notice), notices);
  const auto model = std::make_shared<base::ModalModel>(*own);
  base::add_radiation_decay(*radiation, model->modes);
  std::vector<std::vector<double>> gains;
  std::vector<Eigen::Matrix3Xf> shapes;
  std::vector<vibration::ModalSustainedForce> rubbed;
  if (!object.strikes.empty() || !forces.empty()) {
    const geometry::SurfaceQuery surface(model->surface);
    gains = strike_gains(*model, surface, object.strikes, forces.impacts);
    shapes = history_shapes(*model, surface, forces.impacts);
    rubbed = sustained_gains(
        forces.sustained, model->modes.size(),
        [&](const geometry::Vec3& at, const geometry::Vec3& direction) -> Eigen::VectorXf {
          const geometry::SurfacePoint near = surface.closest_point(at);
          return model->shapes_at(near.triangle, near.barycentrics).transpose() *
                 direction.cast<float>();
        });
  }
  auto response = std::make_shared<vibration::ModalResponse>(
      model->modes,
      vibration::modal_forces(object.strikes, forces.impacts, gains, model->modes, shapes),
      std::move(rubbed));
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
  if (count == model->modes.size()) return with_shapes(object, forces, model, medium, notices);
  auto lower = std::make_shared<base::ModalModel>(*model);
  lower->keep_lowest(count);
  return with_shapes(object, forces, std::move(lower), medium, notices);
}

/// Refuses a mesh whose unit is certainly wrong: meshing it could take for ever.
void check_unit(const scene::Object& object) {
  const base::SizeCheck size = base::check_size(*object.mesh, object.material->density);
  if (!size.is_wrong) return;
  throw util::InputError(
      {"", object.location}, size.describe() + ": " + size.question(),
      fmt::format("Set \"scale\": {:g}, or 1 if its size is right.", size.factors.front()));
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
  return with_shapes(object, forces,
                     std::make_shared<const base::ModalModel>(std::move(found.model)), medium,
                     notices);
} catch (const util::InputError& error) {
  throw util::InputError({"", object.location + ".sound"},
                         fmt::format("\"{}\" has no modes: {}", object.name, error.problem()),
                         error.hint());
}

}  // namespace

RingingBody make_ringing_body(const scene::Object& object, const ModalSound& sound,
                              const base::Medium& medium, util::Progress& progress,
                              std::vector<std::string>& notices,
                              const base::ContactForces& forces) {
  RingingBody body =
      object.modal_body() != nullptr    ? from_file(object, sound, forces, medium, notices)
      : object.ideal_shape() != nullptr ? ideal(object, sound, forces, notices)
                                        : solid(object, sound, forces, medium, progress, notices);
  mention_modes(object, body.model->modes, sound.max_frequency, notices);
  return body;
}

bool needs_solid_modes(const scene::Object& object, const ModalSound& sound,
                       std::vector<std::string>& notices) {
  if (object.modal_body() != nullptr || object.ideal_shape() != nullptr) return false;
  const util::Store store(util::stored::solid_modes);
  const bool is_known = vibration::are_modes_stored(store, *object.mesh, *object.material,
                                                    {.max_frequency = sound.max_frequency});
  for (std::string& notice : store.notices()) add_once(std::move(notice), notices);
  return !is_known;
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
