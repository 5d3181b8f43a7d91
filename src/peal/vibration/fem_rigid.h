#pragma once

#include <peal/geometry/vector.h>
#include <peal/vibration/fem_matrix.h>

#include <vector>

namespace peal::vibration {

/// The motions without deformation that the held displacements allow (six for a free body), as
/// M-orthonormal displacements of the nodes. Exact: they are not computed as eigenvectors.
Eigen::MatrixXd rigid_motions(const FemMatrices& matrices,
                              const std::vector<geometry::Vec3>& nodes);

}  // namespace peal::vibration
