#pragma once

#include <peal/fem/space.h>

#include <Eigen/Core>

namespace peal::fem {

/// How many times larger the error of each tetrahedron is than what the next order would take off
/// it.
///
/// Along an inner corner of angle w > pi displacements behave as r^a, where sin(a w) = -a sin(w)
/// (Williams 1952), and the energy of the error of order p falls as p^(-4 a) only (Babuska & Suri
/// 1994): the next order takes off the part 1 - (p / (p + 1))^(4 a). Elsewhere it takes off nearly
/// all.
Eigen::VectorXd inner_corner_factors(const CurvedTetMesh& mesh, int order);

}  // namespace peal::fem
