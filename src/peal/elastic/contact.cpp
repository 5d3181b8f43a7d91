#include <peal/elastic/contact.h>
#include <peal/elastic/local_compliance.h>
#include <peal/geometry/triangle.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr std::int64_t longest_look_away = 256;  ///< steps from one look at all faces to the next
constexpr double unforeseen_speed = 5.0;         ///< that something may gain meanwhile [m/s]
constexpr double face_growth = 1.5;              ///< of a face that is stretched
constexpr double friction_limit = 0.2;           ///< of a node's momentum that a step may take
constexpr double smallest_seen = 0.5;       ///< radius of a contact that faces see, over theirs
constexpr double narrowest_seen = 0.8;      ///< obstacle that their points cannot miss, over theirs
constexpr double narrow_share = 1.0 / 6.0;  ///< of a face, that meets what is narrower

/// Largest depth of a ball of mass m that meets an elastic half space (Johnson 1985, Contact
/// Mechanics, eq. 11.23) [m].
double hertz_depth(double mass, double modulus, double radius, double speed) {
  return std::pow(15.0 * mass * speed * speed / (16.0 * modulus * std::sqrt(radius)), 0.4);
}

template <class Face>
Vec3 point_of(const Face& face, const Nodes& x, const Vec3& weights) {
  return weights[0] * x.at(face.nodes[0]) + weights[1] * x.at(face.nodes[1]) +
         weights[2] * x.at(face.nodes[2]);
}

}  // namespace

double spring_depth(double depth, double travel) {
  const double t = std::abs(travel);
  if (depth <= 0.0) return 0.0;
  return depth < t ? depth * (depth + t) / (2.0 * t) : depth;
}

double contact_compliance(const base::Material& material) {
  return (1.0 - material.poisson_ratio * material.poisson_ratio) / material.young_modulus;
}

ObstacleContact::ObstacleContact(const std::vector<Solid>& solids, std::vector<ContactSide> sides,
                                 const std::vector<std::vector<bool>>& held,
                                 std::vector<Obstacle> obstacles, const Vec3& gravity,
                                 std::unique_ptr<base::RigidContacts> between_obstacles)
    : gravity_(gravity), between_(std::move(between_obstacles)) {
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const Solid& solid = solids[s];
    Surface surface{.name = solid.name,
                    .node_area = std::vector<double>(solid.mass.size()),
                    .compliance = contact_compliance(solid.material),
                    .side = sides[s]};
    std::vector<int> valence(solid.mass.size());
    for (std::size_t t = 0; t < solid.surface.triangles.size(); ++t) {
      Face face;
      bool is_held = true;
      for (std::size_t k = 0; k < 3; ++k) {
        face.nodes[k] = solid.surface_node[solid.surface.triangles[t][k]];
        is_held = is_held && held[s][face.nodes[k]];
      }
      if (is_held || !sides[s].meets_others) continue;
      face.area = geometry::area_vector(solid.surface, t).norm();
      face.size = std::sqrt(2.0 * face.area);
      const Vec3 centre = geometry::triangle_centre(solid.surface, t);
      for (const std::uint32_t node : face.nodes) {
        face.reach = std::max(face.reach, (solid.rest.at(node) - centre).norm());
        surface.node_area[node] += face.area / (3.0 * face.size);
        ++valence[node];
      }
      surface.faces.push_back(face);
    }
    for (Face& face : surface.faces) {
      for (const std::uint32_t node : face.nodes) face.mass += solid.mass[node] / valence[node];
    }
    surfaces_.push_back(std::move(surface));
  }
  for (Obstacle& obstacle : obstacles) {
    Mover mover;
    mover.obstacle = std::move(obstacle);
    mover.state = mover.obstacle.start;
    for (const Surface& surface : surfaces_) {
      mover.watched.emplace_back();
      double size = 0.0;
      for (const Face& face : surface.faces) size = std::max(size, face.size);
      const Obstacle& one = mover.obstacle;
      bool is_small = false;
      if (one.ball_radius && !one.motion) {
        const double speed = one.start.velocity.norm() + std::sqrt(2.0 * gravity.norm());
        const double depth =
            hertz_depth(one.mass.mass, modulus(surface, mover), *one.ball_radius, speed);
        is_small = std::sqrt(*one.ball_radius * depth) < smallest_seen * size;
      }
      mover.is_hertz.push_back(is_small);
      mover.is_narrow.push_back(one.width < narrowest_seen * size);
      mover.spring.emplace_back();
    }
    place(mover, 0.0);
    if (!mover.obstacle.motion) free_.push_back(movers_.size());
    movers_.push_back(std::move(mover));
  }
}

