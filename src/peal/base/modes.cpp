#include <peal/base/modes.h>

namespace peal::base {

Eigen::Matrix3Xf ModalModel::shapes_at(std::uint32_t triangle,
                                       const geometry::Vec3& barycentrics) const {
  Eigen::Matrix3Xf sum = Eigen::Matrix3Xf::Zero(3, shapes.cols());
  const geometry::Triangle& corners = surface.triangles[triangle];
  for (int k = 0; k < 3; ++k) {
    sum += static_cast<float>(barycentrics[k]) *
           shapes.middleRows<3>(3 * static_cast<Eigen::Index>(corners[k]));
  }
  return sum;
}

}  // namespace peal::base
