#include <peal/listener/direction_grid.h>
#include <peal/util/random.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace peal::listener {

using geometry::Vec3;

namespace {

using Triangle = std::array<std::size_t, 3>;

/// Measured directions lie on circles, so that many are in one plane. Raised by this much at most,
/// they are not, and all of them stay on the hull: neighbours a degree apart lie 4e-5 above chords.
constexpr double raise = 1e-7;

/// The convex hull of points, one after another: the faces that a point sees make room for a fan
/// from it to their rim.
std::vector<Triangle> convex_hull(std::span<const Vec3> points) {
  const auto height = [&](const Triangle& t, const Vec3& x) {
    return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]).dot(x - points[t[0]]);
  };
  // A tetrahedron of points far apart.
  Triangle base{0, 0, 0};
  std::size_t apex = 0;
  const auto farthest = [&](const auto& measure) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (measure(points[i]) > measure(points[best])) best = i;
    return best;
  };
  base[1] = farthest([&](const Vec3& x) { return (x - points[0]).norm(); });
  base[2] = farthest(
      [&](const Vec3& x) { return (points[base[1]] - points[0]).cross(x - points[0]).norm(); });
  apex = farthest([&](const Vec3& x) { return std::abs(height(base, x)); });
  if (height(base, points[apex]) > 0.0) std::swap(base[1], base[2]);
  std::vector<Triangle> faces{
      base, {base[1], base[0], apex}, {base[2], base[1], apex}, {base[0], base[2], apex}};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i == base[0] || i == base[1] || i == base[2] || i == apex) continue;
    std::map<std::pair<std::size_t, std::size_t>, bool> rim;
    std::erase_if(faces, [&](const Triangle& face) {
      if (height(face, points[i]) <= 0.0) return false;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t from = face[k], to = face[(k + 1) % 3];
        if (rim.erase({to, from}) == 0) rim[{from, to}] = true;
      }
      return true;
    });
    for (const auto& [edge, unused] : rim) faces.push_back({edge.first, edge.second, i});
  }
  return faces;
}

}  // namespace

DirectionGrid::DirectionGrid(std::vector<Vec3> directions) : directions_(std::move(directions)) {
  std::vector<Vec3> raised(directions_);
  for (std::size_t i = 0; i < raised.size(); ++i)
    raised[i] *= 1.0 + raise * util::random_uniform(1, 0, i);
  triangles_ = convex_hull(raised);
}

std::vector<double> DirectionGrid::weights() const {
  std::vector<double> result(directions_.size(), 0.0);
  double sum = 0.0;
  for (const Triangle& t : triangles_) {
    const double area =
        0.5 *
        (directions_[t[1]] - directions_[t[0]]).cross(directions_[t[2]] - directions_[t[0]]).norm();
    for (const std::size_t corner : t) result[corner] += area / 3.0;
    sum += area;
  }
  for (double& weight : result) weight /= sum;
  return result;
}

DirectionGrid::Place DirectionGrid::find(const Vec3& direction) const {
  // The triangle in which the direction lies deepest: shares within rounding of 0 may be negative.
  Place best{};
  double deepest = -1e300;
  for (const Triangle& t : triangles_) {
    const Vec3 &a = directions_[t[0]], &b = directions_[t[1]], &c = directions_[t[2]];
    const double u = b.cross(c).dot(direction), v = c.cross(a).dot(direction),
                 w = a.cross(b).dot(direction);
    const double sum = u + v + w;
    if (!(sum > 0.0)) continue;
    const double least = std::min({u, v, w}) / sum;
    if (least <= deepest) continue;
    deepest = least;
    best = {t, {u / sum, v / sum, w / sum}};
    if (least >= 0.0) break;
  }
  double sum = 0.0;
  for (double& share : best.shares) sum += share = std::max(share, 0.0);
  for (double& share : best.shares) share /= sum;
  return best;
}

}  // namespace peal::listener
