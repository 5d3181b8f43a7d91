#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::geometry {

using Tet = std::array<std::uint32_t, 4>;

/// A solid cut into tetrahedra.
struct TetMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Tet> tets;       ///< either handedness
};

/// The pairs of a tetrahedron's corners, in the order in which edges are listed.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// A solid cut into tetrahedra whose edges may be bent: parabolas through a middle point.
///
/// Corners of each tetrahedron ascend, so that tetrahedra that share an edge or a face run through
/// it in the same direction.
struct CurvedTetMesh {
  std::vector<Vec3> vertices;                          ///< [m]
  std::vector<Tet> tets;                               ///< ascending
  std::vector<std::array<std::uint32_t, 2>> edges;     ///< corners, ascending
  std::vector<std::array<std::uint32_t, 6>> tet_edge;  ///< edges of each tetrahedron
  std::vector<Vec3> middles;                           ///< of each edge [m]
  std::vector<std::array<std::uint32_t, 3>> faces;     ///< corners, ascending
  std::vector<std::array<std::uint32_t, 4>> tet_face;  ///< the face opposite of each corner
  std::vector<std::array<std::uint32_t, 3>> boundary;  ///< outer triangles, counter-clockwise
  std::vector<std::uint32_t> boundary_edges;           ///< edges of outer triangles
};

/// The same solid with straight edges.
CurvedTetMesh straight(const TetMesh& mesh);

/// Above zero for one handedness, below for the other [m^3].
double signed_volume(const TetMesh& mesh, const Tet& tet);
double volume(const TetMesh& mesh);  ///< [m^3]

/// Whether the map from the straight to the bent tetrahedron keeps at least `least` of the volume
/// everywhere (sampled at its ten nodes).
bool is_well_bent(const CurvedTetMesh& mesh, std::size_t tet, double least);

}  // namespace peal::geometry
