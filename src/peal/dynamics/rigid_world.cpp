#include <peal/base/motion_survey.h>
#include <peal/dynamics/rigid_world.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace peal::dynamics {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double touching = 2e-8;         ///< gap at which an approach is an impact [m]
constexpr double together = 1e-6;         ///< gap up to which contacts are struck as one [m]
constexpr double overlap_allowed = 1e-5;  ///< at the start: rounding of a scene's numbers [m]
constexpr double moving = 0.01;           ///< slower contacts are at rest [m/s]
/// Overlaps are pushed out by half in a step, but not faster than this [m/s].
constexpr double fastest_recovery = 0.02;
/// A rebound of 5 mm/s rises about a micrometre, less than surfaces are rough; a contact that
/// lasts gathers up to g dt in a step.
constexpr double slowest_bounce = 0.005;
constexpr double time_to_sleep = 0.1;  ///< [s]
constexpr double no_movement = 1e-7;   ///< in that time [m]
constexpr double no_turn = 1e-5;       ///< in that time [rad]
constexpr int most_impacts = 100;  ///< in a step; beyond, all contacts are plastic until its end

}  // namespace

RigidWorld::RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : settings_(settings),
      contact_speed_(std::max(slowest_bounce, 4.0 * settings.gravity.norm() * settings.step)) {
  if (!(settings.step > 0.0)) throw std::invalid_argument("a simulation needs a step");
  log_.step = settings.step;
  for (RigidBodySettings& one : bodies) {
    Body body;
    body.settings = std::move(one);
    try {
      body.shape = make_smooth_shape(body.settings.shape, settings.cache);
    } catch (const std::invalid_argument& error) {
      const std::string& name = body.settings.name;
      throw util::InputError({"", name},
                             fmt::format("\"{}\" cannot collide: {}", name, error.what()),
                             "Close or thicken its mesh (peal inspect tells more), or give it a "
                             "built-in shape.");
    }
    body.is_free = body.settings.motion == nullptr;
    log_.bodies.push_back(body.settings.name);
    if (body.is_free) {
      const geometry::MassProperties& mass = body.settings.mass;
      if (!(mass.mass > 0.0) || !(mass.inertia.diagonal().minCoeff() > 0.0)) {
        throw util::InputError({"", body.settings.name},
                               fmt::format("\"{}\" has no mass", body.settings.name),
                               "A body that moves freely needs a mass above zero.");
      }
      if (body.shape->is_floor()) {
        throw util::InputError({"", body.settings.name},
                               fmt::format("\"{}\" is a floor and cannot fall", body.settings.name),
                               "Fix it, or give it the shape of a box.");
      }
      body.frame = mass_frame(mass);
      const base::Pose& pose = body.settings.pose;
      body.state.position = pose.to_world(body.frame.centre);
      body.state.orientation = pose.orientation * body.frame.axes;
      body.state.velocity = body.settings.velocity;
      const Vec3 own = body.state.orientation.conjugate() * body.settings.angular_velocity;
      body.state.angular_momentum = body.state.orientation * own.cwiseProduct(body.frame.moments);
      body.pose = pose;
    }
    bodies_.push_back(std::move(body));
  }
  place_scripted();
  refuse_overlaps();
}

double RigidWorld::time() const {
  return static_cast<double>(steps_) * settings_.step + since_;
}

Vec3 RigidWorld::angular_velocity(std::size_t body) const {
  const Body& one = bodies_[body];
  return one.is_free ? dynamics::angular_velocity(one.frame, one.state) : one.angular_velocity;
}

double RigidWorld::energy() const {
  double sum = kinetic(momenta());
  for (const Body& body : bodies_) {
    if (body.is_free) sum -= body.frame.mass * settings_.gravity.dot(body.state.position);
  }
  return sum;
}

void RigidWorld::step(const std::function<void()>& after_flight) {
  if (asleep_) {
    ++steps_;
    rest_impulse_ += *asleep_;
    after_flight();
    return;
  }
  place_scripted();
  int impacts = 0;
  while (since_ < settings_.step) {
    const double left = settings_.step - since_;
    const bool plastic = impacts >= most_impacts;
    const std::vector<Touch> touches = detect(left);
    if (!plastic && strike(touches, false)) {
      ++impacts;
      continue;
    }
    const double dt = plastic ? left : until_impact(touches, left);
    // So near that no time passes: it is there.
    if (!plastic && dt < 1e-12 && strike(touches, true)) {
      ++impacts;
      continue;
    }
    push_apart(touches, std::max(dt, 1e-12), plastic);
    fly_all(std::max(dt, 1e-12));
    since_ = dt >= left ? settings_.step : since_ + std::max(dt, 1e-12);
    if (since_ < settings_.step) after_flight();
  }
  ++steps_;
  since_ = 0.0;
  fall_asleep();
  after_flight();
}

