#include <peal/render/cost.h>
#include <peal/render/stages.h>

#include <algorithm>
#include <chrono>

namespace peal::render {

std::vector<std::string> notices(const scene::Scene& scene) {
  std::vector<std::string> all = scene.notices;
  const base::World world = make_world(scene, all);
  for (const base::Body& body : world.bodies) {
    if (body.deformation) body.deformation->check();
  }
  const base::RadiationPlan plan =
      make_radiator(scene.radiation)->plan(world, receivers_of(make_listeners(scene)));
  all.insert(all.end(), plan.notices.begin(), plan.notices.end());
  return all;
}

CostEstimate estimate_cost(const scene::Scene& scene) {
  std::vector<std::string> ignored;
  const base::World world = make_world(scene, ignored);
  const std::vector<base::Receiver> receivers = receivers_of(make_listeners(scene));
  const auto radiator = make_radiator(scene.radiation);
  const base::RadiationPlan plan = radiator->plan(world, receivers);

  // Sources prepare only what a stretch needs, so that a stretch in the middle costs its share. The
  // first run fills caches; the second counts.
  util::Silent silent;
  const std::int64_t probe = std::min(world.samples, world.rate.hz / 2);
  const std::int64_t begin = (world.samples - probe) / 2;
  double elapsed = 0.0;
  for (int run = 0; run < 2; ++run) {
    const auto start = std::chrono::steady_clock::now();
    radiator->radiate(world, receivers, {begin, begin + probe}, silent);
    elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const double duration = world.rate.seconds(world.samples);
  CostEstimate cost{.work = plan.work, .work_unit = plan.work_unit};
  cost.seconds = elapsed * static_cast<double>(world.samples) / static_cast<double>(probe);
  cost.x_real_time = duration / std::max(cost.seconds, 1e-6);
  cost.memory_bytes =
      static_cast<double>(receivers.size()) * static_cast<double>(world.samples) * sizeof(float);
  return cost;
}

}  // namespace peal::render
