#include <peal/base/multipoles.h>
#include <peal/shaders/acceleration_noise.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace peal::shaders {

using base::Vec3;

namespace {

/// Distance of the two points that stand for a dipole from its middle [m]: 0.6 % too quiet at
/// 20 kHz, as the square of both.
constexpr double half_dipole = 0.0005;

/// Of a pulse that is filtered, at least; and of the length of the response, which is 20 times as
/// long as it takes to fall by 1 / e.
constexpr double slices = 64.0, slices_of_response = 400.0;

}  // namespace

RigidAcceleration::RigidAcceleration(const geometry::MassProperties& mass,
                                     std::vector<base::ContactForce> forces,
                                     base::PulseProfile profile,
                                     std::vector<base::SustainedForce> sustained)
    : centre_(mass.centre),
      mass_(mass.mass),
      inverse_inertia_(mass.inertia.inverse()),
      profile_(profile),
      sustained_(std::move(sustained)) {
  for (const base::ContactForce& force : forces) {
    parts_.push_back(
        {force.pulse, per_force(force.at, force.direction), force.history, force.at - centre_});
    longest_ = std::max(longest_, force.pulse.contact_time);
  }
  std::ranges::stable_sort(parts_, {}, [](const Part& part) { return part.pulse.start; });
}

RigidAcceleration::Value RigidAcceleration::per_force(const Vec3& at, const Vec3& direction) const {
  return of_force(at - centre_, direction);
}

RigidAcceleration::Value RigidAcceleration::of_force(const Vec3& arm, const Vec3& force) const {
  return {force / mass_, inverse_inertia_ * arm.cross(force)};
}

void RigidAcceleration::add_histories(std::complex<double> s, const Share& share,
                                      std::span<const double> times, double length,
                                      std::span<std::complex<double>> values) const {
  for (const Part& part : parts_) {
    if (!part.history || times.empty()) continue;
    const base::ForceHistory& history = *part.history;
    if (history.start > times.back() || history.end() + length < times.front()) continue;
    const base::ConstantDrive step(s, history.step);
    const auto acceleration = [&](std::size_t n) {
      return share.of(of_force(part.arm, history.samples[n].cast<double>()));
    };
    std::complex<double> z = 0.0;
    std::size_t at = 0;  // steps that are over
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double t = times[i] - history.start;
      if (t <= 0.0) continue;
      for (; at < history.samples.size() && history.step * static_cast<double>(at + 1) <= t; ++at)
        z = step.hold * z + step.gain * acceleration(at);
      const base::ConstantDrive rest(s, t - history.step * static_cast<double>(at));
      values[i] += rest.hold * z;
      if (at < history.samples.size())
        values[i] += rest.gain * acceleration(at);
      else if (t > history.duration() + length)
        break;
    }
  }
}

double RigidAcceleration::sustained_acceleration(std::int64_t index, const Share& share) const {
  double sum = 0.0;
  for (const base::SustainedForce& force : sustained_) {
    const double now = force.at(index);
    if (now == 0.0) continue;
    const auto point = force.point(index);
    sum += now * share.of(per_force(point.at, point.direction));
  }
  return sum;
}

RigidAcceleration::Value RigidAcceleration::at(base::SampleTime time) const {
  Value sum;
  const double t = time.seconds(), step = time.rate.step();
  auto part = std::ranges::partition_point(
      parts_, [&](const Part& one) { return one.pulse.start < t - longest_ - step; });
  for (; part != parts_.end() && part->pulse.start <= t + step; ++part) {
    if (part->history) {
      const Value mean = of_force(part->arm, part->history->mean(t - 0.5 * step, t + 0.5 * step));
      sum.linear += mean.linear;
      sum.angular += mean.angular;
      continue;
    }
    double force = 0.0;
    base::add_pulse(part->pulse, profile_, 1.0, time.rate, {time.index, time.index + 1},
                    std::span(&force, 1));
    sum.linear += force * part->per_force.linear;
    sum.angular += force * part->per_force.angular;
  }
  for (const base::SustainedForce& force : sustained_) {
    if (t + step < force.start_time() || t - step > force.end_time()) continue;
    const double mean = force.mean(t - 0.5 * step, t + 0.5 * step);
    const auto point =
        force.point(static_cast<std::int64_t>(std::floor(force.rate.samples(t) + 0.5)));
    const Value one = per_force(point.at, point.direction);
    sum.linear += mean * one.linear;
    sum.angular += mean * one.angular;
  }
  return sum;
}

