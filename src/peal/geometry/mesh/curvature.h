#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// Curvature at every vertex of a mesh.
struct Curvature {
  std::vector<double> mean;      ///< (k1 + k2) / 2 [1/m], positive where the solid is convex
  std::vector<double> gaussian;  ///< k1 k2 [1/m^2]
};

/// Fits, in the least squares, the normal curvatures 2 h / s^2 towards all vertices of two rings
/// around each vertex by Euler's theorem (h: depth below the tangent plane, s: distance), and the
/// tangent plane with them. Exact where the vertices lie on a sphere. Formulas for the first ring
/// alone (angles that lack to 2 pi, cotangents) are so much at the mercy of each triangle that a
/// bumpy body seems flat or hollow where it is round.
///
/// Neighbours beyond edges sharper than 30 degrees do not count. A vertex on such an edge has the
/// curvature of no face. Triangles without area are passed over; where there are too few
/// neighbours, curvature is that of a sphere, or zero if there are none.
Curvature discrete_curvature(const TriMesh& mesh);

}  // namespace peal::geometry
