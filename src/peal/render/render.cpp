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

  const std::int64_t middle = world.samples / 2;
  const std::int64_t probe = std::min(world.samples - middle, world.rate.hz / 4);
  util::Silent silent;
  const auto start = std::chrono::steady_clock::now();
  radiator->radiate(world, receivers, {middle, middle + probe}, silent);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  const double duration = world.rate.seconds(world.samples);
  const double scale = static_cast<double>(world.samples) / static_cast<double>(probe);
  CostEstimate cost{.work = plan.work, .work_unit = plan.work_unit};
  cost.seconds = elapsed.count() * scale;
  cost.x_real_time = duration / cost.seconds;
  cost.memory_bytes =
      static_cast<double>(receivers.size()) * static_cast<double>(world.samples) * sizeof(float);
  return cost;
}

}  // namespace peal::render
