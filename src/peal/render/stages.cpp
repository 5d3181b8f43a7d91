#include <peal/base/existence.h>
#include <peal/base/multipoles.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/listener/make_listener.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/rays.h>
#include <peal/render/ringing_body.h>
#include <peal/render/settle_surface.h>
#include <peal/render/stages.h>
#include <peal/scene/body_mass.h>
#include <peal/scene/describe.h>
#include <peal/shaders/acceleration_noise.h>
#include <peal/shaders/point_sound.h>
#include <peal/shaders/speaker.h>
#include <peal/shaders/speaker_patch.h>
#include <peal/shaders/surface_motion.h>
#include <peal/util/error.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/struck_sound.h>
#include <peal/wave/driver/wave_radiator.h>

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>

namespace peal::render {

namespace {

base::Body make_body(const scene::Object& object, const base::ObjectMotion& moved,
                     geometry::TriMesh mesh, bool is_sheet) {
  return {.name = object.name,
          .mesh = std::move(mesh),
          .is_sheet = is_sheet,
          .motion = moved.motion,
          .deformation = moved.deforms_audibly ? moved.deformation : nullptr,
          .exists = object.exists,
          .sources = moved.sources};
}

/// Several sounds from one recording say the same.
void remove_repetitions(std::vector<std::string>& notices) {
  for (auto it = notices.begin(); it != notices.end();) {
    it = std::find(notices.begin(), it, *it) == it ? it + 1 : notices.erase(it);
  }
}

/// Surfaces that are heard need to know where the inside of a body is. Speakers stay where they are
/// if that takes a new surface: its triangles belong to the patch of what they lie on.
bool settle_for_sound(const scene::Object& object, const scene::Scene& scene,
                      shaders::SpeakerPatches& surface, std::vector<std::string>& notices) {
  SettledSurface settled =
      settle_surface({.name = object.name,
                      .mesh = std::move(surface.mesh),
                      .is_sheet = object.is_sheet,
                      .deforms = object.has_keyed_shape()},
                     scene.medium.speed_of_sound / scene.radiation.max_frequency(), notices);
  surface.mesh = std::move(settled.mesh);
  if (!settled.source.empty()) shaders::hand_over(surface, settled.source, object);
  return settled.is_sheet;
}

/// Gives each sound of an object its shader and its place in the world; a new kind of sound adds
/// an overload here.
struct AddSound {
  const scene::Object& object;
  std::shared_ptr<const base::Motion> motion;
  const shaders::ShaderContext& context;
  base::World& world;
  shaders::SpeakerPatches& surface;
  base::Body* body;  ///< null for a point
  bool moves;        ///< the object
  const base::ContactForces& forces;
  std::size_t& speakers;  ///< so far

