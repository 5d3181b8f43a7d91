#include <peal/dynamics/rigid_world.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace peal::dynamics {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double touching = 2e-8;  ///< gap at which an approach is an impact [m]
/// Impacts of an island in a step that are found one by one: a few bodies may chatter, of more than
/// a few all impacts are struck at once if they are many, of many always.
constexpr int most_impacts = 100, few_impacts = 2;
constexpr std::size_t few_bodies = 4, many_bodies = 16;
/// Times that a blow is passed on at one instant. Through a row of n equal balls it takes n - 1,
/// back and forth between a ball and its floor about log(v / v_c) / log(1 / e).
constexpr int most_passed = 32;

}  // namespace

RigidWorld::RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : settings_(settings), contact_speed_(slowest_bounce(settings)) {
  const auto shapes = checked_shapes(bodies, settings);
  log_.step = settings.step;
  for (RigidBodySettings& one : bodies) {
    Body body;
    body.settings = std::move(one);
    body.shape = shapes[bodies_.size()];
    body.is_free = body.settings.motion == nullptr;
    body.is_moving = !body.is_free && !body.settings.motion->is_still();
    log_.bodies.push_back(body.settings.name);
    if (body.is_free) {
      body.frame = base::mass_frame(body.settings.mass);
      const base::Pose& pose = body.settings.pose;
      body.state.position = pose.to_world(body.frame.centre);
      body.state.orientation = pose.orientation * body.frame.axes;
      body.state.velocity = body.settings.velocity;
      const Vec3 own = body.state.orientation.conjugate() * body.settings.angular_velocity;
      body.state.angular_momentum = body.state.orientation * own.cwiseProduct(body.frame.moments);
      body.pose = pose;
      body.turning = inverse_inertia(body.frame, body.state);
      free_.push_back(static_cast<std::uint32_t>(bodies_.size()));
    }
    bodies_.push_back(std::move(body));
  }
  place_scripted();
}

double RigidWorld::time() const {
  return static_cast<double>(steps_) * settings_.step + since_;
}

Vec3 RigidWorld::velocity(std::size_t body) const {
  return bodies_[body].is_free ? bodies_[body].state.velocity : bodies_[body].velocity;
}

Vec3 RigidWorld::angular_velocity(std::size_t body) const {
  const Body& one = bodies_[body];
  return one.is_free ? Vec3(one.turning * one.state.angular_momentum) : one.angular_velocity;
}

double RigidWorld::energy() const {
  double sum = kinetic(free_, momenta());
  for (const Body& body : bodies_) {
    if (body.is_free) sum -= body.frame.mass * settings_.gravity.dot(body.state.position);
  }
  return sum;
}

