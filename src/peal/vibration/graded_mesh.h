#pragma once

#include <peal/geometry/shapes/planar_mesh.h>

namespace peal::vibration {

/// A triangle mesh of a simple polygon (counter-clockwise) with holes (clockwise), with edges of
/// about `edge_length` [m] that shrink geometrically towards singular corners, so far that a
/// function r^alpha, alpha = pi / angle, has all but the fraction `error` of its energy outside the
/// innermost ring. A corner is singular if alpha is not an integer, the less the nearer it is to
/// one.
geometry::PlanarMesh graded_mesh(const geometry::Polygon& outline,
                                 const std::vector<geometry::Polygon>& holes, double edge_length,
                                 double error);

}  // namespace peal::vibration
