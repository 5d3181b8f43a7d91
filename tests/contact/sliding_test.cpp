#include <peal/contact/inferred_contacts.h>
#include <peal/contact/keyed_rests.h>
#include <peal/contact/sliding.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace peal::contact {
namespace {

using base::SustainedForce;
using base::Vec3;

class MovedBy : public base::Motion {
 public:
  explicit MovedBy(std::function<Vec3(double)> point, std::vector<double> kinks = {})
      : place_(std::move(point)), kinks_(std::move(kinks)) {}
  base::Pose pose(double t) const override { return {.position = place_(t)}; }
  bool is_still() const override { return false; }
  std::span<const double> kinks() const override { return kinks_; }

 private:
  std::function<Vec3(double)> place_;
  std::vector<double> kinks_;
};

ContactBody made_of_steel(const geometry::TriMesh& mesh, std::function<Vec3(double)> point,
                          std::vector<double> kinks = {}) {
  ContactBody body{.is_free = true,
                   .mass = geometry::mass_properties(mesh, 7850.0),
                   .motion = std::make_shared<MovedBy>(std::move(point), std::move(kinks)),
                   .shape = std::make_shared<LocalShape>(mesh, 5e-4),
                   .patch = 0.01};
  body.material = {.density = 7850.0,
                   .young_modulus = 200e9,
                   .poisson_ratio = 0.3,
                   .roughness = {.height = 4e-7}};
  return body;
}

/// A ball of 1 cm on a slab.
std::vector<ContactBody> ball_on_slab(double speed) {
  std::vector<ContactBody> bodies;
  bodies.push_back(made_of_steel(geometry::sphere_mesh(0.01, 0.002),
                                 [speed](double t) { return Vec3(speed * t, 0.01, 0); }));
  bodies.push_back(made_of_steel(geometry::box_mesh({2, 0.02, 0.2}, 1.0),
                                 [](double) { return Vec3(0, -0.01, 0); }));
  bodies[1].is_free = false;
  return bodies;
}

/// It slides for a while from 0.2 s on.
ContactInterval sliding_at(double speed, double load, double length) {
  ContactInterval interval{.begin = 0.2, .end = 0.2 + length, .body_a = 0, .body_b = 1};
  const double step = 1.0 / 6000.0;
  for (double t = 0.2; t < 0.2 + length - 0.5 * step; t += step) {
    interval.path.push_back(
        {.time = t, .duration = step, .load = load, .speed = speed, .point = {speed * t, 0, 0}});
  }
  return interval;
}

SustainedForce force_of(double speed, double load, std::uint64_t seed = 1, double length = 0.2) {
  const std::vector<ContactInterval> intervals = {sliding_at(speed, load, length)};
  auto forces = sliding_forces(intervals, ball_on_slab(speed), {48000}, seed);
  EXPECT_EQ(forces[0].size(), 1u);
  EXPECT_EQ(forces[1].size(), 1u);
  EXPECT_EQ(forces[0][0].samples, forces[1][0].samples);
  EXPECT_NEAR((forces[0][0].points[3].direction + forces[1][0].points[3].direction).norm(), 0.0,
              1e-12);
  return std::move(forces[0][0]);
}

double rms_of(const SustainedForce& force) {
  return util::rms(util::as_double(force.samples));
}

TEST(SlidingAnalytic, RoughnessHasItsHeight) {
  // Waves up to the length have the height, by definition.
  const base::Roughness roughness{.height = 2e-6, .length = 8e-4, .hurst = 0.7};
  double square = 0.0;
  for (double wave = roughness.length * std::exp2(-1.0 / 6.0); wave > 1e-9;
       wave *= std::exp2(-1.0 / 3.0)) {
    square += third_octave_power(roughness, wave);
  }
  EXPECT_NEAR(std::sqrt(square), roughness.height, 0.01 * roughness.height);
}

TEST(SlidingAnalytic, AContactIsAMassOnASpring) {
  const RoughContact contact{.load = 1.0, .radius = 0.01, .mass = 0.03, .modulus = 1.1e11};
  // Hertz: a^3 = 3 N r / (4 E*), dN / d depth = 2 a E*.
  const double a = std::cbrt(0.75 * 0.01 / 1.1e11);
  EXPECT_NEAR(contact.contact_radius(), a, 1e-12);
  EXPECT_NEAR(contact.stiffness(), 2.2e11 * a, 1e-3);
  const double resonance = std::sqrt(contact.stiffness() / 0.03) / (2.0 * std::numbers::pi);
  // Slow: the mass follows the surface. Fast: it stays, and the spring is pressed.
  const double slow = 0.02 * resonance, w = 2.0 * std::numbers::pi * slow;
  EXPECT_NEAR(contact.force_per_height(slow, 1.0) / (0.03 * w * w), 1.0, 1e-3);
  EXPECT_NEAR(contact.force_per_height(100.0 * resonance, 1.0) / contact.stiffness(), 1.0, 1e-3);
  // Waves much shorter than the area that touches are not felt.
  EXPECT_LT(contact.force_per_height(1e4, 0.3 * a), 0.02 * contact.force_per_height(1e4, 1.0));
}

TEST(Sliding, AtConstantSpeedIsASteadyHissWithoutLines) {
  const SustainedForce force = force_of(0.5, 0.32, 1, 1.0);
  const auto signal = util::as_double(force.samples);
  const auto spectrum = util::average_power(signal, {.window = 2048, .sample_rate = 96000});
  // No bin above 100 Hz stands out from those around it: by chance one of 400 does by 4 dB.
  const auto bins = static_cast<std::size_t>(16000.0 / spectrum.bin_width);
  double worst = 0.0;
  for (std::size_t k = 14; k < bins; ++k) {
    std::vector<double> around(spectrum.power.begin() + static_cast<std::ptrdiff_t>(k) - 10,
                               spectrum.power.begin() + static_cast<std::ptrdiff_t>(k) + 11);
    std::ranges::nth_element(around, around.begin() + 10);
    worst = std::max(worst, 10.0 * std::log10(spectrum.power[k] / around[10]));
  }
  EXPECT_LT(worst, 6.0);
  // As loud in each of four quarters.
  const double whole = rms_of(force);
  for (std::size_t q = 0; q < 4; ++q) {
    const auto quarter = std::span(signal).subspan(q * signal.size() / 4, signal.size() / 4);
    EXPECT_NEAR(20.0 * std::log10(util::rms(quarter) / whole), 0.0, 1.5);
  }
  // It does not lift the ball off, and has no mean.
  EXPECT_LE(whole, 0.32 / 3.0 * 1.05);
  EXPECT_LT(std::abs(util::mean(signal)), 0.01 * whole);
}

TEST(Sliding, FadesInAndOutWithoutClicks) {
  const SustainedForce force = force_of(0.5, 0.32, 1, 0.1);
  const double level = rms_of(force);
  EXPECT_LT(std::abs(force.samples.front()), 1e-3 * level);
  EXPECT_LT(std::abs(force.samples.back()), 1e-3 * level);
  EXPECT_GE(force.start_time(), 0.2);
  EXPECT_LE(force.end_time(), 0.3 + 1e-9);
}

TEST(Sliding, IsLouderWhenFasterAndSilentAtRest) {
  EXPECT_GT(rms_of(force_of(0.2, 0.32)), 2.0 * rms_of(force_of(0.05, 0.32)));
  EXPECT_LT(rms_of(force_of(0.01, 0.32)), 0.1 * rms_of(force_of(0.2, 0.32)));
  EXPECT_EQ(rms_of(force_of(0.0, 0.32)), 0.0);
  EXPECT_EQ(rms_of(force_of(0.5, 0.0)), 0.0);
}

TEST(Sliding, IsAFunctionOfTheSeed) {
  EXPECT_EQ(force_of(0.3, 0.32, 7).samples, force_of(0.3, 0.32, 7).samples);
  EXPECT_NE(force_of(0.3, 0.32, 7).samples, force_of(0.3, 0.32, 8).samples);
}

/// A slab that vibrates wildly at the least force: few grams move with each mode.
class LightSlab : public base::ContactCompliance {
 public:
  LightSlab() {
    for (int k = 1; k <= 40; ++k)
      modes_.push_back({.frequency = 150.0 * k, .decay_rate = 1.0 + 0.01 * k});
  }
  const std::vector<base::Mode>& modes() const override { return modes_; }
  double cut() const override { return 0.0; }
  Point at(const Vec3&) const override {
    Point result{.gains = Eigen::Matrix3Xf::Zero(3, static_cast<Eigen::Index>(modes_.size()))};
    result.gains.row(1).setConstant(100.0f);
    return result;
  }

