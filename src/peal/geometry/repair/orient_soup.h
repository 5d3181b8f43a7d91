#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// Triangles that bound a solid, as far as can be determined, with outward normals.
struct OrientedSoup {
  TriMesh mesh;                       ///< without groups
  std::vector<std::uint32_t> source;  ///< for each triangle, its number in the original mesh
  std::size_t turned = 0;             ///< number of flipped triangles
  std::size_t copies = 0;  ///< number of removed triangles with the same corners as another
  std::size_t inner = 0;   ///< number of removed triangles of walls inside the solid
};

/// Orients triangles that need not be connected. Duplicates are removed (also those that face the
/// other way, of a surface exported with two sides). Neighbours across an edge of two triangles
/// agree afterwards. Patches connected in this way face the side from which the outside is visible
/// (after Takayama, Jacobson, Kavan & Sorkine-Hornung 2014); hidden open patches face the side from
/// which rays to the outside cross an even number of faces. A closed patch that is not visible
/// keeps its orientation, as it may be a cavity. Patches of a few triangles are flipped to agree
/// with the winding number of all others around them. Open patches with the solid on both sides are
/// removed.
///
/// All indices must be in range and all vertices finite. Throws std::invalid_argument if lines
/// through the mesh meet hundreds of faces.
OrientedSoup orient_soup(const TriMesh& mesh);

}  // namespace peal::geometry
