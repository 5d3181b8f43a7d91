#pragma once

#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::dynamics {

using geometry::Vec3;

/// A mesh as the body that it approximates: triangles that meet at less than 30 degrees form one
/// smooth surface, sharper edges are edges of the body. (Contact forces use the same rule.)
struct CreasedMesh {
  enum class Edge : signed char { smooth, convex, concave };

  /// Merges vertices at the same position, and leaves out triangles without area.
  explicit CreasedMesh(const geometry::TriMesh& mesh);

  /// Whether a sharp line goes on from `vertex`: there are two edges of one kind there that bend by
  /// less than 30 degrees. Otherwise the line ends there, in a corner.
  bool goes_on(std::uint32_t vertex) const;
  std::uint32_t other_end(std::uint32_t edge, std::uint32_t vertex) const;
  /// Unit tangent of the sharp line at `vertex`, towards the other end of `edge`. It is the tangent
  /// of the circle through three vertices of the line.
  Vec3 tangent(std::uint32_t edge, std::uint32_t vertex) const;

  geometry::TriMesh mesh;
  geometry::MeshTopology topology;
  std::vector<Edge> edges;                           ///< kind of each of topology.edges
  std::vector<std::vector<std::uint32_t>> sharp_at;  ///< sharp edges of each vertex
  /// Normals of the smooth surface at the corners of each triangle.
  std::vector<std::array<Vec3, 3>> normals;

 private:
  void find_edges();
  std::vector<bool> find_flat() const;
  void find_normals();
};

/// A nearly circular cubic curve from a to b that starts along `from_a` and arrives at b from the
/// direction `from_b` (both are of unit length and point into the curve).
struct CubicArc {
  CubicArc(const Vec3& a, const Vec3& b, const Vec3& from_a, const Vec3& from_b);
  Vec3 at(double t) const;     ///< t from 0 to 1
  Vec3 slope(double t) const;  ///< of at()

  std::array<Vec3, 4> points;  ///< control points of its Bezier form [m]
};

}  // namespace peal::dynamics
