#include <peal/elastic/contact.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

// Where obstacles touch faces of solids, and how they press them.

namespace peal::elastic {

using geometry::Vec3;

namespace {

constexpr double broadside = 0.9;           ///< cosine of 26 degrees between a face and a plate
constexpr double narrow_share = 1.0 / 6.0;  ///< of a face, that meets what is narrower

}  // namespace

/// Six points of a triangle, exact for polynomials up to degree 4 (Dunavant 1985, Int. J. Numer.
/// Meth. Eng. 21, 1129).
std::span<const ObstacleContact::FacePoint> ObstacleContact::face_points() {
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

/// Where a face is deepest in an obstacle: from the deepest of its six points along the face, each
/// time as far as the obstacle is away, and half of its width on, or else not so far.
ObstacleContact::FacePoint ObstacleContact::deepest_point(const Face& face, const Mover& mover,
                                                          const Nodes& x) const {
  constexpr int most_ways = 6;
  const geometry::Corners corners = {x.at(face.nodes[0]), x.at(face.nodes[1]), x.at(face.nodes[2])};
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  FacePoint deepest{.share = narrow_share};
  double least = std::numeric_limits<double>::infinity();
  Vec3 slope = Vec3::Zero();
  const auto look = [&](const Vec3& weights) {
    Vec3 normal;
    const Vec3 at = mover.pose.to_local(geometry::interpolate(corners, weights));
    const double gap = mover.obstacle.shape->distance(at, normal);
    if (gap >= least) return false;
    least = gap;
    deepest.weights = weights;
    slope = mover.pose.orientation * normal;
    return true;
  };
  for (const FacePoint& point : face_points()) look(point.weights);
  for (int way = 0; way < most_ways; ++way) {
    const Vec3 along = slope - slope.dot(across) * across;
    const Vec3 from = geometry::interpolate(corners, deepest.weights);
    const Vec3 to = from - std::abs(least) * along;
    const Vec3 inside = to - 0.5 * mover.obstacle.width * along.normalized();
    if (!look(geometry::closest_barycentrics(corners, inside)) &&
        !look(geometry::closest_barycentrics(corners, to)))
      break;
  }
  return deepest;
}

/// Centres of the parts of a face that is cut in four again and again, those that are inside.
/// `part` are weights of its corners. Returns how far the obstacle is away from others, at least.
double ObstacleContact::add_centres(const geometry::Corners& corners, const geometry::Corners& part,
                                    int cuts, double share, const Mover& mover,
                                    std::vector<FacePoint>& centres) const {
  const Vec3 weights = (part[0] + part[1] + part[2]) / 3.0;
  const Vec3 centre = geometry::interpolate(corners, weights);
  Vec3 normal;
  const double gap = mover.obstacle.shape->distance(mover.pose.to_local(centre), normal);
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
    least = std::min(least, add_centres(corners, quarter, cuts - 1, 0.25 * share, mover, centres));
  }
  return least;
}

/// Where an obstacle may touch a face: at its six points; if it is thin and stands against the
/// face, at the centres of parts that are smaller than it is thin; or only where it is deepest.
ObstacleContact::TouchedPoints ObstacleContact::touched_points(const Face& face, const Mover& mover,
                                                               std::size_t solid,
                                                               const Nodes& x) const {
  TouchedPoints touched;
  if (mover.narrow[solid]) {
    touched.found.push_back(deepest_point(face, mover, x));
    touched.gap = 0.0;
    return touched;
  }
  touched.are_six = true;
  if (mover.cuts[solid] == 0) return touched;
  const geometry::Corners corners = {x.at(face.nodes[0]), x.at(face.nodes[1]), x.at(face.nodes[2])};
  const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  const Vec3 thin = mover.pose.orientation * mover.obstacle.thin_axis;
  if (std::abs(across.dot(thin)) > broadside * across.norm()) return touched;
  touched.are_six = false;
  touched.gap = add_centres(corners, {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()},
                            mover.cuts[solid], 1.0, mover, touched.found);
  return touched;
}

/// Returns how far the obstacle is away, at least [m]; none where points that are looked at change.
double ObstacleContact::press_face(Mover& mover, std::size_t solid, const Face& face,
                                   const State& state, Nodes& forces) {
  const double kappa = 2.0 * modulus(surfaces_[solid], mover) / face.size;
  const TouchedPoints touched = touched_points(face, mover, solid, state.position[solid]);
  double least = touched.gap;
  for (const FacePoint& point : touched.points()) {
    const Vec3 at = point_of(face, state.position[solid], point.weights);
    Vec3 normal;
    const double gap = mover.obstacle.shape->distance(mover.pose.to_local(at), normal);
    least = std::min(least, gap);
    if (gap >= 0.0) continue;
    normal = mover.pose.orientation * normal;
    const Vec3 velocity = relative_velocity(mover, face, point.weights, at, state.velocity[solid]);
    const double depth = spring_depth(-gap, step_ * velocity.dot(normal));
    push(mover, solid,
         {.face = &face,
          .weights = point.weights,
          .at = at,
          .normal = normal,
          .force = kappa * depth * point.share * face.area,
          .share = point.share},
         state, forces);
  }
  return least;
}

double ObstacleContact::energy_of_face(const Face& face, const Mover& mover, std::size_t solid,
                                       const Nodes& x) const {
  double sum = 0.0;
  const TouchedPoints touched = touched_points(face, mover, solid, x);
  for (const FacePoint& point : touched.points()) {
    Vec3 normal;
    const double gap = mover.obstacle.shape->distance(
        mover.pose.to_local(point_of(face, x, point.weights)), normal);
    if (gap >= 0.0) continue;
    sum += modulus(surfaces_[solid], mover) / face.size * point.share * face.area * gap * gap;
  }
  return sum;
}

}  // namespace peal::elastic
