#include <peal/base/layer_integrals.h>

#include <cmath>

namespace peal::base {

using geometry::Vec3;

LayerIntegrals::LayerIntegrals(const geometry::Corners& corners, const Vec3& point) {
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const double twice_area = normal.norm();
  const Vec3 n = normal / twice_area;
  const double height = n.dot(corners[0] - point);
  const double whole = geometry::solid_angle(corners, point);
  // grad hat_k runs from the opposite edge to the corner: n x edge / twice_area. The part of the
  // dipole layer that varies over the triangle is height x grad hat . integral of (y - x) / R^3 in
  // the plane, which are lines along the edges.
  Vec3 lines = Vec3::Zero();
  inverse_distance = -std::abs(height * whole);
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = corners[k] - point, b = corners[(k + 1) % 3] - point;
    const Vec3 edge = b - a;
    const double length = edge.norm();
    const Vec3 along = edge / length, out = along.cross(n);
    // The integral of 1 / R along the edge.
    const double from = a.norm() + a.dot(along), to = b.norm() + b.dot(along);
    const double back_from = a.norm() - a.dot(along), back_to = b.norm() - b.dot(along);
    const double line = from > back_to ? std::log(to / from) : std::log(back_from / back_to);
    if (!std::isfinite(line)) continue;  // on the edge
    inverse_distance += a.dot(out) * line;
    lines -= out * line;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 edge = corners[(k + 2) % 3] - corners[(k + 1) % 3];
    const Vec3 slope = n.cross(edge) / twice_area;
    const double at_foot = 1.0 + slope.dot(point - corners[k]);
    solid_angles[k] = at_foot * whole + height * slope.dot(lines);
  }
}

}  // namespace peal::base
