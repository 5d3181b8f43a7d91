#include <peal/elastic/obstacle_contact.h>
#include <peal/elastic/obstacle_overlaps.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace peal::elastic {

namespace {

using geometry::Vec3;

constexpr double unforeseen_speed = 5.0;  ///< speed that something may gain between updates [m/s]
constexpr double face_growth = 1.5;       ///< largest growth of a face by stretching
/// Layout tag: checkpoints of other releases have other numbers here, or none.
constexpr std::uint64_t checkpoint_layout = 0x4f42535441430002;  // "OBSTAC", 2

/// Returns a lower bound of the gap between a face and an obstacle [m].
double gap_of_face(const ContactFaces::Face& face, const MovingObstacle& obstacle, const Nodes& x) {
  Vec3 normal;
  const Vec3 centre = point_of(face, x, Vec3::Constant(1.0 / 3.0));
  return obstacle.distance(centre, normal) - face_growth * face.reach;
}

}  // namespace

ObstacleContact::ObstacleContact(const std::vector<Solid>& solids,
                                 const std::vector<ContactSide>& sides,
                                 const std::vector<std::vector<bool>>& held,
                                 std::vector<Obstacle> obstacles, const Vec3& gravity,
                                 std::unique_ptr<base::RigidContacts> between_obstacles)
    : gravity_(gravity), between_(std::move(between_obstacles)) {
  assert(sides.size() == solids.size() && held.size() == solids.size() && "one entry a solid");
  for (std::size_t s = 0; s < solids.size(); ++s)
    surfaces_.emplace_back(solids[s], sides[s], held[s]);
  for (Obstacle& obstacle : obstacles) {
    const std::size_t number = obstacles_.size();
    for (std::size_t s = 0; s < surfaces_.size(); ++s) {
      Pair pair{number, s, FaceSampling(obstacle, surfaces_[s].largest())};
      if (BallContact::applies(obstacle, surfaces_[s], gravity)) pair.ball.emplace();
      pairs_.push_back(std::move(pair));
    }
    if (!obstacle.motion) free_.push_back(number);
    obstacles_.emplace_back(std::move(obstacle));
  }
}

void ObstacleContact::begin(double step, const std::vector<Solid>& solids) {
  assert(step > 0.0 && solids.size() == surfaces_.size() && "the solids of the constructor");
  step_ = step;
  solids_ = &solids;
  if (between_) steps_between_ = std::llround(between_->interval() / step);
}

void ObstacleContact::refuse_overlaps(const State& state) {
  for (const Pair& pair : pairs_) {
    refuse_overlap((*solids_)[pair.solid], surfaces_[pair.solid], obstacles_[pair.obstacle],
                   state.position[pair.solid]);
  }
}

double ObstacleContact::modulus(const ContactFaces& faces, const MovingObstacle& obstacle) const {
  return contact_modulus(faces.compliance(), obstacle.obstacle().compliance);
}

FaceWatch::Closing ObstacleContact::closing_of(const Pair& pair) const {
  const double speed = surfaces_[pair.solid].fastest() + obstacles_[pair.obstacle].speed();
  return {.now = steps_, .dt = step_, .speed = 2.0 * speed + unforeseen_speed};
}

/// Adds a force with friction to a face, and the opposite force to the obstacle.
void ObstacleContact::push(const Pair& pair, const Push& push, const State& state, Nodes& forces) {
  MovingObstacle& obstacle = obstacles_[pair.obstacle];
  const ContactVelocity velocity(
      obstacle.relative_velocity(point_of(*push.face, state.velocity[pair.solid], push.weights),
                                 push.at),
      push.normal);
  const double mu = 0.5 * (surfaces_[pair.solid].friction() + obstacle.obstacle().friction);
  const Vec3 total = contact_force(push.normal, push.force, velocity, mu * push.force,
                                   friction_limit * push.share * push.face->mass / step_);
  for (int k = 0; k < 3; ++k) {
    forces.add(push.face->nodes[static_cast<std::size_t>(k)], push.weights[k] * total);
  }
  obstacle.push(push.at, -total);
}

