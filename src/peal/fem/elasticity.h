#pragma once

#include <peal/base/material.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/vector.h>

#include <Eigen/Core>
#include <array>

namespace peal::fem {

/// Young's modulus for a pull along a direction of the body's frame [Pa].
double young_modulus_along(const base::Material& material, const geometry::Vec3& direction);

/// The elasticity of a material, stress = C strain, in the body's frame.
class Elasticity {
 public:
  explicit Elasticity(const base::Material& material);

  /// Adds the stiffness between two functions a and b, whose integrals of da/dx_i db/dx_j are
  /// products[3 i + j]: sum over k, l of C_ikjl products[3 k + l], which for an isotropic material
  /// is lambda S_ij + mu (S_ji + delta_ij (S_xx + S_yy + S_zz)).
  void add_stiffness(const std::array<double, 9>& products, geometry::Mat3& block) const {
    if (!is_isotropic_) return add_general(products, block);
    const auto [lambda, mu] = lame_;
    const double trace = mu * (products[0] + products[4] + products[8]);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        block(i, j) += lambda * products[3 * i + j] + mu * products[3 * j + i];
      block(i, i) += trace;
    }
  }

  /// Strain times stress, twice the density of energy [Pa].
  double twice_energy(const geometry::Mat3& strain) const;

 private:
  void add_general(const std::array<double, 9>& products, geometry::Mat3& block) const;

  bool is_isotropic_ = true;
  Lame lame_;
  /// C_ijkl at row 3 i + j and column 3 k + l [Pa].
  Eigen::Matrix<double, 9, 9> constants_ = Eigen::Matrix<double, 9, 9>::Zero();
};

}  // namespace peal::fem
