#include <peal/elastic/contact.h>
#include <peal/elastic/local_compliance.h>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// Balls that are smaller than the faces that they touch.

namespace peal::elastic {

using geometry::Vec3;

ObstacleContact::BallTouch ObstacleContact::ball_touch(const Face& face, const Mover& mover,
                                                       const Nodes& x) const {
  const Vec3 centre = mover.pose.to_world(mover.obstacle.ball_centre);
  const geometry::Corners corners = {x.at(face.nodes[0]), x.at(face.nodes[1]), x.at(face.nodes[2])};
  const Vec3 weights = geometry::closest_barycentrics(corners, centre);
  const Vec3 way = geometry::interpolate(corners, weights) - centre;
  const double distance = way.norm();
  if (distance <= 0.0) return {};  // the ball has no direction to push it to
  return {.depth = *mover.obstacle.ball_radius - distance,
          .face = &face,
          .weights = weights,
          .normal = way / distance};
}

/// The deepest point of the solid in the ball is pushed.
void ObstacleContact::press_ball(Mover& mover, std::size_t solid, const State& state,
                                 Nodes& forces) {
  const Surface& surface = surfaces_[solid];
  const Nodes& x = state.position[solid];
  BallTouch deepest;
  for (Watched& watched : mover.watched[solid]) {
    if (steps_ < watched.next_look) continue;
    const BallTouch touch = ball_touch(surface.faces[watched.face], mover, x);
    if (touch.depth < 0.0) watched.next_look = may_close(mover, surface, -touch.depth);
    if (touch.depth > deepest.depth) deepest = touch;
  }
  auto& spring = mover.spring[solid];
  if (deepest.depth <= 0.0) {
    spring.reset();
    return;
  }
  std::array<double, 3>& pushed_to = mover.pushed_to[solid];
  const Vec3 before(pushed_to[0], pushed_to[1], pushed_to[2]);
  // The way to the nearest point turns round as the centre of the ball passes it.
  if (spring && mover.passed_at[solid] < 0.0 && before.dot(deepest.normal) < 0.0)
    mover.passed_at[solid] = step_ * static_cast<double>(steps_);
  pushed_to = {deepest.normal.x(), deepest.normal.y(), deepest.normal.z()};
  if (!spring) spring = spring_at(deepest, mover, solid);
  push(mover, solid,
       {.face = deepest.face,
        .weights = deepest.weights,
        .at = point_of(*deepest.face, x, deepest.weights),
        .normal = deepest.normal,
        .force = spring->force(deepest.depth)},
       state, forces);
}

std::vector<std::string> ObstacleContact::findings() const {
  std::vector<std::string> all;
  for (const Mover& mover : movers_) {
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      if (mover.passed_at[s] < 0.0) continue;
      all.push_back(fmt::format(
          "\"{}\" passes through \"{}\" at {:.4g} ms: it came in as deep as its radius of {:.3g} "
          "mm, more than contact of so small a ball can hold; make it larger or slower, or "
          "\"{}\" stiffer",
          mover.obstacle.name, surfaces_[s].name, 1e3 * mover.passed_at[s],
          1e3 * *mover.obstacle.ball_radius, surfaces_[s].name));
    }
  }
  return all;
}

/// As it is where the ball comes to touch, for as long as it does: then it has an energy.
HertzSpring ObstacleContact::spring_at(const BallTouch& touch, const Mover& mover,
                                       std::size_t solid) const {
  const Surface& surface = surfaces_[solid];
  const double e = modulus(surface, mover);
  double least_area = std::numeric_limits<double>::infinity();
  for (const std::uint32_t node : touch.face->nodes)
    least_area = std::min(least_area, surface.node_area[node]);
  return {4.0 / 3.0 * e * std::sqrt(*mover.obstacle.ball_radius),
          local_compliance((*solids_)[solid], touch.face->nodes, touch.weights),
          1.0 / (2.0 * e * least_area)};
}

}  // namespace peal::elastic