void ObstacleContact::press(Pair& pair, const State& state, Nodes& forces) {
  const MovingObstacle& obstacle = obstacles_[pair.obstacle];
  const std::vector<Face>& faces = surfaces_[pair.solid].faces();
  pair.watch.look(closing_of(pair), [&](std::uint32_t f) {
    const double gap = gap_of_face(faces[f], obstacle, state.position[pair.solid]);
    return gap > 0.0 ? gap : press_face(pair, faces[f], state, forces);
  });
}

/// Returns a lower bound of the distance of the obstacle [m]; 0 at most where sample points vary.
double ObstacleContact::press_face(const Pair& pair, const Face& face, const State& state,
                                   Nodes& forces) {
  const MovingObstacle& obstacle = obstacles_[pair.obstacle];
  const Nodes &x = state.position[pair.solid], &v = state.velocity[pair.solid];
  const double kappa = 2.0 * modulus(surfaces_[pair.solid], obstacle) / face.size;
  const ContactPoints touched = pair.sampling.points(corners_of(face, x), obstacle);
  double least = touched.gap;
  for (const FacePoint& point : touched.points()) {
    const Vec3 at = point_of(face, x, point.weights);
    Vec3 normal;
    const double gap = obstacle.distance(at, normal);
    least = std::min(least, gap);
    if (gap >= 0.0) continue;
    normal = obstacle.direction(normal);
    const Vec3 velocity = obstacle.relative_velocity(point_of(face, v, point.weights), at);
    const double depth = spring_depth(-gap, step_ * velocity.dot(normal));
    push(pair,
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

/// Pushes the point of the solid that is deepest in the ball.
void ObstacleContact::press_ball(Pair& pair, const State& state, Nodes& forces) {
  const MovingObstacle& obstacle = obstacles_[pair.obstacle];
  const ContactFaces& surface = surfaces_[pair.solid];
  const Nodes& x = state.position[pair.solid];
  BallContact::Touch deepest;
  pair.watch.look(closing_of(pair), [&](std::uint32_t f) {
    const BallContact::Touch touch = BallContact::touch(surface.faces()[f], obstacle, x);
    if (touch.depth > deepest.depth) deepest = touch;
    return -touch.depth;
  });
  const double force = pair.ball->force(deepest, step_ * static_cast<double>(steps_),
                                        (*solids_)[pair.solid], surface, obstacle);
  if (deepest.face == nullptr) return;
  push(pair,
       {.face = deepest.face,
        .weights = deepest.weights,
        .at = point_of(*deepest.face, x, deepest.weights),
        .normal = deepest.normal,
        .force = force},
       state, forces);
}

double ObstacleContact::energy_of_face(const Pair& pair, const Face& face, const Nodes& x) const {
  const MovingObstacle& obstacle = obstacles_[pair.obstacle];
  double sum = 0.0;
  const ContactPoints touched = pair.sampling.points(corners_of(face, x), obstacle);
  for (const FacePoint& point : touched.points()) {
    Vec3 normal;
    const double gap = obstacle.distance(point_of(face, x, point.weights), normal);
    if (gap >= 0.0) continue;
    sum +=
        modulus(surfaces_[pair.solid], obstacle) / face.size * point.share * face.area * gap * gap;
  }
  return sum;
}

/// Resolves the contacts of free obstacles with each other and with other obstacles until the next
/// call.
void ObstacleContact::meet_obstacles() {
  std::vector<base::MovedBody> bodies;
  for (const std::size_t i : free_) bodies.push_back(obstacles_[i].moved());
  between_->resolve_contacts(bodies);
  for (std::size_t k = 0; k < free_.size(); ++k) obstacles_[free_[k]].take(bodies[k]);
}

/// Moves free obstacles by one step. Velocities are half a step behind, like those of the stepper;
/// contacts are resolved with velocities at the time step.
void ObstacleContact::move_obstacles() {
  if (steps_ > 0) {
    for (const std::size_t i : free_) obstacles_[i].kick(0.5 * step_, gravity_);
  }
  if (between_ && steps_ % steps_between_ == 0) meet_obstacles();
  for (const std::size_t i : free_) {
    obstacles_[i].kick(0.5 * step_, gravity_);
    obstacles_[i].drift(step_);
  }
}

void ObstacleContact::add(double t, const State& state, std::vector<Nodes>& forces) {
  assert(solids_ != nullptr && "begin() comes before the first step");
  for (MovingObstacle& obstacle : obstacles_) obstacle.place(t);
  const bool looks_at_all = steps_ % FaceWatch::interval == 0;
  if (looks_at_all) {
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
      surfaces_[s].measure_speed(state.velocity[s]);
  }
  for (Pair& pair : pairs_) {
    const std::vector<Face>& faces = surfaces_[pair.solid].faces();
    const MovingObstacle& obstacle = obstacles_[pair.obstacle];
    const Nodes& x = state.position[pair.solid];
    if (looks_at_all) {
      pair.watch.list(static_cast<std::uint32_t>(faces.size()), closing_of(pair),
                      [&](std::uint32_t f) {
                        return pair.ball ? -BallContact::touch(faces[f], obstacle, x).depth
                                         : gap_of_face(faces[f], obstacle, x);
                      });
    }
    if (pair.ball) {
      press_ball(pair, state, forces[pair.solid]);
    } else {
      press(pair, state, forces[pair.solid]);
    }
  }
  move_obstacles();
  ++steps_;
}

double ObstacleContact::stiffness(std::size_t solid, std::size_t node) const {
  const double area = surfaces_[solid].node_area(node);
  if (area == 0.0) return 0.0;
  double stiffest = 0.0;
  for (const MovingObstacle& obstacle : obstacles_) {
    stiffest = std::max(stiffest, 2.0 * modulus(surfaces_[solid], obstacle) * area);
  }
  return stiffest;
}

double ObstacleContact::energy(const State& state) const {
  double sum = 0.0;
  for (const Pair& pair : pairs_) {
    const MovingObstacle& obstacle = obstacles_[pair.obstacle];
    const Nodes& x = state.position[pair.solid];
    double deepest = 0.0;
    for (const Face& face : surfaces_[pair.solid].faces()) {
      if (pair.ball) {
        deepest = std::max(deepest, BallContact::touch(face, obstacle, x).depth);
      } else if (gap_of_face(face, obstacle, x) <= 0.0) {
        sum += energy_of_face(pair, face, x);
      }
    }
    if (pair.ball) sum += pair.ball->energy(deepest);
  }
  return sum;
}

void ObstacleContact::serialize(util::Archive& archive) {
  archive.same(checkpoint_layout);
  archive.number(steps_);
  for (ContactFaces& surface : surfaces_) surface.serialize(archive);
  for (MovingObstacle& obstacle : obstacles_) obstacle.serialize(archive);
  for (Pair& pair : pairs_) {
    pair.watch.serialize(archive);
    if (pair.ball) pair.ball->serialize(archive);
  }
  if (between_) between_->serialize(archive);
}

base::Pose ObstacleContact::free_pose(std::size_t i) const {
  const MovingObstacle& obstacle = obstacles_[free_[i]];
  return base::body_pose(obstacle.obstacle().mass, obstacle.state());
}

std::vector<std::string> ObstacleContact::diagnostics() const {
  std::vector<std::string> all;
  for (const Pair& pair : pairs_) {
    if (!pair.ball) continue;
    if (auto one = pair.ball->finding(surfaces_[pair.solid], obstacles_[pair.obstacle]))
      all.push_back(std::move(*one));
  }
  return all;
}

double ObstacleContact::rigid_energy() const {
  double sum = 0.0;
  for (const std::size_t i : free_) sum += obstacles_[i].energy(gravity_);
  return sum;
}

}  // namespace peal::elastic
