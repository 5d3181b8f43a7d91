#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// A mesh cut along the sides of a box, so that each triangle lies on one side of it.
struct BoxSplit {
  TriMesh mesh;  ///< the old vertices first, then those on the cuts
  /// For each triangle, the original triangle that it is part of.
  std::vector<std::uint32_t> source;
  std::vector<bool> inside;  ///< for each triangle, whether it is in the box or on its surface
};

/// Cuts the part of the surface that extends into the box at the planes of the box's sides. Shape,
/// groups and orientation stay the same. A watertight mesh stays watertight: an edge is cut once
/// for all its triangles (vertices at the same position count as one), and neighbours outside the
/// box are divided where a shared edge was.
///
/// A vertex within a millionth of the mesh's size from a plane counts as on it, so that coordinates
/// rounded to 32-bit floats make no slivers, and a face may lie in a side of the box.
BoxSplit split_by_box(const TriMesh& mesh, const Box& box);

}  // namespace peal::geometry
