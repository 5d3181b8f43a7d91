#include <peal/base/existence.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/listener/make_listener.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/precomputed.h>
#include <peal/radiation/rays.h>
#include <peal/render/bending_waves.h>
#include <peal/render/settle_surface.h>
#include <peal/render/stages.h>
#include <peal/scene/body_mass.h>
#include <peal/scene/describe.h>
#include <peal/shaders/acceleration_noise.h>
#include <peal/shaders/speaker_patch.h>
#include <peal/shaders/surface_motion.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/named_steps.h>
#include <peal/vibration/modal_source.h>
#include <peal/vibration/struck_sound.h>
#include <peal/wave/driver/wave_device.h>
#include <peal/wave/driver/wave_radiator.h>
#include <peal/wave/multipoles/stored_tables.h>

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <unordered_set>
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
          .sequence = moved.sequence,
          .exists = object.exists,
          .sources = moved.sources};
}

/// Several sounds from one recording say the same.
void remove_repetitions(std::vector<std::string>& notices) {
  std::unordered_set<std::string> said;
  std::erase_if(notices, [&](const std::string& notice) { return !said.insert(notice).second; });
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

/// A body whose triangles change. Its surfaces are taken as they are: closed in all frames, or open
/// in all.
base::Body body_of_sequence(const scene::Object& object, const scene::Scene& scene,
                            const base::ObjectMotion& moved, std::vector<std::string>& notices) {
  for (const auto& sound : object.sounds) {
    const scene::Faces* const patch = sound->patch();
    if (patch == nullptr || std::holds_alternative<scene::WholeSurface>(*patch)) continue;
    throw util::InputError({"", object.location},
                           "its mesh sequence changes its triangles, so that faces do not stay "
                           "those of a speaker",
                           "Let the speaker be the whole surface: remove \"faces\"; or put it on "
                           "an object of its own.");
  }
  const base::SurfaceSequence& sequence = *moved.sequence;
  const bool hears = scene.radiation.radiates_surfaces();
  base::Body body =
      make_body(object, moved, *sequence.mesh(0), hears ? sequence.is_sheet() : object.is_sheet);
  if (!hears || object.liquid() != nullptr) return body;
  notices.push_back(
      fmt::format("\"{}\": its mesh sequence has {} surfaces with different triangles. In between, "
                  "each vertex moves to the nearest point; the surface scatters sound, but its "
                  "motion makes none. For that, use frames with the same triangles; for an object "
                  "that breaks, use one object per part, with \"exists\"",
                  object.name, sequence.size()));
  if (body.is_sheet)
    notices.push_back(
        fmt::format("\"{}\" is an open surface and counts as a thin sheet", object.name));
  return body;
}

}  // namespace

void find_modes(const scene::Scene& scene, base::MotionResult& motion, util::Progress& progress,
                std::vector<std::string>& notices, bool strict) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object& object = scene.objects[i];
    base::ObjectMotion& moved = motion.objects[i];
    if (moved.modes || (object.strikes.empty() && moved.forces.empty())) continue;
    if (object.modal_body() != nullptr || object.ideal_shape() != nullptr) continue;
    for (const auto& sound : object.sounds) {
      const auto* modal = scene::settings_of<sounds::ModalSound>(*sound);
      if (modal == nullptr) continue;
      util::NamedSteps steps(progress, fmt::format("\"{}\"", object.name));
      const auto ringing = sounds::find_ringing_body(object, *modal, scene.medium, steps, notices,
                                                     {}, nullptr, strict);
      moved.modes = ringing ? ringing->in_vacuum : std::make_shared<const base::ModalModel>();
      break;
    }
  }
}

