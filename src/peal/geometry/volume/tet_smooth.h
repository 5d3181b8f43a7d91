#pragma once

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/surface_query.h>

#include <optional>
#include <vector>

namespace peal::geometry {

/// The smooth surface that a triangle mesh represents. Neighbours that meet at less than 41 degrees
/// belong to one smooth sheet, with two exceptions: bends of more than 20 degrees that do not
/// continue in the same direction beyond the adjacent flat facets, and bends of more than 2 degrees
/// between flat faces that are not one of three in the same direction. Other neighbours meet in a
/// crease, which is a smooth curve up to its corners. If the smooth surface would change the volume
/// by more than 10 %, the mesh represents itself: every edge is a crease, and facets are flat.
///
/// On a sheet the surface is the quadratic patch of each triangle that is tangent to the normals at
/// its corners to leading order (Phong tessellation, Boubekeur & Alexa 2008, with the factor 1/2,
/// which is exact for circles and spheres):
///     x(l) = p + 1/2 sum_i l_i n_i (n_i . (v_i - p)),   p = sum_i l_i v_i
/// Normals are weighted by area, so that a flat face beside a fillet stays flat.
class SmoothSurface {
 public:
  /// The mesh must be closed and manifold.
  explicit SmoothSurface(const TriMesh& mesh);

  const TriMesh& mesh() const { return query_.mesh(); }
  const MeshTopology& topology() const { return topology_; }
  const SurfaceQuery& query() const { return query_; }
  /// The volume within the smooth surface, to leading order in its curvature [m^3].
  double volume() const;

  bool is_crease(std::uint32_t edge) const { return crease_[edge]; }
  /// The normals of the sheets that meet at a vertex.
  std::vector<Vec3> normals_at(std::uint32_t vertex) const;
  /// Whether a vertex is fixed: a crease ends, branches or turns sharply there.
  bool is_corner(std::uint32_t vertex) const { return corner_[vertex]; }
  bool is_on_crease(std::uint32_t vertex) const { return crease_edges_[vertex].size() > 0; }

  struct Point {
    Vec3 position;              ///< [m]
    std::vector<Vec3> normals;  ///< normals of the sheets there: two on a crease
    Vec3 flat;                  ///< corresponding point on the flat triangles of the mesh [m]
  };

  /// The point near p of the sheet with about the given normal; nullopt if the nearest sheet is
  /// another one.
  std::optional<Point> on_sheet(const Vec3& p, const Vec3& normal) const;
  /// The nearest point of a crease.
  Point on_crease(const Vec3& p) const;
  struct PatchPoint {
    Vec3 position;  ///< [m]
    Vec3 normal;    ///< between the normals at the corners
  };
  /// The point of a triangle's patch with these barycentric coordinates.
  PatchPoint on_patch(std::uint32_t triangle, const Vec3& barycentrics) const;
  /// The thickness of the wall behind a triangle [m].
  double thickness(std::uint32_t triangle) const;

 private:
  /// Makes creases of the edges that bend more than `angle` [rad]; the regions between them are
  /// sheets.
  void part_sheets(double angle);
  void find_corners();
  void find_normals();
  /// The point of a triangle's patch above a point of the triangle, or the point of a crease at a
  /// fraction between its ends (0 to 1) [m].
  Vec3 patch_point(std::uint32_t triangle, const Vec3& barycentrics, const Vec3& flat) const;
  Vec3 crease_point(std::uint32_t edge, double part) const;
  Vec3 corner_normal(std::uint32_t triangle, int k) const {
    return corner_normals_[3 * triangle + k];
  }

  SurfaceQuery query_;
  MeshTopology topology_;
  double size_;                                           ///< diagonal of the bounding box [m]
  std::vector<bool> crease_;                              ///< for each edge
  std::vector<std::uint32_t> creases_;                    ///< edges that are creases
  std::vector<bool> corner_;                              ///< for each vertex
  std::vector<std::vector<std::uint32_t>> crease_edges_;  ///< for each vertex
  std::vector<Vec3> corner_normals_;                      ///< three per triangle
  std::vector<Vec3> tangents_;  ///< tangents of creases, for each vertex; zero at corners
};

}  // namespace peal::geometry
