#include <peal/elastic/surface_contact.h>
#include <peal/geometry/triangle.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

// Whether a point is inside of another surface, and which side of that it belongs to.

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double same_point = 1e-9;   ///< of the size of a face
constexpr double deepest_part = 0.5;  ///< of a face's size that a point may be inside
constexpr double same_side = 0.5;     ///< cosine of 60 degrees between faces that look alike
constexpr double face_to_face = 0.3;  ///< sine of 17 degrees that faces which touch look back by

}  // namespace

SurfaceContact::Nearest SurfaceContact::nearest(const Meeting& meeting, const State& state) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface &a = surfaces_[pair.solid], &b = surfaces_[pair.other];
  const Nodes& y = state.position[pair.other];
  const Vec3 at = point_at(a.samples[meeting.sample].spot, state.position[pair.solid]);
  Nearest found;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, y);
    const Vec3 weights = geometry::closest_barycentrics(corners, at);
    const Vec3 way = geometry::interpolate(corners, weights) - at;
    if (way.squaredNorm() >= least) continue;
    least = way.squaredNorm();
    found = {.face = f, .weights = weights, .way = way};
  }
  // Farther inside nothing is pushed out.
  const bool is_near = std::sqrt(least) <= deepest_part * b.size;
  found.is_inside = is_near && is_behind(meeting, state, at + found.way, found.way);
  return found;
}

/// On faces that look as `side` does; inside only if the way out is about across them.
SurfaceContact::Nearest SurfaceContact::nearest_on_side(const Meeting& meeting, const State& state,
                                                        std::uint32_t side) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface &a = surfaces_[pair.solid], &b = surfaces_[pair.other];
  const Nodes& y = state.position[pair.other];
  const Vec3 at = point_at(a.samples[meeting.sample].spot, state.position[pair.solid]);
  const Vec3 outward = outward_of(corners_at(b.faces[side].nodes, y)).normalized();
  Nearest found;
  double least = std::numeric_limits<double>::infinity();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, y);
    const Vec3 normal = outward_of(corners);
    if (normal.dot(outward) < same_side * normal.norm()) continue;
    const Vec3 weights = geometry::closest_barycentrics(corners, at);
    const Vec3 way = geometry::interpolate(corners, weights) - at;
    if (way.squaredNorm() >= least) continue;
    least = way.squaredNorm();
    found = {.face = f, .weights = weights, .way = way};
    found.is_inside = way.dot(normal) >= same_side * way.norm() * normal.norm();
  }
  found.is_inside = found.is_inside && std::sqrt(least) <= deepest_part * b.size;
  return found;
}

/// Whether the way to a nearest point leads out of the surface there: normals of all faces that
/// share the point, by the angles that they have at it.
bool SurfaceContact::is_behind(const Meeting& meeting, const State& state, const Vec3& point,
                               const Vec3& way) const {
  const Surface& b = surfaces_[pairs_[meeting.pair].other];
  Vec3 outward = Vec3::Zero();
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners c =
        corners_at(b.faces[f].nodes, state.position[pairs_[meeting.pair].other]);
    const double near = b.faces[f].reach;
    if ((c[0] - point).squaredNorm() > 16.0 * near * near) continue;  // twice as long as at rest
    const Vec3 weights = geometry::closest_barycentrics(c, point);
    const double apart = same_point * b.faces[f].size;
    if ((geometry::interpolate(c, weights) - point).squaredNorm() > apart * apart) continue;
    double angle = std::numbers::pi;  // inside of a face and on its edges
    for (std::size_t k = 0; k < 3; ++k) {
      if ((c[k] - point).squaredNorm() > apart * apart) continue;
      const Vec3 one = c[(k + 1) % 3] - c[k], other = c[(k + 2) % 3] - c[k];
      angle = std::atan2(one.cross(other).norm(), one.dot(other));
    }
    outward += angle * outward_of(c).normalized();
  }
  return way.dot(outward) > 0.0;
}