void RigidWorld::step(const Moved& moved) {
  const std::size_t first = log_.records.size();
  const bool is_changed = begin_and_end();
  const bool all_asleep = !is_changed && std::ranges::all_of(bodies_, [](const Body& body) {
    return !body.is_there || (body.is_free ? body.is_asleep : !body.is_moving);
  });
  if (!all_asleep) {
    place_scripted();
    const std::vector<Island> islands = find_islands();
    for (const Island& island : islands) run(island, moved);
    place_moving(time() + settings_.step);
    std::stable_sort(log_.records.begin() + static_cast<std::ptrdiff_t>(first), log_.records.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    ++steps_;
    fall_asleep(islands);
  } else {
    ++steps_;
  }
  for (const Body& body : bodies_) {
    if (body.is_asleep) rest_impulse_ += body.rest_rate;
  }
  moved(free_);
}

void RigidWorld::run(const Island& island, const Moved& moved) {
  place_moving(time());
  const auto was_crowded = [&](std::uint32_t i) { return bodies_[i].was_crowded; };
  bool crowd =
      island.bodies.size() > many_bodies ||
      (island.bodies.size() > few_bodies && std::ranges::any_of(island.bodies, was_crowded));
  const int limit = island.bodies.size() > few_bodies ? few_impacts : most_impacts;
  int impacts = 0;
  while (since_ < settings_.step) {
    const double left = settings_.step - since_;
    const std::vector<Touch> touches = detect(island.pairs, crowd ? 2.0 * left : left, crowd);
    if (crowd) {
      const std::size_t struck = pass_on(island, touches, left).meetings;
      for (const std::uint32_t i : island.bodies) bodies_[i].was_crowded = struck > few_impacts;
      push_apart(island, touches, left, {.all = true, .rolls = false});
      fly_on(island, left);
      since_ = settings_.step;
      continue;
    }
    if (strike(island, touches, false)) {
      crowd = ++impacts >= limit;
      continue;
    }
    const double dt = std::max(until_impact(touches, left), 1e-12);
    // So near that no time passes: it is there.
    if (dt <= 1e-12 && strike(island, touches, true)) {
      crowd = ++impacts >= limit;
      continue;
    }
    push_apart(island, touches, dt, {.all = false, .rolls = true});
    fly_on(island, dt);
    since_ = dt >= left ? settings_.step : since_ + dt;
    if (since_ < settings_.step) moved(island.bodies);
  }
  since_ = 0.0;
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
  result.emplace_back();  // the world
  return result;
}

void RigidWorld::take(const Island& island, std::span<const BodyMomentum> momenta) {
  for (const std::uint32_t i : island.bodies) {
    bodies_[i].state.velocity = momenta[i].velocity;
    bodies_[i].state.angular_momentum = momenta[i].angular_momentum;
  }
}

double RigidWorld::kinetic(std::span<const std::uint32_t> bodies,
                           std::span<const BodyMomentum> momenta) const {
  double sum = 0.0;
  for (const std::uint32_t i : bodies) {
    const BodyMomentum& one = momenta[i];
    sum += 0.5 * one.velocity.squaredNorm() / one.inverse_mass +
           0.5 * one.angular_momentum.dot(bodies_[i].turning * one.angular_momentum);
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
  row.inverse_inertia_a = a.turning;
  row.inverse_inertia_b = b.turning;
  row.friction = 0.5 * (a.settings.friction + b.settings.friction);
  return row;
}

double RigidWorld::restitution_of(const Touch& touch) const {
  return 0.5 *
         (bodies_[touch.body_a].settings.restitution + bodies_[touch.body_b].settings.restitution);
}

/// By how much a falls faster than b [m/s^2].
Vec3 RigidWorld::gravity_between(const Touch& touch) const {
  const double a = bodies_[touch.body_a].is_free ? 1.0 : 0.0;
  const double b = bodies_[touch.body_b].is_free ? 1.0 : 0.0;
  return (a - b) * settings_.gravity;
}

/// Where a body rolls, the point of contact moves on to parts of the surface that came down
/// meanwhile, by the turning times the way that it moved: that does not bounce.
double RigidWorld::slowest_impact(const Touch& touch) const {
  const Body &a = bodies_[touch.body_a], &b = bodies_[touch.body_b];
  const double slowest = contact_speed_ + steps_of_rest * settings_.step * (a.pushed + b.pushed);
  const Held* last = held_at(touch);
  if (last == nullptr) return slowest;
  const double way = (touch.point - last->point).norm();
  const double size = std::min(a.shape->reach(), b.shape->reach());
  if (way > farthest_roll * size) return slowest;  // another place
  return slowest + way * (angular_velocity(touch.body_a) - angular_velocity(touch.body_b)).norm();
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
  if (root <= contact_speed_ || root <= slowest_impact(touch)) return never;
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

std::vector<ContactRow> RigidWorld::bounced(const Island& island, const std::vector<Touch>& touches,
                                            double restitution,
                                            std::span<BodyMomentum> momenta) const {
  std::vector<ContactRow> rows;
  for (const Touch& touch : touches) {
    ContactRow row = row_of(touch);
    const double speed = -row.normal.dot(row.velocity(momenta));
    if (speed > contact_speed_ && speed > slowest_impact(touch))
      row.target = restitution * restitution_of(touch) * speed;
    rows.push_back(row);
  }
  add_joints(island, 0.0, rows);
  solve_rows(rows, momenta);
  return rows;
}

/// All touches at once: what each was given.
std::vector<RigidWorld::Blow> RigidWorld::bounce(const Island& island,
                                                 const std::vector<Touch>& touches) {
  const std::vector<BodyMomentum> before = momenta();
  // Newton's restitution can add energy where friction turns a body around; then it bounces less.
  const double energy = kinetic(island.bodies, before);
  std::vector<BodyMomentum> after;
  std::vector<ContactRow> rows;
  for (int attempt = 0; attempt <= 12; ++attempt) {
    after = before;
    rows = bounced(island, touches, attempt == 12 ? 0.0 : std::pow(0.7, attempt), after);
    if (island.is_driven || kinetic(island.bodies, after) <= energy * (1.0 + 1e-12)) break;
  }
  std::vector<Blow> blows(touches.size());
  for (std::size_t i = 0; i < touches.size(); ++i) {
    if (rows[i].impulse.isZero()) continue;
    const Vec3 velocity = rows[i].velocity(before);
    const bool is_passed_on = rows[i].normal.dot(velocity) > -contact_speed_;
    blows[i] = {rows[i].impulse, velocity, is_passed_on};
  }
  take(island, after);
  return blows;
}

void RigidWorld::record_blow(double t, const Touch& touch, const Blow& blow) {
  if (blow.impulse.isZero()) return;
  if (blow.is_passed_on && touch.normal.dot(blow.velocity) > -slowest_passed_on) {
    rest_on(touch, blow.impulse.norm());
  } else {
    record(t, touch, blow.impulse, blow.velocity, 0.0, 0.0);
  }
}

/// The speed with which it closes, if it bounces, or else 0 [m/s].
double RigidWorld::impact_speed(const Touch& touch, std::span<const BodyMomentum> momenta) const {
  const double speed = -touch.normal.dot(row_of(touch).velocity(momenta));
  return speed > contact_speed_ && speed > slowest_impact(touch) ? speed : 0.0;
}

bool RigidWorld::strike(const Island& island, const std::vector<Touch>& all, bool at_once) {
  const std::vector<BodyMomentum> before = momenta();
  std::vector<Touch> touches;
  bool begins = false;
  for (const Touch& touch : all) {
    const bool near = at_once ? time_of_impact(touch, row_of(touch).velocity(before)) < 1e-12
                              : touch.gap < touching;
    begins = begins || (near && impact_speed(touch, before) > 0.0);
    if (touch.gap < together) touches.push_back(touch);
  }
  if (begins) pass_on(island, touches, 0.0);
  return begins;
}

/// The touches of pairs that meet fast within a time [s], with those that hold such a pair
/// together; and when: not before what struck the bodies, `last_struck` after now [s].
std::vector<std::size_t> RigidWorld::meeting(const std::vector<Touch>& touches, double within,
                                             std::span<const double> last_struck,
                                             std::vector<Blow>& blows) const {
  const std::vector<BodyMomentum> now = momenta();
  std::vector<std::size_t> result;
  for (std::size_t i = 0, end = 0; i < touches.size(); i = end) {
    // Touches of a pair follow each other; those that are there hold it together.
    const std::uint32_t a = touches[i].body_a, b = touches[i].body_b;
    const double earliest = std::max(last_struck[a], last_struck[b]);
    std::vector<std::size_t> of_pair;
    double first = never;
    for (end = i; end < touches.size() && touches[end].body_a == a && touches[end].body_b == b;
         ++end) {
      const double speed = impact_speed(touches[end], now);
      const double gap = std::max(touches[end].gap, 0.0);
      const bool comes = speed > 0.0 && gap < together + speed * within;
      if (!comes && gap >= together) continue;
      of_pair.push_back(end);
      if (!comes) continue;
      const double growth = -touches[end].normal.dot(gravity_between(touches[end]));
      const double root = std::sqrt(std::max(0.0, speed * speed + 2.0 * growth * gap));
      const double delay = std::min(std::max(2.0 * gap / (speed + root), earliest), within);
      first = std::min(first, delay);
      if (blows[end].impulse.isZero()) blows[end].delay = delay;
    }
    if (first == never) continue;
    for (const std::size_t k : of_pair) {
      if (blows[k].impulse.isZero()) blows[k].delay = std::max(blows[k].delay, first);
    }
    result.insert(result.end(), of_pair.begin(), of_pair.end());
  }
  return result;
}

/// A blow goes from pair to pair of bodies, as the wave in the bodies does: what is struck strikes
/// the next. All touches of one pair, and all pairs that meet at once, are struck as one. A touch
/// that is struck several times is one blow.
RigidWorld::Struck RigidWorld::pass_on(const Island& island, const std::vector<Touch>& touches,
                                       double within) {
  Struck result{.blows = std::vector<Blow>(touches.size())};
  std::vector<Blow>& sums = result.blows;
  std::vector<double> last_struck(bodies_.size(), 0.0);
  double fastest = 0.0;  // approach [m/s]
  const auto strike_some = [&](const std::vector<std::size_t>& which) {
    std::vector<Touch> struck;
    for (const std::size_t i : which) struck.push_back(touches[i]);
    const std::vector<Blow> blows = bounce(island, struck);
    for (std::size_t k = 0; k < which.size(); ++k) {
      if (blows[k].impulse.isZero()) continue;
      fastest = std::max(fastest, -struck[k].normal.dot(blows[k].velocity));
      Blow& sum = sums[which[k]];
      if (sum.impulse.isZero()) {
        sum.impulse = blows[k].impulse;
        sum.velocity = blows[k].velocity;
        sum.is_passed_on = blows[k].is_passed_on;
      } else {
        sum.impulse += blows[k].impulse;
        sum.is_passed_on = true;
      }
      for (const std::uint32_t body : {struck[k].body_a, struck[k].body_b}) {
        if (bodies_[body].is_free) last_struck[body] = std::max(last_struck[body], sum.delay);
      }
    }
  };
  int passed = 0;
  for (; passed < most_passed; ++passed) {
    const std::vector<std::size_t> struck = meeting(touches, within, last_struck, sums);
    if (struck.empty()) break;
    result.meetings += struck.size();
    strike_some(struck);
  }
  if (passed == most_passed) {  // it goes to and fro without end: held together
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < touches.size(); ++i) {
      if (touches[i].gap < together) near.push_back(i);
    }
    strike_some(near);
  }
  const std::vector<BodyMomentum> now = momenta();
  for (std::size_t i = 0; i < touches.size(); ++i) {
    Blow& blow = sums[i];
    if (blow.is_passed_on) {
      // As fast as two bodies must meet by themselves for such an impulse; not faster than what
      // struck them.
      const Vec3& normal = touches[i].normal;
      const double alone = blow.impulse.dot(normal) * row_of(touches[i]).response(now) /
                           (1.0 + restitution_of(touches[i]));
      const double speed = std::min(alone, fastest);
      blow.velocity -= normal * std::max(0.0, speed + normal.dot(blow.velocity));
    }
    record_blow(time() + blow.delay, touches[i], blow);
  }
  return result;
}

void RigidWorld::fly_on(const Island& island, double dt) {
  for (const std::uint32_t i : island.bodies) {
    Body& body = bodies_[i];
    fly(body.frame, settings_.gravity, dt, body.state);
    body.pose = body_pose(body.frame, body.state);
    body.turning = inverse_inertia(body.frame, body.state);
  }
  if (island.is_driven) place_moving(time() + dt);
}

void RigidWorld::place_moving(double t) {
  for (Body& body : bodies_) {
    if (body.is_moving) body.pose = body.settings.motion->pose(t);
  }
}

void RigidWorld::place_scripted() {
  for (Body& body : bodies_) {
    if (body.is_free) continue;
    const base::Motion& motion = *body.settings.motion;
    body.pose = motion.pose(time());
    if (motion.is_still()) continue;
    const ScriptedVelocity moved = scripted_velocity(motion, time(), settings_.step);
    body.velocity = moved.velocity;
    body.angular_velocity = moved.angular_velocity;
  }
}

void RigidWorld::record(double t, const Touch& touch, const Vec3& impulse, const Vec3& velocity,
                        double duration, double rolling) {
  log_.records.push_back({.time = t,
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
