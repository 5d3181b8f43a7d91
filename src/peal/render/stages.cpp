#include <peal/dynamics/keyframed_motion.h>
#include <peal/dynamics/mesh_sequence.h>
#include <peal/dynamics/morph_targets.h>
#include <peal/geometry/read_mesh.h>
#include <peal/listener/make_listener.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/mode_loudness.h>
#include <peal/radiation/rays.h>
#include <peal/render/ringing_body.h>
#include <peal/render/settle_surface.h>
#include <peal/render/stages.h>
#include <peal/scene/body_mass.h>
#include <peal/shaders/acceleration_noise.h>
#include <peal/shaders/point_sound.h>
#include <peal/shaders/speaker.h>
#include <peal/shaders/speaker_patch.h>
#include <peal/shaders/surface_motion.h>
#include <peal/util/error.h>
#include <peal/vibration/modal_shader.h>
#include <peal/vibration/struck_sound.h>
#include <peal/wave/wave_radiator.h>

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>

namespace peal::render {

namespace {

/// Of the two points that stand for a dipole from its middle [m]: it is right up to where
/// sound waves are some times as long, and 5 % too quiet at 14 kHz.
constexpr double half_dipole = 0.002;

/// Of the shortest wave: a surface that moves by less is taken as still. What this does to the
/// phase is 30 dB below the sound.
constexpr double still_part = 0.005;

base::Body make_body(const scene::Object& object, std::shared_ptr<const base::Motion> motion,
                     geometry::TriMesh mesh, bool is_sheet) {
  return {.name = object.name,
          .mesh = std::move(mesh),
          .is_sheet = is_sheet,
          .motion = std::move(motion),
          .deformation = make_deformation(object)};
}

/// A body that was simulated: heard by what its surface did.
base::Body deformed_body(const scene::Object& object, std::shared_ptr<const base::Motion> motion,
                         const std::shared_ptr<const elastic::SurfaceRecord>& surface,
                         const scene::Scene& scene) {
  base::Body body{
      .name = object.name, .mesh = surface->mesh, .is_sheet = false, .motion = std::move(motion)};
  // Where it only trembles, the surface at rest will do: sound takes its way from there.
  const double wavelength = scene.medium.speed_of_sound / scene.radiation.max_frequency();
  if (surface->moves_by(still_part * wavelength))
    body.deformation = make_deformation(object, surface);
  body.shaders.push_back(std::make_shared<elastic::RecordedShader>(surface));
  return body;
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
                      .deforms = object.mesh_sequence || object.morph_targets},
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
  bool on_surfaces;  ///< where the radiation model hears sounds
  bool moves;        ///< the object
  const ContactForces& forces;
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
    body->shaders.push_back(
        shaders::make_speaker(sound, std::move(surface.patches[speakers++]), context));
  }
  void operator()(const scene::ModalSound& sound) const {
    util::Silent silent;
    const RingingBody ringing =
        make_ringing_body(object, sound, silent, *context.notices, forces.lasting);
    const std::vector<base::Mode>& modes = ringing.model->modes;
    if (modes.empty() || (object.strikes.empty() && forces.lasting.empty())) return;
    // Beyond the band that was asked for: what is left of it at the rate of audio would be false.
    if (modes.front().frequency > sound.max_frequency) {
      context.notices->push_back(
          fmt::format("\"{}\" is silent when struck: its lowest mode is at {:.0f} Hz", object.name,
                      modes.front().frequency));
      return;
    }
    if (on_surfaces) {
      // The model's surface follows the waves in the body; the given one may have a dozen
      // triangles.
      if (body->shaders.empty() && body->triangle_part.empty()) body->mesh = ringing.model->surface;
      body->shaders.push_back(std::make_shared<vibration::ModalShader>(
          on_surface(ringing.model, body->mesh), ringing.response));
      return;
    }
    const std::vector<std::complex<double>> loudness =
        object.ideal_shape
            ? std::vector<std::complex<double>>(
                  modes.size(), vibration::paper_loudness(modes.front().frequency, ringing.area,
                                                          ringing.model->mass, world.medium))
            : radiation::mode_loudness(*ringing.model, world.medium);
    world.sources.push_back(
        {.name = object.name,
         .motion = motion,
         .offset = geometry::bounds(*object.mesh).center(),
         .shader = std::make_shared<vibration::StruckSound>(
             *ringing.response, loudness, sound.click,
             vibration::StruckSound::NoiseKey{.seed = context.seed, .stream = context.stream})});
  }
  void operator()(const scene::AccelerationNoiseSound& sound) const {
    // What does not give way does not click.
    if (!moves || forces.empty()) return;
    const geometry::MassProperties mass = scene::body_mass(object);
    const auto rigid = std::make_shared<shaders::RigidAcceleration>(mass, forces.blows,
                                                                    sound.profile, forces.lasting);
    if (on_surfaces) {
      body->shaders.push_back(std::make_shared<shaders::AccelerationNoise>(rigid));
      return;
    }
    const radiation::RigidDipole dipole = radiation::rigid_dipole(*object.mesh, mass.centre);
    for (int k = 0; k < 3; ++k) {
      const shaders::RigidAcceleration::Share share{
          dipole.axes.col(k), dipole.turning.row(k).transpose() / dipole.volumes[k]};
      for (const double offset : {-half_dipole, half_dipole}) {
        world.sources.push_back({.name = object.name,
                                 .motion = motion,
                                 .offset = mass.centre + offset * share.linear,
                                 .shader = std::make_shared<shaders::DipoleEnd>(
                                     rigid, share, offset, dipole.volumes[k], world.medium)});
      }
    }
  }
};