/// Where a sample itself looks: outward normals of the faces that it is part of, then their mean.
std::vector<Vec3> SurfaceContact::looks_of(const Meeting& meeting, const State& state) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface& a = surfaces_[pair.solid];
  std::vector<Vec3> looks;
  Vec3 sum = Vec3::Zero();
  for (const std::uint32_t f : a.around[meeting.sample]) {
    const Vec3 outward = outward_of(corners_at(a.faces[f].nodes, state.position[pair.solid]));
    sum += outward;
    looks.push_back(outward.normalized());
  }
  looks.push_back(sum.normalized());
  return looks;
}

bool SurfaceContact::looks_back(const std::vector<Vec3>& looks, const Vec3& normal) {
  return std::ranges::any_of(looks,
                             [&](const Vec3& look) { return look.dot(normal) < -face_to_face; });
}

/// The nearest of the faces that look back at the sample, lie less than `depth` above it, and look
/// not the other way than `from` does; nor as that, if `is_other_side`.
SurfaceContact::Nearest SurfaceContact::nearest_facing(const Meeting& meeting, const State& state,
                                                       double depth, const Vec3& from,
                                                       bool is_other_side) const {
  const Pair& pair = pairs_[meeting.pair];
  const Surface& b = surfaces_[pair.other];
  const Vec3 at =
      point_at(surfaces_[pair.solid].samples[meeting.sample].spot, state.position[pair.solid]);
  std::vector<Vec3> looks;
  Nearest found;
  for (const std::uint32_t f : meeting.faces) {
    const geometry::Corners corners = corners_at(b.faces[f].nodes, state.position[pair.other]);
    const Vec3 outward = outward_of(corners);
    const double length = outward.norm(), above = outward.dot(corners[0] - at);
    if (above < 0.0 || above >= depth * length) continue;
    const Vec3 normal = outward / length;
    const double alike = normal.dot(from);
    if (alike <= -same_side || (is_other_side && alike >= same_side)) continue;
    const Vec3 weights = geometry::closest_barycentrics(corners, at);
    const Vec3 way = geometry::interpolate(corners, weights) - at;
    const double distance = way.norm();
    if (distance >= depth || way.dot(normal) < same_side * distance) continue;
    if (looks.empty()) looks = looks_of(meeting, state);
    if (!looks_back(looks, normal)) continue;
    depth = distance;
    found = {.face = f, .weights = weights, .way = way, .is_inside = true};
  }
  return found;
}

/// The face that a sample belongs to which is found inside near one. Where two bodies lie on each
/// other and one slides, points of the other pass the edge of what lies on them: then they are
/// nearest to a side that their own surface does not look at, and belong to the one that it does.
/// Where there is none they came in through the nearest.
std::uint32_t SurfaceContact::way_in(const Meeting& meeting, const State& state,
                                     const Nearest& found) const {
  const std::size_t other = pairs_[meeting.pair].other;
  const Surface& b = surfaces_[other];
  const Vec3 normal =
      outward_of(corners_at(b.faces[found.face].nodes, state.position[other])).normalized();
  if (looks_back(looks_of(meeting, state), normal)) return found.face;
  const Nearest facing = nearest_facing(meeting, state, deepest_part * b.size, normal, false);
  return facing.is_inside ? facing.face : found.face;
}

/// Another side than the one that a sample is on, if it looks at that and is less deep in it, as at
/// the edge of a step. The far side of a wall is none.
SurfaceContact::Nearest SurfaceContact::nearer_side(const Meeting& meeting, const State& state,
                                                    const Nearest& now) const {
  const std::size_t other = pairs_[meeting.pair].other;
  const geometry::Corners corners =
      corners_at(surfaces_[other].faces[now.face].nodes, state.position[other]);
  return nearest_facing(meeting, state, now.way.norm(), outward_of(corners).normalized(), true);
}

}  // namespace peal::elastic
