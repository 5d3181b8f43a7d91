#include <peal/geometry/mesh/enclosing_ball.h>

#include <algorithm>
#include <cmath>

namespace peal::geometry {

namespace {

std::size_t farthest_from(std::span<const Vec3> points, const Vec3& centre) {
  std::size_t farthest = 0;
  double most = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double square = (points[i] - centre).squaredNorm();
    if (square > most) most = square, farthest = i;
  }
  return farthest;
}

}  // namespace

Ball enclosing_ball(std::span<const Vec3> points, double tolerance) {
  if (points.empty()) return {};
  Box box;
  for (const Vec3& point : points) box.extend(point);
  Ball best{box.center(), 0.0};
  Vec3 centre = best.centre;
  best.radius = (points[farthest_from(points, centre)] - centre).norm();
  // The centre after i steps is within 1 / sqrt(i) of the radius, in practice far nearer.
  const int steps = std::max(16, static_cast<int>(std::ceil(1.0 / tolerance)));
  for (int i = 1; i <= steps; ++i) {
    const Vec3& far = points[farthest_from(points, centre)];
    const double radius = (far - centre).norm();
    if (radius < best.radius) best = {centre, radius};
    centre += (far - centre) / (i + 1.0);
  }
  return best;
}

}  // namespace peal::geometry
