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
        return object.strikes.empty() && moved.forces.empty() &&
               std::ranges::any_of(object.sounds, &scene::Sound::answers_contacts);
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

Sound render(const scene::Scene& given, util::Progress& progress,
             const RenderOptions& options) try {
  if (options.view_rate) check_view(given, *options.view_rate);
  check_sound_memory(receivers_of(make_listeners(given)).size(), scene::sample_count(given));
  Sound sound{.notices = given.notices};

  // How it moves and what it meets.
  const simulate::BrokenScene broken = simulate::break_bodies(given, progress, sound.notices);
  const scene::Scene& scene = broken.scene;
  base::MotionResult motion =
      simulate::move_scene(scene, progress, sound.notices,
                           {.breakages = broken.breakages,
                            .checkpoint_interval = options.checkpoint_interval,
                            .tell = options.tell});
  sound.contacts = std::move(motion.contacts);
  mention_shapes(motion,
                 std::max(options.motion_rate.value_or(0.0), options.view_rate.value_or(0.0)),
                 sound.notices);
  if (options.motion_rate)
    sound.motion = motion_glb(moving_meshes(scene, motion), scene.duration, *options.motion_rate);
  if (options.view_rate)
    sound.view = make_view(moving_meshes(scene, motion), scene.duration, *options.view_rate);
  // What there is and how it sounds.
  base::World world = make_world(scene, motion, sound.notices, options.strict);
  // Who hears it.
  const auto listeners = make_listeners(scene);
  const std::vector<base::Receiver> receivers = receivers_of(listeners);
  // How it gets there.
  std::vector<base::PressureSlice> frames;
  const auto radiator = make_radiator(
      scene.radiation,
      {.cache = options.cache,
       .slices = options.slices,
       .fragments = simulate::piece_names(broken),
       .take_slice = [&](base::PressureSlice slice) { frames.push_back(std::move(slice)); },
       .take_notice = [&](std::string notice) { sound.notices.push_back(std::move(notice)); }});
  sound.plan = radiator->plan(world, receivers);
  sound.notices.insert(sound.notices.end(), sound.plan.notices.begin(), sound.plan.notices.end());

  if (options.announce) options.announce(sound.plan, sound.notices);

  // What is heard.
  progress.begin("render", world.rate.seconds(world.samples));
  const auto pressures = radiator->radiate(world, receivers, {0, world.samples}, progress);
  progress.end();
  sound.listeners = listen(listeners, pressures);
  check_finite(sound.listeners);
  mention_silence(sound, scene, world, motion);
  for (const base::World::Vibration& vibration : world.vibrations) {
    const auto energy = vibration.source->energy(world.medium, world.rate.seconds(world.samples));
    if (energy) sound.vibrations.push_back({vibration.body, *energy});
  }
  // What is seen.
  if (!frames.empty()) {
    sound.slices = make_slices(std::move(frames), options.slices->rate, std::move(world));
  }
  return sound;
} catch (const std::exception&) {
  rethrow_in_file(given.file);
}

}  // namespace peal::render