void ObstacleContact::begin(double step, const std::vector<Solid>& solids) {
  step_ = step;
  solids_ = &solids;
  if (between_) steps_between_ = std::llround(between_->interval() / step);
}

double ObstacleContact::modulus(const Surface& surface, const Mover& mover) const {
  return 1.0 / (surface.compliance + mover.obstacle.compliance);
}

void ObstacleContact::place(Mover& mover, double t) const {
  constexpr double instant = 1e-5;  ///< half width of a velocity [s]
  const Obstacle& obstacle = mover.obstacle;
  if (!obstacle.motion) {
    mover.pose = base::body_pose(obstacle.mass, mover.state);
    mover.turning = base::angular_velocity(obstacle.mass, mover.state);
    mover.velocity =
        mover.state.velocity + mover.turning.cross(mover.pose.position - mover.state.position);
    mover.speed = mover.state.velocity.norm() + 2.0 * mover.turning.norm() * obstacle.reach;
    return;
  }
  if (obstacle.motion->is_still() && steps_ > 0) return;
  mover.pose = obstacle.motion->pose(t);
  const base::Pose before = obstacle.motion->pose(t - instant),
                   after = obstacle.motion->pose(t + instant);
  mover.velocity = (after.position - before.position) / (2.0 * instant);
  const Eigen::AngleAxisd turn(after.orientation * before.orientation.conjugate());
  mover.turning = turn.axis() * turn.angle() / (2.0 * instant);
  mover.speed = mover.velocity.norm() + mover.turning.norm();  // within a metre
}

/// Speeds that faces have now; what they may gain until the next look is allowed for.
void ObstacleContact::measure_speeds(const State& state) {
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    double fastest = 0.0;
    for (const Face& face : surfaces_[s].faces) {
      for (const std::uint32_t node : face.nodes)
        fastest = std::max(fastest, state.velocity[s].at(node).squaredNorm());
    }
    surfaces_[s].fastest = std::sqrt(fastest);
  }
}

/// A lower bound.
double ObstacleContact::gap_of_face(const Face& face, const Mover& mover, const Nodes& x) const {
  Vec3 normal;
  const Vec3 centre = point_of(face, x, Vec3::Constant(1.0 / 3.0));
  return mover.obstacle.shape->distance(mover.pose.to_local(centre), normal) -
         face_growth * face.reach;
}

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

