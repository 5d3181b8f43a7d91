#include <peal/base/spherical_waves.h>
#include <peal/listener/ambisonics.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::listener {

void ambisonic_gains(int order, const geometry::Vec3& direction, std::span<double> out) {
  const double length = direction.norm();
  const geometry::Vec3 toward =
      length > 0.0 ? geometry::Vec3(direction / length) : geometry::Vec3(0, 0, -1);
  base::spherical_harmonics(order, {-toward.z(), -toward.x(), toward.y()}, out);
  for (int l = 0; l <= order; ++l) {
    const double scale = std::sqrt(4.0 * std::numbers::pi / (2.0 * l + 1.0));
    const auto first = static_cast<std::size_t>(l) * static_cast<std::size_t>(l);
    for (std::size_t i = 0; i < 2 * static_cast<std::size_t>(l) + 1; ++i) out[first + i] *= scale;
  }
}

void AmbisonicChannel::filter(base::Rate, const geometry::Vec3& from, std::span<float> out) const {
  std::vector<double> gains(static_cast<std::size_t>(ambisonic_channels(order_)));
  ambisonic_gains(order_, from, gains);
  out[0] = static_cast<float>(gains[static_cast<std::size_t>(channel_)]);
}

}  // namespace peal::listener
