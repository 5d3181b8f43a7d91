#pragma once

#include <peal/base/material.h>
#include <peal/fem/matrices.h>
#include <peal/fem/space.h>

namespace peal::fem {

/// The ten nodes that map the reference element to a curved tetrahedron, in the order of
/// `geometry`, which is of second order.
Eigen::Matrix<double, 3, 10> map_points(const CurvedTetMesh& mesh, std::size_t tet,
                                        const LagrangeTet& geometry);

/// Stiffness and consistent mass of a linearly elastic body. From order 2 on, the space
/// contains rigid motions exactly, also where the mesh is curved.
Matrices assemble(const CurvedTetMesh& mesh, const Space& space, const base::Material& material);

}  // namespace peal::fem
