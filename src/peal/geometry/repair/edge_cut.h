#pragma once

#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/surface_query.h>

#include <cstdint>
#include <limits>

namespace peal::geometry {

/// The intersection of a line between two points with the surface of a solid.
struct EdgeCut {
  static constexpr std::uint32_t no_triangle = std::numeric_limits<std::uint32_t>::max();

  /// Longest distance between two crossings that the ends of the line do not reveal [m].
  double unseen = 0.0;
  /// Whether these are walls that face each other, not the two sides of a crease.
  bool facing = false;
  Vec3 point = Vec3::Zero();             ///< crossing, if the ends differ [m]
  Vec3 normal = Vec3::Zero();            ///< normal of the triangle there, unit length
  std::uint32_t triangle = no_triangle;  ///< triangle at the crossing; none in a hole
};

/// The solid of triangles whose winding number is above one half, and its surface.
class SoupSolid {
 public:
  /// The mesh must have triangles with outward normals.
  explicit SoupSolid(const TriMesh& mesh) : surface_(mesh), inside_(mesh) {}

  const SurfaceQuery& surface() const { return surface_; }
  bool contains(const Vec3& p) const { return inside_.inside(p); }

  /// Follows the line from a to b; the caller states on which sides they are.
  EdgeCut cut(const Vec3& a, bool a_inside, const Vec3& b, bool b_inside) const;

 private:
  EdgeCut cut_at(const Ray& line, const RayHit& hit) const;
  EdgeCut cut_in_hole(Vec3 inside, Vec3 outside) const;

  SurfaceQuery surface_;
  InsideTest inside_;
};

}  // namespace peal::geometry
