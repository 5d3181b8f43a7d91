#pragma once

#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/wave/boundary/body_shape.h>

#include <memory>

namespace peal::wave {

/// The nearest point of a body's surface.
struct NearestWall {
  Vec3 point;   ///< [m]
  Vec3 normal;  ///< out of the solid
  std::uint32_t triangle;
  double distance;  ///< [m]
};

/// Inside test and nearest point of a body that may move. Queries of a rigid body use its own
/// frame; a deforming body is rebuilt at every new time, which is slow.
class BodySurface {
 public:
  explicit BodySurface(const BodyShape& shape);

  /// Sets the time of the queries below [s].
  void set_time(double t);

  bool contains(const Vec3& x) const;
  NearestWall nearest(const Vec3& x) const;
  /// Whether the surface crosses the line from a to b.
  bool is_between(const Vec3& a, const Vec3& b) const;

 private:
  bool deforms() const { return shape_->body().changes_shape(); }
  void take(geometry::TriMesh mesh);
  Vec3 to_mesh(const Vec3& x) const;
  Vec3 to_world(const Vec3& x) const;

  const BodyShape* shape_;
  double time_ = 0;
  geometry::Box bounds_;  ///< of the mesh
  std::unique_ptr<geometry::SurfaceQuery> surface_;
  std::unique_ptr<geometry::InsideTest> solid_;
};

}  // namespace peal::wave
