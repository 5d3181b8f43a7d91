#pragma once

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/surface_query.h>

#include <optional>
#include <vector>

namespace peal::geometry {

/// The curved surface that a triangle mesh stands for. Neighbours that meet at less than 41 degrees
/// belong to one smooth sheet, but for bends of more than 20 degrees that do not go on the same way
/// beyond the flat facets beside them, and for bends between flat faces, of more than 2 degrees,
/// that are not one of three the same way; others meet in a crease, which is a smooth curve up to
/// its corners.
/// If that would change the volume by more than 10 %, the mesh stands for itself: every edge is a
/// crease, facets are flat.
///
/// On a sheet the surface is the quadratic patch of each triangle that is tangent to the normals at
/// its corners to leading order (Phong tessellation, Boubekeur & Alexa 2008, with the factor 1/2
/// that is right for circles and spheres):
///     x(l) = p + 1/2 sum_i l_i n_i (n_i . (v_i - p)),   p = sum_i l_i v_i
/// Normals are weighted by area, so that a flat face beside a fillet stays flat.
class SmoothSurface {
 public:
  /// The mesh must be closed and manifold.
  explicit SmoothSurface(const TriMesh& mesh);

  const TriMesh& mesh() const { return query_.mesh(); }
  const MeshTopology& topology() const { return topology_; }
  /// Within the curved surface, to leading order of what its curvature adds [m^3].
  double volume() const;

  bool is_crease(std::uint32_t edge) const { return crease_[edge]; }
  /// The normals of the sheets that meet at a vertex.
  std::vector<Vec3> normals_at(std::uint32_t vertex) const;
  /// Whether a vertex is fixed: a crease ends, branches or turns sharply there.
  bool is_corner(std::uint32_t vertex) const { return corner_[vertex]; }
  bool is_on_crease(std::uint32_t vertex) const { return crease_edges_[vertex].size() > 0; }

  struct Point {
    Vec3 position;              ///< [m]
    std::vector<Vec3> normals;  ///< of the sheets there: two on a crease
    Vec3 flat;                  ///< where the triangles of the mesh are instead [m]
  };

  /// The point of the sheet with about the given normal that is near p. Empty if the nearest sheet
  /// is another one.
  std::optional<Point> on_sheet(const Vec3& p, const Vec3& normal) const;
  /// The nearest point of a crease.
  Point on_crease(const Vec3& p) const;
  /// From the surface inward to the other side of the wall [m].
  double thickness(std::uint32_t triangle) const;

 private:
  /// Makes creases of the edges that bend more than `angle` [rad], and sheets of what is between.
  void part_sheets(double angle);
  void find_corners();
  void find_normals();
  /// The point of a triangle's patch above one of its own, or of a crease between its ends (0 to 1)
  /// [m].
  Vec3 patch_point(std::uint32_t triangle, const Vec3& barycentrics, const Vec3& flat) const;
  Vec3 crease_point(std::uint32_t edge, double part) const;
  Vec3 corner_normal(std::uint32_t triangle, int k) const {
    return corner_normals_[3 * triangle + k];
  }

  SurfaceQuery query_;
  MeshTopology topology_;
  double size_;                                           ///< diagonal of the bounding box [m]
  std::vector<bool> crease_;                              ///< by edge
  std::vector<std::uint32_t> creases_;                    ///< edges that are
  std::vector<bool> corner_;                              ///< by vertex
  std::vector<std::vector<std::uint32_t>> crease_edges_;  ///< by vertex
  std::vector<Vec3> corner_normals_;                      ///< three a triangle
  std::vector<Vec3> tangents_;  ///< of creases, by vertex; zero at corners
};

}  // namespace peal::geometry
