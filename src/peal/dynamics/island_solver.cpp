#include <peal/dynamics/island_solver.h>

#include <algorithm>
#include <cassert>

namespace peal::dynamics {

namespace {

/// Limits on the impacts of an island in a step that are found one by one: a few bodies may
/// chatter; islands of more than `few_bodies` resolve all impacts at once if there are many, and
/// those of more than `many_bodies` always.
constexpr int most_impacts = 100, few_impacts = 2;
constexpr std::size_t few_bodies = 4, many_bodies = 16;
/// Islands of more bodies that the caller integrates are treated like crowds.
constexpr std::size_t most_exact_bodies = 16;
/// Least duration of a free flight, so that a step ends [s].
constexpr double least_flight = 1e-12;

}  // namespace

IslandSolver::IslandSolver(RigidBodies& bodies, StepClock& clock, ContactRecorder& recorder,
                           const RigidSettings& settings)
    : bodies_(bodies),
      clock_(clock),
      joints_(bodies, clock, settings.joints),
      threshold_(bodies, clock, cache_, settings),
      impacts_(bodies, clock, joints_, threshold_, recorder, settings.law),
      resting_(bodies, clock, joints_, threshold_, cache_, recorder),
      was_crowded_(bodies.size(), false) {}

void IslandSolver::step(const Island& island, const RigidSolver::Moved& moved) {
  assert(clock_.since == 0.0 && "islands begin with the step");
  bodies_.place_moving(clock_.now());
  const auto was_crowded = [&](std::uint32_t i) { return was_crowded_[i]; };
  const bool is_small = island.bodies.size() <= few_bodies;
  bool crowd = island.bodies.size() > many_bodies ||
               (!is_small && std::ranges::any_of(island.bodies, was_crowded));
  const int limit = is_small ? most_impacts : few_impacts;
  int impacts = 0;
  while (clock_.since < clock_.step) {
    const double left = clock_.step - clock_.since;
    if (crowd) {
      step_crowd(island, left);
      break;
    }
    const std::vector<ContactPoint> contact_points =
        detect_contacts(bodies_, island.pairs, left, false);
    if (impacts_.resolve_now(island, contact_points, false)) {
      crowd = ++impacts >= limit;
      continue;
    }
    const double dt = std::max(impacts_.time_until_impact(contact_points, left), least_flight);
    // The impact is so near that no time passes: resolve it now.
    if (dt <= least_flight && impacts_.resolve_now(island, contact_points, true)) {
      crowd = ++impacts >= limit;
      continue;
    }
    resting_.resolve(island, contact_points, dt, {.all = false, .rolls = true});
    fly(island, dt);
    clock_.since = dt >= left ? clock_.step : clock_.since + dt;
    if (clock_.since < clock_.step) moved(island.bodies);
  }
  clock_.since = 0.0;
}

/// Resolves all impacts of the rest of the step, `left` [s], now.
void IslandSolver::step_crowd(const Island& island, double left) {
  const std::vector<ContactPoint> contact_points =
      detect_contacts(bodies_, island.pairs, 2.0 * left, true);
  const std::size_t struck = impacts_.resolve_within(island, contact_points, left).meetings;
  for (const std::uint32_t i : island.bodies) was_crowded_[i] = struck > few_impacts;
  resting_.resolve(island, contact_points, left, {.all = true, .rolls = false});
  fly(island, left);
}

void IslandSolver::fly(const Island& island, double dt) {
  bodies_.fly(island.bodies, dt);
  if (island.is_driven) bodies_.place_moving(clock_.now() + dt);
}

void IslandSolver::resolve_contacts(const Island& island) {
  if (island.pairs.empty() && island.joints.empty()) return;
  const double dt = clock_.step;
  const bool is_crowd = island.bodies.size() > most_exact_bodies;
  std::vector<ContactPoint> contact_points =
      detect_contacts(bodies_, island.pairs, 2.0 * dt, is_crowd);
  const ImpactSolver::Result struck = impacts_.resolve_within(island, contact_points, dt);
  if (struck.meetings > 0) {
    catch_up(island, contact_points, struck.impacts);
    contact_points = detect_contacts(bodies_, island.pairs, 2.0 * dt, is_crowd);
    // Displaced back by their motion since the impact, the bodies overlap and separate.
    const std::vector<BodyMomentum> now = bodies_.momenta();
    std::erase_if(contact_points, [&](const ContactPoint& contact_point) {
      return contact_point.gap < 0.0 &&
             contact_point.gap +
                     dt * contact_point.normal.dot(bodies_.row_of(contact_point).velocity(now)) >
                 0.0;
    });
  }
  resting_.resolve(island, contact_points, dt, {.all = true, .rolls = !is_crowd});
}

/// Corrects positions and velocities for the delay of impacts: bodies had the old velocity until
/// then, with the effect of gravity, and the new one since. Bodies on which others act as well are
/// left as they are, because the others would feel the displacement.
void IslandSolver::catch_up(const Island& island, std::span<const ContactPoint> contact_points,
                            std::span<const ImpactSolver::Impact> impacts) {
  std::vector<BodyMomentum> after = bodies_.momenta();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].pushed > 0.0) after[i].inverse_mass = 0.0;
  }
  std::vector<BodyMomentum> way;
  for (const BodyMomentum& body : after) way.push_back({.inverse_mass = body.inverse_mass});
  for (std::size_t i = 0; i < contact_points.size(); ++i) {
    const ImpactSolver::Impact& impact = impacts[i];
    const Vec3 &impulse = impact.impulse, &velocity = impact.velocity;
    const double delay = impact.delay;
    const double speed = -contact_points[i].normal.dot(velocity);
    if (delay <= 0.0 || speed <= 0.0 || impulse.isZero()) continue;
    const double gained =
        -delay * contact_points[i].normal.dot(bodies_.gravity_between(contact_points[i]));
    const ContactRow row = bodies_.row_of(contact_points[i]);
    apply_impulse(row, gained / speed * impulse, after);
    apply_impulse(row, -delay * (1.0 + gained / speed) * impulse, way);
  }
  bodies_.set_momenta(island.bodies, after);
  bodies_.shift(island.bodies, way);
  for (const std::uint32_t i : island.bodies) bodies_[i].follow_state();
}

}  // namespace peal::dynamics
