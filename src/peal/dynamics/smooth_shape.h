#pragma once

#include <peal/geometry/vector.h>
#include <peal/scene/collision_shape.h>

#include <memory>
#include <vector>

namespace peal::dynamics {

using geometry::Vec3;

/// Part of a body that can touch another first: a ball, or a line with a ball moved along it.
struct Feature {
  enum class Kind {
    ball,    ///< around `a`
    ring,    ///< around Y through `a`
    segment  ///< from `a` to `b`
  };

  Kind kind = Kind::ball;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();  ///< [m]
  double ring_radius = 0.0;                 ///< [m]
  double radius = 0.0;                      ///< of the ball [m]
};

/// A surface by its signed distance, with true arcs and rims, and the features by which it touches
/// others.
class SmoothShape {
 public:
  virtual ~SmoothShape() = default;

  /// Signed distance of p from the surface, negative inside [m]; `normal` becomes its gradient.
  virtual double distance(const Vec3& p, Vec3& normal) const = 0;

  const std::vector<Feature>& features() const { return features_; }
  /// Of a ball around the origin that holds the shape [m]; infinite for a floor.
  double reach() const { return reach_; }
  /// Features of a ball say all about its contacts; a floor has none.
  bool is_ball() const { return is_ball_; }
  bool is_floor() const { return is_floor_; }

 protected:
  std::vector<Feature> features_;
  double reach_ = 0.0;
  bool is_ball_ = false, is_floor_ = false;
};

/// Throws std::invalid_argument if the fillet does not fit.
std::unique_ptr<SmoothShape> make_smooth_shape(const scene::CollisionShape& shape);

}  // namespace peal::dynamics
