#include <peal/base/orthotropy.h>
#include <peal/fem/elasticity.h>

namespace peal::fem {

namespace {

using geometry::Mat3;
using geometry::Vec3;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

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

double young_modulus_along(const base::Material& material, const Vec3& direction) {
  if (!material.orthotropy) return material.young_modulus;
  const Vec3 along = axes_of(*material.orthotropy).transpose() * direction.normalized();
  // A stress of 1 along it, in the material's axes.
  Eigen::Matrix<double, 6, 1> stress;
  stress << along.cwiseProduct(along), along.y() * along.z(), along.x() * along.z(),
      along.x() * along.y();
  return 1.0 / stress.dot(base::compliance(*material.orthotropy) * stress);
}

Elasticity::Elasticity(const base::Material& material)
    : is_isotropic_(!material.orthotropy), lame_(lame_constants(material)) {
  if (is_isotropic_) return;
  constants_ = turned(base::stiffness(*material.orthotropy), axes_of(*material.orthotropy));
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
