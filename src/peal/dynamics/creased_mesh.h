#pragma once

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::dynamics {

using geometry::Vec3;

/// A mesh read as what it stands for: triangles that meet at less than 30 degrees are one smooth
/// surface, sharper edges are edges of the body. (Contact forces take edges for the same.)
struct CreasedMesh {
  enum class Edge : signed char { smooth, convex, concave };

  /// Vertices at the same place become one, triangles without area are left out.
  explicit CreasedMesh(const geometry::TriMesh& mesh);

  /// Where a sharp line goes on from `vertex`: its edges there are two, of one kind, and bend by
  /// less than 30 degrees. Otherwise it ends there, in a corner.
  bool goes_on(std::uint32_t vertex) const;
  std::uint32_t other_end(std::uint32_t edge, std::uint32_t vertex) const;
  /// Of the sharp line at `vertex`, towards the other end of `edge`; unit length. It is that of the
  /// circle through three vertices of the line.
  Vec3 tangent(std::uint32_t edge, std::uint32_t vertex) const;

  geometry::TriMesh mesh;
  geometry::MeshTopology topology;
  std::vector<Edge> edges;                           ///< of topology.edges
  std::vector<std::vector<std::uint32_t>> sharp_at;  ///< for each vertex its sharp edges
  /// For each triangle the normals of the smooth surface at its corners.
  std::vector<std::array<Vec3, 3>> normals;

 private:
  void find_edges();
  std::vector<bool> find_flat() const;
  void find_normals();
};

/// The point between a and b of a nearly circular line that starts along `from_a` and arrives at b
/// out of the direction `from_b` (both point into the line, unit length).
struct CubicArc {
  CubicArc(const Vec3& a, const Vec3& b, const Vec3& from_a, const Vec3& from_b);
  Vec3 at(double t) const;     ///< t from 0 to 1
  Vec3 slope(double t) const;  ///< of at()

  std::array<Vec3, 4> points;  ///< of its Bezier form [m]
};

}  // namespace peal::dynamics