  void operator()(const scene::PointSound& sound) const {
    world.sources.push_back({.name = object.name,
                             .motion = motion,
                             .offset = sound.offset,
                             .shader = shaders::make_point_shader(sound, context)});
  }
  void operator()(const scene::SpeakerSound& sound) const {
    if (body == nullptr) {
      throw util::InputError({"", object.place},
                             "a speaker is part of a surface, and there is none");
    }
    body->sources.push_back(
        shaders::make_speaker(sound, std::move(surface.patches[speakers++]), context));
  }
  void operator()(const scene::ModalSound& sound) const {
    util::Silent silent;
    const RingingBody ringing = make_ringing_body(object, sound, silent, *context.notices, forces);
    const std::vector<base::Mode>& modes = ringing.model->modes;
    if (modes.empty() || (object.strikes.empty() && forces.empty())) return;
    // Beyond the band that was asked for: what is left of it at the rate of audio would be false.
    if (modes.front().frequency > sound.max_frequency) {
      context.notices->push_back(
          fmt::format("\"{}\" is silent when struck: its lowest mode is at {:.0f} Hz", object.name,
                      modes.front().frequency));
      return;
    }
    // The model's surface follows the waves in the body; the given one may have a dozen triangles.
    if (body->sources.empty() && body->triangle_part.empty()) body->mesh = ringing.model->surface;
    const auto amplitudes = [ringing, is_ideal = object.ideal_shape() !=
                                                 nullptr](const base::Medium& medium) {
      const base::ModalModel& model = *ringing.model;
      return is_ideal ? std::vector<std::complex<double>>(
                            model.modes.size(),
                            vibration::paper_loudness(model.modes.front().frequency, ringing.area,
                                                      model.mass, medium))
                      : base::modal_radiation_amplitudes(model, medium);
    };
    body->sources.push_back(std::make_shared<vibration::ModalSource>(
        on_surface(ringing.model, body->mesh), ringing.response,
        vibration::ModalSource::Point{.offset = geometry::bounds(*object.mesh).center(),
                                      .amplitudes = amplitudes,
                                      .click = sound.click,
                                      .key = {.seed = context.seed, .stream = context.stream}}));
  }
  void operator()(const scene::AccelerationNoiseSound& sound) const {
    // What does not give way does not click.
    if (!moves || forces.empty()) return;
    const geometry::MassProperties mass = scene::body_mass(object);
    const auto rigid = std::make_shared<shaders::RigidAcceleration>(mass, forces.blows,
                                                                    sound.profile, forces.lasting);
    body->sources.push_back(std::make_shared<shaders::AccelerationNoise>(rigid, object.mesh));
  }
};

void mention_unheard(const scene::Object& object, bool moves, std::vector<std::string>& notices) {
  for (const scene::Sound& sound : object.sounds) {
    if (!std::holds_alternative<scene::AccelerationNoiseSound>(sound) || moves) continue;
    notices.push_back(
        fmt::format("\"{}\" makes no acceleration noise: it does not move", object.name));
  }
}

}  // namespace

base::World make_world(const scene::Scene& scene, const base::MotionResult& moved,
                       std::vector<std::string>& notices) {
  base::World world{
      .medium = scene.medium, .rate = scene.rate, .samples = scene::sample_count(scene)};
  shaders::ShaderContext context{
      .rate = scene.rate, .samples = world.samples, .seed = scene.seed, .notices = &notices};
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object& object = scene.objects[i];
    const base::ObjectMotion& motion = moved.objects[i];
    const bool moves = object.rigid() != nullptr || !motion.motion->is_still();
    const std::size_t points = world.sources.size();
    mention_unheard(object, moves, notices);
    std::size_t speakers = 0;
    shaders::SpeakerPatches surface;
    std::optional<base::Body> body;
    if (motion.surface) {
      body = make_body(object, motion, *motion.surface, false);
    } else if (object.mesh) {
      surface = shaders::speaker_patches(object);
      const bool is_sheet = scene.radiation.hears_surfaces()
                                ? settle_for_sound(object, scene, surface, notices)
                                : object.is_sheet;
      body = make_body(object, motion, std::move(surface.mesh), is_sheet);
      body->triangle_part = std::move(surface.triangle_part);
      if (scene.radiation.hears_surfaces()) {
        if (auto source = shaders::make_surface_motion(object, *body, world, notices))
          body->sources.push_back(std::move(source));
      }
    }
    for (const scene::Sound& sound : object.sounds) {
      std::visit(AddSound{object, motion.motion, context, world, surface, body ? &*body : nullptr,
                          moves, motion.forces, speakers},
                 sound);
      ++context.stream;
    }
    if (object.exists) {
      for (auto& source : std::span(world.sources).subspan(points))
        source.shader = base::windowed(source.shader, *object.exists);
    }
    if (object.exists && body) {
      for (auto& source : body->sources) source = base::windowed(source, *object.exists);
    }
    if (body) world.bodies.push_back(std::move(*body));
  }
  if (!scene.radiation.hears_surfaces()) radiation::reduce_to_multipoles(world);
  remove_repetitions(notices);
  return world;
}

base::World make_world(const scene::Scene& scene, std::vector<std::string>& notices) {
  util::Silent silent;
  return make_world(scene, simulate::move_scene(scene, silent, notices), notices);
}

std::vector<std::unique_ptr<base::Listener>> make_listeners(const scene::Scene& scene) {
  std::vector<std::unique_ptr<base::Listener>> listeners;
  for (const scene::Listener& settings : scene.listeners) {
    listeners.push_back(listener::make_listener(
        settings, std::make_shared<dynamics::KeyframedMotion>(settings.motion)));
  }
  return listeners;
}

std::vector<base::Receiver> receivers_of(
    const std::vector<std::unique_ptr<base::Listener>>& listeners) {
  std::vector<base::Receiver> receivers;
  for (const auto& listener : listeners) {
    for (base::Receiver& receiver : listener->receivers()) receivers.push_back(receiver);
  }
  return receivers;
}

std::unique_ptr<base::Radiator> make_radiator(const scene::Radiation& settings,
                                              const base::RadiatorOptions& options) {
  using Model = scene::Radiation::Model;
  if (options.slices && settings.model != Model::wave) {
    throw util::InputError({"", "radiation.model"},
                           fmt::format("\"{}\" computes no field that slices could show",
                                       scene::describe(settings.model)),
                           "Slices need \"radiation\": {\"model\": \"wave\"}.");
  }
  switch (settings.model) {
    case Model::direct:
      return std::make_unique<radiation::DirectRadiator>();
    case Model::rays:
      return std::make_unique<radiation::RaysRadiator>(settings.rays);
    case Model::wave:
      break;
  }
  return std::make_unique<wave::WaveRadiator>(settings.wave, options);
}

}  // namespace peal::render