/// Gravity does nothing new to what has not moved by a tenth of a micrometre in a tenth of a
/// second.
void RigidWorld::fall_asleep() {
  if (static_cast<double>(steps_ - looked_at_) * settings_.step < time_to_sleep) return;
  bool moved = seen_.empty();
  for (std::size_t i = 0; i < bodies_.size() && !moved; ++i) {
    const Body& body = bodies_[i];
    moved = body.is_free
                ? (body.pose.position - seen_[i].position).norm() > no_movement ||
                      body.pose.orientation.angularDistance(seen_[i].orientation) > no_turn ||
                      angular_velocity(i).norm() > 0.01
                : !body.settings.motion->is_still();
  }
  if (!moved) {
    asleep_ = (rest_impulse_ - rest_seen_) / static_cast<double>(steps_ - looked_at_);
    for (Body& body : bodies_) {
      body.state.velocity.setZero();
      body.state.angular_momentum.setZero();
    }
  }
  looked_at_ = steps_;
  rest_seen_ = rest_impulse_;
  seen_.clear();
  for (const Body& body : bodies_) seen_.push_back(body.pose);
}

/// Pairs that could meet within a time [s].
std::vector<Touch> RigidWorld::detect(double within) const {
  const auto speed = [&](const Body& body) {
    if (!body.is_free)
      return body.velocity.norm() +
             body.angular_velocity.norm() * (std::isfinite(body.shape->reach())
                                                 ? body.shape->reach() + body.shape->middle().norm()
                                                 : 0.0);
    return body.state.velocity.norm() + settings_.gravity.norm() * within +
           dynamics::angular_velocity(body.frame, body.state).norm() *
               (body.shape->reach() + (body.shape->middle() - body.frame.centre).norm());
  };
  std::vector<Touch> touches;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    for (std::uint32_t j = i + 1; j < bodies_.size(); ++j) {
      const Body &a = bodies_[i], &b = bodies_[j];
      if (!a.is_free && !b.is_free) continue;
      const double margin = together + 1.5 * within * (speed(a) + speed(b));
      const double apart =
          (a.pose.to_world(a.shape->middle()) - b.pose.to_world(b.shape->middle())).norm();
      if (apart > a.shape->reach() + b.shape->reach() + margin) continue;
      find_touches({a.shape.get(), a.pose}, {b.shape.get(), b.pose}, i, j, margin, touches);
    }
  }
  return touches;
}

std::vector<BodyMomentum> RigidWorld::momenta() const {
  std::vector<BodyMomentum> result;
  for (const Body& body : bodies_) {
    if (body.is_free) {
      result.push_back({.inverse_mass = 1.0 / body.frame.mass,
                        .velocity = body.state.velocity,
                        .angular_momentum = body.state.angular_momentum});
    } else {
      result.push_back({.velocity = body.velocity, .angular_velocity = body.angular_velocity});
    }
  }
  return result;
}

void RigidWorld::take(std::span<const BodyMomentum> momenta) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].is_free) continue;
    bodies_[i].state.velocity = momenta[i].velocity;
    bodies_[i].state.angular_momentum = momenta[i].angular_momentum;
  }
}

double RigidWorld::kinetic(std::span<const BodyMomentum> momenta) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].is_free) continue;
    RigidState state = bodies_[i].state;
    state.velocity = momenta[i].velocity;
    state.angular_momentum = momenta[i].angular_momentum;
    sum += kinetic_energy(bodies_[i].frame, state);
  }
  return sum;
}

ContactRow RigidWorld::row_of(const Touch& touch) const {
  const Body &a = bodies_[touch.body_a], &b = bodies_[touch.body_b];
  ContactRow row{.body_a = touch.body_a, .body_b = touch.body_b, .normal = touch.normal};
  const auto centre = [](const Body& body) {
    return body.is_free ? body.state.position : body.pose.position;
  };
  row.arm_a = row.push_a = touch.on_a() - centre(a);
  row.arm_b = row.push_b = touch.on_b() - centre(b);
  if (a.is_free) row.inverse_inertia_a = inverse_inertia(a.frame, a.state);
  if (b.is_free) row.inverse_inertia_b = inverse_inertia(b.frame, b.state);
  row.friction = 0.5 * (a.settings.friction + b.settings.friction);
  return row;
}

