#include <peal/geometry/mesh/triangle.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::geometry {
namespace {

/// Parameter of the point nearest to p on the segment from a along `edge`.
double closest_on_segment(const Vec3& edge, const Vec3& a_to_p) {
  const double length2 = edge.squaredNorm();
  return length2 > 0.0 ? std::clamp(a_to_p.dot(edge) / length2, 0.0, 1.0) : 0.0;
}

/// The three edges in turn: for triangles without area, where the face region means nothing.
Vec3 closest_on_edges(const Corners& corners, const Vec3& p) {
  Vec3 best = Vec3::UnitX();
  double best_distance2 = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const double s = closest_on_segment(corners[next] - corners[k], p - corners[k]);
    Vec3 barycentrics = Vec3::Zero();
    barycentrics[k] = 1.0 - s;
    barycentrics[next] = s;
    const double distance2 = (interpolate(corners, barycentrics) - p).squaredNorm();
    if (distance2 < best_distance2) {
      best = barycentrics;
      best_distance2 = distance2;
    }
  }
  return best;
}

}  // namespace

Vec3 closest_barycentrics(const Corners& corners, const Vec3& p) {
  const auto& [a, b, c] = corners;
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {1, 0, 0};
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return {0, 1, 0};
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return {0, 0, 1};

  const double longest2 = std::max({ab.squaredNorm(), ac.squaredNorm(), (c - b).squaredNorm()});
  if (ab.cross(ac).squaredNorm() <= 1e-20 * longest2 * longest2) {
    return closest_on_edges(corners, p);
  }
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    const double s = d1 / (d1 - d3);
    return {1.0 - s, s, 0};
  }
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    const double s = d2 / (d2 - d6);
    return {1.0 - s, 0, s};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    const double s = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1.0 - s, s};
  }
  const double scale = 1.0 / (va + vb + vc);
  return {1.0 - (vb + vc) * scale, vb * scale, vc * scale};
}

double solid_angle(const Corners& corners, const Vec3& p) {
  const Vec3 a = corners[0] - p, b = corners[1] - p, c = corners[2] - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return 2.0 * std::atan2(numerator, denominator);
}

ShearedRay::ShearedRay(const Ray& ray) : origin_(ray.origin), t_min_(ray.t_min), t_max_(ray.t_max) {
  int largest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(ray.direction[k]) > std::abs(ray.direction[largest])) largest = k;
  axis_ = {(largest + 1) % 3, (largest + 2) % 3, largest};
  if (ray.direction[largest] < 0.0) std::swap(axis_[0], axis_[1]);
  const double along = ray.direction[largest];
  shear_ = {ray.direction[axis_[0]] / along, ray.direction[axis_[1]] / along, 1.0 / along};
}

std::optional<ShearedRay::Hit> ShearedRay::intersect(const Corners& corners) const {
  std::array<double, 3> x, y, z;
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = corners[k] - origin_;
    const double along = d[axis_[2]];
    x[k] = d[axis_[0]] - shear_[0] * along;
    y[k] = d[axis_[1]] - shear_[1] * along;
    z[k] = shear_[2] * along;
  }
  const double u = x[2] * y[1] - y[2] * x[1];
  const double v = x[0] * y[2] - y[0] * x[2];
  const double w = x[1] * y[0] - y[1] * x[0];
  if ((u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0)) return std::nullopt;
  const double determinant = u + v + w;
  if (determinant == 0.0) return std::nullopt;
  const Vec3 barycentrics = Vec3(u, v, w) / determinant;
  const double t = barycentrics.dot(Vec3(z[0], z[1], z[2]));
  if (!(t >= t_min_ && t <= t_max_)) return std::nullopt;
  return Hit{t, barycentrics};
}

}  // namespace peal::geometry
