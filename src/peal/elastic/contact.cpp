#include <peal/elastic/contact.h>
#include <peal/fem/lame.h>
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
constexpr double friction_limit = 0.2;           ///< of a node's momentum that a step may take
constexpr double face_growth = 1.5;              ///< of a face that is stretched
constexpr double smallest_seen = 0.5;   ///< radius of a contact that faces see, over theirs
constexpr double narrowest_seen = 0.8;  ///< obstacle that their points cannot miss, over theirs
constexpr double thinnest_seen = 0.4;   ///< plate whose edge they cannot miss, over theirs
constexpr double largest_part = 0.7;    ///< of a face that meets the edge, over its thickness
constexpr double most_cuts = 6.0;       ///< of a face in four

/// Largest depth of a ball of mass m that meets an elastic half space (Johnson 1985, Contact
/// Mechanics, eq. 11.23) [m].
double hertz_depth(double mass, double modulus, double radius, double speed) {
  return std::pow(15.0 * mass * speed * speed / (16.0 * modulus * std::sqrt(radius)), 0.4);
}

}  // namespace

double spring_depth(double depth, double travel) {
  const double t = std::abs(travel);
  if (depth <= 0.0) return 0.0;
  return depth < t ? depth * (depth + t) / (2.0 * t) : depth;
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
                    .compliance = fem::contact_compliance(solid.material),
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
      mover.narrow.push_back(one.width < narrowest_seen * size);
      mover.cuts.push_back(0);
      if (one.thickness > 0.0 && one.thickness < thinnest_seen * size) {
        const double cuts = std::ceil(std::log2(size / (largest_part * one.thickness)));
        mover.cuts.back() = static_cast<int>(std::min(most_cuts, cuts));
      }
      mover.spring.emplace_back();
      mover.pushed_to.push_back({});
      mover.passed_at.push_back(-1.0);
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
    archive.numbers(std::span(mover.pushed_to));
    archive.numbers(std::span(mover.passed_at));
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
