#include <peal/scene/body_mass.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::scene {

namespace {

using geometry::MassProperties;
using geometry::Vec2;

MassProperties mass_of_shape(const BallShape& ball, double density) {
  MassProperties result{.volume = 4.0 / 3.0 * std::numbers::pi * std::pow(ball.radius, 3)};
  result.mass = density * result.volume;
  result.centre = ball.centre;
  result.inertia = 0.4 * result.mass * ball.radius * ball.radius * geometry::Mat3::Identity();
  return result;
}

/// Discs of radius r at the heights y of the section's sides: of each side
/// the integrals of r^2, r^2 y, r^2 y^2 and r^4 over y, exact with three points of Gauss.
MassProperties mass_of_shape(const TurnedShape& turned, double density) {
  static const double far = std::sqrt(0.6);
  const std::array<double, 3> at = {0.5 - 0.5 * far, 0.5, 0.5 + 0.5 * far};
  constexpr std::array<double, 3> weight = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  double volume = 0.0, first = 0.0, second = 0.0, fourth = 0.0;
  const geometry::Polygon& section = turned.section;
  for (std::size_t i = 0; i < section.size(); ++i) {
    const Vec2 &a = section[i], &b = section[(i + 1) % section.size()];
    for (int k = 0; k < 3; ++k) {
      const Vec2 p = a + at[k] * (b - a);
      const double disc = weight[k] * (b.y() - a.y()) * p.x() * p.x();
      volume += disc;
      first += disc * p.y();
      second += disc * p.y() * p.y();
      fourth += disc * p.x() * p.x();
    }
  }
  // Sections may be given in either sense.
  const double scale = std::copysign(density * std::numbers::pi, volume);
  const double mass = scale * volume, middle = first / volume;
  const double along = 0.5 * scale * fourth;
  const double across = 0.5 * along + scale * second - mass * middle * middle;
  const geometry::Mat3 turn = turned.turn.toRotationMatrix();
  return {.volume = mass / density,
          .mass = mass,
          .centre = turned.centre + turn * geometry::Vec3(0.0, middle, 0.0),
          .inertia = turn * geometry::Vec3(across, along, across).asDiagonal() * turn.transpose()};
}

}  // namespace

MassProperties body_mass(const Object& object) {
  const double density = object.material->density;
  // A hollow ball collides as a ball.
  if (object.collision_shape && !object.shell) {
    if (const auto* ball = std::get_if<BallShape>(&*object.collision_shape))
      return mass_of_shape(*ball, density);
    if (const auto* turned = std::get_if<TurnedShape>(&*object.collision_shape))
      return mass_of_shape(*turned, density);
  }
  return geometry::mass_properties(*object.mesh, density);
}

}  // namespace peal::scene
