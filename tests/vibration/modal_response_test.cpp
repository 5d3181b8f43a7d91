#include <peal/contact/impact_law.h>
#include <peal/vibration/modal_response.h>
#include <peal/vibration/modal_source.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace peal::vibration {
namespace {

using Quantity = ModalResponse::Quantity;

/// q, q', q'' at time t by many small steps of Runge and Kutta: slow and independent.
struct Reference {
  base::Mode mode;
  std::vector<std::pair<ForcePulse, double>> forces;

  double force(double t) const {
    double sum = 0.0;
    for (const auto& [pulse, gain] : forces) {
      const double s = t - pulse.start, T = pulse.contact_time;
      if (s <= 0.0 || s >= T) continue;
      sum += gain * pulse.impulse * std::numbers::pi / (2 * T) * std::sin(std::numbers::pi * s / T);
    }
    return sum;
  }
  double acceleration(double t, double q, double v) const {
    const double w = 2 * std::numbers::pi * mode.frequency;
    return force(t) - 2 * mode.decay_rate * v - w * w * q;
  }
  Eigen::Vector3d at(double end, int steps) const {
    double q = 0.0, v = 0.0;
    const double h = end / steps;
    for (int i = 0; i < steps; ++i) {
      const double t = i * h;
      const double k1 = acceleration(t, q, v), l1 = v;
      const double k2 = acceleration(t + h / 2, q + h / 2 * l1, v + h / 2 * k1),
                   l2 = v + h / 2 * k1;
      const double k3 = acceleration(t + h / 2, q + h / 2 * l2, v + h / 2 * k2),
                   l3 = v + h / 2 * k2;
      const double k4 = acceleration(t + h, q + h * l3, v + h * k3), l4 = v + h * k3;
      q += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
      v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return {q, v, acceleration(end, q, v)};
  }
};

TEST(ModalResponseAnalytic, SolvesTheEquationOfMotion) {
  const std::vector<base::Mode> modes = {{200.0, 8.0}, {1500.0, 60.0}, {90.0, 900.0}, {500.0, 0.0}};
  const std::vector<ModalForce> forces = {
      {{0.0015, 0.001, 0.2}, {1.0, -2.0, 1.0, 1.0}},  // 1 ms: in tune with the undamped 500 Hz
      {{0.0021, 0.004, 0.5}, {0.5, 1.0, 0.3, -1.0}},  // overlaps
      {{0.0115, 0.0002, 0.1}, {2.0, 0.0, 1.0, 3.0}},
  };
  const ModalResponse response(modes, forces);
  const base::Rate rate{100000};
  const Eigen::MatrixXf q = response.evaluate(rate, {0, 2000}, Quantity::displacement);
  const Eigen::MatrixXf v = response.evaluate(rate, {0, 2000}, Quantity::velocity);
  const Eigen::MatrixXf a = response.evaluate(rate, {0, 2000}, Quantity::acceleration);
  EXPECT_EQ(q.leftCols(150).cwiseAbs().maxCoeff(), 0.0f) << "before the first blow";
  for (std::size_t m = 0; m < modes.size(); ++m) {
    Reference reference{modes[m], {}};
    for (const ModalForce& force : forces)
      reference.forces.emplace_back(force.pulse, force.gains[m]);
    const auto row = static_cast<Eigen::Index>(m);
    const Eigen::Vector3d scale(q.row(row).cwiseAbs().maxCoeff(), v.row(row).cwiseAbs().maxCoeff(),
                                a.row(row).cwiseAbs().maxCoeff());
    for (const int n : {170, 240, 255, 256, 400, 700, 1155, 1165, 1300, 1999}) {
      const Eigen::Vector3d exact = reference.at(n * 1e-5, 100 * n);
      EXPECT_NEAR(q(row, n), exact[0], 1e-5 * scale[0]) << m << " " << n;
      EXPECT_NEAR(v(row, n), exact[1], 1e-5 * scale[1]) << m << " " << n;
      EXPECT_NEAR(a(row, n), exact[2], 1e-5 * scale[2]) << m << " " << n;
    }
  }
}

TEST(ModalResponse, AnyRangeAndRateGiveTheSameMotion) {
  const ModalResponse response({{440.0, 3.0}, {2000.0, 10.0}}, {{{0.001, 0.002, 1.0}, {1.0, 1.0}}});
  EXPECT_EQ(response.first_contact(), 0.001);
  const Eigen::MatrixXf whole = response.evaluate({48000}, {0, 3000}, Quantity::displacement);
  const Eigen::MatrixXf part = response.evaluate({48000}, {777, 2222}, Quantity::displacement);
  EXPECT_EQ(whole.middleCols(777, 2222 - 777), part);
  const Eigen::MatrixXf fine = response.evaluate({192000}, {0, 12000}, Quantity::displacement);
  for (int n = 0; n < 3000; n += 10) {
    EXPECT_NEAR(fine(0, 4 * n), whole(0, n), 1e-6 * whole.cwiseAbs().maxCoeff()) << n;
  }
}

TEST(ModalResponse, AHardBlowHasTheSpectrumOfAnImpulse) {
  // Undamped, after a short impact: amplitude impulse / w, lowered by the pulse's spectrum.
  const ForcePulse pulse{0.0, 0.0004, 2.0};
  for (const double f : {100.0, 1000.0, 1250.0, 3000.0}) {
    const ModalResponse response({{f, 0.0}}, {{pulse, {1.0}}});
    const Eigen::MatrixXf q = response.evaluate({1000000}, {500, 30000}, Quantity::displacement);
    const double w = 2 * std::numbers::pi * f;
    EXPECT_NEAR(q.maxCoeff(), 2.0 / w * pulse_response(pulse, f), 1e-4 * 2.0 / w) << f;
  }
  EXPECT_NEAR(pulse_response(pulse, 0.0), 1.0, 1e-12);
}

// Straight lines between samples are what half a sine of 4 ms is, to 1e-4.
TEST(ModalResponseAnalytic, ForcesThatLastAreSolvedAtAnyRateAndInAnyRange) {
  const std::vector<base::Mode> modes = {{200.0, 8.0}, {1500.0, 60.0}, {90.0, 900.0}};
  const ForcePulse pulse{0.01, 0.004, 0.5};
  auto force =
      std::make_shared<base::SustainedForce>(base::SustainedForce{.rate = {96000}, .begin = 960});
  for (int n = 0; n <= 384; ++n) {
    force->samples.push_back(static_cast<float>(
        base::pulse_force(base::PulseProfile::half_sine, n / 384.0) * 0.5 / 0.004));
  }
  force->points.resize(10);
  Eigen::MatrixXf gains(3, 10);
  gains.colwise() = Eigen::Vector3f(1.0f, -2.0f, 0.5f);
  const ModalResponse blow(modes, {{pulse, {1.0, -2.0, 0.5}}});
  const ModalResponse lasting(modes, {}, {{force, gains}});
  EXPECT_NEAR(lasting.first_contact(), 0.01, 2e-5);
  EXPECT_NEAR(lasting.last_contact(), 0.014, 2e-5);
  for (const std::int64_t hz : {44100, 96000, 144000}) {
    for (const Quantity what :
         {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
      const base::Rate rate{hz};
      const base::SampleRange all{0, hz / 10};
      const Eigen::MatrixXf one = blow.evaluate(rate, all, what);
      const Eigen::MatrixXf two = lasting.evaluate(rate, all, what);
      for (Eigen::Index mode = 0; mode < 3; ++mode) {
        EXPECT_LT((one.row(mode) - two.row(mode)).cwiseAbs().maxCoeff(),
                  2e-3f * one.row(mode).cwiseAbs().maxCoeff())
            << hz << " Hz, mode " << mode;
      }
      // Long after the contact, from a range that begins there.
      const base::SampleRange late{hz / 20 + 7, hz / 20 + 500};
      EXPECT_EQ(lasting.evaluate(rate, late, what), two.middleCols(late.begin, late.size()));
    }
  }
}

TEST(ModalResponse, AHistoryOfShortStepsIsThePulseThatItFollows) {
  const std::vector<base::Mode> modes = {{200.0, 8.0}, {1500.0, 60.0}, {90.0, 900.0}};
  const ForcePulse pulse{0.0021, 0.0007, 0.3};
  const std::vector<double> gains = {1.0, -2.0, 0.7};
  base::ForceHistory history{.start = pulse.start, .step = pulse.contact_time / 700.0};
  for (int n = 0; n < 700; ++n) {
    const double passed = base::pulse_passed(base::PulseProfile::half_sine, (n + 1) / 700.0) -
                          base::pulse_passed(base::PulseProfile::half_sine, n / 700.0);
    history.samples.emplace_back(0.0f, static_cast<float>(pulse.impulse * passed / history.step),
                                 0.0f);
  }
  ModalForce followed{pulse, gains, std::make_shared<base::ForceHistory>(history)};
  followed.shapes = Eigen::Matrix3Xf::Zero(3, 3);
  followed.shapes.row(1) << 1.0f, -2.0f, 0.7f;
  const ModalResponse one(modes, {{pulse, gains}}), other(modes, {followed});
  const base::Rate rate{44100};
  for (const Quantity what : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
    const Eigen::MatrixXf a = one.evaluate(rate, {0, 900}, what);
    const Eigen::MatrixXf b = other.evaluate(rate, {0, 900}, what);
    // A half sine in steps: its acceleration is off by up to half of a step's.
    const float near = what == Quantity::acceleration ? 0.003f : 1e-4f;
    for (Eigen::Index m = 0; m < a.rows(); ++m)
      EXPECT_LT((a.row(m) - b.row(m)).cwiseAbs().maxCoeff(), near * a.row(m).cwiseAbs().maxCoeff())
          << "mode " << m;
    EXPECT_EQ(other.evaluate(rate, {300, 500}, what), b.middleCols(300, 200)) << "any range";
  }
}

TEST(ModalResponse, IsLeftAsTheImpactLawLeavesTheModes) {
  // A plate that falls on a floor with a corner, twice, by its own modes.
  auto model = std::make_shared<base::ModalModel>();
  model->surface = {{{0, 0, 0}, {0.2, 0, 0}, {0, 0, 0.2}}, {{0, 2, 1}}};
  model->mass = 0.4;
  for (int k = 0; k < 40; ++k) {
    const double f = 150.0 * std::pow(1.12, k);
    model->modes.push_back({.frequency = f, .decay_rate = 0.02 * f});
  }
  model->shapes = Eigen::MatrixXf::Random(9, 40) * 3.0f;
  const base::Material steel{
      .name = "steel", .density = 7850, .young_modulus = 2.1e11, .poisson_ratio = 0.3};
  contact::CompliantImpactLaw law(
      {{.material = steel, .radius = 1e300, .patch = 1.0},
       {.material = steel,
        .radius = 0.002,
        .patch = 0.1,
        .compliance = std::make_shared<ModalCompliance>(model, 13000.0)}});
  std::vector<base::ImpactBody> bodies(2);
  bodies[1].body = 1;
  bodies[1].pose.orientation = base::Quat(1.0, 0.1, -0.3, 0.05).normalized();
  bodies[1].centre = {0.08, 0.03, 0.06};
  bodies[1].inverse_mass = 2.5;
  bodies[1].inverse_inertia = base::Vec3(700, 350, 700).asDiagonal();
  const base::ImpactContact touch{.a = 1, .b = 0, .restitution = 0.6, .friction = 0.3};
  std::vector<ModalForce> forces;
  double end = 0.0;
  for (const double time : {0.01, 0.0312}) {
    bodies[1].velocity = {0.2, -1.3, 0.1};
    const base::ImpactOutcome outcome = law.strike(bodies, std::span(&touch, 1), time);
    const base::Quat to_body = bodies[1].pose.orientation.conjugate();
    auto history = std::make_shared<base::ForceHistory>(outcome.touches[0].force.rotated(to_body));
    ASSERT_FALSE(history->empty());
    forces.push_back({{history->start, history->duration(), 0.0}, {}, history});
    forces.back().shapes = model->shapes_at(0, {1, 0, 0});
    forces.back().gains.assign(40, 0.0);
    end = outcome.end;
  }
  const ModalResponse response(model->modes, forces);
  // The law's state follows in closed form to the next sample.
  const base::Rate rate{48000};
  const auto next = static_cast<std::int64_t>(std::ceil(rate.samples(end)));
  contact::ModalOscillators modes = law.modes(1);
  modes.ring(rate.seconds(next) - end);
  const Eigen::MatrixXf q = response.evaluate(rate, {next, next + 1}, Quantity::displacement);
  const Eigen::MatrixXf v = response.evaluate(rate, {next, next + 1}, Quantity::velocity);
  double largest = 0.0;
  for (std::size_t k = 0; k < 40; ++k) largest = std::max(largest, std::abs(modes.v()[k]));
  for (std::size_t k = 0; k < 40; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    const double w = modes.angular_frequency(k);
    EXPECT_NEAR(static_cast<double>(v(row, 0)), modes.v()[k], 1e-6 * largest) << k;
    EXPECT_NEAR(static_cast<double>(q(row, 0)), modes.q()[k], 1e-6 * largest / w) << k;
  }
}

/// A contact whose drag is the same at all speeds.
ModalRest even_drag(double begin, double end, double rate, Eigen::Index modes) {
  return {.begin = begin,
          .end = end,
          .shapes = Eigen::ArrayXd::Ones(modes),
          .drag = Eigen::ArrayXd::Constant(modes, 2.0 * rate),
          .most = 1e12};
}

TEST(ModalResponseAnalytic, WhatABodyLiesOnAddsToItsDecay) {
  const std::vector<base::Mode> modes = {{430.0, 8.0}, {1500.0, 60.0}};
  const double begin = 0.0234, end = 0.0612, rate = 45.0;
  const ModalForce force{{0.002, 0.001, 0.2}, {1.0, -2.0}};
  const ModalResponse free(modes, {force}),
      lying(modes, {force}, {}, {even_drag(begin, end, rate, 2)});
  for (const int hz : {44100, 48000, 192000}) {
    const base::Rate sampled{hz};
    const base::SampleRange all{0, hz / 10};
    for (const Quantity what :
         {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
      const Eigen::MatrixXf a = free.evaluate(sampled, all, what);
      const Eigen::MatrixXf b = lying.evaluate(sampled, all, what);
      double worst = 0.0;
      for (Eigen::Index n = 0; n < a.cols(); ++n) {
        const double t = sampled.seconds(n);
        // The rate is a mean over a window, so its integral is one of two ends.
        const auto area = [&](double x) {
          const double lain = std::clamp(x, begin, end) - begin;
          return rate * (0.5 * lain * lain + (end - begin) * std::max(x - end, 0.0));
        };
        constexpr double half = 0.5 * AddedDecay::window;
        const double fall = std::exp((area(t - half) - area(t + half)) / AddedDecay::window);
        worst = std::max(worst, double((b.col(n) - float(fall) * a.col(n)).cwiseAbs().maxCoeff()));
      }
      EXPECT_LT(worst, 1e-4 * a.cwiseAbs().maxCoeff()) << hz;
      // Any range of it is the same.
      const base::SampleRange some{hz / 40, hz / 20};
      EXPECT_EQ(lying.evaluate(sampled, some, what),
                b.middleCols(some.begin, some.end - some.begin));
    }
  }
}

TEST(ModalResponse, TheEnergyOfABodyThatLiesIsAccountedFor) {
  const std::vector<base::Mode> modes = {{430.0, 8.0}, {900.0, 20.0}};
  const ModalForce force{{0.002, 0.001, 0.2}, {1.0, -2.0}};
  const ModalResponse free(modes, {force}),
      lying(modes, {force}, {}, {even_drag(0.01, 0.5, 40.0, 2)});
  const ModalResponse::Energy before = free.energy(0.5), after = lying.energy(0.5);
  for (Eigen::Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(after.given[k] / before.given[k], 1.0, 0.02);
    EXPECT_EQ(before.to_contacts[k], 0.0);
    // From 10 ms on the contact takes 40 / (40 + d) of what is left then.
    const double d = modes[static_cast<std::size_t>(k)].decay_rate;
    const double left = after.given[k] * std::exp(-2.0 * d * 0.0075);
    EXPECT_NEAR(after.to_contacts[k] / (left * 40.0 / (40.0 + d)), 1.0, 0.03);
    EXPECT_LE(after.to_contacts[k], after.lost[k]);
    EXPECT_LE(after.lost[k], after.given[k] * 1.001);
  }
}

// A rubber ball yields to a blow that is slow for its modes, and takes hardly anything of it.
TEST(ModalResponse, ModesThatAreOnlyPressedAsideTakeNoEnergy) {
  const std::vector<base::Mode> modes = {{15000.0, 4700.0}, {400.0, 0.0}};
  const ModalForce force{{0.002, 0.004, 0.2}, {1.0, 1.0}};
  const ModalResponse response(modes, {force});
  const ModalResponse::Energy energy = response.energy(0.1);
  const double peak = 0.2 * std::numbers::pi / (2.0 * 0.004), w = 2.0 * std::numbers::pi * 15000.0;
  const double held = 0.5 * peak * peak / (w * w);
  // Friction of the motion there and back: 2 d q'^2, q = F / w^2.
  const double lost = 4700.0 * std::pow(peak / (w * w) * std::numbers::pi / 0.004, 2) * 0.004;
  EXPECT_NEAR(energy.given[0] / lost, 1.0, 0.1);
  EXPECT_LT(energy.given[0], 0.01 * held);
  EXPECT_NEAR(energy.lost[1] / energy.given[1], 0.0, 1e-5);
  EXPECT_NEAR(energy.given[1] / (0.5 * std::pow(0.2 * pulse_response(force.pulse, 400.0), 2)), 1.0,
              1e-3);
}

// What presses with a force N can brake no more than that, however fast the surface moves.
TEST(ModalRest, SurfacesThatPartBrakeWithTheirLoad) {
  const std::vector<base::Mode> modes = {{500.0, 1.0}};
  const base::LastingContact contact{.begin = 0.0,
                                     .end = 1.0,
                                     .load = 2.0,
                                     .stiffness = 1e7,
                                     .restitution = 0.5,
                                     .inverse_mass = 4.0,
                                     .mobility = 1e-3};
  const ModalRest rest = modal_rest(contact, modes, Eigen::ArrayXd::Constant(1, 2.0));
  const ModalRest* active[] = {&rest};
  double before = std::numeric_limits<double>::infinity();
  for (const double speed : {1e-6, 1e-3, 1e-1, 1.0, 10.0}) {
    const Eigen::ArrayXd amplitude = Eigen::ArrayXd::Constant(1, speed);
    const RestingRates found = resting_rates(active, amplitude);
    EXPECT_LE(found.rates[0], before);
    before = found.rates[0];
    // Power 2 d E with E = v^2 / 2; the surface moves with the amplitude 2 v.
    EXPECT_LE(found.rates[0] * speed * speed, contact.load * 2.0 * speed);
    EXPECT_EQ(found.is_linear, speed < 1e-5) << speed;
  }
}

}  // namespace
}  // namespace peal::vibration
