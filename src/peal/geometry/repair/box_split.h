#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// A mesh cut along the sides of a box, so that each triangle lies on one side of it.
struct BoxSplit {
  TriMesh mesh;                       ///< the old vertices first, then those on the cuts
  std::vector<std::uint32_t> source;  ///< for each triangle the one it is a piece of
  std::vector<bool> inside;           ///< for each triangle: in the box, or on its surface
};

/// Cuts what of the surface reaches into the box at the planes of its sides. The shape, the groups
/// and the orientation stay. What was watertight is so afterwards: an edge is cut once for all the
/// triangles along it (vertices at the same position count as one), and neighbours outside of the
/// box are divided where a shared edge was.
///
/// A vertex within a millionth of the mesh's size of a plane counts as on it, so that coordinates
/// that went through 32-bit floats make no slivers, and a face may lie in the box's own side.
BoxSplit split_by_box(const TriMesh& mesh, const Box& box);

}  // namespace peal::geometry
