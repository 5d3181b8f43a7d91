#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/triangle.h>

#include <memory>
#include <optional>

namespace peal::geometry {

struct SurfacePoint {
  Vec3 point;  ///< [m]
  std::uint32_t triangle;
  Vec3 barycentrics;
  double distance;  ///< [m]
};

struct RayHit {
  double t;  ///< distance in units of the ray's direction
  std::uint32_t triangle;
  Vec3 barycentrics;
};

/// Queries of closest points and rays on a mesh, in double precision. Embree's tree, which stores
/// floats, only proposes triangles: its boxes and radii are widened by more than their rounding
/// error, and every proposal is tested on the vertices themselves. Ties go to the triangle with the
/// lowest index, so results do not depend on the shape of the tree.
///
/// Queries are const and may run in any number of threads. The mesh is copied.
class SurfaceQuery {
 public:
  /// Throws std::invalid_argument if the mesh has no triangles or a vertex is not finite, and
  /// std::runtime_error if Embree fails (out of memory).
  explicit SurfaceQuery(TriMesh mesh);
  ~SurfaceQuery();
  SurfaceQuery(SurfaceQuery&&) noexcept;
  SurfaceQuery& operator=(SurfaceQuery&&) noexcept;

  const TriMesh& mesh() const;

  /// p must be finite.
  SurfacePoint closest_point(const Vec3& p) const;
  /// The closest point if it is at most `radius` [m] away: much faster than closest_point when p is
  /// far from the surface.
  std::optional<SurfacePoint> closest_point_within(const Vec3& p, double radius) const;

  /// All triangles that are at most `radius` [m] away, with their closest points, in ascending
  /// order of index.
  std::vector<SurfacePoint> all_within(const Vec3& p, double radius) const;

  /// The first triangle that the ray meets, from either side.
  std::optional<RayHit> intersect(const Ray& ray) const;
  /// All triangles that the ray meets, by ascending t. A ray through an edge meets both sides.
  std::vector<RayHit> all_hits(const Ray& ray) const;

  /// True if a triangle crosses the segment from a to b farther than `margin` [m] from both ends.
  bool occluded(const Vec3& a, const Vec3& b, double margin = 0.0) const;

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

}  // namespace peal::geometry
