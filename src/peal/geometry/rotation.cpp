#include <peal/geometry/rotation.h>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace peal::geometry {

Mat3 nearest_rotation(const Mat3& linear) {
  const Eigen::JacobiSVD<Mat3> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 rotation = svd.matrixU() * svd.matrixV().transpose();
  return rotation.determinant() < 0.0 ? Mat3(-rotation) : rotation;
}

}  // namespace peal::geometry
