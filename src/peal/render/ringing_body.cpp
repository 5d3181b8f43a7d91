#include <peal/geometry/surface_query.h>
#include <peal/render/ringing_body.h>
#include <peal/util/cache_folder.h>
#include <peal/util/error.h>
#include <peal/vibration/make_ideal_shape.h>
#include <peal/vibration/solid_modes_cache.h>
#include <peal/vibration/struck_sound.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace peal::render {

namespace {

/// What a unit force of each strike does to each mode: at the nearest point of the surface, along
/// the strike's direction or against the normal.
std::vector<std::vector<double>> strike_gains(const base::ModalModel& model,
                                              const geometry::SurfaceQuery& surface,
                                              const std::vector<scene::Strike>& strikes) {
  std::vector<std::vector<double>> gains;
  for (const scene::Strike& strike : strikes) {
    const geometry::SurfacePoint at = surface.closest_point(strike.at);
    const geometry::Vec3 normal = geometry::area_vector(model.surface, at.triangle).normalized();
    const geometry::Vec3 direction = strike.direction.value_or(-normal);
    const Eigen::VectorXf along =
        model.shapes_at(at.triangle, at.barycentrics).transpose() * direction.cast<float>();
    gains.emplace_back(along.data(), along.data() + along.size());
  }
  return gains;
}

/// Gains of lasting forces, a column a place, from those at one place: `gains(at, direction)`.
template <typename Gains>
std::vector<vibration::ModalLastingForce> lasting_gains(
    const std::vector<base::LastingForce>& lasting, std::size_t modes, const Gains& gains) {
  std::vector<vibration::ModalLastingForce> result;
  for (const base::LastingForce& force : lasting) {
    Eigen::MatrixXf columns(static_cast<Eigen::Index>(modes),
                            static_cast<Eigen::Index>(force.places.size()));
    for (std::size_t i = 0; i < force.places.size(); ++i) {
      columns.col(static_cast<Eigen::Index>(i)) =
          gains(force.places[i].at, force.places[i].direction);
    }
    result.push_back({std::make_shared<base::LastingForce>(force), std::move(columns)});
  }
  return result;
}

/// The same body may be looked at twice.
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

RingingBody ideal(const scene::Object& object, const scene::ModalSound& sound,
                  const std::vector<base::LastingForce>& lasting,
                  std::vector<std::string>& notices) {
  const auto shape = vibration::make_ideal_shape(*object.ideal_shape, *object.material,
                                                 {.max_frequency = sound.max_frequency});
  if (shape->is_cut()) {
    add_once(fmt::format("\"{}\" sounds with its lowest {} modes only, up to {:.0f} Hz",
                         object.name, shape->modes().size(), shape->modes().back().frequency),
             notices);
  }
  std::vector<std::vector<double>> gains;
  for (const scene::Strike& strike : object.strikes) {
    gains.push_back(shape->displacement({strike.at.x(), strike.at.z()}));
    const double along = strike.direction ? strike.direction->y() : -1.0;
    for (double& gain : gains.back()) gain *= along;
  }
  auto model = std::make_shared<base::ModalModel>(
      vibration::modal_model(*shape, *object.mesh, object.material->damping));
  auto rubbed = lasting_gains(
      lasting, model->modes.size(),
      [&](const geometry::Vec3& at, const geometry::Vec3& direction) -> Eigen::VectorXf {
        const std::vector<double> shapes = shape->displacement({at.x(), at.z()});
        return static_cast<float>(direction.y()) *
               Eigen::Map<const Eigen::VectorXd>(shapes.data(),
                                                 static_cast<Eigen::Index>(shapes.size()))
                   .cast<float>();
      });
  auto response = std::make_shared<vibration::ModalResponse>(
      model->modes, vibration::modal_forces(object.strikes, gains, model->modes),
      std::move(rubbed));
  return {.model = std::move(model),
          .response = std::move(response),
          .area = vibration::facing_area(*object.ideal_shape)};
}

/// Modes that are known by their shapes on a surface.
RingingBody with_shapes(const scene::Object& object, const std::vector<base::LastingForce>& lasting,
                        std::shared_ptr<const base::ModalModel> model) {
  std::vector<std::vector<double>> gains;
  std::vector<vibration::ModalLastingForce> rubbed;
  if (!object.strikes.empty() || !lasting.empty()) {
    const geometry::SurfaceQuery surface(model->surface);
    gains = strike_gains(*model, surface, object.strikes);
    rubbed = lasting_gains(
        lasting, model->modes.size(),
        [&](const geometry::Vec3& at, const geometry::Vec3& direction) -> Eigen::VectorXf {
          const geometry::SurfacePoint near = surface.closest_point(at);
          return model->shapes_at(near.triangle, near.barycentrics).transpose() *
                 direction.cast<float>();
        });
  }
  auto response = std::make_shared<vibration::ModalResponse>(
      model->modes, vibration::modal_forces(object.strikes, gains, model->modes),
      std::move(rubbed));
  return {.model = std::move(model), .response = std::move(response)};
}

RingingBody from_file(const scene::Object& object, const scene::ModalSound& sound,
                      const std::vector<base::LastingForce>& lasting) {
  const std::size_t count = base::count_up_to(object.modes->modes, sound.max_frequency);
  if (count == object.modes->modes.size()) return with_shapes(object, lasting, object.modes);
  auto lower = std::make_shared<base::ModalModel>(*object.modes);
  lower->keep_lowest(count);
  return with_shapes(object, lasting, std::move(lower));
}

RingingBody solid(const scene::Object& object, const scene::ModalSound& sound,
                  const std::vector<base::LastingForce>& lasting, util::Progress& progress,
                  std::vector<std::string>& notices) try {
  bool was_cached = false;
  vibration::SolidModes found = vibration::cached_solid_modes(
      util::cache_folder("modes"), *object.mesh, *object.material,
      {.max_frequency = sound.max_frequency}, progress, {}, was_cached);
  for (const std::string& notice : found.notices) {
    notices.push_back(fmt::format("\"{}\": {}", object.name, notice));
  }
  return with_shapes(object, lasting,
                     std::make_shared<const base::ModalModel>(std::move(found.model)));
} catch (const util::InputError& error) {
  throw util::InputError({"", object.place + ".sound"},
                         fmt::format("\"{}\" cannot ring: {}", object.name, error.problem()),
                         error.cure());
}

}  // namespace

RingingBody make_ringing_body(const scene::Object& object, const scene::ModalSound& sound,
                              util::Progress& progress, std::vector<std::string>& notices,
                              const std::vector<base::LastingForce>& lasting) {
  RingingBody body = object.modes         ? from_file(object, sound, lasting)
                     : object.ideal_shape ? ideal(object, sound, lasting, notices)
                                          : solid(object, sound, lasting, progress, notices);
  mention_modes(object, body.model->modes, sound.max_frequency, notices);
  return body;
}

bool needs_solid_modes(const scene::Object& object, const scene::ModalSound& sound) {
  return !object.modes && !object.ideal_shape &&
         !vibration::are_modes_cached(util::cache_folder("modes"), *object.mesh, *object.material,
                                      {.max_frequency = sound.max_frequency});
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

}  // namespace peal::render