/// By how much a falls faster than b [m/s^2].
Vec3 RigidWorld::gravity_between(const Touch& touch) const {
  const double a = bodies_[touch.body_a].is_free ? 1.0 : 0.0;
  const double b = bodies_[touch.body_b].is_free ? 1.0 : 0.0;
  return (a - b) * settings_.gravity;
}

/// Time until the gap closes fast, or a little before [s]: turning bodies may close it by more
/// than their velocity says, by w^2 r t^2 / 2 at most.
double RigidWorld::time_of_impact(const Touch& touch, const Vec3& velocity) const {
  const auto sway = [&](std::uint32_t i) {
    const Body& body = bodies_[i];
    const Vec3 from = body.is_free ? body.state.position : body.pose.position;
    return angular_velocity(i).squaredNorm() * (touch.point - from).norm();
  };
  const double speed = -touch.normal.dot(velocity);
  const double growth = std::max(0.0, -touch.normal.dot(gravity_between(touch))) +
                        sway(touch.body_a) + sway(touch.body_b);
  const double gap = std::max(touch.gap, 0.0);
  const double root = std::sqrt(speed * speed + 2.0 * growth * gap);
  if (root <= contact_speed_) return never;
  if (speed > 0.0) return 2.0 * gap / (speed + root);
  return growth > 0.0 ? (root - speed) / growth : never;
}

double RigidWorld::until_impact(const std::vector<Touch>& touches, double left) const {
  const std::vector<BodyMomentum> now = momenta();
  double dt = left;
  for (const Touch& touch : touches) {
    // What leaves from a touch comes back by gravity alone, slowly: push_apart() keeps it.
    const Vec3 velocity = row_of(touch).velocity(now);
    if (touch.gap <= touching && -touch.normal.dot(velocity) <= contact_speed_) continue;
    dt = std::min(dt, time_of_impact(touch, velocity));
  }
  return dt;
}

std::vector<ContactRow> RigidWorld::bounce(const std::vector<Touch>& touches, double restitution,
                                           std::span<BodyMomentum> momenta) const {
  std::vector<ContactRow> rows;
  for (const Touch& touch : touches) {
    ContactRow row = row_of(touch);
    const double speed = -row.normal.dot(row.velocity(momenta));
    const double e = 0.5 * (bodies_[touch.body_a].settings.restitution +
                            bodies_[touch.body_b].settings.restitution);
    if (speed > contact_speed_) row.target = restitution * e * speed;
    rows.push_back(row);
  }
  solve_rows(rows, momenta);
  return rows;
}

bool RigidWorld::strike(const std::vector<Touch>& all, bool at_once) {
  const std::vector<BodyMomentum> before = momenta();
  std::vector<Touch> touches;
  bool is_fast = false, is_driven = false;
  for (const Touch& touch : all) {
    const double speed = -touch.normal.dot(row_of(touch).velocity(before));
    const bool near = at_once ? time_of_impact(touch, row_of(touch).velocity(before)) < 1e-12
                              : touch.gap < touching;
    is_fast = is_fast || (speed > contact_speed_ && near);
    if (touch.gap >= together) continue;
    touches.push_back(touch);
    for (const std::uint32_t i : {touch.body_a, touch.body_b}) {
      is_driven = is_driven || (!bodies_[i].is_free && !bodies_[i].settings.motion->is_still());
    }
  }
  if (!is_fast) return false;

  // Newton's restitution can add energy where friction turns a body around; then it bounces less.
  const double energy = kinetic(before);
  std::vector<BodyMomentum> after;
  std::vector<ContactRow> rows;
  for (int attempt = 0; attempt <= 12; ++attempt) {
    after = before;
    rows = bounce(touches, attempt == 12 ? 0.0 : std::pow(0.7, attempt), after);
    if (is_driven || kinetic(after) <= energy * (1.0 + 1e-12)) break;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].impulse.isZero()) continue;
    record(touches[i], rows[i].impulse, rows[i].velocity(before), 0.0, 0.0);
  }
  take(after);
  return true;
}

