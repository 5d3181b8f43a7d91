#include <peal/radiation/arrival.h>
#include <peal/radiation/direct.h>
#include <peal/radiation/motion_survey.h>
#include <peal/util/error.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

constexpr double velocity_window = 0.005;  ///< half width [s]

}  // namespace

ArrivalSolver::ArrivalSolver(const base::World& world, const base::PointSource& source,
                             const Piece& emitted, const base::Receiver& receiver,
                             const Piece& heard)
    : world_(world),
      source_(source),
      receiver_(receiver),
      emitted_(emitted),
      heard_(heard),
      source_is_still_(source.motion->is_still()),
      inverse_c_(1.0 / world.medium.speed_of_sound) {}

Vec3 ArrivalSolver::source_place(double t) const {
  return source_.motion->pose(emitted_.clamp(t)).to_world(source_.offset);
}

Vec3 ArrivalSolver::source_velocity(double t) const {
  if (source_is_still_) return Vec3::Zero();
  return (source_place(t + velocity_window) - source_place(t - velocity_window)) /
         (2.0 * velocity_window);
}

Vec3 ArrivalSolver::receiver_place(double t) const {
  return receiver_.motion->pose(heard_.clamp(t)).to_world(receiver_.offset);
}

double ArrivalSolver::rough_index(std::int64_t n) const {
  // A plain fixed-point iteration: slow near Mach 1, but it needs no slope.
  const double t = world_.rate.seconds(n);
  const Vec3 ear = receiver_place(t);
  double emitted = t;
  for (int iteration = 0; iteration < 400; ++iteration) {
    const double next = t - (ear - source_place(emitted)).norm() * inverse_c_;
    const bool close = std::abs(next - emitted) < 1e-6;
    emitted = next;
    if (close) break;
  }
  return world_.rate.samples(emitted);
}

Arrival ArrivalSolver::at(std::int64_t n, double guess) const {
  const double t = world_.rate.seconds(n);
  const double tolerance = 1e-9 * world_.rate.step();
  const Vec3 ear = receiver_place(t);
  double emitted = world_.rate.samples_to_seconds(guess);
  const Vec3 velocity = source_velocity(emitted);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vec3 separation = ear - source_place(emitted);
    const double distance = std::max(separation.norm(), 1e-12);
    const double speed_towards = velocity.dot(separation) / distance;
    const double doppler = 1.0 - speed_towards * inverse_c_;  // D
    if (doppler < 1.0 - largest_mach) {
      refuse_supersonic("object \"" + source_.name + '"', velocity.norm(), emitted, world_);
    }
    const double step = (emitted + distance * inverse_c_ - t) / doppler;
    emitted -= step;
    if (std::abs(step) > tolerance) continue;

    const double audible = std::max(distance, DirectRadiator::smallest_distance);
    const double spread = 1.0 / (audible * doppler);                                // 1 / (R D)
    const double convection = speed_towards - velocity.squaredNorm() * inverse_c_;  // c (Mr - M^2)
    const double fade = emitted_.fade(emitted) * heard_.fade(t);
    return {.index = world_.rate.samples(emitted),
            .strength_gain = fade * spread / doppler,
            .flow_gain = fade * spread * spread * convection / doppler};
  }
  throw util::NumericsError("the travel time from \"" + source_.name + "\" did not converge");
}

}  // namespace peal::radiation
