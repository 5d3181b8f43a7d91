#pragma once

#include <peal/base/material.h>
#include <peal/vibration/fem_matrix.h>
#include <peal/vibration/fem_space.h>

namespace peal::vibration {

/// Stiffness and consistent mass of an isotropic, linearly elastic body. From order 2 on, rigid
/// motions are in the space exactly, also where the mesh is bent.
FemMatrices assemble(const CurvedTetMesh& mesh, const FemSpace& space,
                     const base::Material& material);

}  // namespace peal::vibration
