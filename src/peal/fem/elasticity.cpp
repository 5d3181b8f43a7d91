#include <peal/fem/elasticity.h>

#include <Eigen/LU>

namespace peal::fem {

namespace {

using geometry::Mat3;
using geometry::Vec3;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

/// Which of the six a pair of axes is.
constexpr int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

/// L, R and T as columns, right-handed.
Mat3 axes_of(const base::Orthotropy& orthotropy) {
  Mat3 axes;
  axes << orthotropy.grain, orthotropy.radial, orthotropy.grain.cross(orthotropy.radial);
  return axes;
}

/// A tensor of fourth order, given in the material's axes, in the body's frame.
Matrix9 turned(const Matrix9& own, const Mat3& axes) {
  Matrix9 turn;  // of a tensor of second order: t = axes own axes^T
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) turn(3 * i + j, 3 * k + l) = axes(i, k) * axes(j, l);
  return turn * own * turn.transpose();
}

}  // namespace

Matrix6 orthotropic_compliance(const base::Orthotropy& orthotropy) {
  const auto& [el, er, et] = orthotropy.young_moduli;
  const auto& [glr, glt, grt] = orthotropy.shear_moduli;
  const auto& [nlr, nlt, nrt] = orthotropy.poisson_ratios;
  Matrix6 compliance = Matrix6::Zero();
  compliance.diagonal() << 1.0 / el, 1.0 / er, 1.0 / et, 1.0 / grt, 1.0 / glt, 1.0 / glr;
  compliance(0, 1) = compliance(1, 0) = -nlr / el;
  compliance(0, 2) = compliance(2, 0) = -nlt / el;
  compliance(1, 2) = compliance(2, 1) = -nrt / er;
  return compliance;
}

double young_modulus_along(const base::Material& material, const Vec3& direction) {
  if (!material.orthotropy) return material.young_modulus;
  const Vec3 along = axes_of(*material.orthotropy).transpose() * direction.normalized();
  // A stress of 1 along it, in the material's axes.
  Eigen::Matrix<double, 6, 1> stress;
  stress << along.cwiseProduct(along), along.y() * along.z(), along.x() * along.z(),
      along.x() * along.y();
  return 1.0 / stress.dot(orthotropic_compliance(*material.orthotropy) * stress);
}

Elasticity::Elasticity(const base::Material& material)
    : is_isotropic_(!material.orthotropy), lame_(lame_constants(material)) {
  if (is_isotropic_) return;
  const Matrix6 stiffness = orthotropic_compliance(*material.orthotropy).inverse();
  Matrix9 own;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) own(3 * i + j, 3 * k + l) = stiffness(voigt[i][j], voigt[k][l]);
  constants_ = turned(own, axes_of(*material.orthotropy));
}

void Elasticity::add_general(const std::array<double, 9>& products, Mat3& block) const {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          block(i, j) += constants_(3 * i + k, 3 * j + l) * products[3 * k + l];
}

double Elasticity::twice_energy(const Mat3& strain) const {
  if (is_isotropic_) {
    const double trace = strain.trace();
    return lame_.lambda * trace * trace + 2.0 * lame_.mu * strain.squaredNorm();
  }
  Eigen::Matrix<double, 9, 1> flat;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) flat[3 * i + j] = strain(i, j);
  return flat.dot(constants_ * flat);
}

}  // namespace peal::fem