 private:
  std::vector<base::Mode> modes_;
};

// The work of the force on the modes, summed up step by step.
TEST(Sliding, ModesGetNoMoreThanFrictionTakes) {
  const double speed = 0.5, load = 5.0, length = 0.5;
  std::vector<ContactInterval> intervals = {sliding_at(speed, load, length)};
  for (ContactInterval::Step& step : intervals[0].path) step.slip = speed;
  std::vector<ContactBody> bodies = ball_on_slab(speed);
  for (ContactBody& body : bodies) body.material.roughness.height = 2e-5;
  const auto slab = std::make_shared<LightSlab>();
  const CompliantImpactLaw law({{}, {.compliance = slab}});
  const auto work_of = [&](const CompliantImpactLaw* limit) {
    const SustainedForce force = sliding_forces(intervals, bodies, {48000}, 1, limit).at(1).at(0);
    ModalOscillators modes(slab->modes());
    std::vector<double> gains(modes.padded(), 0.0);
    std::fill_n(gains.begin(), modes.size(), 100.0);
    ModalContact contact(modes, gains, force.rate.step());
    double work = 0.0;
    for (const float sample : force.samples) {
      const double f = sample, before = contact.position(0);
      contact.advance(std::span(&f, 1));
      work += f * (contact.position(0) - before);
    }
    return work;
  };
  const double taken = 0.5 * (bodies[0].friction + bodies[1].friction) * load * speed * length;
  EXPECT_GT(work_of(nullptr), 2.0 * taken);
  EXPECT_LT(work_of(&law), 1.1 * taken);
  EXPECT_GT(work_of(&law), 0.3 * taken);
}

TEST(SustainedForceAnalytic, MeansAddUpToTheImpulseAtAnyRate) {
  const SustainedForce force = force_of(0.5, 0.32, 1, 0.05);
  double impulse = 0.0;
  for (const float f : force.samples) impulse += static_cast<double>(f) / 96000.0;
  for (const double rate : {8000.0, 44100.0, 96000.0, 352800.0}) {
    double sum = 0.0;
    for (double n = std::floor(0.19 * rate); n < 0.26 * rate; ++n) {
      sum += force.mean((n - 0.5) / rate, (n + 0.5) / rate) / rate;
    }
    EXPECT_NEAR(sum, impulse, 1e-9 * 0.05 * rms_of(force)) << rate;
  }
}

TEST(SustainedForceAnalytic, AStraightDriveIsExact) {
  const std::complex<double> s(-300.0, 4000.0);
  const double length = 1e-3, time = 0.7e-3, f0 = 2.0, f1 = -1.0;
  const base::LinearRampResponse drive(s, length, time);
  const std::complex<double> start(0.3, -0.1);
  std::complex<double> sum = start * std::exp(s * time);
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double u = (i + 0.5) * time / steps;
    sum += std::exp(s * (time - u)) * (f0 + (f1 - f0) * u / length) * (time / steps);
  }
  EXPECT_LT(std::abs(drive.hold * start + drive.first * f0 + drive.second * f1 - sum), 1e-10);
}