base::World make_world(const scene::Scene& scene, const base::MotionResult& moved,
                       std::vector<std::string>& notices, bool strict) {
  base::World world{
      .medium = scene.medium, .rate = scene.rate, .samples = scene::sample_count(scene)};
  std::uint64_t stream = 0;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object& object = scene.objects[i];
    const base::ObjectMotion& motion = moved.objects[i];
    const std::size_t points = world.sources.size();
    shaders::SpeakerPatches surface;
    std::optional<base::Body> body;
    if (motion.surface) {
      body = make_body(object, motion, *motion.surface, motion.surface_is_sheet);
      for (const auto& source : body->sources) world.vibrations.push_back({object.name, source});
    } else if (motion.sequence) {
      body = body_of_sequence(object, scene, motion, notices);
    } else if (object.mesh) {
      surface = shaders::speaker_patches(object);
      // Only what sounds has a table; other bodies are no more than mirrors.
      const bool is_heard = scene.radiation.radiates_surfaces() ||
                            (scene.radiation.needs_solids() && !object.sounds.empty());
      const bool is_sheet =
          is_heard ? settle_for_sound(object, scene, surface, notices) : object.is_sheet;
      body = make_body(object, motion, std::move(surface.mesh), is_sheet);
      body->triangle_part = std::move(surface.triangle_part);
      if (scene.radiation.radiates_surfaces()) {
        if (auto source = shaders::make_surface_motion(object, *body, world, notices))
          body->sources.push_back(std::move(source));
      }
    }
    std::size_t patches = 0;
    for (const std::shared_ptr<const scene::Sound>& sound : object.sounds) {
      scene::SoundContext context{.object = object,
                                  .motion = motion,
                                  .world = world,
                                  .body = body ? &*body : nullptr,
                                  .seed = scene.seed,
                                  .stream = stream++,
                                  .notices = notices,
                                  .strict = strict};
      // No patch is the whole surface.
      if (sound->patch() != nullptr && body && !body->sequence)
        context.patch = surface.patches[patches++];
      sound->add_to(context);
    }
    if (object.exists) {
      const base::FadeWindow window = motion.window.value_or(base::window_of(*object.exists));
      for (auto& source : std::span(world.sources).subspan(points))
        source.shader = base::windowed(source.shader, window);
      if (body)
        for (auto& source : body->sources) source = base::windowed(source, window);
    }
    if (body) world.bodies.push_back(std::move(*body));
  }
  if (scene.radiation.model == scene::Radiation::Model::direct)
    radiation::reduce_to_multipoles(world);
  mention_bending_waves(scene, world, notices);
  if (scene.radiation.model != scene::Radiation::Model::wave) radiation::reduce_flux_sources(world);
  remove_repetitions(notices);
  return world;
}

base::World make_world(const scene::Scene& scene, std::vector<std::string>& notices) {
  util::Silent silent;
  const simulate::BrokenScene broken = simulate::break_bodies(scene, silent, notices);
  return make_world(
      broken.scene,
      simulate::move_scene(broken.scene, silent, notices, {.breakages = broken.breakages}),
      notices);
}

std::vector<std::unique_ptr<base::Listener>> make_listeners(const scene::Scene& scene) {
  std::vector<std::unique_ptr<base::Listener>> listeners;
  for (const scene::Listener& settings : scene.listeners) {
    listeners.push_back(listener::make_listener(
        settings, std::make_shared<dynamics::KeyframedMotion>(settings.motion),
        {.rate = scene.rate,
         .medium = scene.medium,
         .has_directions = scene.radiation.model != scene::Radiation::Model::wave}));
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
                           fmt::format("\"{}\" computes no pressure field for slices",
                                       scene::describe(settings.model)),
                           "Slices need \"radiation\": {\"model\": \"wave\"}.");
  }
  if (settings.model != Model::wave)
    wave::refuse_named_device(fmt::format(
        "\"{}\" is computed by the processor only; \"wave\" can be computed by a device",
        scene::describe(settings.model)));
  switch (settings.model) {
    case Model::direct:
      return std::make_unique<radiation::DirectRadiator>();
    case Model::rays:
      return std::make_unique<radiation::RaysRadiator>(settings.rays);
    case Model::precomputed:
      return std::make_unique<radiation::PrecomputedRadiator>(
          settings.table_frequency, std::make_shared<wave::StoredTables>(options.fragments),
          options.take_notice);
    case Model::wave:
      break;
  }
  return std::make_unique<wave::WaveRadiator>(settings.wave, options);
}

}  // namespace peal::render
