#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::geometry {

using Tet = std::array<std::uint32_t, 4>;

/// A solid divided into tetrahedra.
struct TetMesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Tet> tets;       ///< either handedness
};

/// The pairs of a tetrahedron's corners, in the order in which edges are listed.
inline constexpr std::array<std::array<int, 2>, 6> tet_edges{
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

/// A solid divided into tetrahedra with curved edges: parabolas through a midpoint.
///
/// The corners of each tetrahedron are in ascending order, so that tetrahedra that share an edge or
/// a face traverse it in the same direction.
struct CurvedTetMesh {
  std::vector<Vec3> vertices;                          ///< [m]
  std::vector<Tet> tets;                               ///< ascending
  std::vector<std::array<std::uint32_t, 2>> edges;     ///< corners, ascending
  std::vector<std::array<std::uint32_t, 6>> tet_edge;  ///< edges of each tetrahedron
  std::vector<Vec3> middles;                           ///< midpoint of each edge [m]
  std::vector<std::array<std::uint32_t, 3>> faces;     ///< corners, ascending
  std::vector<std::array<std::uint32_t, 4>> tet_face;  ///< face opposite each corner
  std::vector<std::array<std::uint32_t, 3>> boundary;  ///< outer triangles, counter-clockwise
  std::vector<std::uint32_t> boundary_edges;           ///< edges of outer triangles
};

/// A solid with straight edges as a CurvedTetMesh.
CurvedTetMesh straight(const TetMesh& mesh);

/// The signed volume: positive for one handedness, negative for the other [m^3].
double signed_volume(const TetMesh& mesh, const Tet& tet);
double volume(const TetMesh& mesh);  ///< [m^3]

/// Whether the map from the straight to the curved tetrahedron keeps at least the fraction `least`
/// of the volume everywhere (sampled at its ten nodes).
bool is_well_bent(const CurvedTetMesh& mesh, std::size_t tet, double least);

}  // namespace peal::geometry
