#pragma once

#include <peal/base/material.h>

#include <Eigen/Core>

namespace peal::base {

/// Whether such a material resists every strain: its compliance is positive definite.
bool is_stable(const Orthotropy& orthotropy);

/// Compliance in the material's own axes L, R, T: strains LL, RR, TT and shear angles RT, LT, LR
/// for the stresses of the same names [1/Pa] (Lekhnitskii 1963).
Eigen::Matrix<double, 6, 6> compliance(const Orthotropy& orthotropy);

/// C_ijkl at row 3 i + j and column 3 k + l, in the material's own axes [Pa].
Eigen::Matrix<double, 9, 9> stiffness(const Orthotropy& orthotropy);

/// Indentation modulus of a surface whose normal is one of the material's axes (0: L, 1: R, 2: T):
/// what E / (1 - nu^2) is in Hertz's theory for isotropic solids [Pa]. By the deflection of a half
/// space around a point force (Barnett & Lothe 1975), in the mean over the directions in the
/// surface, as for an area of contact that is round (Vlassak & Nix 1994).
double indentation_modulus(const Orthotropy& orthotropy, int normal);

/// That of a surface along the grain, whose normal may be any across it: of the mean compliance of
/// R and T [Pa].
double indentation_modulus(const Orthotropy& orthotropy);

}  // namespace peal::base
