#include <peal/elastic/face_sampling.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace peal::elastic {

using geometry::Vec3;

namespace {

constexpr double broadside = 0.9;           ///< cosine of 26 degrees between a face and a plate
constexpr double narrow_share = 1.0 / 6.0;  ///< part of a face that touches a narrower obstacle
constexpr double narrowest_seen = 0.8;      ///< obstacle that six points cannot miss, over theirs
constexpr double thinnest_seen = 0.4;  ///< plate whose edge six points cannot miss, over theirs
constexpr double largest_part = 0.7;   ///< part of a face at a plate's edge, over the thickness
constexpr double most_cuts = 6.0;      ///< largest number of times that a face is cut in four

/// Six quadrature points of a triangle, exact up to degree 4 (Dunavant 1985, Int. J. Numer.
/// Meth. Eng. 21, 1129).
std::span<const FacePoint> face_points() {
  static const std::array<FacePoint, 6> points = [] {
    std::array<FacePoint, 6> all;
    const double near[2] = {0.445948490915965, 0.091576213509771};
    const double share[2] = {0.223381589678011, 0.109951743655322};
    for (int kind = 0; kind < 2; ++kind) {
      for (int k = 0; k < 3; ++k) {
        FacePoint& point = all[static_cast<std::size_t>(3 * kind + k)];
        point.weights = Vec3::Constant(near[kind]);
        point.weights[k] = 1.0 - 2.0 * near[kind];
        point.share = share[kind];
      }
    }
    return all;
  }();
  return points;
}

/// The point where a face is deepest in an obstacle. The search starts at the deepest of the six
/// points and goes along the face, each time by the distance of the obstacle plus half of its
/// width, or by less if that does not help.
FacePoint deepest_point(const geometry::Corners& corners, const MovingObstacle& obstacle) {
  constexpr int most_ways = 6;
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  FacePoint deepest{.share = narrow_share};
  double least = std::numeric_limits<double>::infinity();
  Vec3 slope = Vec3::Zero();
  const auto look = [&](const Vec3& weights) {
    Vec3 normal;
    const double gap = obstacle.distance(geometry::interpolate(corners, weights), normal);
    if (gap >= least) return false;
    least = gap;
    deepest.weights = weights;
    slope = obstacle.direction(normal);
    return true;
  };
  for (const FacePoint& point : face_points()) look(point.weights);
  for (int way = 0; way < most_ways; ++way) {
    const Vec3 along = slope - slope.dot(across) * across;
    const Vec3 from = geometry::interpolate(corners, deepest.weights);
    const Vec3 to = from - std::abs(least) * along;
    const Vec3 inside = to - 0.5 * obstacle.obstacle().width * along.normalized();
    if (!look(geometry::closest_barycentrics(corners, inside)) &&
        !look(geometry::closest_barycentrics(corners, to)))
      break;
  }
  return deepest;
}

/// Adds the centres that are inside of the obstacle, of the parts of a face that is cut in four
/// repeatedly. `part` holds the weights of the corners of the part. Returns a lower bound of the
/// distance of the obstacle from the others.
double add_centres(const geometry::Corners& corners, const geometry::Corners& part, int cuts,
                   double share, const MovingObstacle& obstacle, std::vector<FacePoint>& centres) {
  const Vec3 weights = (part[0] + part[1] + part[2]) / 3.0;
  const Vec3 centre = geometry::interpolate(corners, weights);
  Vec3 normal;
  const double gap = obstacle.distance(centre, normal);
  if (cuts == 0) {
    if (gap < 0.0) centres.push_back({weights, share});
    return gap;
  }
  double reach = 0.0;
  for (const Vec3& corner : part)
    reach = std::max(reach, (geometry::interpolate(corners, corner) - centre).norm());
  if (gap >= reach) return gap - reach;
  const Vec3 a = 0.5 * (part[1] + part[2]), b = 0.5 * (part[2] + part[0]),
             c = 0.5 * (part[0] + part[1]);
  double least = gap;
  for (const geometry::Corners& quarter :
       {geometry::Corners{part[0], c, b}, {part[1], a, c}, {part[2], b, a}, {a, b, c}}) {
    least =
        std::min(least, add_centres(corners, quarter, cuts - 1, 0.25 * share, obstacle, centres));
  }
  return least;
}

}  // namespace

std::span<const FacePoint> ContactPoints::points() const {
  return are_six ? face_points() : found;
}

FaceSampling::FaceSampling(const Obstacle& obstacle, double face_size)
    : is_narrow_(obstacle.width < narrowest_seen * face_size) {
  if (obstacle.thickness > 0.0 && obstacle.thickness < thinnest_seen * face_size) {
    const double cuts = std::ceil(std::log2(face_size / (largest_part * obstacle.thickness)));
    cuts_ = static_cast<int>(std::min(most_cuts, cuts));
  }
}

ContactPoints FaceSampling::points(const geometry::Corners& face,
                                   const MovingObstacle& obstacle) const {
  ContactPoints touched;
  if (is_narrow_) {
    touched.found.push_back(deepest_point(face, obstacle));
    touched.gap = 0.0;
    return touched;
  }
  touched.are_six = true;
  if (cuts_ == 0) return touched;
  const Vec3 across = (face[1] - face[0]).cross(face[2] - face[0]);
  const Vec3 thin = obstacle.direction(obstacle.obstacle().thin_axis);
  if (std::abs(across.dot(thin)) > broadside * across.norm()) return touched;
  touched.are_six = false;
  touched.gap = add_centres(face, {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}, cuts_, 1.0,
                            obstacle, touched.found);
  return touched;
}

}  // namespace peal::elastic