/// Rolling on one point: the velocity is that of the contact in the middle of the step, so that the
/// point of contact moves on as the body turns. The impulse keeps the arm of the start.
void RigidWorld::take_to_middle(const Touch& touch, double dt, ContactRow& row, double& gap) const {
  std::array<Body const*, 2> pair = {&bodies_[touch.body_a], &bodies_[touch.body_b]};
  std::array<RigidState, 2> states;
  std::array<PlacedShape, 2> placed;
  for (int k = 0; k < 2; ++k) {
    const Body& body = *pair[k];
    placed[k] = {body.shape.get(), body.pose};
    if (!body.is_free) {
      placed[k].pose = body.settings.motion->pose(time() + 0.5 * dt);
      continue;
    }
    states[k] = body.state;
    fly(body.frame, settings_.gravity, 0.5 * dt, states[k]);
    placed[k].pose = body_pose(body.frame, states[k]);
  }
  std::vector<Touch> touches;
  const double reach = std::min(pair[0]->shape->reach(), pair[1]->shape->reach());
  find_touches(placed[0], placed[1], touch.body_a, touch.body_b,
               std::max(2.0 * std::abs(touch.gap), 0.1 * reach), touches);
  // The same feature, or what is nearest now.
  auto same =
      std::ranges::find_if(touches, [&](const Touch& other) { return other.key == touch.key; });
  if (same == touches.end()) {
    same = std::ranges::min_element(
        touches, {}, [&](const Touch& other) { return (other.point - touch.point).squaredNorm(); });
  }
  if (same == touches.end()) return;
  const double size = std::min(pair[0]->shape->reach(), pair[1]->shape->reach());
  if ((same->point - touch.point).norm() > 0.25 * size) return;

  row.normal = same->normal;
  if (pair[0]->is_free) {
    row.arm_a = same->on_a() - states[0].position;
    row.inverse_inertia_a = inverse_inertia(pair[0]->frame, states[0]);
  } else {
    row.arm_a = same->on_a() - placed[0].pose.position;
  }
  if (pair[1]->is_free) {
    row.arm_b = same->on_b() - states[1].position;
    row.inverse_inertia_b = inverse_inertia(pair[1]->frame, states[1]);
  } else {
    row.arm_b = same->on_b() - placed[1].pose.position;
  }
  const double way = 0.5 * dt * row.normal.dot(row.velocity(momenta())) +
                     0.125 * dt * dt * row.normal.dot(gravity_between(touch));
  gap = same->gap - way;
}

const RigidWorld::Held* RigidWorld::held_at(const Touch& touch) const {
  if (const auto same = held_.find(touch.key); same != held_.end()) return &same->second;
  const std::uint64_t pair = pair_key(touch.body_a, touch.body_b);
  const Held* nearest = nullptr;
  double least =
      0.05 * std::min(bodies_[touch.body_a].shape->reach(), bodies_[touch.body_b].shape->reach());
  for (auto it = held_.lower_bound(pair); it != held_.end() && it->first >> 32 == pair >> 32;
       ++it) {
    const double apart = (it->second.point - touch.point).norm();
    if (apart < least && it->second.normal.dot(touch.normal) > 0.9) {
      nearest = &it->second;
      least = apart;
    }
  }
  return nearest;
}

void RigidWorld::push_apart(const std::vector<Touch>& touches, double dt, bool all) {
  std::vector<BodyMomentum> now = momenta();
  std::vector<ContactRow> rows;
  std::vector<const Touch*> sources;
  for (const Touch& touch : touches) {
    ContactRow row = row_of(touch);
    const bool is_fast = -touch.normal.dot(row.velocity(now)) > contact_speed_;
    if (is_fast && !all) continue;  // until its impact
    const bool alone = std::ranges::count_if(touches, [&](const Touch& other) {
                         return other.body_a == touch.body_a && other.body_b == touch.body_b;
                       }) == 1;
    double gap = touch.gap;
    if (alone) take_to_middle(touch, dt, row, gap);
    row.drift = 0.5 * dt * gravity_between(touch);
    row.target = gap >= 0.0 ? -gap / dt : std::min(-0.5 * gap / dt, fastest_recovery);
    // Most contacts go on as they were.
    if (const Held* last = held_at(touch)) {
      const Vec3 likely = dt / held_for_ * last->impulse;
      if (likely.dot(row.normal) > 0.0) row.impulse = likely;
    }
    rows.push_back(row);
    sources.push_back(&touch);
  }
  const std::vector<BodyMomentum> before = now;
  for (const ContactRow& row : rows) apply_impulse(row, row.impulse, now);
  solve_rows(rows, now);
  take(now);

  std::map<std::uint64_t, Held> holds;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ContactRow& row = rows[i];
    const double push = row.impulse.dot(row.normal);
    if (push <= 0.0) continue;
    const Touch& touch = *sources[i];
    holds[touch.key] = {touch.point, touch.normal, row.impulse};
    const Vec3 slip = row.velocity(now);
    const double approach = -row.normal.dot(row.velocity(before) - row.drift);
    const Vec3 velocity = slip - row.normal * (row.normal.dot(slip) + approach);
    // How fast the point of contact moves over the surface of a.
    double rolling = 0.0;
    if (const Held* last = held_at(touch)) {
      const Body& a = bodies_[touch.body_a];
      const Vec3 carried = now[touch.body_a].velocity +
                           angular_velocity(touch.body_a).cross(row.push_a) +
                           (a.is_free ? Vec3(0.5 * dt * settings_.gravity) : Vec3(Vec3::Zero()));
      const Vec3 over = (touch.point - last->point) / held_for_ - carried;
      rolling = (over - row.normal * row.normal.dot(over)).norm();
      resist_rolling(touch, push, rolling);
    }
    const double across = (velocity + approach * row.normal).norm();
    if (across > moving || rolling > moving || approach > moving) {
      record(touch, row.impulse, velocity, dt, rolling);
    } else {
      rest_impulse_ += row.impulse.norm();
    }
  }
  held_ = std::move(holds);
  held_for_ = dt;
}

