#pragma once

#include <peal/base/motion_segment.h>
#include <peal/base/world.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace peal::wave {

using base::Vec3;

/// Where the surface of a body is at any time.
class BodyShape {
 public:
  BodyShape(const base::Body& body, const base::MotionSegment& segment);

  const base::Body& body() const { return *body_; }
  bool is_still() const { return still_; }

  /// Whose triangles are the surface then: 0, or a mesh of the body's sequence.
  std::size_t mesh_number(double t) const;
  /// That mesh, with vertices of some time, in the body's frame.
  std::shared_ptr<const geometry::TriMesh> mesh(double t) const;
  /// Vertices of the shape that it has then, in the body's frame [m].
  void body_vertices(double t, std::vector<Vec3>& out) const;
  /// Vertices in the world [m].
  void vertices(double t, std::vector<Vec3>& out) const;
  Vec3 to_body(double t, const Vec3& position) const;
  Vec3 turned_to_body(double t, const Vec3& direction) const;
  Vec3 to_world(double t, const Vec3& position) const { return pose(t).to_world(position); }
  geometry::Box bounds(double t) const;

  /// How far any vertex is at t1 from where it was at t0, at most [m]. Where the triangles change
  /// in between, how far those of each mesh get while it is the surface, in all.
  double displacement(double t0, double t1) const;

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
