#include <peal/shaders/acceleration_noise.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::shaders {

using base::Vec3;

namespace {

/// Of a pulse that is filtered, at least; and of the length of the response, which is 20 times as
/// long as it takes to fall by 1 / e.
constexpr double slices = 64.0, slices_of_response = 400.0;

}  // namespace

RigidAcceleration::RigidAcceleration(const geometry::MassProperties& mass,
                                     std::vector<base::ContactForce> forces,
                                     base::PulseProfile profile)
    : centre_(mass.centre), profile_(profile) {
  const geometry::Mat3 inverse = mass.inertia.inverse();
  for (const base::ContactForce& force : forces) {
    const Vec3 moment = (force.at - mass.centre).cross(force.direction);
    parts_.push_back({force.pulse, {force.direction / mass.mass, inverse * moment}});
    longest_ = std::max(longest_, force.pulse.contact_time);
  }
  std::ranges::stable_sort(parts_, {}, [](const Part& part) { return part.pulse.start; });
}

RigidAcceleration::Value RigidAcceleration::at(base::SampleTime time) const {
  Value sum;
  const double t = time.seconds(), step = time.rate.step();
  auto part = std::ranges::partition_point(
      parts_, [&](const Part& one) { return one.pulse.start < t - longest_ - step; });
  for (; part != parts_.end() && part->pulse.start <= t + step; ++part) {
    double force = 0.0;
    base::add_pulse(part->pulse, profile_, 1.0, time.rate, {time.index, time.index + 1},
                    std::span(&force, 1));
    sum.linear += force * part->per_force.linear;
    sum.angular += force * part->per_force.angular;
  }
  return sum;
}

Vec3 RigidAcceleration::filtered(double t, const std::function<double(double)>& response,
                                 double length) const {
  Vec3 sum = Vec3::Zero();
  auto part = std::ranges::partition_point(
      parts_, [&](const Part& one) { return one.pulse.start < t - longest_ - length; });
  for (; part != parts_.end() && part->pulse.start < t; ++part) {
    // The pulse in slices, each as a blow in its middle.
    const double contact = part->pulse.contact_time;
    const double count = std::ceil(std::max(slices, slices_of_response * contact / length));
    const double slice = contact / count, since = t - part->pulse.start;
    const double first = std::max(0.0, std::floor((since - length) / slice));
    double left = 0.0, before = base::pulse_passed(profile_, first / count);
    for (double i = first; i < count && since > (i + 0.5) * slice; ++i) {
      const double after = base::pulse_passed(profile_, (i + 1.0) / count);
      left += (after - before) * response(since - (i + 0.5) * slice);
      before = after;
    }
    sum += part->pulse.impulse * left * part->per_force.linear;
  }
  return sum;
}

std::vector<base::SampleRange> RigidAcceleration::acting(base::Rate rate, base::SampleRange range,
                                                         double before, double after) const {
  std::vector<base::SampleRange> stretches;
  for (const Part& part : parts_) {
    base::SampleRange one{
        static_cast<std::int64_t>(std::floor(rate.samples(part.pulse.start - before))) - 1,
        static_cast<std::int64_t>(std::ceil(rate.samples(part.pulse.end() + after))) + 2};
    one.begin = std::max(one.begin, range.begin);
    one.end = std::min(one.end, range.end);
    if (one.empty()) continue;
    if (!stretches.empty() && one.begin <= stretches.back().end) {
      stretches.back().end = std::max(stretches.back().end, one.end);
    } else {
      stretches.push_back(one);
    }
  }
  return stretches;
}

void AccelerationNoise::add_acceleration(base::SampleTime time,
                                         std::span<const base::SurfacePoint> points,
                                         std::span<float> acceleration) const {
  const RigidAcceleration::Value now = motion_->at(time);
  if (now.linear.isZero(0.0) && now.angular.isZero(0.0)) return;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 there = now.linear + now.angular.cross(points[i].position - motion_->centre());
    acceleration[i] += static_cast<float>(points[i].normal.dot(there));
  }
}

std::vector<base::SampleRange> AccelerationNoise::sounding(base::Rate rate,
                                                           base::SampleRange range) const {
  return motion_->acting(rate, range);
}

DipoleEnd::DipoleEnd(std::shared_ptr<const RigidAcceleration> motion, int axis, double offset,
                     double volume, const base::Medium& medium)
    : motion_(std::move(motion)),
      axis_(axis),
      offset_(offset),
      radius_(std::cbrt(3.0 * volume / (4.0 * std::numbers::pi))),
      medium_(medium) {}

base::Signal DipoleEnd::strength(base::Rate rate, base::SampleRange range) const {
  const double round = radius_ / medium_.speed_of_sound;  // a / c [s]
  // Moment of the dipole for an acceleration that is over at once, G of the equation.
  const double scale = medium_.density * medium_.speed_of_sound * radius_ * radius_;
  const auto response = [&](double s) {
    return scale * std::exp(-s / round) * std::sin(s / round);
  };
  const double tail = 20.0 * round;  // -174 dB
  base::Signal signal{.rate = rate, .start = range.begin};
  signal.samples.assign(static_cast<std::size_t>(range.size()), 0.0f);
  for (const base::SampleRange& stretch : motion_->acting(rate, range, round, tail)) {
    for (std::int64_t n = stretch.begin; n < stretch.end; ++n) {
      // The surface is nearer to the listener than the centre, from which the points sound.
      const Vec3 moment = motion_->filtered(rate.seconds(n) + round, response, tail);
      signal.samples[static_cast<std::size_t>(n - range.begin)] =
          static_cast<float>(moment[axis_] / (2.0 * offset_));
    }
  }
  return signal;
}

}  // namespace peal::shaders
