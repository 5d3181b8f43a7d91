#include <peal/render/in_file.h>
#include <peal/render/motion_file.h>
#include <peal/render/render.h>
#include <peal/render/sound_memory.h>
#include <peal/render/stages.h>
#include <peal/util/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace peal::render {

namespace {

/// Hands each listener the pressures at its own receivers.
std::vector<ListenerAudio> listen(const std::vector<std::unique_ptr<base::Listener>>& listeners,
                                  std::span<const base::Signal> pressures) {
  std::vector<ListenerAudio> listener_audio;
  for (const auto& listener : listeners) {
    const std::size_t count = listener->receivers().size();
    listener_audio.push_back({listener->name(), listener->listen(pressures.first(count))});
    pressures = pressures.subspan(count);
  }
  return listener_audio;
}

void check_finite(const std::vector<ListenerAudio>& listener_audio) {
  for (const ListenerAudio& one : listener_audio) {
    for (const std::vector<float>& channel : one.audio.channels) {
      const bool finite = std::ranges::all_of(channel, [](float p) { return std::isfinite(p); });
      if (!finite) {
        throw util::NumericsError("the sound at \"" + one.listener +
                                  "\" is not finite: a level or a recording is too large");
      }
    }
  }
}

/// Why a scene is silent, and what to add.
std::string reason_of_silence(const scene::Scene& scene, const base::World& world,
                              const base::MotionResult& motion) {
  const auto list = [&](const auto& is_meant) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      if (is_meant(scene.objects[i], motion.objects[i]))
        names.push_back(fmt::format("\"{}\"", scene.objects[i].name));
    }
    if (names.size() > 3) names = {names[0], names[1], "others"};
    return fmt::format("{}", fmt::join(names, ", "));
  };
  const bool has_sources =
      !world.sources.empty() || std::ranges::any_of(world.bodies, [](const base::Body& body) {
        return !body.sources.empty();
      });
  if (has_sources) {
    return fmt::format(
        "no source is within the {:.3g} m that sound travels in the duration of "
        "the scene, or nothing moves a source",
        world.rate.seconds(world.samples) * world.medium.speed_of_sound);
  }
  const std::string waiting =
      list([](const scene::Object& object, const base::ObjectMotion& moved) {
        return object.strikes.empty() && moved.forces.empty() && object.answers_contacts();
      });
  if (!waiting.empty())
    return fmt::format("nothing hits {}. Add \"strikes\", or a motion that makes it collide",
                       waiting);
  const std::string bare = list([](const scene::Object& object, const base::ObjectMotion&) {
    return object.mesh && !object.material && object.sounds.empty();
  });
  if (!bare.empty()) {
    return fmt::format(
        "no object makes a sound. Add a \"material\" to {} and let it move or be "
        "hit, or add a \"sound\"",
        bare);
  }
  return "no object makes a sound. Objects with a \"material\" sound when they collide or have "
         "\"strikes\"; or add a \"sound\"";
}

void mention_silence(Sound& sound, const scene::Scene& scene, const base::World& world,
                     const base::MotionResult& motion) {
  for (const ListenerAudio& one : sound.listeners) {
    const bool silent = std::ranges::all_of(one.audio.channels, [](const auto& channel) {
      return std::ranges::all_of(channel, [](float p) { return p == 0.0f; });
    });
    if (!silent) continue;
    sound.notices.push_back(
        fmt::format("\"{}\" is silent: {}", one.listener, reason_of_silence(scene, world, motion)));
  }
}

/// The visible objects of a scene.
std::vector<MovingMesh> moving_meshes(const scene::Scene& scene, const base::MotionResult& motion) {
  std::vector<MovingMesh> meshes;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const scene::Object& object = scene.objects[i];
    const base::ObjectMotion& moved = motion.objects[i];
    meshes.push_back({.name = object.name,
                      .mesh = moved.surface ? moved.surface : object.mesh,
                      .motion = moved.motion,
                      .deformation = moved.deformation,
                      .sequence = moved.sequence,
                      .exists = object.exists});
  }
  return meshes;
}

