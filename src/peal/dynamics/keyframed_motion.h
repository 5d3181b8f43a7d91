#pragma once

#include <peal/base/motion.h>
#include <peal/dynamics/keyframe_curve.h>
#include <peal/scene/animation.h>

#include <vector>

namespace peal::dynamics {

/// Motion by a chain of keyed transforms, exactly as glTF 2.0 defines it, at any time.
/// Scales move what hangs below them, but are not part of the pose: scene::geometry_scale() is
/// what a mesh on this path must be multiplied with once.
///
/// It is fast enough to be evaluated for each sample: a look-up and an interpolation for each keyed
/// quantity. Only a rotation inside a parent of uneven scale costs a decomposition (about a
/// microsecond).
class KeyframedMotion : public base::Motion {
 public:
  explicit KeyframedMotion(const scene::MotionPath& path);

  base::Pose pose(double t) const override;
  bool is_still() const override { return still_; }
  /// Times of STEP keys at which the pose really changes.
  std::span<const double> jumps() const override { return jumps_; }
  /// Times of other keys at which the velocity really changes.
  std::span<const double> kinks() const override { return kinks_; }

 private:
  struct Link {
    VectorCurve translation;
    RotationCurve rotation;
    VectorCurve scale;
    bool turns;    ///< part of the pose's orientation
    bool scaled;   ///< whether the scale is ever other than 1, 1, 1
    bool rotated;  ///< whether the rotation is ever other than the identity
  };

  base::Pose evaluate(double t) const;
  base::Quat sheared_orientation(double t) const;
  /// Times of the keys of curves that are (or are not) stepped, each once, ascending.
  std::vector<double> key_times(bool stepped) const;
  void find_jumps();
  void find_kinks();

  std::vector<Link> links_;  ///< root first
  base::Quat tail_ = base::Quat::Identity();
  bool separable_ = true;
  bool still_ = true;
  base::Pose fixed_;  ///< the pose if still_
  std::vector<double> jumps_;
  std::vector<double> kinks_;
};

}  // namespace peal::dynamics