/// A ball that falls 0.2 m on the slab and bounces with 0.6, from its exact flight.
double bouncing_height(double t) {
  const double g = 9.81, first = std::sqrt(2.0 * 0.2 / g), speed = g * first;
  if (t < first) return 0.2 - 0.5 * g * t * t;
  const double s = t - first;
  return std::max(0.0, 0.6 * speed * s - 0.5 * g * s * s);
}

std::vector<base::ContactRecord> inferred(std::function<double(double)> height,
                                          std::vector<double> kinks, double duration = 1.0) {
  std::vector<ContactBody> bodies = ball_on_slab(0.0);
  bodies[0].motion = std::make_shared<MovedBy>(
      [height](double t) { return Vec3(0, 0.01 + height(t), 0); }, std::move(kinks));
  return infer_contacts(bodies, {true, false}, duration, 0.05);
}

TEST(InferredContacts, AKeyedBounceIsAnImpact) {
  const double first = std::sqrt(2.0 * 0.2 / 9.81), speed = 9.81 * first;
  const auto records = inferred(bouncing_height, {first}, 0.6);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_NEAR(records[0].time, first, 1e-9);
  EXPECT_NEAR(-records[0].velocity.y(), speed, 0.01 * speed);
  EXPECT_GT(records[0].normal.y(), 0.99);
  EXPECT_NEAR(records[0].point.y(), 0.0, 1e-3);
  const double mass = ball_on_slab(0.0)[0].mass.mass;
  EXPECT_NEAR(records[0].impulse.y(), mass * speed * 1.6, 0.01 * mass * speed);
}

