#include <peal/render/cost.h>
#include <peal/render/stages.h>

#include <algorithm>

namespace peal::render {

Preview::Preview(const scene::Scene& scene)
    : notices_(scene.notices),
      world_(make_world(scene, notices_)),
      receivers_(receivers_of(make_listeners(scene))),
      radiator_(make_radiator(scene.radiation)) {
  for (const base::Body& body : world_.bodies) {
    if (body.deformation) body.deformation->check();
  }
  plan_ = radiator_->plan(world_, receivers_);
  notices_.insert(notices_.end(), plan_.notices.begin(), plan_.notices.end());
}

CostEstimate Preview::cost() const {
  const double duration = world_.rate.seconds(world_.samples);
  CostEstimate cost{.choices = plan_.choices, .work = plan_.work, .work_unit = plan_.work_unit};
  cost.seconds = radiator_->expected_seconds(world_, receivers_);
  cost.x_real_time = duration / std::max(cost.seconds, 1e-6);
  cost.memory_bytes =
      static_cast<double>(receivers_.size()) * static_cast<double>(world_.samples) * sizeof(float);
  return cost;
}

}  // namespace peal::render
