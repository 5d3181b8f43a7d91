#pragma once

#include <peal/base/motion.h>
#include <peal/contact/local_shape.h>

#include <limits>
#include <optional>
#include <vector>

namespace peal::contact {

using base::Vec3;

/// Where two bodies are nearest.
struct NearestPoints {
  double gap = std::numeric_limits<double>::infinity();  ///< negative: they overlap [m]
  Vec3 point = Vec3::Zero();                             ///< world [m]
  Vec3 normal = Vec3::Zero();                            ///< world, out of b towards a
};

/// A surface with the points at which others are asked for their distance: its vertices, and points
/// on edges that are long, as two bars may cross between their corners.
class SampledSurface {
 public:
  explicit SampledSurface(const LocalShape& shape);

  const geometry::SurfaceQuery& surface() const { return shape_->surface(); }
  const std::vector<Vec3>& points() const { return points_; }  ///< body's frame [m]
  const geometry::Box& bounds() const { return bounds_; }      ///< body's frame [m]
  double radius() const { return radius_; }  ///< of the ball around the frame's origin [m]
  double size() const { return bounds_.diagonal().norm(); }  ///< [m]

 private:
  const LocalShape* shape_;
  std::vector<Vec3> points_;
  geometry::Box bounds_;
  double radius_ = 0.0;
};

/// The nearest points of two bodies that are at most `reach` [m] apart. Points that are at most
/// 0.2 mm farther away touch as well: the mean of them all is given.
std::optional<NearestPoints> nearest_points(const SampledSurface& a, const base::Pose& pose_a,
                                            const SampledSurface& b, const base::Pose& pose_b,
                                            double reach);

/// Where two bodies that lie against each other support each other: of all points that are at most
/// `reach` [m] apart, the four outermost, or fewer. Empty if there are none.
std::vector<NearestPoints> support_points(const SampledSurface& a, const base::Pose& pose_a,
                                          const SampledSurface& b, const base::Pose& pose_b,
                                          double reach);

}  // namespace peal::contact
