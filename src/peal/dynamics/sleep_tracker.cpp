#include <peal/dynamics/serialize_vectors.h>
#include <peal/dynamics/sleep_tracker.h>

#include <algorithm>
#include <cassert>

namespace peal::dynamics {

void SleepTracker::wake(std::size_t i) {
  Body& body = bodies_[i];
  if (!body.is_asleep) return;
  body.is_asleep = body.is_calm = false;
  body.rest_seen = body.rest;
  body.seen.reset();
}

void SleepTracker::wake_disturbed(std::vector<Island>& islands) {
  std::erase_if(islands, [&](const Island& island) {
    return !island.is_driven &&
           std::ranges::all_of(island.bodies, [&](std::uint32_t i) { return is_asleep(i); });
  });
  for (const Island& island : islands) {
    for (const std::uint32_t i : island.bodies) wake(i);
  }
}

void SleepTracker::update(std::span<const Island> islands, const RigidSettings& settings,
                          const StepClock& clock, RigidBodies& bodies) {
  assert(bodies.size() == bodies_.size() && "each body is tracked");
  if (static_cast<double>(clock.steps - looked_at_) * clock.step < time_to_sleep) return;
  assert(clock.steps > looked_at_ && "a rate of rest needs steps to be taken over");
  for (const std::uint32_t i : bodies.free()) {
    const RigidBody& body = bodies[i];
    Body& tracked = bodies_[i];
    tracked.is_calm =
        body.pushed == 0.0 && tracked.seen &&
        has_hardly_moved(*tracked.seen, body.pose, body.state.velocity.norm(),
                         body.angular_velocity().norm() * body.shape->reach(), settings);
    tracked.seen = body.pose;
  }
  for (const Island& island : islands) {
    const bool is_calm =
        std::ranges::all_of(island.bodies, [&](std::uint32_t i) { return bodies_[i].is_calm; });
    for (const std::uint32_t i : island.bodies) {
      Body& tracked = bodies_[i];
      if (is_calm && !island.is_driven) {
        tracked.is_asleep = true;
        tracked.rest_rate =
            (tracked.rest - tracked.rest_seen) / static_cast<double>(clock.steps - looked_at_);
        bodies[i].state.velocity.setZero();
        bodies[i].state.angular_momentum.setZero();
      }
      tracked.rest_seen = tracked.rest;
    }
  }
  looked_at_ = clock.steps;
}

void SleepTracker::serialize(util::Archive& archive) {
  archive.number(looked_at_);
  for (Body& body : bodies_) {
    archive.number(body.is_calm, body.is_asleep, body.rest, body.rest_seen, body.rest_rate);
    bool is_seen = body.seen.has_value();
    base::Pose seen = body.seen.value_or(base::Pose());
    archive.number(is_seen);
    serialize_vectors(archive, seen.position);
    keep_quaternion(archive, seen.orientation);
    body.seen = is_seen ? std::optional(seen) : std::nullopt;
  }
}

}  // namespace peal::dynamics