/// The first step at which a gap may have closed.
std::int64_t ObstacleContact::may_close(const Mover& mover, const Surface& surface,
                                        double gap) const {
  const double speed = 2.0 * (surface.fastest + mover.speed) + unforeseen_speed;
  const double steps = std::min(gap / (speed * step_), static_cast<double>(longest_look_away));
  return steps_ + std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

/// Lists the faces of a solid that may touch before the next look at all of them.
void ObstacleContact::watch(Mover& mover, std::size_t solid, const Nodes& x) const {
  const Surface& surface = surfaces_[solid];
  auto& watched = mover.watched[solid];
  watched.clear();
  for (std::uint32_t f = 0; f < surface.faces.size(); ++f) {
    const Face& face = surface.faces[f];
    const double gap =
        mover.is_hertz[solid] ? -ball_touch(face, mover, x).depth : gap_of_face(face, mover, x);
    const std::int64_t next = gap > 0.0 ? may_close(mover, surface, gap) : steps_;
    if (next < steps_ + longest_look_away) watched.push_back({f, next});
  }
}

/// Of a point of a face against the obstacle.
Vec3 ObstacleContact::relative_velocity(const Mover& mover, const Face& face, const Vec3& weights,
                                        const Vec3& at, const Nodes& velocity) const {
  return point_of(face, velocity, weights) - mover.velocity -
         mover.turning.cross(at - mover.pose.position);
}

/// With friction, and the opposite on the obstacle.
void ObstacleContact::push(Mover& mover, std::size_t solid, const Push& push, const State& state,
                           Nodes& forces) {
  const Vec3 velocity =
      relative_velocity(mover, *push.face, push.weights, push.at, state.velocity[solid]);
  const Vec3 sliding = velocity - velocity.dot(push.normal) * push.normal;
  const double mu = 0.5 * (surfaces_[solid].side.friction + mover.obstacle.friction);
  const double grip = std::min(mu * push.force / std::max(sliding.norm(), 1e-12),
                               friction_limit * push.share * push.face->mass / step_);
  const Vec3 total = push.force * push.normal - grip * sliding;
  for (int k = 0; k < 3; ++k) {
    forces.add(push.face->nodes[static_cast<std::size_t>(k)], push.weights[k] * total);
  }
  if (mover.obstacle.motion) return;
  mover.force -= total;
  mover.torque -= (push.at - mover.state.position).cross(total);
}

void ObstacleContact::press(Mover& mover, std::size_t solid, const State& state, Nodes& forces) {
  const Surface& surface = surfaces_[solid];
  for (Watched& watched : mover.watched[solid]) {
    if (steps_ < watched.next_look) continue;
    const Face& face = surface.faces[watched.face];
    double gap = gap_of_face(face, mover, state.position[solid]);
    if (gap <= 0.0) gap = press_face(mover, solid, face, state, forces);
    if (gap > 0.0) watched.next_look = may_close(mover, surface, gap);
  }
}

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

/// Where an obstacle may touch a face: at its six points, or only where it is deepest.
std::span<const ObstacleContact::FacePoint> ObstacleContact::touched_points(
    const Face& face, const Mover& mover, std::size_t solid, const Nodes& x,
    FacePoint& deepest) const {
  if (!mover.is_narrow[solid]) return face_points();
  deepest = deepest_point(face, mover, x);
  return {&deepest, 1};
}

/// Returns the least gap at points that are looked at [m]; none where those change.
double ObstacleContact::press_face(Mover& mover, std::size_t solid, const Face& face,
                                   const State& state, Nodes& forces) {
  const double kappa = 2.0 * modulus(surfaces_[solid], mover) / face.size;
  double least = mover.is_narrow[solid] ? 0.0 : std::numeric_limits<double>::infinity();
  FacePoint deepest;
  for (const FacePoint& point :
       touched_points(face, mover, solid, state.position[solid], deepest)) {
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
  if (!spring) spring = spring_at(deepest, mover, solid);
  push(mover, solid,
       {.face = deepest.face,
        .weights = deepest.weights,
        .at = point_of(*deepest.face, x, deepest.weights),
        .normal = deepest.normal,
        .force = spring->force(deepest.depth)},
       state, forces);
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

/// By the forces upon it.
void ObstacleContact::kick(Mover& mover, double dt) {
  const Obstacle& body = mover.obstacle;
  mover.state.velocity += dt * (mover.force / body.mass.mass + gravity_);
  mover.state.angular_momentum += dt * mover.torque;
  if (mover.force.isZero(0.0)) return;
  const double turning = (base::inverse_inertia(body.mass, mover.state) * mover.torque).norm();
  mover.pushed = std::max(mover.pushed, mover.force.norm() / body.mass.mass + turning * body.reach);
}

/// What free obstacles do to each other, and others to them, until they meet again.
void ObstacleContact::meet() {
  std::vector<base::MovedBody> bodies;
  for (const std::size_t i : free_) bodies.push_back({movers_[i].state, movers_[i].pushed});
  between_->hold(bodies);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    movers_[free_[k]].state = bodies[k].state;
    movers_[free_[k]].pushed = 0.0;
  }
}

/// Free obstacles take their step. Velocities are half a step behind, as the stepper's; bodies meet
/// with those of the instant.
void ObstacleContact::move() {
  if (steps_ > 0) {
    for (const std::size_t i : free_) kick(movers_[i], 0.5 * step_);
  }
  if (between_ && steps_ % steps_between_ == 0) meet();
  for (const std::size_t i : free_) {
    Mover& mover = movers_[i];
    kick(mover, 0.5 * step_);
    base::fly(mover.obstacle.mass, Vec3::Zero(), step_, mover.state);
    mover.force = mover.torque = Vec3::Zero();
  }
}

void ObstacleContact::add(double t, const State& state, std::vector<Nodes>& forces) {
  for (Mover& mover : movers_) place(mover, t);
  const bool looks_at_all = steps_ % longest_look_away == 0;
  if (looks_at_all) measure_speeds(state);
  for (Mover& mover : movers_) {
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      if (looks_at_all) watch(mover, s, state.position[s]);
      if (mover.is_hertz[s]) {
        press_ball(mover, s, state, forces[s]);
      } else {
        press(mover, s, state, forces[s]);
      }
    }
  }
  move();
  ++steps_;
}

double ObstacleContact::stiffness(std::size_t solid, std::size_t node) const {
  const Surface& surface = surfaces_[solid];
  if (surface.node_area[node] == 0.0) return 0.0;
  double stiffest = 0.0;
  for (const Mover& mover : movers_) {
    stiffest = std::max(stiffest, 2.0 * modulus(surface, mover) * surface.node_area[node]);
  }
  return stiffest;
}

double ObstacleContact::energy(const State& state) const {
  double sum = 0.0;
  for (const Mover& mover : movers_) {
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      const Surface& surface = surfaces_[s];
      const Nodes& x = state.position[s];
      double deepest = 0.0;
      for (const Face& face : surface.faces) {
        if (mover.is_hertz[s]) {
          deepest = std::max(deepest, ball_touch(face, mover, x).depth);
        } else if (gap_of_face(face, mover, x) <= 0.0) {
          sum += energy_of_face(face, mover, s, x);
        }
      }
      if (mover.spring[s]) sum += mover.spring[s]->energy(deepest);
    }
  }
  return sum;
}

