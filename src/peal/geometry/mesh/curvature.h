#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// Curvature at every vertex of a mesh.
struct Curvature {
  std::vector<double> mean;      ///< (k1 + k2) / 2 [1/m], positive where the solid is convex
  std::vector<double> gaussian;  ///< k1 k2 [1/m^2]
};

/// Fits by least squares the normal curvatures 2 h / s^2 towards all vertices of two rings around
/// each vertex by Euler's theorem (h: depth below the tangent plane, s: distance), together with
/// the tangent plane. The fit is exact where the vertices lie on a sphere. Formulas that use the
/// first ring alone (angle defect, cotangents) are so sensitive to each triangle that a bumpy body
/// appears flat or concave where it is round.
///
/// Neighbours beyond edges sharper than 30 degrees are ignored. A vertex on such an edge does not
/// have the curvature of any face. Triangles without area are skipped; with too few neighbours the
/// fit is a sphere, and with none the curvature is zero.
Curvature discrete_curvature(const TriMesh& mesh);

}  // namespace peal::geometry
