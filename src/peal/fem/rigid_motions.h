#pragma once

#include <peal/fem/matrices.h>
#include <peal/geometry/mesh/vector.h>

#include <vector>

namespace peal::fem {

/// The motions without deformation that the fixed displacements allow (six for a free body), as
/// M-orthonormal displacements of the nodes. They are exact because they are not computed as
/// eigenvectors.
Eigen::MatrixXd rigid_motions(const Matrices& matrices, const std::vector<geometry::Vec3>& nodes);

/// The combinations of six motions of similar norm that the fixed displacements allow,
/// M-orthonormal.
Eigen::MatrixXd allowed_motions(const Matrices& matrices, Eigen::MatrixXd motions);

}  // namespace peal::fem