double RigidAcceleration::filtered(double t, const Share& share,
                                   const std::function<double(double)>& response,
                                   double length) const {
  double sum = 0.0;
  auto part = std::ranges::partition_point(
      parts_, [&](const Part& one) { return one.pulse.start < t - longest_ - length; });
  for (; part != parts_.end() && part->pulse.start < t; ++part) {
    if (part->history) continue;
    // The pulse in slices, each as an impact in its middle.
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
    sum += part->pulse.impulse * left * share.of(part->per_force);
  }
  return sum;
}

std::vector<base::SampleRange> RigidAcceleration::acting(base::Rate rate, base::SampleRange range,
                                                         double before, double after) const {
  std::vector<base::SampleRange> all;
  const auto add = [&](double start, double end) {
    const base::SampleRange one{
        std::max(static_cast<std::int64_t>(std::floor(rate.samples(start - before))) - 1,
                 range.begin),
        std::min(static_cast<std::int64_t>(std::ceil(rate.samples(end + after))) + 2, range.end)};
    if (!one.empty()) all.push_back(one);
  };
  for (const Part& part : parts_) add(part.pulse.start, part.pulse.end());
  for (const base::SustainedForce& force : sustained_) add(force.start_time(), force.end_time());
  std::ranges::sort(all, {}, &base::SampleRange::begin);
  std::vector<base::SampleRange> stretches;
  for (const base::SampleRange& one : all) {
    if (!stretches.empty() && one.begin <= stretches.back().end) {
      stretches.back().end = std::max(stretches.back().end, one.end);
    } else {
      stretches.push_back(one);
    }
  }
  return stretches;
}

void RigidAcceleration::hash(base::Rate rate, base::SampleRange range,
                             util::Fingerprint& fingerprint) const {
  const double begin = rate.seconds(range.begin - 1), end = rate.seconds(range.end + 1);
  fingerprint.add(profile_);
  for (const Part& part : parts_) {
    const base::ForcePulse& pulse = part.pulse;
    if (pulse.start > end || pulse.end() < begin) continue;
    for (double x : {pulse.start, pulse.contact_time, pulse.impulse}) fingerprint.add(x);
    fingerprint.add(std::span<const double>(part.per_force.linear.data(), 3));
    fingerprint.add(std::span<const double>(part.per_force.angular.data(), 3));
    if (part.history) part.history->hash(fingerprint);
  }
  for (const base::SustainedForce& force : sustained_) {
    if (force.start_time() <= end && force.end_time() >= begin) force.hash(end, fingerprint);
  }
  fingerprint.add(std::span<const double>(centre_.data(), 3));
  fingerprint.add(mass_);
  fingerprint.add(std::span<const double>(inverse_inertia_.data(), 9));
}

base::SurfaceBasis AccelerationNoise::basis(std::span<const base::SurfacePoint> points) const {
  base::SurfaceBasis::Dense matrix(static_cast<Eigen::Index>(points.size()), 6);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& normal = points[i].normal;
    // n . (alpha x r) = alpha . (r x n)
    const Vec3 turning = (points[i].position - motion_->centre()).cross(normal);
    matrix.row(static_cast<Eigen::Index>(i)) << normal.cast<float>().transpose(),
        turning.cast<float>().transpose();
  }
  return base::SurfaceBasis(std::move(matrix));
}

void AccelerationNoise::coefficients(base::Rate rate, base::SampleRange range,
                                     base::Coefficients& out) const {
  out.setZero(6, range.size());
  for (const base::SampleRange& part : motion_->acting(rate, range)) {
    for (std::int64_t n = part.begin; n < part.end; ++n) {
      const RigidAcceleration::Value now = motion_->at({n, rate});
      out.col(n - range.begin) << now.linear.cast<float>(), now.angular.cast<float>();
    }
  }
}

std::vector<base::SampleRange> AccelerationNoise::active(base::Rate rate,
                                                         base::SampleRange range) const {
  return motion_->acting(rate, range);
}

