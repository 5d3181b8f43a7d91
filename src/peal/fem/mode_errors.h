#pragma once

#include <peal/base/material.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/matrices.h>
#include <peal/fem/space.h>
#include <peal/geometry/volume/tet_smooth.h>

namespace peal::fem {

using geometry::SmoothSurface;

/// How much lower each frequency would be with elements of one order more, relative to itself, as
/// estimated from the solution at hand (no further system is solved).
///
/// The residual of each mode is tested with the functions that the next order adds (edge, face and
/// inner bubbles). It is shared out among the elements around each function in the ratio of their
/// stiffness, and every element answers its share with its own stiffness alone. The energy of the
/// answers bounds that of the true answer in these functions from above, since elements that are
/// tied together yield less (Bank & Weiser 1985 is the classical form of this). With
/// e = u - u_h, (lambda_h - lambda) / lambda = |e|^2 / lambda to leading order (Babuska & Osborn
/// 1991, section 8), and frequencies have half of that.
///
/// Shares of the tetrahedra: a row a mode, a column a tetrahedron; the sum of a row is the mode's.
Eigen::MatrixXd discretisation_errors(const CurvedTetMesh& mesh, const Space& space,
                                      const Matrices& matrices, const base::Material& material,
                                      const Eigenpairs& pairs);

/// What the surface's shape does to each frequency, relative to itself.
struct GeometryErrors {
  Eigen::VectorXd fit;     ///< if the elements followed the smooth surface exactly
  Eigen::VectorXd facets;  ///< if the body had the flat triangles that were given
};

/// To first order in how far the surface moves along its normal, by delta (Hadamard's formula):
///     d lambda = integral over the surface of (sigma : epsilon - lambda rho u . u) delta .
GeometryErrors geometry_errors(const CurvedTetMesh& mesh, const Space& space,
                               const base::Material& material, const Eigenpairs& pairs,
                               const SmoothSurface& smooth);

}  // namespace peal::fem
