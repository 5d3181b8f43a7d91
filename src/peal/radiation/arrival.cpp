#include <peal/base/motion_survey.h>
#include <peal/radiation/arrival.h>
#include <peal/radiation/direct.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

constexpr double instant = 2e-5;  ///< half width of the velocity difference on a smooth path [s]
constexpr double smooth_window = 0.005;  ///< largest half width around a kink [s]

}  // namespace

ArrivalSolver::ArrivalSolver(const base::World& world, const base::PointSource& source,
                             const MotionSegment& emitted, const base::Receiver& receiver,
                             const MotionSegment& received)
    : world_(world),
      source_(source),
      receiver_(receiver),
      emitted_(emitted),
      received_(received),
      source_is_still_(source.motion->is_still()),
      inverse_c_(1.0 / world.medium.speed_of_sound) {}

Vec3 ArrivalSolver::source_position(double t) const {
  return source_.motion->pose(emitted_.clamp(t)).to_world(source_.offset);
}

Vec3 ArrivalSolver::mean_velocity(double t, double window) const {
  return (source_position(t + window) - source_position(t - window)) / (2.0 * window);
}

Vec3 ArrivalSolver::source_velocity(double t) const {
  if (source_is_still_) return Vec3::Zero();
  const std::span<const double> kinks = source_.motion->kinks();
  if (kinks.empty()) return mean_velocity(t, instant);

  // Find the nearest kink and the time to its neighbours.
  const auto after = std::ranges::lower_bound(kinks, t);
  const auto next = after == kinks.end() ? after - 1 : after;
  const auto nearest = next != kinks.begin() && t - *(next - 1) < *next - t ? next - 1 : next;
  double room = 2.0 * smooth_window;
  if (nearest != kinks.begin()) room = std::min(room, *nearest - *(nearest - 1));
  if (nearest + 1 != kinks.end()) room = std::min(room, *(nearest + 1) - *nearest);
  const double window = std::max(0.5 * room, instant);

  // Use the mean up to one window from the kink and the exact velocity from two windows on.
  const double blend = std::clamp(2.0 - std::abs(t - *nearest) / window, 0.0, 1.0);
  if (blend == 0.0) return mean_velocity(t, instant);
  if (blend == 1.0) return mean_velocity(t, window);
  return (1.0 - blend) * mean_velocity(t, instant) + blend * mean_velocity(t, window);
}

Vec3 ArrivalSolver::receiver_position(double t) const {
  return receiver_.motion->pose(received_.clamp(t)).to_world(receiver_.offset);
}

double ArrivalSolver::rough_index(std::int64_t n) const {
  // A plain fixed-point iteration: slow near Mach 1, but it needs no slope.
  const double t = world_.rate.seconds(n);
  const Vec3 receiver_point = receiver_position(t);
  double emitted = t;
  for (int iteration = 0; iteration < 400; ++iteration) {
    const double next = t - (receiver_point - source_position(emitted)).norm() * inverse_c_;
    const bool close = std::abs(next - emitted) < 1e-6;
    emitted = next;
    if (close) break;
  }
  return world_.rate.samples(emitted);
}

double ArrivalSolver::lateness(double emitted, double t, const Vec3& receiver_point) const {
  return emitted + (receiver_point - source_position(emitted)).norm() * inverse_c_ - t;
}

double ArrivalSolver::bisect(double t, const Vec3& receiver_point) const {
  double early = t, late = t, span = 1e-3;
  while (lateness(early, t, receiver_point) > 0.0) {
    early -= span;
    span *= 2.0;
  }
  while (late - early > 1e-9 * world_.rate.step()) {
    const double middle = 0.5 * (early + late);
    if (middle <= early || middle >= late) break;
    (lateness(middle, t, receiver_point) > 0.0 ? late : early) = middle;
  }
  return late;
}

Arrival ArrivalSolver::arrival(double emitted, double t, const Vec3& receiver_point,
                               const Vec3& velocity) const {
  const Vec3 separation = receiver_point - source_position(emitted);
  const double distance = std::max(separation.norm(), 1e-12);
  const double speed_towards = velocity.dot(separation) / distance;
  const double doppler = 1.0 - speed_towards * inverse_c_;  // D
  if (doppler < 1.0 - base::largest_mach) {
    base::refuse_supersonic("object \"" + source_.name + '"', velocity.norm(), emitted, world_);
  }
  const double audible = std::max(distance, DirectRadiator::smallest_distance);
  const double spread = 1.0 / (audible * doppler);                                // 1 / (R D)
  const double convection = speed_towards - velocity.squaredNorm() * inverse_c_;  // c (Mr - M^2)
  const double fade = emitted_.fade(emitted) * received_.fade(t);
  return {.index = world_.rate.samples(emitted),
          .strength_gain = fade * spread / doppler,
          .flow_gain = fade * spread * spread * convection / doppler};
}

Arrival ArrivalSolver::at(std::int64_t n, double guess) const {
  const double t = world_.rate.seconds(n);
  const double tolerance = 1e-9 * world_.rate.step();
  const Vec3 receiver_point = receiver_position(t);
  double emitted = world_.rate.samples_to_seconds(guess);
  const Vec3 velocity = source_velocity(emitted);
  for (int iteration = 0; iteration < 12; ++iteration) {
    const Vec3 separation = receiver_point - source_position(emitted);
    const double distance = std::max(separation.norm(), 1e-12);
    const double slope = 1.0 - velocity.dot(separation) / distance * inverse_c_;
    const double step =
        (emitted + distance * inverse_c_ - t) / std::max(slope, 1.0 - base::largest_mach);
    emitted -= step;
    if (std::abs(step) < tolerance) return arrival(emitted, t, receiver_point, velocity);
  }
  emitted = bisect(t, receiver_point);
  return arrival(emitted, t, receiver_point, source_velocity(emitted));
}

}  // namespace peal::radiation