/// Frames that come more often than shapes do.
void mention_shapes(const base::MotionResult& motion, double rate,
                    std::vector<std::string>& notices) {
  for (const base::ObjectMotion& object : motion.objects) {
    if (!object.surface) continue;
    const double shapes = 1.0 / object.shape_interval;
    if (rate <= shapes) return;
    notices.push_back(fmt::format(
        "deforming shapes are stored {:g} times a second, fewer than the {:g} frames requested: "
        "vibration at {:g} Hz or more sounds right but looks too slow and too weak",
        shapes, rate, 0.5 * shapes));
    return;
  }
}

}  // namespace

Rendering::Rendering(const scene::Scene& given, util::Progress& progress,
                     const RenderOptions& options) try
    : given_(given), slice_request_(options.slices) {
  if (options.view_rate) check_view(given, *options.view_rate);
  check_sound_memory(receivers_of(make_listeners(given)).size(), scene::sample_count(given));
  sound_.notices = given.notices;

  // How it moves and what it meets.
  broken_ = simulate::break_bodies(given, progress, sound_.notices);
  const scene::Scene& scene = broken_.scene;
  motion_ = simulate::move_scene(scene, progress, sound_.notices,
                                 {.breakages = broken_.breakages,
                                  .checkpoint_interval = options.checkpoint_interval,
                                  .tell = options.tell,
                                  .scene_hash = options.scene_hash});
  sound_.contacts = std::move(motion_.contacts);
  mention_shapes(motion_,
                 std::max(options.motion_rate.value_or(0.0), options.view_rate.value_or(0.0)),
                 sound_.notices);
  if (options.motion_rate)
    sound_.motion = motion_glb(moving_meshes(scene, motion_), scene.duration, *options.motion_rate);
  if (options.view_rate)
    sound_.view = make_view(moving_meshes(scene, motion_), scene.duration, *options.view_rate);
  // What there is and how it sounds.
  find_modes(scene, motion_, progress, sound_.notices, options.strict);
  world_ = make_world(scene, motion_, sound_.notices, options.strict);
  // Who hears it.
  listeners_ = make_listeners(scene);
  receivers_ = receivers_of(listeners_);
  // How it gets there.
  radiator_ = make_radiator(
      scene.radiation,
      {.cache = options.cache,
       .slices = options.slices,
       .fragments = simulate::piece_names(scene),
       .take_slice = [this](base::PressureSlice slice) { frames_.push_back(std::move(slice)); },
       .take_notice = [this](std::string notice) { sound_.notices.push_back(std::move(notice)); }});
  sound_.plan = radiator_->plan(world_, receivers_);
  sound_.notices.insert(sound_.notices.end(), plan().notices.begin(), plan().notices.end());
} catch (const std::exception&) {
  rethrow_in_file(given.file);
}

Sound Rendering::finish(std::span<const base::Signal> pressures) try {
  // What is heard.
  sound_.listeners = listen(listeners_, pressures);
  check_finite(sound_.listeners);
  mention_silence(sound_, broken_.scene, world_, motion_);
  for (const base::World::Vibration& vibration : world_.vibrations) {
    const auto energy =
        vibration.source->energy(world_.medium, world_.rate.seconds(world_.samples));
    if (energy) sound_.vibrations.push_back({vibration.body, *energy});
  }
  // What is seen.
  if (!frames_.empty())
    sound_.slices = make_slices(std::move(frames_), slice_request_->rate, std::move(world_));
  return std::move(sound_);
} catch (const std::exception&) {
  rethrow_in_file(given_.file);
}

Sound render(const scene::Scene& scene, util::Progress& progress, const RenderOptions& options) {
  Rendering rendering(scene, progress, options);
  if (options.announce) options.announce(rendering.plan(), rendering.notices());
  const base::World& world = rendering.world();
  progress.begin("render", world.rate.seconds(world.samples));
  std::vector<base::Signal> pressures;
  try {
    pressures =
        rendering.radiator().radiate(world, rendering.receivers(), rendering.range(), progress);
  } catch (const std::exception&) {
    rethrow_in_file(scene.file);
  }
  progress.end();
  return rendering.finish(pressures);
}

}  // namespace peal::render