/// The object with the blows of its contacts as further strikes: modes know no difference.
scene::Object struck(const scene::Object& object, const ContactForces& forces) {
  scene::Object result = object;
  for (const base::ContactForce& force : forces.blows) {
    result.strikes.push_back({.t = force.pulse.start,
                              .at = force.at,
                              .impulse = force.pulse.impulse,
                              .contact_time = force.pulse.contact_time,
                              .direction = force.direction});
  }
  return result;
}

void mention_unheard(const scene::Object& object, bool moves, std::vector<std::string>& notices) {
  for (const scene::Sound& sound : object.sounds) {
    if (!std::holds_alternative<scene::AccelerationNoiseSound>(sound) || moves) continue;
    notices.push_back(
        fmt::format("\"{}\" makes no acceleration noise: it does not move", object.name));
  }
}

}  // namespace

std::shared_ptr<const base::Deformation> make_deformation(
    const scene::Object& object, const std::shared_ptr<const elastic::SurfaceRecord>& surface) {
  if (surface) return std::make_shared<elastic::RecordedDeformation>(surface);
  if (object.mesh_sequence) {
    return std::make_shared<dynamics::MeshSequenceDeformation>(*object.mesh_sequence, *object.mesh,
                                                               geometry::read_mesh);
  }
  if (object.morph_targets) {
    return std::make_shared<dynamics::MorphTargetDeformation>(object.morph_targets);
  }
  return nullptr;
}

base::World make_world(const scene::Scene& scene, const SceneMotion& moved,
                       std::vector<std::string>& notices) {
  base::World world{
      .medium = scene.medium, .rate = scene.rate, .samples = scene::sample_count(scene)};
  shaders::ShaderContext context{
      .rate = scene.rate, .samples = world.samples, .seed = scene.seed, .notices = &notices};
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object object = struck(scene.objects[i], moved.forces[i]);
    const std::shared_ptr<const base::Motion> motion = moved.motions[i];
    const bool moves = object.rigid || !motion->is_still();
    mention_unheard(object, moves, notices);
    std::size_t speakers = 0;
    shaders::SpeakerPatches surface;
    std::optional<base::Body> body;
    if (moved.surfaces[i]) {
      body = deformed_body(object, motion, moved.surfaces[i], scene);
    } else if (object.mesh) {
      surface = shaders::speaker_patches(object);
      const bool is_sheet = scene.radiation.hears_surfaces()
                                ? settle_for_sound(object, scene, surface, notices)
                                : object.is_sheet;
      body = make_body(object, motion, std::move(surface.mesh), is_sheet);
      body->triangle_part = std::move(surface.triangle_part);
      if (scene.radiation.hears_surfaces()) {
        if (auto source = shaders::make_surface_motion(object, *body, world.medium.speed_of_sound,
                                                       world.rate, notices))
          body->shaders.push_back(std::move(source));
      }
    }
    for (const scene::Sound& sound : object.sounds) {
      std::visit(AddSound{object, motion, context, world, surface, body ? &*body : nullptr,
                          scene.radiation.hears_surfaces(), moves, moved.forces[i], speakers},
                 sound);
      ++context.stream;
    }
    if (body) world.bodies.push_back(std::move(*body));
  }
  remove_repetitions(notices);
  return world;
}

base::World make_world(const scene::Scene& scene, std::vector<std::string>& notices) {
  util::Silent silent;
  return make_world(scene, move_scene(scene, silent, notices), notices);
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
  if (settings.model == "wave") return std::make_unique<wave::WaveRadiator>(settings.wave, options);
  if (options.slices) {
    throw util::InputError({"", "radiation.model"},
                           '"' + settings.model + "\" computes no field that slices could show",
                           "Slices need \"radiation\": {\"model\": \"wave\"}.");
  }
  if (settings.model == "direct") return std::make_unique<radiation::DirectRadiator>();
  if (settings.model == "rays") return std::make_unique<radiation::RaysRadiator>(settings.rays);
  throw util::InputError({"", "radiation.model"}, "unknown model \"" + settings.model + '"',
                         "Known: direct, rays, wave.");
}

}  // namespace peal::render
