#include <peal/dynamics/rigid_world.h>
#include <peal/dynamics/serialize_vectors.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace peal::dynamics {

namespace {

/// Checkpoints of other releases have another order of their numbers, or none of these bytes.
constexpr std::uint64_t rigid_layout = 0x5249474944000004;  // "RIGID", 4

}  // namespace

RigidWorld::RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : settings_(settings),
      clock_{.step = settings.step},
      bodies_(std::move(bodies), settings),
      sleep_(bodies_.size()),
      recorder_(bodies_, sleep_, settings.step),
      solver_(bodies_, clock_, recorder_, settings_) {
  bodies_.place_scripted(clock_);
}

void RigidWorld::step(const Moved& moved) {
  const bool has_begun = begin_and_end(), is_struck = strike_from_outside();
  const bool is_changed = has_begun || is_struck;
  if (is_changed || !all_asleep()) {
    recorder_.begin_step();
    bodies_.place_scripted(clock_);
    const std::vector<Island> islands = awake_islands();
    for (const Island& island : islands) solver_.step(island, moved);
    bodies_.place_moving(clock_.now() + clock_.step);
    end_step(islands);
  } else {
    ++clock_.steps;
    recorder_.begin_step();
    recorder_.end_step(clock_.now());
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (sleep_.is_asleep(i)) recorder_.add_rest(sleep_.rest_rate(i));
  }
  moved(bodies_.free());
}

bool RigidWorld::all_asleep() const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = bodies_[i];
    if (body.is_there && (body.is_free ? !sleep_.is_asleep(i) : body.is_moving)) return false;
  }
  return true;
}

void RigidWorld::end_step(std::span<const Island> islands) {
  ++clock_.steps;
  recorder_.end_step(clock_.now());
  sleep_.update(islands, settings_, clock_, bodies_);
}

std::vector<Island> RigidWorld::awake_islands() {
  std::vector<Island> islands =
      find_islands(bodies_, candidate_pairs(bodies_, clock_.step), settings_.joints);
  sleep_.wake_disturbed(islands);
  return islands;
}

bool RigidWorld::begin_and_end() {
  // Times are sums of steps: a body begins with the step that is nearest.
  const RigidBodies::Changes changes = bodies_.update_existence(clock_.now() + 0.5 * clock_.step);
  if (!changes.any) return false;
  // What rested on a body that has ended falls.
  for (const std::uint32_t i : bodies_.free()) sleep_.wake(i);
  bodies_.place_scripted(clock_);
  if (clock_.steps == 0) return true;  // those of the start are checked
  for (const std::uint32_t i : changes.begun) bodies_.refuse_overlaps_of(i);
  return true;
}

bool RigidWorld::strike_from_outside() {
  bool any = false;
  for (const std::uint32_t i : bodies_.free()) {
    RigidBody& body = bodies_[i];
    for (const Blow& blow : body.settings.blows) {
      if (std::abs(blow.time - clock_.now()) >= 0.5 * clock_.step) continue;
      any = true;
      body.state.velocity += blow.impulse / body.frame.mass;
      body.state.angular_momentum += (blow.point - body.state.position).cross(blow.impulse);
      sleep_.wake(i);
    }
  }
  return any;
}

void RigidWorld::resolve_contacts(std::span<base::MovedBody> moved) {
  const std::span<const std::uint32_t> free = bodies_.free();
  assert(moved.size() == free.size() && "all free bodies are moved");
  recorder_.begin_step();
  bodies_.place_scripted(clock_);
  for (std::size_t k = 0; k < free.size(); ++k) take(moved[k], free[k]);
  const std::vector<Island> islands = awake_islands();
  for (const Island& island : islands) solver_.resolve_contacts(island);
  end_step(islands);
  for (std::size_t k = 0; k < free.size(); ++k) {
    moved[k].state = bodies_[free[k]].state;
    if (!sleep_.is_asleep(free[k])) continue;
    recorder_.add_rest(sleep_.rest_rate(free[k]));
    // It falls as far as it rises.
    moved[k].state.velocity = -0.5 * clock_.step * bodies_.gravity();
  }
}

/// One that sleeps is where it was, unless something pushes it.
void RigidWorld::take(const base::MovedBody& moved, std::uint32_t i) {
  RigidBody& body = bodies_[i];
  body.pushed = moved.pushed;
  if (sleep_.is_asleep(i) && body.pushed == 0.0) return;
  sleep_.wake(i);
  body.state = moved.state;
  body.follow_state();
}

void RigidWorld::serialize(util::Archive& archive) {
  archive.same(rigid_layout);
  archive.number(clock_.steps);
  for (const std::uint32_t i : bodies_.free()) {
    RigidState& state = bodies_[i].state;
    serialize_vectors(archive, state.position, state.velocity, state.angular_momentum);
    keep_quaternion(archive, state.orientation);
    bodies_[i].follow_state();
  }
  sleep_.serialize(archive);
  solver_.serialize(archive);
  recorder_.serialize(archive);
}

}  // namespace peal::dynamics
