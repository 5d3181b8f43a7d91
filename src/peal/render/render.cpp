#include <peal/render/render.h>
#include <peal/render/stages.h>
#include <peal/util/error.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace peal::render {

namespace {

/// Every listener's receivers in one list, so that a radiator serves them all in one run.
std::vector<base::Receiver> all_receivers(
    const std::vector<std::unique_ptr<base::Listener>>& listeners) {
  std::vector<base::Receiver> receivers;
  for (const auto& listener : listeners) {
    for (base::Receiver& receiver : listener->receivers()) receivers.push_back(receiver);
  }
  return receivers;
}

/// Hands each listener the pressures at its own receivers.
std::vector<Heard> listen(const std::vector<std::unique_ptr<base::Listener>>& listeners,
                          std::span<const base::Signal> pressures) {
  std::vector<Heard> heard;
  for (const auto& listener : listeners) {
    const std::size_t count = listener->receivers().size();
    heard.push_back({listener->name(), listener->listen(pressures.first(count))});
    pressures = pressures.subspan(count);
  }
  return heard;
}

void check_finite(const std::vector<Heard>& heard) {
  for (const Heard& one : heard) {
    for (const std::vector<float>& channel : one.audio.channels) {
      const bool finite = std::ranges::all_of(channel, [](float p) { return std::isfinite(p); });
      if (!finite) {
        throw util::NumericsError("what \"" + one.listener +
                                  "\" hears is not finite: a level or a recording is too large");
      }
    }
  }
}

}  // namespace

Sound render(const scene::Scene& scene, util::Progress& progress) {
  Sound sound{.notices = scene.notices};

  // What there is and how it moves and sounds.
  const base::World world = make_world(scene, sound.notices);
  // Who hears it.
  const auto listeners = make_listeners(scene);
  const std::vector<base::Receiver> receivers = all_receivers(listeners);
  // How it gets there.
  const auto radiator = make_radiator(scene.radiation);
  sound.plan = radiator->plan(world, receivers);
  sound.notices.insert(sound.notices.end(), sound.plan.notices.begin(), sound.plan.notices.end());

  // What is heard.
  progress.begin("render", world.rate.seconds(world.samples));
  const auto pressures = radiator->radiate(world, receivers, {0, world.samples}, progress);
  progress.end();
  sound.listeners = listen(listeners, pressures);
  check_finite(sound.listeners);
  return sound;
}

CostEstimate estimate_cost(const scene::Scene& scene) {
  std::vector<std::string> notices;
  const base::World world = make_world(scene, notices);
  const std::vector<base::Receiver> receivers = all_receivers(make_listeners(scene));
  const auto radiator = make_radiator(scene.radiation);
  const base::RadiationPlan plan = radiator->plan(world, receivers);

  // What each sample costs, from two stretches in the middle, and what is left over: preparing the
  // sounds up to there, half of the whole.
  util::Silent silent;
  const auto time_of = [&](std::int64_t samples) {
    const std::int64_t begin = (world.samples - samples) / 2;
    const auto start = std::chrono::steady_clock::now();
    radiator->radiate(world, receivers, {begin, begin + samples}, silent);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::int64_t large = std::min(world.samples, world.rate.hz / 2);
  const std::int64_t small = (large + 3) / 4;
  const double quick = time_of(small), slow = time_of(large);
  const double per_sample =
      std::max(0.0, slow - quick) / static_cast<double>(std::max<std::int64_t>(1, large - small));
  const double preparation = std::max(0.0, slow - per_sample * static_cast<double>(large));

  const double duration = world.rate.seconds(world.samples);
  CostEstimate cost{.work = plan.work, .work_unit = plan.work_unit};
  cost.seconds = 2.0 * preparation + per_sample * static_cast<double>(world.samples);
  cost.x_real_time = duration / cost.seconds;
  cost.memory_bytes =
      static_cast<double>(receivers.size()) * static_cast<double>(world.samples) * sizeof(float);
  return cost;
}

}  // namespace peal::render
