#include <peal/dynamics/morph_targets.h>

namespace peal::dynamics {

MorphTargetDeformation::MorphTargetDeformation(std::shared_ptr<const scene::MorphTargets> morph)
    : morph_(std::move(morph)),
      weights_(morph_->weights,
               scene::Weights::Zero(static_cast<Eigen::Index>(morph_->displacements.size()))) {}

void MorphTargetDeformation::vertices(double t, std::span<base::Vec3> out) const {
  scene::mix(morph_->base, morph_->displacements, weights_.at(t), out);
}

}  // namespace peal::dynamics
