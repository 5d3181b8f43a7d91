#include <peal/dynamics/rigid_world.h>

#include <algorithm>

// Bodies that someone else moves: what their contacts do to them, once a step.

namespace peal::dynamics {

namespace {

/// Islands of more bodies are as rough as the crowds of a step of their own.
constexpr std::size_t most_exact_bodies = 16;

}  // namespace

void RigidWorld::hold(std::span<base::MovedBody> moved) {
  const std::size_t first = log_.records.size();
  place_scripted();
  for (std::size_t k = 0; k < free_.size(); ++k) take(moved[k], bodies_[free_[k]]);
  const std::vector<Island> islands = find_islands();
  for (const Island& island : islands) hold(island);
  std::stable_sort(log_.records.begin() + static_cast<std::ptrdiff_t>(first), log_.records.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  ++steps_;
  fall_asleep(islands);
  for (std::size_t k = 0; k < free_.size(); ++k) {
    const Body& body = bodies_[free_[k]];
    moved[k].state = body.state;
    if (!body.is_asleep) continue;
    rest_impulse_ += body.rest_rate;
    // It falls as far as it rises.
    moved[k].state.velocity = -0.5 * settings_.step * settings_.gravity;
  }
}

/// One that sleeps is where it was, unless something pushes it.
void RigidWorld::take(const base::MovedBody& moved, Body& body) {
  body.pushed = moved.pushed;
  if (body.is_asleep && body.pushed == 0.0) return;
  wake(body);
  body.state = moved.state;
  body.pose = body_pose(body.frame, body.state);
  body.turning = inverse_inertia(body.frame, body.state);
}

void RigidWorld::hold(const Island& island) {
  if (island.pairs.empty() && island.joints.empty()) return;
  const double dt = settings_.step;
  const bool is_crowd = island.bodies.size() > most_exact_bodies;
  std::vector<Touch> touches = detect(island.pairs, 2.0 * dt, is_crowd);
  const Struck struck = pass_on(island, touches, dt);
  if (struck.meetings > 0) {
    catch_up(island, touches, struck.blows);
    touches = detect(island.pairs, 2.0 * dt, is_crowd);
    // Put back by what they flew since they met, they are in each other and leave.
    const std::vector<BodyMomentum> now = momenta();
    std::erase_if(touches, [&](const Touch& touch) {
      return touch.gap < 0.0 &&
             touch.gap + dt * touch.normal.dot(row_of(touch).velocity(now)) > 0.0;
    });
  }
  push_apart(island, touches, dt, {.all = true, .rolls = !is_crowd});
}

/// What met after a delay has had its old velocity until then, with what gravity gave it
/// meanwhile, and the new one since. What others push as well stays: they would feel that it is put
/// elsewhere.
void RigidWorld::catch_up(const Island& island, const std::vector<Touch>& touches,
                          const std::vector<Blow>& blows) {
  std::vector<BodyMomentum> after = momenta();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].pushed > 0.0) after[i].inverse_mass = 0.0;
  }
  std::vector<BodyMomentum> way;
  for (const BodyMomentum& body : after) way.push_back({.inverse_mass = body.inverse_mass});
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const auto& [impulse, velocity, is_passed_on, delay] = blows[i];
    const double speed = -touches[i].normal.dot(velocity);
    if (delay <= 0.0 || speed <= 0.0 || impulse.isZero()) continue;
    const double gained = -delay * touches[i].normal.dot(gravity_between(touches[i]));
    const ContactRow row = row_of(touches[i]);
    apply_impulse(row, gained / speed * impulse, after);
    apply_impulse(row, -delay * (1.0 + gained / speed) * impulse, way);
  }
  take(island, after);
  shift(island, way);
  for (const std::uint32_t i : island.bodies) {
    Body& body = bodies_[i];
    body.pose = body_pose(body.frame, body.state);
    body.turning = inverse_inertia(body.frame, body.state);
  }
}

}  // namespace peal::dynamics
