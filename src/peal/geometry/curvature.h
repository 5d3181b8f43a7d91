#pragma once

#include <peal/geometry/tri_mesh.h>

namespace peal::geometry {

/// Curvature at every vertex of a mesh.
struct Curvature {
  std::vector<double> mean;      ///< (k1 + k2) / 2 [1/m], positive where the solid is convex
  std::vector<double> gaussian;  ///< k1 k2 [1/m^2]
};

/// Discrete curvature of Meyer, Desbrun, Schroeder & Barr 2003 with their mixed Voronoi area A:
///     2 H n = 1 / (2 A) sum_j (cot alpha_ij + cot beta_ij) (x_i - x_j)         (eq. 8)
///     K     = (2 pi - sum_j theta_j) / A                                        (eq. 9)
/// H takes its sign from the area-weighted vertex normal.
///
/// The formulas hold at inner vertices. A vertex on a boundary or non-manifold edge takes the
/// mean of its inner neighbours (zero if it has none). Triangles without area are passed over;
/// a vertex with nothing else around it, or with no triangle, has zero curvature.
Curvature discrete_curvature(const TriMesh& mesh);

}  // namespace peal::geometry
