#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace peal::geometry {

/// The vertex indices of a triangle, counter-clockwise seen from outside: the normal points out of
/// the solid.
using Triangle = std::array<std::uint32_t, 3>;

/// An indexed triangle surface. Plain data; queries live in their own headers.
struct TriMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Triangle> triangles;

  /// Names of face groups (OBJ `g`/`o`/`usemtl`, glTF material): how a scene names a patch.
  std::vector<std::string> groups;
  /// The index of each triangle's group in `groups`; empty if the mesh has no groups.
  std::vector<std::uint32_t> triangle_group;

  bool empty() const { return triangles.empty(); }
};

Vec3 triangle_centre(const TriMesh& mesh, std::size_t triangle);
/// The area vector, half the cross product of two edges: its length is the area [m^2], direction
/// the outward normal.
Vec3 area_vector(const TriMesh& mesh, std::size_t triangle);
Box bounds(const TriMesh& mesh);
double surface_area(const TriMesh& mesh);  ///< [m^2]

/// Moves every vertex; a reflection also flips the triangles, so that normals stay outward.
TriMesh transformed(TriMesh mesh, const Affine& transform);

/// Joins two meshes; groups are kept.
TriMesh joined(const TriMesh& a, const TriMesh& b);

}  // namespace peal::geometry
