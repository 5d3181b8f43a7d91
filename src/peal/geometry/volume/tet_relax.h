#pragma once

#include <peal/geometry/volume/tet_mesh.h>

namespace peal::geometry {

/// Moves vertices of flat tetrahedra, from number `first` on; earlier vertices belong to the
/// surface and are fixed. Flat tetrahedra require short time steps: the highest frequency of a
/// tetrahedron is proportional to the root of the sum of the squares of its 1 / heights. A vertex
/// moves to where the largest sum around it is smaller; it moves only if that sum is more than 1.5
/// times that of a typical tetrahedron.
void relax(TetMesh& mesh, std::size_t first);

}  // namespace peal::geometry
