#pragma once

#include <peal/base/motion.h>
#include <peal/dynamics/keyframe_curve.h>
#include <peal/scene/morph_targets.h>

#include <memory>

namespace peal::dynamics {

/// A surface whose shape is mixed from others by keyed weights: talking faces, breathing walls.
class MorphTargetDeformation : public base::Deformation {
 public:
  explicit MorphTargetDeformation(std::shared_ptr<const scene::MorphTargets> morph);

  void vertices(double t, std::span<base::Vec3> out) const override;

 private:
  std::shared_ptr<const scene::MorphTargets> morph_;
  WeightCurve weights_;
};

}  // namespace peal::dynamics
