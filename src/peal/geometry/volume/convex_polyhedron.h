#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace peal::geometry {

/// The half space of points p with normal . p <= offset.
struct HalfSpace {
  Vec3 normal = Vec3::UnitY();  ///< unit length
  double offset = 0.0;          ///< [m]

  /// Distance of p from its plane, positive outside [m].
  double distance(const Vec3& p) const { return normal.dot(p) - offset; }
};

/// A convex solid with flat faces, each a polygon that is counter-clockwise seen from outside.
struct ConvexPolyhedron {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<std::vector<std::uint32_t>> faces;

  bool empty() const { return faces.empty(); }
  /// The half spaces whose intersection it is, one a face.
  std::vector<HalfSpace> half_spaces() const;
  /// Its surface in triangles.
  TriMesh mesh() const;
};

ConvexPolyhedron box_polyhedron(const Box& box);

/// The part of the polyhedron in a half space; empty if there is none. Vertices within 1e-12 of the
/// size from the plane count as on it.
ConvexPolyhedron intersection(const ConvexPolyhedron& solid, const HalfSpace& half_space);

/// The intersection of half spaces inside of a box.
ConvexPolyhedron intersection(const std::vector<HalfSpace>& half_spaces, const Box& box);

/// The convex polyhedron whose surface is a mesh, if that has at most `most_faces` flat faces and
/// encloses the same volume to a millionth.
std::optional<ConvexPolyhedron> recognised_polyhedron(const TriMesh& mesh,
                                                      std::size_t most_faces = 200);

}  // namespace peal::geometry
