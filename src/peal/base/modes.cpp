#include <peal/base/modes.h>

#include <algorithm>

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

void ModalModel::keep_lowest(std::size_t count) {
  if (count >= modes.size()) return;
  modes.resize(count);
  shapes.conservativeResize(shapes.rows(), static_cast<Eigen::Index>(count));
}

std::size_t count_up_to(const std::vector<Mode>& modes, double frequency) {
  return static_cast<std::size_t>(std::ranges::upper_bound(modes, frequency, {}, &Mode::frequency) -
                                  modes.begin());
}

}  // namespace peal::base