/// Takes c_r N u per second from the turning of free bodies: a moment c_r N u / |w| against it,
/// with the speed u of the point of contact; on a wheel of radius R that is c_r N R.
void RigidWorld::resist_rolling(const Touch& touch, double push, double speed) {
  const double coefficient = std::max(bodies_[touch.body_a].settings.rolling_resistance,
                                      bodies_[touch.body_b].settings.rolling_resistance);
  if (!(coefficient > 0.0)) return;
  for (const std::uint32_t i : {touch.body_a, touch.body_b}) {
    Body& body = bodies_[i];
    if (!body.is_free) continue;
    const Vec3 w = dynamics::angular_velocity(body.frame, body.state);
    const double turning = w.norm();
    if (!(turning > 1e-9)) continue;
    const double along = body.state.angular_momentum.dot(w) / turning;
    const double loss = std::min(coefficient * push * speed / turning, 0.5 * along);
    body.state.angular_momentum -= loss * w / turning;
  }
}

void RigidWorld::fly_all(double dt) {
  for (Body& body : bodies_) {
    if (body.is_free) {
      fly(body.frame, settings_.gravity, dt, body.state);
      body.pose = body_pose(body.frame, body.state);
    } else if (!body.settings.motion->is_still()) {
      body.pose = body.settings.motion->pose(time() + dt);
    }
  }
}

void RigidWorld::place_scripted() {
  for (Body& body : bodies_) {
    if (body.is_free) continue;
    const base::Motion& motion = *body.settings.motion;
    body.pose = motion.pose(time());
    if (motion.is_still()) continue;
    // A cut moves nothing: the body is there, then elsewhere.
    body.velocity.setZero();
    body.angular_velocity.setZero();
    if (base::jumps_between(motion, time(), time() + settings_.step)) continue;
    const base::Pose next = motion.pose(time() + settings_.step);
    body.velocity = (next.position - body.pose.position) / settings_.step;
    const Eigen::AngleAxisd turn(next.orientation * body.pose.orientation.conjugate());
    body.angular_velocity = turn.angle() / settings_.step * turn.axis();
  }
}

void RigidWorld::refuse_overlaps() const {
  for (const Touch& touch : detect(0.0)) {
    if (touch.gap > -overlap_allowed) continue;
    const std::string &a = bodies_[touch.body_a].settings.name,
                      &b = bodies_[touch.body_b].settings.name;
    throw util::InputError(
        {"", a},
        fmt::format("\"{}\" and \"{}\" overlap by {:.3g} mm at the start", a, b, -1e3 * touch.gap),
        "Move them apart; bodies may touch.");
  }
}

void RigidWorld::record(const Touch& touch, const Vec3& impulse, const Vec3& velocity,
                        double duration, double rolling) {
  log_.records.push_back({.time = time(),
                          .body_a = touch.body_a,
                          .body_b = touch.body_b,
                          .point = touch.point,
                          .normal = touch.normal,
                          .impulse = impulse,
                          .velocity = velocity,
                          .duration = duration,
                          .rolling = rolling});
}

}  // namespace peal::dynamics
