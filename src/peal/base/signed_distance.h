#pragma once

#include <peal/base/motion.h>

#include <memory>
#include <utility>

namespace peal::base {

/// A solid, described by the distance from its surface.
class SignedDistance {
 public:
  virtual ~SignedDistance() = default;

  /// Signed distance of p from the surface, negative inside [m]; `normal` becomes its gradient.
  virtual double distance(const Vec3& p, Vec3& normal) const = 0;
};

/// A solid placed in another frame.
class PlacedDistance : public SignedDistance {
 public:
  PlacedDistance(std::shared_ptr<const SignedDistance> solid, const Pose& pose)
      : solid_(std::move(solid)), pose_(pose) {}

  double distance(const Vec3& p, Vec3& normal) const override {
    const double d = solid_->distance(pose_.to_local(p), normal);
    normal = pose_.orientation * normal;
    return d;
  }

 private:
  std::shared_ptr<const SignedDistance> solid_;
  Pose pose_;
};

}  // namespace peal::base
