#include <peal/geometry/mesh/rotation.h>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace peal::geometry {

Mat3 nearest_rotation(const Mat3& linear) {
  const Eigen::JacobiSVD<Mat3> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 rotation = svd.matrixU() * svd.matrixV().transpose();
  return rotation.determinant() < 0.0 ? Mat3(-rotation) : rotation;
}

Quat least_turn(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  // 1 + cos, without loss where they are nearly opposite.
  const double w = 0.5 * (a + b).squaredNorm();
  Vec3 axis = a.cross(b);
  axis -= a.dot(axis) * a;                   // rounding, if they are nearly opposite
  if (w < 1e-30) axis = a.unitOrthogonal();  // opposite, but for rounding
  return Quat(w, axis.x(), axis.y(), axis.z()).normalized();
}

}  // namespace peal::geometry
