#include <peal/base/contact_compliance.h>

#include <cmath>
#include <numbers>

namespace peal::base {

geometry::Mat3 unknown_modes(const std::vector<Mode>& modes, const Eigen::Matrix3Xf& gains,
                             double cut) {
  geometry::Mat3 sum = geometry::Mat3::Zero();
  if (!(cut > 0.0)) return sum;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double w = 2.0 * std::numbers::pi * modes[k].frequency;
    if (w <= 0.5 * cut || w > cut) continue;
    const geometry::Vec3 gain = gains.col(static_cast<Eigen::Index>(k)).cast<double>();
    sum += gain * gain.transpose();
  }
  return sum / (0.5 * cut);
}

geometry::Mat3 plate_mobility(const geometry::Vec3& normal, double thickness, double young_modulus,
                              double poisson_ratio, double density) {
  const double stiffness = young_modulus * thickness * thickness * thickness /
                           (12.0 * (1.0 - poisson_ratio * poisson_ratio));
  return normal * normal.transpose() / (8.0 * std::sqrt(stiffness * density * thickness));
}

}  // namespace peal::base
