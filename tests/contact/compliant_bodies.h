#pragma once

#include <peal/base/contact_compliance.h>
#include <peal/base/impact_law.h>
#include <peal/contact/hertz.h>
#include <peal/contact/impact_law.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

/// Bodies for tests of the impact law whose modes are known by formula.
namespace peal::contact {

using base::Vec3;

inline constexpr double tau_circle = 2.0 * std::numbers::pi;

/// Modes that are told by a list and a function of the point.
class ToldCompliance : public base::ContactCompliance {
 public:
  using Gains = std::function<Eigen::Matrix3Xf(const Vec3&)>;
  ToldCompliance(std::vector<base::Mode> modes, Gains gains, double cut = 0.0,
                 const geometry::Mat3& mobility = geometry::Mat3::Zero())
      : modes_(std::move(modes)), gains_(std::move(gains)), cut_(cut), mobility_(mobility) {}

  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return cut_; }
  Point at(const Vec3& point) const override {
    Point result{.gains = gains_(point), .mobility = mobility_};
    result.unknown = base::unknown_modes(modes_, result.gains, cut_);
    return result;
  }

 private:
  std::vector<base::Mode> modes_;
  Gains gains_;
  double cut_;
  geometry::Mat3 mobility_;
};

/// Simply supported at its edges and struck in the middle, along y: only modes of odd numbers
/// move there. Bending after Kirchhoff, up to a frequency.
inline std::shared_ptr<ToldCompliance> supported_plate(double side, double thickness,
                                                       const base::Material& material,
                                                       double highest, double cut = 0.0) {
  const double rigidity = material.young_modulus * std::pow(thickness, 3) /
                          (12.0 * (1.0 - std::pow(material.poisson_ratio, 2)));
  const double weight = material.density * thickness;
  const double unit = 0.5 * std::numbers::pi * std::sqrt(rigidity / weight) / (side * side);
  std::vector<base::Mode> modes;
  for (int m = 1; unit * (m * m + 1) <= highest; m += 2)
    for (int n = 1; unit * (m * m + n * n) <= highest; n += 2)
      modes.push_back({.frequency = unit * (m * m + n * n)});
  const auto count = static_cast<Eigen::Index>(modes.size());
  const auto gain = static_cast<float>(2.0 / std::sqrt(weight * side * side));
  return std::make_shared<ToldCompliance>(
      std::move(modes),
      [count, gain](const Vec3&) {
        Eigen::Matrix3Xf gains = Eigen::Matrix3Xf::Zero(3, count);
        gains.row(1).setConstant(gain);
        return gains;
      },
      cut);
}

/// A free ball above the point that it falls on.
inline base::ImpactBody falling_ball(std::uint32_t body, double radius, double density,
                                     double speed) {
  const double mass = density * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
  base::ImpactBody ball{.body = body};
  ball.pose.position = ball.centre = Vec3(0, radius, 0);
  ball.velocity = Vec3(0, -speed, 0);
  ball.inverse_mass = 1.0 / mass;
  ball.inverse_inertia = geometry::Mat3::Identity() / (0.4 * mass * radius * radius);
  return ball;
}

}  // namespace peal::contact
