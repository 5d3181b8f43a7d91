#pragma once

#include <peal/base/motion_segment.h>
#include <peal/base/world.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace peal::wave {

using base::Vec3;

/// The surface of a body at any time.
class BodyShape {
 public:
  BodyShape(const base::Body& body, const base::MotionSegment& segment);

  const base::Body& body() const { return *body_; }
  bool is_still() const { return still_; }

  /// The index of the mesh that is the surface at t: 0, or a mesh of the body's sequence.
  std::size_t mesh_number(double t) const;
  /// The mesh at t, in the body's frame; its vertices may be those of another time.
  std::shared_ptr<const geometry::TriMesh> mesh(double t) const;
  /// Vertices of the shape at t, in the body's frame [m].
  void body_vertices(double t, std::vector<Vec3>& out) const;
  /// Vertices at t, in the world [m].
  void vertices(double t, std::vector<Vec3>& out) const;
  Vec3 to_body(double t, const Vec3& position) const;
  Vec3 turned_to_body(double t, const Vec3& direction) const;
  Vec3 to_world(double t, const Vec3& position) const { return pose(t).to_world(position); }
  geometry::Box bounds(double t) const;

  /// An upper bound on the distance of any vertex at t1 from its position at t0 [m]. If the
  /// triangles change in between, it is the sum of the distances for each mesh over the time in
  /// which it is the surface.
  double displacement(double t0, double t1) const;

  /// An upper bound on the distance of any vertex of a rigid body from the straight line between
  /// its positions at t0 and t1, half way in time [m]; 0 for bodies that change their shape.
  double deviation(double t0, double t1) const;

 private:
  double farthest_vertex(std::size_t mesh, double t0, double t1) const;
  void vertices_of(std::size_t mesh, double t, std::vector<Vec3>& out) const;
  void index(double t, std::vector<Vec3>& vertices) const;
  base::Pose pose(double t) const { return body_->motion->pose(segment_.clamp(t)); }

  const base::Body* body_;
  base::MotionSegment segment_;
  bool still_;
  std::vector<Vec3> corners_;  ///< of the box around a rigid body, in its frame
};

}  // namespace peal::wave
