#pragma once

#include <peal/geometry/mesh/inside.h>
#include <peal/geometry/mesh/surface_query.h>

#include <cstdint>
#include <limits>

namespace peal::geometry {

/// Where a line between two points meets the surface of a solid.
struct EdgeCut {
  static constexpr std::uint32_t no_triangle = std::numeric_limits<std::uint32_t>::max();

  /// Longest way between two changes of side: what the ends of the line do not report [m].
  double unseen = 0.0;
  bool facing = false;  ///< these are walls that face each other, and not the two sides of a crease
  Vec3 point = Vec3::Zero();             ///< if the ends differ [m]
  Vec3 normal = Vec3::Zero();            ///< of the triangle there, unit length
  std::uint32_t triangle = no_triangle;  ///< none in a hole
};

/// The solid of triangles whose winding number is above one half, and its surface.
class SoupSolid {
 public:
  /// The mesh must have triangles, with normals out.
  explicit SoupSolid(const TriMesh& mesh) : surface_(mesh), inside_(mesh) {}

  const SurfaceQuery& surface() const { return surface_; }
  bool contains(const Vec3& p) const { return inside_.inside(p); }

  /// Follows the line from a to b; the caller knows on which side they are.
  EdgeCut cut(const Vec3& a, bool a_inside, const Vec3& b, bool b_inside) const;

 private:
  EdgeCut cut_at(const Ray& line, const RayHit& hit) const;
  EdgeCut cut_in_hole(Vec3 inside, Vec3 outside) const;

  SurfaceQuery surface_;
  InsideTest inside_;
};

}  // namespace peal::geometry
