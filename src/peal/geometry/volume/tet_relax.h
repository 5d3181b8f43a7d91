#pragma once

#include <peal/geometry/volume/tet_mesh.h>

namespace peal::geometry {

/// Moves vertices that flat tetrahedra hang on, from number `first` on: those before are of the
/// surface and stay. Flat ones make steps of simulations short: the highest frequency of a
/// tetrahedron goes with the root of the sum of the squares of its 1 / heights. A vertex goes where
/// the largest sum around it is less; only those move around which it is more than 1.5 times that
/// of a usual tetrahedron.
void relax(TetMesh& mesh, std::size_t first);

}  // namespace peal::geometry