double ObstacleContact::energy_of_face(const Face& face, const Mover& mover, std::size_t solid,
                                       const Nodes& x) const {
  double sum = 0.0;
  FacePoint deepest;
  for (const FacePoint& point : touched_points(face, mover, solid, x, deepest)) {
    Vec3 normal;
    const double gap = mover.obstacle.shape->distance(
        mover.pose.to_local(point_of(face, x, point.weights)), normal);
    if (gap >= 0.0) continue;
    sum += modulus(surfaces_[solid], mover) / face.size * point.share * face.area * gap * gap;
  }
  return sum;
}

/// Where obstacles are and how fast is found anew in each step, from the state of free ones.
void ObstacleContact::keep(util::Archive& archive) {
  archive.number(steps_);
  for (Surface& surface : surfaces_) archive.number(surface.fastest);
  for (Mover& mover : movers_) {
    base::RigidState& state = mover.state;
    for (Vec3* vector : {&state.position, &state.velocity, &state.angular_momentum})
      archive.numbers(std::span(vector->data(), 3));
    archive.numbers(std::span(state.orientation.coeffs().data(), 4));
    archive.number(mover.pushed);
    for (auto& watched : mover.watched) archive.list(watched);
    for (auto& spring : mover.spring) archive.maybe(spring);
  }
  if (between_) between_->keep(archive);
}

base::Pose ObstacleContact::free_pose(std::size_t i) const {
  const Mover& mover = movers_[free_[i]];
  return base::body_pose(mover.obstacle.mass, mover.state);
}

double ObstacleContact::rigid_energy() const {
  double sum = 0.0;
  for (const Mover& mover : movers_) {
    if (mover.obstacle.motion) continue;
    sum += base::kinetic_energy(mover.obstacle.mass, mover.state) -
           mover.obstacle.mass.mass * gravity_.dot(mover.state.position);
  }
  return sum;
}

}  // namespace peal::elastic