void AccelerationNoise::hash(base::Rate rate, base::SampleRange range,
                             util::Fingerprint& fingerprint) const {
  motion_->hash(rate, range, fingerprint);
}

std::vector<base::Multipole> AccelerationNoise::multipoles(const base::Medium& medium) const {
  if (!mesh_) return {};
  const base::RigidDipole dipole = base::rigid_dipole(*mesh_, motion_->centre());
  std::vector<base::Multipole> ends;
  for (int k = 0; k < 3; ++k) {
    const RigidAcceleration::Share share{dipole.axes.col(k),
                                         dipole.turning.row(k).transpose() / dipole.volumes[k]};
    for (const double offset : {-half_dipole, half_dipole}) {
      ends.push_back({.offset = motion_->centre() + offset * share.linear,
                      .shader = std::make_shared<DipoleEnd>(motion_, share, offset,
                                                            dipole.volumes[k], medium)});
    }
  }
  return ends;
}

DipoleEnd::DipoleEnd(std::shared_ptr<const RigidAcceleration> motion,
                     const RigidAcceleration::Share& share, double offset, double volume,
                     const base::Medium& medium)
    : motion_(std::move(motion)),
      share_(share),
      offset_(offset),
      radius_(std::cbrt(volume / (2.0 * std::numbers::pi))),
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
      const double moment = motion_->filtered(rate.seconds(n) + round, share_, response, tail);
      signal.samples[static_cast<std::size_t>(n - range.begin)] =
          static_cast<float>(moment / (2.0 * offset_));
    }
    add_histories(stretch, tail, signal);
    if (motion_->has_sustained()) add_sustained(stretch, signal);
  }
  return signal;
}

void DipoleEnd::add_histories(base::SampleRange stretch, double tail, base::Signal& signal) const {
  // G is Im(z) x scale, as for forces that last.
  const double round = radius_ / medium_.speed_of_sound;
  const double scale = medium_.density * medium_.speed_of_sound * radius_ * radius_;
  std::vector<double> times;
  for (std::int64_t n = stretch.begin; n < stretch.end; ++n)
    times.push_back(signal.rate.seconds(n) + round);
  std::vector<std::complex<double>> moments(times.size(), 0.0);
  motion_->add_histories({-1.0 / round, 1.0 / round}, share_, times, tail, moments);
  for (std::size_t i = 0; i < moments.size(); ++i)
    signal.samples[static_cast<std::size_t>(stretch.begin - signal.start) + i] +=
        static_cast<float>(scale * moments[i].imag() / (2.0 * offset_));
}

void DipoleEnd::add_sustained(base::SampleRange stretch, base::Signal& signal) const {
  // G is Im(z) x scale for z' = s z + A with s = (c/a) (-1 + i): see `response` above.
  const double round = radius_ / medium_.speed_of_sound;
  const double scale = medium_.density * medium_.speed_of_sound * radius_ * radius_;
  const std::complex<double> s(-1.0 / round, 1.0 / round);
  const base::Rate rate = motion_->sustained_rate();
  const base::LinearRampResponse step(s, rate.step(), rate.step());
  // From 20 times the length of the response before the stretch, where nothing was.
  const double before = signal.rate.seconds(stretch.begin) - 20.0 * round;
  auto at = static_cast<std::int64_t>(std::floor(rate.samples(before)));
  std::complex<double> z = 0.0;
  double now = motion_->sustained_acceleration(at, share_);
  double next = motion_->sustained_acceleration(at + 1, share_);
  for (std::int64_t n = stretch.begin; n < stretch.end; ++n) {
    const double t = rate.samples(signal.rate.seconds(n) + round);
    for (; static_cast<double>(at + 1) <= t; ++at) {
      z = step.hold * z + step.first * now + step.second * next;
      now = next;
      next = motion_->sustained_acceleration(at + 2, share_);
    }
    const double rest = rate.samples_to_seconds(t - static_cast<double>(at));
    const base::LinearRampResponse part(s, rate.step(), rest);
    const double moment = scale * (part.hold * z + part.first * now + part.second * next).imag();
    signal.samples[static_cast<std::size_t>(n - signal.start)] +=
        static_cast<float>(moment / (2.0 * offset_));
  }
}

}  // namespace peal::shaders
