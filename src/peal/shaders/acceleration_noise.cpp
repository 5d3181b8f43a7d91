#include <peal/shaders/acceleration_noise.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::shaders {

using base::Vec3;

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

std::vector<base::SampleRange> RigidAcceleration::acting(base::Rate rate,
                                                         base::SampleRange range) const {
  std::vector<base::SampleRange> stretches;
  for (const Part& part : parts_) {
    base::SampleRange one{static_cast<std::int64_t>(std::floor(rate.samples(part.pulse.start))) - 1,
                          static_cast<std::int64_t>(std::ceil(rate.samples(part.pulse.end()))) + 2};
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
      factor_(medium.density * 1.5 * volume / (4.0 * std::numbers::pi * 2.0 * offset)) {}

base::Signal DipoleEnd::strength(base::Rate rate, base::SampleRange range) const {
  base::Signal signal{.rate = rate, .start = range.begin};
  signal.samples.assign(static_cast<std::size_t>(range.size()), 0.0f);
  for (const base::SampleRange& stretch : motion_->acting(rate, range)) {
    for (std::int64_t n = stretch.begin; n < stretch.end; ++n) {
      const double a = motion_->at({n, rate}).linear[axis_];
      signal.samples[static_cast<std::size_t>(n - range.begin)] = static_cast<float>(factor_ * a);
    }
  }
  return signal;
}

}  // namespace peal::shaders
