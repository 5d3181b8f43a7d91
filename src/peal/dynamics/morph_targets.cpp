#include <peal/dynamics/morph_targets.h>

namespace peal::dynamics {

Skeleton::Skeleton(const scene::Skin& skin) {
  for (const auto& [parent, transform] : skin.links) {
    links_.push_back({VectorCurve(transform.translation, geometry::Vec3::Zero()),
                      RotationCurve(transform.rotation),
                      VectorCurve(transform.scale, geometry::Vec3::Ones())});
  }
}

std::vector<geometry::Affine> Skeleton::links(double t) const {
  std::vector<geometry::Affine> matrices;
  matrices.reserve(links_.size());
  for (const Link& link : links_) {
    matrices.push_back(
        scene::link_matrix(link.translation.at(t), link.rotation.at(t), link.scale.at(t)));
  }
  return matrices;
}

MorphTargetDeformation::MorphTargetDeformation(std::shared_ptr<const scene::MorphTargets> morph)
    : morph_(std::move(morph)),
      weights_(morph_->weights,
               scene::Weights::Zero(static_cast<Eigen::Index>(morph_->displacements.size()))) {
  if (morph_->skin) skeleton_.emplace(*morph_->skin);
}

void MorphTargetDeformation::vertices(double t, std::span<base::Vec3> out) const {
  scene::mix(morph_->base, morph_->displacements, weights_.at(t), out);
  if (!skeleton_) return;
  const scene::Skin& skin = *morph_->skin;
  scene::follow_joints(skin.weights, scene::joint_matrices(skin, skeleton_->links(t)), out);
}

}  // namespace peal::dynamics
