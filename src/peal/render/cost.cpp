#include <peal/render/cost.h>
#include <peal/render/stages.h>

#include <algorithm>

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

  const double duration = world.rate.seconds(world.samples);
  CostEstimate cost{.choices = plan.choices, .work = plan.work, .work_unit = plan.work_unit};
  cost.seconds = radiator->expected_seconds(world, receivers);
  cost.x_real_time = duration / std::max(cost.seconds, 1e-6);
  cost.memory_bytes =
      static_cast<double>(receivers.size()) * static_cast<double>(world.samples) * sizeof(float);
  return cost;
}

}  // namespace peal::render
