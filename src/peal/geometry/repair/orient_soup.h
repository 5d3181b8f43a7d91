#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// Triangles that bound a solid, as far as one can tell, with their normals out of it.
struct OrientedSoup {
  TriMesh mesh;                       ///< without groups
  std::vector<std::uint32_t> source;  ///< for each triangle its number in the mesh it came from
  std::size_t turned = 0;             ///< triangles that faced the other way
  std::size_t copies = 0;             ///< left out: the same corners as another
  std::size_t inner = 0;              ///< left out: walls inside of the solid
};

/// Makes the best of triangles that need not hang together. Copies go (also those that face the
/// other way, of a surface exported with two sides). Neighbours across an edge of two triangles
/// agree afterwards; patches that hang together in this way face the side from which the outside is
/// seen (after Takayama, Jacobson, Kavan & Sorkine-Hornung 2014), hidden open patches that from
/// which rays to the outside meet an even number of faces. A closed patch that is not seen keeps
/// its orientation: it may be a cavity. Patches of a few triangles are turned to agree with the
/// winding number of all others around them. Open patches with the solid on both sides are left
/// out.
///
/// All indices must be in range and all vertices finite. Throws std::invalid_argument if lines
/// through the mesh meet hundreds of faces.
OrientedSoup orient_soup(const TriMesh& mesh);

}  // namespace peal::geometry