TEST(InferredContacts, ABakedBounceLiesBetweenItsFrames) {
  const double first = std::sqrt(2.0 * 0.2 / 9.81), speed = 9.81 * first;
  // Straight between frames, whatever of them is next to the impact.
  for (const double shift : {0.0, 0.01, 0.02, 0.03}) {
    const double frame = 1.0 / 24.0;
    std::vector<double> keys;
    for (double t = shift; t < 0.6; t += frame) keys.push_back(t);
    const auto baked = [&](double t) {
      const double k = std::floor((t - shift) / frame + 1e-9), at = shift + k * frame;
      const double part = (t - at) / frame;
      return (1.0 - part) * bouncing_height(at) + part * bouncing_height(at + frame);
    };
    const auto records = inferred(baked, keys, 0.4);
    ASSERT_EQ(records.size(), 1u) << shift;
    EXPECT_NEAR(records[0].time, first, 0.003) << shift;
    EXPECT_NEAR(-records[0].velocity.y() / speed, 1.0, 0.05) << shift;
    EXPECT_NEAR(records[0].impulse.y() / (ball_on_slab(0.0)[0].mass.mass * 1.6 * speed), 1.0, 0.1)
        << shift;
  }
}

/// A fall from a height [m] on the slab, and its bounces: their exact times and speeds.
struct Bounces {
  double drop, restitution;

  struct ImpactLoad {
    double time, speed;
  };
  std::vector<ImpactLoad> impacts(double slowest) const {
    const double first = std::sqrt(2.0 * drop / 9.81);
    std::vector<ImpactLoad> all;
    for (ImpactLoad blow{first, 9.81 * first}; blow.speed > slowest;) {
      all.push_back(blow);
      blow.speed *= restitution;
      blow.time += 2.0 * blow.speed / 9.81;
    }
    return all;
  }
  double height(double t) const {
    double result = drop - 0.5 * 9.81 * t * t;
    for (const ImpactLoad& blow : impacts(1e-3)) {
      const double s = t - blow.time;
      if (s >= 0.0) result = s * (restitution * blow.speed - 0.5 * 9.81 * s);
    }
    return std::max(0.0, result);
  }
  /// As an animation has it: keys at frames, and straight lines between them.
  std::function<double(double)> keyed(double frame, double length) const {
    std::vector<double> keys;
    for (double k = 0.0; k * frame < length + 2.0 * frame; ++k) keys.push_back(height(k * frame));
    return [frame, keys](double t) {
      const double at = std::clamp(t / frame, 0.0, static_cast<double>(keys.size()) - 1.001);
      const auto k = static_cast<std::size_t>(at);
      return keys[k] + (at - static_cast<double>(k)) * (keys[k + 1] - keys[k]);
    };
  }
};

/// Frames at which the slope changes by more than 1 cm/s: others are no kinks.
std::vector<double> kinks_of(const std::function<double(double)>& keyed, double rate,
                             double length) {
  std::vector<double> times;
  for (double k = 0.0; k < length * rate; ++k) {
    const double t = k / rate, h = 1e-4;
    if (std::abs(keyed(t - h) - 2.0 * keyed(t) + keyed(t + h)) > 0.01 * h) times.push_back(t);
  }
  return times;
}

TEST(InferredContactsAnalytic, BakedBouncesAreAllFound) {
  // Bounces whose flights last for more than two frames; later ones are less than frames can show.
  for (const double rate : {24.0, 30.0}) {
    for (const double drop : {0.375, 0.975}) {
      for (const double restitution : {0.4, 0.5, 0.7}) {
        const Bounces exact{drop, restitution};
        const auto height = exact.keyed(1.0 / rate, 1.5);
        const auto records = inferred(height, kinks_of(height, rate, 1.5), 1.4);
        const double slowest = std::max(0.3, 9.81 / rate);
        for (const Bounces::ImpactLoad& blow : exact.impacts(slowest)) {
          if (blow.time > 1.4) break;
          const auto which =
              testing::PrintToString(std::vector{rate, drop, restitution, blow.speed});
          const auto found = std::ranges::min_element(
              records, {}, [&](const auto& record) { return std::abs(record.time - blow.time); });
          ASSERT_NE(found, records.end()) << which;
          EXPECT_NEAR(found->time, blow.time, 0.003) << which;
          EXPECT_NEAR(-found->velocity.y() / blow.speed, 1.0, 0.05) << which;
        }
      }
    }
  }
}

