#include <peal/elastic/ball_contact.h>
#include <peal/elastic/local_compliance.h>
#include <peal/elastic/penalty.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace peal::elastic {

using geometry::Vec3;

namespace {

constexpr double smallest_seen = 0.5;  ///< smallest contact radius that faces resolve, over theirs

/// Largest depth of a ball of mass m that hits an elastic half space (Johnson 1985, Contact
/// Mechanics, eq. 11.23) [m].
double hertz_depth(double mass, double modulus, double radius, double speed) {
  return std::pow(15.0 * mass * speed * speed / (16.0 * modulus * std::sqrt(radius)), 0.4);
}

/// The spring for the point of first contact. It stays the same during contact, so that it has an
/// energy.
HertzSpring spring_at(const BallContact::Touch& touch, const Solid& solid,
                      const ContactFaces& faces, const Obstacle& ball) {
  const double e = contact_modulus(faces.compliance(), ball.compliance);
  double least_area = std::numeric_limits<double>::infinity();
  for (const std::uint32_t node : touch.face->nodes)
    least_area = std::min(least_area, faces.node_area(node));
  return {4.0 / 3.0 * e * std::sqrt(*ball.ball_radius),
          local_compliance(solid, touch.face->nodes, touch.weights), 1.0 / (2.0 * e * least_area)};
}

}  // namespace

bool BallContact::applies(const Obstacle& obstacle, const ContactFaces& solid,
                          const Vec3& gravity) {
  if (!obstacle.ball_radius || obstacle.motion) return false;
  // The speed allows for a further fall of one metre.
  const double speed = obstacle.start.velocity.norm() + std::sqrt(2.0 * gravity.norm());
  const double depth =
      hertz_depth(obstacle.mass.mass, contact_modulus(solid.compliance(), obstacle.compliance),
                  *obstacle.ball_radius, speed);
  return std::sqrt(*obstacle.ball_radius * depth) < smallest_seen * solid.largest();
}

BallContact::Touch BallContact::touch(const ContactFaces::Face& face, const MovingObstacle& ball,
                                      const Nodes& x) {
  const Vec3 centre = ball.pose().to_world(ball.obstacle().ball_centre);
  const geometry::Corners corners = corners_of(face, x);
  const Vec3 weights = geometry::closest_barycentrics(corners, centre);
  const Vec3 way = geometry::interpolate(corners, weights) - centre;
  const double distance = way.norm();
  if (distance <= 0.0) return {};  // there is no direction to push the ball in
  return {.depth = *ball.obstacle().ball_radius - distance,
          .face = &face,
          .weights = weights,
          .normal = way / distance};
}

double BallContact::force(const Touch& deepest, double t, const Solid& solid,
                          const ContactFaces& faces, const MovingObstacle& ball) {
  if (deepest.depth <= 0.0) {
    spring_.reset();
    return 0.0;
  }
  assert(deepest.face != nullptr && "what is deep in a ball is a point of a face");
  // The direction to the nearest point reverses when the centre of the ball passes it.
  const Vec3 before(pushed_to_[0], pushed_to_[1], pushed_to_[2]);
  if (spring_ && passed_at_ < 0.0 && before.dot(deepest.normal) < 0.0) passed_at_ = t;
  pushed_to_ = {deepest.normal.x(), deepest.normal.y(), deepest.normal.z()};
  if (!spring_) spring_ = spring_at(deepest, solid, faces, ball.obstacle());
  return spring_->force(deepest.depth);
}

std::optional<std::string> BallContact::finding(const ContactFaces& solid,
                                                const MovingObstacle& ball) const {
  if (passed_at_ < 0.0) return std::nullopt;
  return fmt::format(
      "\"{}\" passes through \"{}\" at {:.4g} ms: the penetration reached its radius of {:.3g} mm; "
      "make it larger or slower, or \"{}\" stiffer",
      ball.obstacle().name, solid.name(), 1e3 * passed_at_, 1e3 * *ball.obstacle().ball_radius,
      solid.name());
}

}  // namespace peal::elastic
