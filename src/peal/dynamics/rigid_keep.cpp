#include <peal/base/stored_contacts.h>
#include <peal/dynamics/rigid_world.h>

#include <algorithm>

// What a world remembers whose bodies someone else moves.

namespace peal::dynamics {

namespace {

template <class... Vectors>
void keep_all(util::Archive& archive, Vectors&... vectors) {
  (archive.numbers(std::span(vectors.data(), 3)), ...);
}

void keep_turn(util::Archive& archive, Quat& turn) {
  archive.numbers(std::span(turn.coeffs().data(), 4));
}

}  // namespace

void RigidWorld::keep(util::Archive& archive, Body& body) {
  RigidState& state = body.state;
  keep_all(archive, state.position, state.velocity, state.angular_momentum);
  keep_turn(archive, state.orientation);
  archive.number(body.is_calm, body.is_asleep, body.rest, body.rest_seen, body.rest_rate);
  bool is_seen = body.seen.has_value();
  base::Pose seen = body.seen.value_or(base::Pose());
  archive.number(is_seen);
  keep_all(archive, seen.position);
  keep_turn(archive, seen.orientation);
  body.seen = is_seen ? std::optional(seen) : std::nullopt;
  body.pose = body_pose(body.frame, state);
  body.turning = inverse_inertia(body.frame, state);
}

void RigidWorld::keep_held(util::Archive& archive) {
  std::vector<std::uint64_t> pairs;
  for (const auto& [pair, held] : held_) pairs.push_back(pair);
  std::ranges::sort(pairs);
  archive.list(pairs);
  for (const std::uint64_t pair : pairs) {
    std::vector<Held>& held = held_[pair];
    held.resize(archive.count(held.size()));
    for (Held& one : held) {
      archive.number(one.key, one.duration, one.until);
      keep_all(archive, one.point, one.normal, one.impulse);
    }
  }
}

void RigidWorld::keep(util::Archive& archive) {
  archive.number(steps_, looked_at_, rest_impulse_);
  for (const std::uint32_t i : free_) keep(archive, bodies_[i]);
  keep_held(archive);
  base::serialize(archive, log_.records);
}

}  // namespace peal::dynamics
