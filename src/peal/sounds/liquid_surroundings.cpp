#include <peal/sounds/liquid_surroundings.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::sounds {

using base::Vec3;

/// A search on circles around the point above the bubble: a crater is wider than the bubble is
/// deep.
Vec3 LiquidSurroundings::surface_point(const Vec3& position, double t) const {
  const double level = liquid_.level_at(t);
  const auto at = [&](double x, double z) {
    return Vec3(x, level + liquid_.height_of_craters({x, z}, t), z);
  };
  Vec3 best = at(position.x(), position.z());
  if (!liquid_.has_craters(t)) return best;
  double nearest = (best - position).norm();
  double reach = nearest;
  constexpr int directions = 16, refinements = 12;
  Vec3 from = best;
  for (int i = 0; i < refinements; ++i, reach *= 0.5) {
    const Vec3 middle = from;
    for (int k = 0; k < directions; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / directions;
      const Vec3 point = at(middle.x() + 0.5 * reach * std::cos(angle),
                            middle.z() + 0.5 * reach * std::sin(angle));
      const double distance = (point - position).norm();
      if (distance >= nearest) continue;
      nearest = distance;
      best = from = point;
    }
  }
  return best;
}

double LiquidSurroundings::depth(const Vec3& position, double t) const {
  const double above =
      liquid_.level_at(t) + liquid_.height_of_craters({position.x(), position.z()}, t);
  const double distance = (surface_point(position, t) - position).norm();
  return position.y() < above ? distance : -distance;
}

double LiquidSurroundings::head(const Vec3& position, double t) const {
  return std::max(0.0, liquid_.level_at(t) - position.y());
}

/// The nearest point of the profile of the container.
double LiquidSurroundings::wall_distance(const Vec3& position, double) const {
  const scene::Vec2 at(std::hypot(position.x(), position.z()), position.y());
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < liquid_.container.size(); ++i) {
    const scene::Vec2 &a = liquid_.container[i - 1], &b = liquid_.container[i];
    const double length = (b - a).squaredNorm();
    const double along = length > 0.0 ? std::clamp((at - a).dot(b - a) / length, 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (a + along * (b - a) - at).norm());
  }
  return nearest;
}

}  // namespace peal::sounds
