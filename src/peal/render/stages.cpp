#include <peal/dynamics/keyframed_motion.h>
#include <peal/dynamics/mesh_sequence.h>
#include <peal/geometry/read_mesh.h>
#include <peal/listener/make_listener.h>
#include <peal/radiation/direct.h>
#include <peal/render/stages.h>
#include <peal/shaders/point_sound.h>
#include <peal/util/error.h>
#include <peal/wave/wave_radiator.h>

namespace peal::render {

namespace {

/// Gives each sound of an object its shader and its place in the world; a new kind of sound adds
/// an overload here.
struct AddSound {
  const scene::Object& object;
  std::shared_ptr<const base::Motion> motion;
  const shaders::ShaderContext& context;
  base::World& world;

  void operator()(const scene::PointSound& sound) const {
    world.sources.push_back({.name = object.name,
                             .motion = motion,
                             .offset = sound.offset,
                             .shader = shaders::make_point_shader(sound, context)});
  }
};

}  // namespace

base::World make_world(const scene::Scene& scene, std::vector<std::string>& notices) {
  base::World world{
      .medium = scene.medium, .rate = scene.rate, .samples = scene::sample_count(scene)};
  shaders::ShaderContext context{.rate = scene.rate, .seed = scene.seed, .notices = &notices};
  for (const scene::Object& object : scene.objects) {
    const auto motion = std::make_shared<dynamics::KeyframedMotion>(object.motion);
    for (const scene::Sound& sound : object.sounds) {
      std::visit(AddSound{object, motion, context, world}, sound);
      ++context.stream;
    }
    if (!object.mesh) continue;
    base::Body body{.name = object.name, .mesh = *object.mesh, .motion = motion};
    if (object.mesh_sequence) {
      body.deformation = std::make_shared<dynamics::MeshSequenceDeformation>(
          *object.mesh_sequence, *object.mesh, geometry::read_mesh);
    }
    world.bodies.push_back(std::move(body));
  }
  return world;
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
                                              const std::optional<std::filesystem::path>& cache) {
  if (settings.model == "direct") return std::make_unique<radiation::DirectRadiator>();
  if (settings.model == "wave") return std::make_unique<wave::WaveRadiator>(settings.wave, cache);
  throw util::InputError({"", "radiation.model"}, "unknown model \"" + settings.model + '"',
                         "Known: direct, wave.");
}

}  // namespace peal::render
