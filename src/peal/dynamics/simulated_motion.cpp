#include <peal/dynamics/simulated_motion.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

namespace peal::dynamics {

namespace {

/// Nearer poses are the same [m, rad]: a body at rest needs two instants, not thousands.
constexpr double no_distance = 1e-8;

bool is_same(const base::Pose& a, const base::Pose& b) {
  return (a.position - b.position).norm() < no_distance &&
         a.orientation.angularDistance(b.orientation) < no_distance;
}

}  // namespace

void SimulatedMotion::add(double t, const base::Pose& pose) {
  const std::size_t n = keys_.size();
  if (n >= 2 && is_same(keys_[n - 2].pose, pose) && is_same(keys_[n - 1].pose, pose)) {
    keys_[n - 1].t = t;
    return;
  }
  keys_.push_back({t, pose});
}

base::Pose SimulatedMotion::pose(double t) const {
  const auto after =
      std::ranges::partition_point(keys_, [&](const Key& key) { return key.t <= t; });
  if (after == keys_.begin()) return keys_.front().pose;
  if (after == keys_.end()) return keys_.back().pose;
  const Key &a = *std::prev(after), &b = *after;
  const double part = (t - a.t) / (b.t - a.t);
  return {.position = a.pose.position + part * (b.pose.position - a.pose.position),
          .orientation = a.pose.orientation.slerp(part, b.pose.orientation)};
}

void SimulatedMotion::serialize(util::Archive& archive) {
  keys_.resize(archive.count(keys_.size(), 8 * sizeof(double)));
  for (Key& key : keys_) {
    archive.number(key.t);
    archive.numbers(std::span(key.pose.position.data(), 3));
    archive.numbers(std::span(key.pose.orientation.coeffs().data(), 4));
  }
  archive.list(kinks_);
}

RigidSimulation simulate(std::vector<RigidBodySettings> bodies, const RigidSettings& settings,
                         double duration, util::Progress& progress) {
  RigidSimulation result;
  std::vector<std::shared_ptr<SimulatedMotion>> paths;
  for (const RigidBodySettings& body : bodies) {
    paths.push_back(body.motion ? nullptr : std::make_shared<SimulatedMotion>());
    result.motions.push_back(body.motion ? body.motion : paths.back());
  }
  std::vector<std::optional<geometry::MassProperties>> masses;  // of free bodies
  for (const RigidBodySettings& body : bodies)
    masses.push_back(body.motion ? std::nullopt : std::optional(body.mass));
  const auto world = make_rigid_solver(std::move(bodies), settings);
  const auto note_poses = [&](std::span<const std::uint32_t> moved) {
    for (const std::uint32_t i : moved) paths[i]->add(world->time(), world->pose(i));
  };
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (paths[i]) paths[i]->add(0.0, world->pose(i));
  }
  result.energy_before = world->energy();
  progress.begin("simulate", duration);
  for (std::int64_t i = 0; world->time() < duration; ++i) {
    world->step(note_poses);
    if (i % 256 == 0) progress.update(std::min(1.0, world->time() / duration));
  }
  progress.end();

  result.energy_after = result.kinetic_after = world->energy();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!masses[i]) continue;
    result.kinetic_after +=
        masses[i]->mass * settings.gravity.dot(world->pose(i).to_world(masses[i]->centre));
  }
  result.log = world->log();
  result.rest_impulse = world->rest_impulse();
  for (const base::ContactRecord& record : result.log.records) {
    if (record.duration > 0.0) continue;
    for (const std::uint32_t i : {record.body_a, record.body_b}) {
      if (paths[i]) paths[i]->add_kink(record.time);
    }
  }
  return result;
}

}  // namespace peal::dynamics
