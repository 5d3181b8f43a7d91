#include <peal/elastic/side_search.h>
#include <peal/geometry/mesh/triangle.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double same_point = 1e-9;   ///< over the size of a face
constexpr double deepest_part = 0.5;  ///< largest depth of a point over the size of a face
constexpr double same_side = 0.5;     ///< cosine of 60 degrees between faces of one side
constexpr double face_to_face = 0.3;  ///< sine of 17 degrees by which touching faces are opposite

/// Whether a surface with the normals `looks` at a point faces a face with this normal.
bool faces_back(const std::vector<Vec3>& looks, const Vec3& normal) {
  return std::ranges::any_of(looks,
                             [&](const Vec3& look) { return look.dot(normal) < -face_to_face; });
}

}  // namespace

SideSearch::SideSearch(const ContactSurface& a, const Nodes& x, std::uint32_t sample,
                       const ContactSurface& b, const Nodes& y,
                       std::span<const std::uint32_t> faces)
    : a_(a),
      x_(x),
      sample_(sample),
      b_(b),
      y_(y),
      faces_(faces),
      at_(point_at(a.samples[sample].spot, x)) {}

NearestPoint SideSearch::nearest() const {
  NearestPoint found;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t f : faces_) {
    const geometry::Corners corners = corners_at(b_.faces[f].nodes, y_);
    const Vec3 weights = geometry::closest_barycentrics(corners, at_);
    const Vec3 way = geometry::interpolate(corners, weights) - at_;
    if (way.squaredNorm() >= least) continue;
    least = way.squaredNorm();
    found = {.face = f, .weights = weights, .way = way};
  }
  // Points that are deeper inside are not pushed out.
  const bool is_near = std::sqrt(least) <= deepest_part * b_.size;
  found.is_inside = is_near && is_behind(at_ + found.way, found.way);
  return found;
}

NearestPoint SideSearch::nearest_on_side(std::uint32_t side) const {
  assert(side != NearestPoint::none && "a side is a face");
  const Vec3 outward = outward_of(corners_at(b_.faces[side].nodes, y_)).normalized();
  NearestPoint found;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t f : faces_) {
    const geometry::Corners corners = corners_at(b_.faces[f].nodes, y_);
    const Vec3 normal = outward_of(corners);
    if (normal.dot(outward) < same_side * normal.norm()) continue;
    const Vec3 weights = geometry::closest_barycentrics(corners, at_);
    const Vec3 way = geometry::interpolate(corners, weights) - at_;
    if (way.squaredNorm() >= least) continue;
    least = way.squaredNorm();
    found = {.face = f, .weights = weights, .way = way};
    found.is_inside = way.dot(normal) >= same_side * way.norm() * normal.norm();
  }
  found.is_inside = found.is_inside && std::sqrt(least) <= deepest_part * b_.size;
  return found;
}

/// Whether the direction to a nearest point leads out of the surface there, by the normals of all
/// faces that share the point, weighted by their angles at it.
bool SideSearch::is_behind(const Vec3& point, const Vec3& way) const {
  Vec3 outward = Vec3::Zero();
  for (const std::uint32_t f : faces_) {
    const geometry::Corners c = corners_at(b_.faces[f].nodes, y_);
    const double near = b_.faces[f].reach;
    if ((c[0] - point).squaredNorm() > 16.0 * near * near) continue;  // twice as long as at rest
    const Vec3 weights = geometry::closest_barycentrics(c, point);
    const double apart = same_point * b_.faces[f].size;
    if ((geometry::interpolate(c, weights) - point).squaredNorm() > apart * apart) continue;
    double angle = std::numbers::pi;  // in the interior of a face and on its edges
    for (std::size_t k = 0; k < 3; ++k) {
      if ((c[k] - point).squaredNorm() > apart * apart) continue;
      const Vec3 one = c[(k + 1) % 3] - c[k], other = c[(k + 2) % 3] - c[k];
      angle = std::atan2(one.cross(other).norm(), one.dot(other));
    }
    outward += angle * outward_of(c).normalized();
  }
  return way.dot(outward) > 0.0;
}

/// Outward normals of a sample: those of the faces that contain it, then their mean.
std::vector<Vec3> SideSearch::looks() const {
  std::vector<Vec3> normals;
  Vec3 sum = Vec3::Zero();
  for (const std::uint32_t f : a_.around[sample_]) {
    const Vec3 outward = outward_of(corners_at(a_.faces[f].nodes, x_));
    sum += outward;
    normals.push_back(outward.normalized());
  }
  normals.push_back(sum.normalized());
  return normals;
}

/// The nearest of the faces that face the sample, lie less than `depth` above it, and are not
/// opposite in orientation to `from`; nor like it, if `is_other_side`.
NearestPoint SideSearch::nearest_facing(double depth, const Vec3& from, bool is_other_side) const {
  std::vector<Vec3> own_looks;
  NearestPoint found;
  for (const std::uint32_t f : faces_) {
    const geometry::Corners corners = corners_at(b_.faces[f].nodes, y_);
    const Vec3 outward = outward_of(corners);
    const double length = outward.norm(), above = outward.dot(corners[0] - at_);
    if (above < 0.0 || above >= depth * length) continue;
    const Vec3 normal = outward / length;
    const double alike = normal.dot(from);
    if (alike <= -same_side || (is_other_side && alike >= same_side)) continue;
    const Vec3 weights = geometry::closest_barycentrics(corners, at_);
    const Vec3 way = geometry::interpolate(corners, weights) - at_;
    const double distance = way.norm();
    if (distance >= depth || way.dot(normal) < same_side * distance) continue;
    if (own_looks.empty()) own_looks = looks();
    if (!faces_back(own_looks, normal)) continue;
    depth = distance;
    found = {.face = f, .weights = weights, .way = way, .is_inside = true};
  }
  return found;
}

std::uint32_t SideSearch::way_in(const NearestPoint& found) const {
  assert(found.is_inside && "only what is inside came in");
  const Vec3 normal = outward_of(corners_at(b_.faces[found.face].nodes, y_)).normalized();
  if (faces_back(looks(), normal)) return found.face;
  const NearestPoint facing = nearest_facing(deepest_part * b_.size, normal, false);
  return facing.is_inside ? facing.face : found.face;
}

NearestPoint SideSearch::nearer_side(const NearestPoint& now) const {
  const geometry::Corners corners = corners_at(b_.faces[now.face].nodes, y_);
  return nearest_facing(now.way.norm(), outward_of(corners).normalized(), true);
}

}  // namespace peal::elastic