TEST(InferredContactsAnalytic, ABakedBoxLandsFlat) {
  for (const double rate : {24.0, 30.0, 60.0}) {
    for (const double drop : {0.375, 0.975}) {
      const Bounces exact{drop, 0.0};
      std::vector<ContactBody> bodies = ball_on_slab(0.0);
      const auto height = exact.keyed(1.0 / rate, 1.0);
      bodies[0] = made_of_steel(
          geometry::box_mesh({0.1, 0.05, 0.1}, 0.05),
          [height](double t) { return Vec3(0, 0.025 + height(t), 0); },
          kinks_of(height, rate, 1.0));
      // A floor whose corners lie beside the box and below its edges.
      bodies[1] = made_of_steel(geometry::box_mesh({0.6, 0.02, 0.6}, 0.05),
                                [](double) { return Vec3(0, -0.01, 0); });
      bodies[1].is_free = false;
      const auto records = infer_contacts(bodies, {true, false}, 1.0, 0.05);
      const auto which = testing::PrintToString(std::vector{rate, drop});
      ASSERT_EQ(records.size(), 1u) << which;
      const Bounces::ImpactLoad blow = exact.impacts(0.3)[0];
      EXPECT_NEAR(records[0].time, blow.time, 0.003) << which;
      EXPECT_NEAR(-records[0].velocity.y() / blow.speed, 1.0, 0.05) << which;
      EXPECT_NEAR(records[0].impulse.y() / (bodies[0].mass.mass * blow.speed), 1.0, 0.1) << which;
      EXPECT_GT(records[0].normal.y(), 0.999) << which;
    }
  }
}

TEST(InferredContacts, WhatStopsAboveSomethingMeetsNothing) {
  // At 0.6 m/s, 1 to 2 cm above the slab, between frames at which it would have reached it.
  std::vector<double> frames;
  for (double k = 0.0; k < 12.0; ++k) frames.push_back(k / 24.0);
  for (const double gap : {0.012, 0.02}) {
    const auto height = [gap](double t) { return gap + std::max(0.0, 0.6 * (0.25 - t)); };
    EXPECT_TRUE(inferred(height, frames).empty()) << gap;
  }
}

TEST(InferredContacts, FlightAndWhatStopsInTheAirAreNone) {
  EXPECT_TRUE(inferred([](double t) { return 1.0 - std::abs(t - 0.5); }, {0.5}).empty());
  EXPECT_TRUE(inferred([](double t) { return 0.3 + std::abs(t - 0.5); }, {0.5}).empty());
  // Slides along, then stops: nothing pushes it up.
  std::vector<ContactBody> bodies = ball_on_slab(0.0);
  bodies[0].motion = std::make_shared<MovedBy>(
      [](double t) { return Vec3(std::min(t, 0.5), 0.01, 0); }, std::vector<double>{0.5});
  EXPECT_TRUE(infer_contacts(bodies, {true, false}, 1.0, 0.05).empty());
}

/// A body that comes down on another, lies there from 0.2 to 0.8 s and is lifted again.
TEST(KeyedRests, APlateThatIsPutDownLiesOnItsCorners) {
  const auto height = [](double t) {
    return 0.1 * (t < 0.2 ? 1.0 - t / 0.2 : t > 0.8 ? (t - 0.8) / 0.2 : 0.0);
  };
  std::vector<ContactBody> bodies;
  const geometry::TriMesh plate = geometry::box_mesh({0.2, 0.004, 0.1}, 0.05);
  bodies.push_back(made_of_steel(plate, [&](double t) { return Vec3(0, 0.002 + height(t), 0); },
                                 {0.2, 0.8, 1.0}));
  bodies.push_back(made_of_steel(geometry::box_mesh({2, 0.02, 2}, 1.0),
                                 [](double) { return Vec3(0, -0.01, 0); }));
  bodies[1].is_free = false;
  const auto rests = find_keyed_rests(bodies, {true, true}, 1.0, {0, -9.81, 0});
  ASSERT_EQ(rests.size(), 4u);
  double load = 0.0;
  for (const base::RestingContact& rest : rests) {
    EXPECT_EQ(rest.begin, 0.2);
    EXPECT_EQ(rest.end, 0.8);
    EXPECT_NEAR(std::abs(rest.point.x()), 0.1, 1e-9);
    EXPECT_NEAR(std::abs(rest.point.z()), 0.05, 1e-9);
    EXPECT_NEAR(rest.normal.y(), 1.0, 1e-9);
    load += rest.load();
  }
  EXPECT_NEAR(load, 9.81 * bodies[0].mass.mass, 1e-9);
  // Nothing is heard of it, or nothing pulls it down.
  EXPECT_TRUE(find_keyed_rests(bodies, {false, true}, 1.0, {0, -9.81, 0}).empty());
  EXPECT_TRUE(find_keyed_rests(bodies, {true, true}, 1.0, {0, 0, 0}).empty());
}

}  // namespace
}  // namespace peal::contact
