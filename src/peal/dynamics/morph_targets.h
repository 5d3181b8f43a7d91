#pragma once

#include <peal/base/motion.h>
#include <peal/dynamics/keyframe_curve.h>
#include <peal/scene/morph_targets.h>

#include <memory>
#include <optional>
#include <vector>

namespace peal::dynamics {

/// The joints of a skin over time, exactly as glTF 2.0 defines them at any time.
class Skeleton {
 public:
  explicit Skeleton(const scene::Skin& skin);

  /// Transforms of the links relative to their parents.
  std::vector<geometry::Affine> links(double t) const;

 private:
  struct Link {
    VectorCurve translation;
    RotationCurve rotation;
    VectorCurve scale;
  };
  std::vector<Link> links_;
};

/// A surface whose shape is blended from others by keyed weights (talking faces, breathing walls),
/// and then follows the joints of a skeleton if it has one (characters).
class MorphTargetDeformation : public base::Deformation {
 public:
  explicit MorphTargetDeformation(std::shared_ptr<const scene::MorphTargets> morph);

  void vertices(double t, std::span<base::Vec3> out) const override;

 private:
  std::shared_ptr<const scene::MorphTargets> morph_;
  WeightCurve weights_;
  std::optional<Skeleton> skeleton_;
};

}  // namespace peal::dynamics
