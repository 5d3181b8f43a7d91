#include <peal/contact/held_plate.h>
#include <peal/contact/hertz_spring.h>
#include <peal/contact/modal_oscillators.h>
#include <peal/contact/oscillator_step.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::contact {
namespace {

TEST(HertzSpring, AWayInAndOutGivesBackTheSquareOfTheRestitution) {
  for (const double e : {1.0, 0.8, 0.4, 0.1}) {
    HertzSpring spring(2e9, e);
    const double deepest = 3e-5, whole = 0.4 * 2e9 * std::pow(deepest, 2.5);
    double work = 0.0, x = 0.0;
    const auto go = [&](double to, double v0, double v1) {
      work += spring.mean_force(x, to) * (to - x);
      spring.advance(x, to, v0, v1, 1e-6);
      x = to;
    };
    for (int i = 1; i <= 40; ++i) go(deepest * i / 40.0, 1.0, i == 40 ? -1e-12 : 1.0);
    EXPECT_NEAR(work, whole, 1e-12 * whole);
    for (int i = 39; i >= -5; --i) go(deepest * i / 40.0, -1.0, -1.0);
    EXPECT_NEAR(work, (1.0 - e * e) * whole, 1e-12 * whole);
    EXPECT_NEAR(spring.lost(), work, 1e-12 * whole);
    EXPECT_NEAR(spring.surface(), (1.0 - e * e) * deepest, 1e-9 * deepest);
    // A second touch that is not as deep is elastic and begins at the bottom of the dent.
    const double before = work, depth = 0.5 * (spring.surface() + deepest);
    go(depth, 1.0, -1.0);
    EXPECT_NEAR(work - before, spring.stored(depth), 1e-12 * whole);
    go(0.0, -1.0, -1.0);
    EXPECT_NEAR(work, before, 1e-12 * whole);
  }
}

TEST(HertzSpring, AStepsForceIsItsEnergyOverItsWay) {
  HertzSpring spring(5e8, 0.6);
  spring.advance(0.9e-5, 1e-5, 1.0, -0.1, 1e-7);  // it has turned at about 1e-5 m
  const auto energy = [&](double x) { return spring.stored(x); };
  for (const double from : {-1e-6, 0.0, 0.5e-5, 0.66e-5, 0.9e-5, 1.3e-5})
    for (const double to : {-2e-6, 0.65e-5, 0.95e-5, 1.1e-5, 2e-5})
      EXPECT_NEAR(spring.mean_force(from, to) * (to - from), energy(to) - energy(from),
                  1e-13 * energy(2e-5));
  // Of a short way it is the force itself, without cancellation.
  EXPECT_NEAR(spring.mean_force(0.9e-5, 0.9e-5 + 1e-18) / spring.force(0.9e-5), 1.0, 1e-9);
  EXPECT_NEAR(spring.mean_force(1.2e-5, 1.2e-5) / spring.force(1.2e-5), 1.0, 1e-12);
}

TEST(OscillatorStep, IsExactForSlowFastAndOverdampedModes) {
  for (const double w : {10.0, 5e3, 1e5, 3e6}) {
    for (const double damping : {0.0, 1e-3, 0.5, 1.0, 3.0}) {
      const double d = damping * w, h = 5.2e-6;
      const OscillatorStep whole(w, d, h), half(w, d, 0.5 * h);
      // Two half steps with the same force.
      const double q = half.b1, v = half.b2;
      const double scale = std::min(h * h, 1.0 / (w * w));
      EXPECT_NEAR(half.a11 * q + half.a12 * v + half.b1, whole.b1, 1e-12 * scale) << w << " " << d;
      EXPECT_NEAR(half.a21 * q + half.a22 * v + half.b2, whole.b2, 1e-11 * std::sqrt(scale));
      EXPECT_NEAR(half.a11 * half.a11 + half.a12 * half.a21, whole.a11, 1e-11) << w << " " << d;
      EXPECT_NEAR(half.a21 * half.a12 + half.a22 * half.a22, whole.a22, 1e-11) << w << " " << d;
    }
  }
}

TEST(ModalOscillators, RingFreelyInClosedForm) {
  const std::vector<base::Mode> modes = {{.frequency = 300.0, .decay_rate = 4.0},
                                         {.frequency = 2000.0, .decay_rate = 90.0}};
  ModalOscillators body(modes);
  std::vector<double> gains(body.padded(), 0.0);
  gains[0] = 1.0, gains[1] = -2.0;
  ModalContact contact(body, gains, 1e-5);
  const double push = 3.0;
  contact.advance(std::span(&push, 1));
  const double q = body.q()[0], v = body.v()[0];
  body.ring(0.013);
  const double w = 2.0 * std::numbers::pi * 300.0, turning = std::sqrt(w * w - 16.0);
  const double c = std::cos(turning * 0.013), s = std::sin(turning * 0.013) / turning;
  EXPECT_NEAR(body.q()[0], std::exp(-4.0 * 0.013) * (q * c + (v + 4.0 * q) * s), 1e-12 * v / w);
  for (std::size_t k = 2; k < body.padded(); ++k) EXPECT_EQ(body.q()[k], 0.0);
}

TEST(HeldPlate, OnlyThinSolidsArePlates) {
  const base::Material oak{
      .name = "oak", .density = 700, .young_modulus = 1.1e10, .poisson_ratio = 0.3};
  const geometry::Vec3 top(1.2, 0.022, 0.7);
  const auto plate = held_plate(geometry::box_mesh(top, 0.1), oak);
  ASSERT_TRUE(plate);
  const geometry::Mat3 mobility = plate->at(geometry::Vec3::Zero()).mobility;
  const double impedance =
      8.0 * std::sqrt(1.1e10 * std::pow(0.022, 3) / (12.0 * 0.91) * 700.0 * 0.022);
  EXPECT_NEAR(mobility(1, 1) * impedance, 1.0, 1e-9);
  EXPECT_NEAR(mobility(0, 0) * impedance, 0.0, 1e-9);
  EXPECT_FALSE(held_plate(geometry::box_mesh({0.5, 0.2, 0.4}, 0.1), oak));
  EXPECT_FALSE(held_plate(geometry::TriMesh{}, oak));
}

}  // namespace
}  // namespace peal::contact
