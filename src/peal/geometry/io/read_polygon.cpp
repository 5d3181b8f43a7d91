#include <peal/geometry/io/read_polygon.h>

#include <cmath>
#include <limits>

namespace peal::geometry {

std::string_view PolygonTriangulator::append(std::span<const std::uint32_t> corners,
                                             std::span<const Vec3> vertices,
                                             std::vector<Triangle>& out) {
  if (corners.size() == 3) {
    out.push_back({corners[0], corners[1], corners[2]});
    return {};
  }
  if (!project(corners, vertices)) return "is too large for its area to be computed";
  if (is_strictly_convex()) {
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
      out.push_back({corners[0], corners[k], corners[k + 1]});
    }
    return {};
  }
  if (corners.size() > max_corners) return "has more than 4096 corners and is not convex";
  const std::size_t before = out.size();
  if (clip_ears(out)) return {};
  out.resize(before);
  return "crosses itself";
}

/// Drops the coordinate in which the area vector (Newell's method) is largest, so that the polygon
/// runs counter-clockwise in the other two.
bool PolygonTriangulator::project(std::span<const std::uint32_t> corners,
                                  std::span<const Vec3> vertices) {
  const Vec3& origin = vertices[corners[0]];
  Vec3 area = Vec3::Zero();
  Vec3 covered = Vec3::Zero();  // the same without signs
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    const Vec3 part = (vertices[corners[k]] - origin).cross(vertices[corners[k + 1]] - origin);
    area += part;
    covered += part.cwiseAbs();
  }
  if (!covered.allFinite()) return false;

  // An outline like an 8 has no area to go by, but must not be taken for a line.
  const bool cancels = area.cwiseAbs().maxCoeff() <= 1e-12 * covered.maxCoeff();
  Eigen::Index axis = 0;
  (cancels ? covered : area).cwiseAbs().maxCoeff(&axis);
  Eigen::Index u = (axis + 1) % 3;
  Eigen::Index v = (axis + 2) % 3;
  if (area[axis] < 0.0) std::swap(u, v);

  const auto count = static_cast<std::uint32_t>(corners.size());
  polygon_.clear();
  for (std::uint32_t k = 0; k < count; ++k) {
    const Vec3& position = vertices[corners[k]];
    polygon_.push_back({.u = position[u],
                        .v = position[v],
                        .vertex = corners[k],
                        .previous = k == 0 ? count - 1 : k - 1,
                        .next = k + 1 == count ? 0 : k + 1,
                        .reflex = false,
                        .ear = false});
  }
  return true;
}

int PolygonTriangulator::turn(const Corner& a, const Corner& b, const Corner& c) {
  const double left = (b.u - a.u) * (c.v - a.v);
  const double right = (b.v - a.v) * (c.u - a.u);
  const double tolerance =
      4.0 * std::numeric_limits<double>::epsilon() * (std::abs(left) + std::abs(right));
  const double area = left - right;
  if (area > tolerance) return 1;
  return area < -tolerance ? -1 : 0;
}

int PolygonTriangulator::turn_at(const Corner& corner) const {
  return turn(polygon_[corner.previous], corner, polygon_[corner.next]);
}

/// Every corner turns left and the outline goes round once: a star also turns left everywhere, but
/// its edges change between rising and falling more than twice.
bool PolygonTriangulator::is_strictly_convex() const {
  const auto rises = [&](const Corner& from) {
    const Corner& to = polygon_[from.next];
    return to.u != from.u ? to.u > from.u : to.v > from.v;
  };
  int changes = 0;
  for (const Corner& corner : polygon_) {
    if (turn_at(corner) <= 0) return false;
    changes += rises(corner) != rises(polygon_[corner.next]);
  }
  return changes <= 2;
}

/// No other corner lies in the triangle or on its edge. Corners at the same place as one of the
/// triangle's do not count: they come from holes joined to the outline.
bool PolygonTriangulator::is_ear(std::uint32_t index) const {
  const Corner& b = polygon_[index];
  const Corner& a = polygon_[b.previous];
  const Corner& c = polygon_[b.next];
  if (turn(a, b, c) <= 0) return false;
  const auto coincide = [](const Corner& p, const Corner& q) { return p.u == q.u && p.v == q.v; };
  for (std::uint32_t k = c.next; k != b.previous; k = polygon_[k].next) {
    const Corner& p = polygon_[k];
    if (!p.reflex || coincide(p, a) || coincide(p, b) || coincide(p, c)) continue;
    if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
  }
  return true;
}

void PolygonTriangulator::update(std::uint32_t index) {
  Corner& corner = polygon_[index];
  corner.reflex = turn_at(corner) <= 0;
  corner.ear = !corner.reflex && is_ear(index);
}

/// Cuts a corner off and returns where to go on.
std::uint32_t PolygonTriangulator::clip(std::uint32_t index, std::vector<Triangle>& out) {
  const Corner corner = polygon_[index];
  Corner& before = polygon_[corner.previous];
  Corner& after = polygon_[corner.next];
  out.push_back({before.vertex, corner.vertex, after.vertex});
  before.next = corner.next;
  after.previous = corner.previous;
  update(corner.previous);
  update(corner.next);
  return after.next;
}

bool PolygonTriangulator::clip_ears(std::vector<Triangle>& out) {
  for (Corner& corner : polygon_) corner.reflex = turn_at(corner) <= 0;
  const auto count = static_cast<std::uint32_t>(polygon_.size());
  for (std::uint32_t k = 0; k < count; ++k) polygon_[k].ear = is_ear(k);

  std::uint32_t at = 0;
  for (std::uint32_t left = count; left > 3; --left) {
    std::uint32_t tried = 0;
    for (; tried < left && !polygon_[at].ear; ++tried) at = polygon_[at].next;
    // Without an ear, only a corner that bounds no area may go.
    if (tried == left) {
      for (tried = 0; tried < left && turn_at(polygon_[at]) != 0; ++tried) at = polygon_[at].next;
      if (tried == left) return false;
    }
    at = clip(at, out);
  }
  const Corner& last = polygon_[at];
  out.push_back({polygon_[last.previous].vertex, last.vertex, polygon_[last.next].vertex});
  return turn_at(last) >= 0;
}

}  // namespace peal::geometry
