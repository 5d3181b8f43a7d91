#include <peal/fem/quadrature.h>
#include <peal/vibration/contact_patch.h>

#include <cmath>
#include <numbers>

namespace peal::vibration {

using geometry::Vec3;

std::vector<PatchPoint> contact_patch(const Vec3& middle, const Vec3& normal, double radius) {
  if (!(radius > 0.0)) return {{middle, 1.0}};
  constexpr int rings = 7, spokes = 32;
  static const fem::Quadrature rule = fem::gauss_legendre(rings);
  const Vec3 across = normal.unitOrthogonal(), along = normal.cross(across).normalized();
  std::vector<PatchPoint> points;
  for (std::size_t i = 0; i < rule.points.size(); ++i) {
    // With u = sqrt(1 - (r / a)^2) the pressure over r dr is 3 u^2 du.
    const double u = 0.5 * (1.0 + rule.points[i]);
    const double r = radius * std::sqrt(1.0 - u * u);
    const double weight = 0.5 * rule.weights[i] * 3.0 * u * u / spokes;
    for (int k = 0; k < spokes; ++k) {
      const double angle = 2.0 * std::numbers::pi * (k + 0.5) / spokes;
      points.push_back({middle + r * (std::cos(angle) * across + std::sin(angle) * along), weight});
    }
  }
  return points;
}

}  // namespace peal::vibration
