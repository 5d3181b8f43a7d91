#pragma once

#include <peal/base/directional_response.h>

#include <span>

namespace peal::listener {

constexpr int ambisonic_channels(int order) {
  return (order + 1) * (order + 1);
}

/// Gains of the channels for sound from a direction, in a listener's frame: spherical harmonics in
/// the order and normalisation of AmbiX (ACN, SN3D; Nachbar et al. 2011), about the axes front,
/// left and up. `out` has ambisonic_channels(order) values.
void ambisonic_gains(int order, const geometry::Vec3& direction, std::span<double> out);

/// One channel, as a response without delay.
class AmbisonicChannel : public base::DirectionalResponse {
 public:
  AmbisonicChannel(int order, int channel) : order_(order), channel_(channel) {}
  std::size_t taps(base::Rate) const override { return 1; }
  std::size_t lead(base::Rate) const override { return 0; }
  void filter(base::Rate rate, const geometry::Vec3& from, std::span<float> out) const override;

 private:
  int order_, channel_;
};

}  // namespace peal::listener
