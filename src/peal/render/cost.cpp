#include <peal/render/cost.h>
#include <peal/render/stages.h>

#include <algorithm>
#include <chrono>

namespace peal::render {

CostEstimate estimate_cost(const scene::Scene& scene) {
  std::vector<std::string> notices;
  const base::World world = make_world(scene, notices);
  const std::vector<base::Receiver> receivers = receivers_of(make_listeners(scene));
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
  cost.x_real_time = duration / std::max(cost.seconds, 1e-6);
  cost.memory_bytes =
      static_cast<double>(receivers.size()) * static_cast<double>(world.samples) * sizeof(float);
  return cost;
}

}  // namespace peal::render
