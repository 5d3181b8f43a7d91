#pragma once

#include <peal/base/material.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/matrices.h>
#include <peal/fem/space.h>
#include <peal/geometry/volume/tet_smooth.h>

namespace peal::fem {

using geometry::SmoothSurface;

/// The relative amount by which each frequency would be lower with elements of the next order,
/// estimated from the present solution (no further system is solved), and more at inner corners
/// (inner_corner_factors()), where the next order takes off only a part of the error.
///
/// The residual of each mode is tested with the functions that the next order adds (edge, face and
/// inner bubbles). It is distributed among the elements around each function in proportion to their
/// stiffness, and every element responds to its part with its own stiffness alone. The energy of
/// these responses bounds that of the true response in these functions from above, since connected
/// elements are stiffer (Bank & Weiser 1985 is the classical form of this). With e = u - u_h,
/// (lambda_h - lambda) / lambda = |e|^2 / lambda to leading order (Babuska & Osborn 1991, section
/// 8), and the relative error of frequencies is half of that.
///
/// Returns the contributions of the tetrahedra: one row per mode, one column per tetrahedron; the
/// sum of a row is the estimate for the mode.
Eigen::MatrixXd discretisation_errors(const CurvedTetMesh& mesh, const Space& space,
                                      const Matrices& matrices, const base::Material& material,
                                      const Eigenpairs& pairs);

/// The relative effect of the surface's shape on each frequency.
struct GeometryErrors {
  Eigen::VectorXd fit;     ///< change if the elements followed the smooth surface exactly
  Eigen::VectorXd facets;  ///< change if the body had the flat triangles of the smooth surface
  Eigen::VectorXd target;  ///< change from the smooth surface to the one it approximates
};

/// Computes the errors to first order in the normal displacement delta of the surface (Hadamard's
/// formula):
///     d lambda = integral over the surface of (sigma : epsilon - lambda rho u . u) delta .
/// `target` is the surface that a simplified one approximates; null: it represents itself.
GeometryErrors geometry_errors(const CurvedTetMesh& mesh, const Space& space,
                               const base::Material& material, const Eigenpairs& pairs,
                               const SmoothSurface& smooth,
                               const geometry::SurfaceQuery* target = nullptr);

}  // namespace peal::fem
