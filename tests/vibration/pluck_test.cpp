#include <peal/vibration/contact_patch.h>
#include <peal/vibration/ideal_line.h>
#include <peal/vibration/ideal_rectangle.h>
#include <peal/vibration/initial_motion.h>
#include <peal/vibration/struck_sound.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::vibration {
namespace {

using std::numbers::pi;
using Quantity = ModalResponse::Quantity;

constexpr double string_length = 0.65, string_density = 0.004;

std::unique_ptr<IdealShape> test_string(double highest) {
  return string_modes(string_length, 74.0, string_density, {.max_frequency = highest});
}

/// Amplitudes of the modes in metres, sqrt(2) sin() over the mass: what a string shows.
std::vector<double> amplitudes_after(const IdealShape& shape, const ModalForce& force) {
  const ModalResponse response(shape.modes(), {force});
  const base::Rate rate{96000};
  const base::SampleRange late{2000, 2001};
  const Eigen::MatrixXf q = response.evaluate(rate, late, Quantity::displacement);
  const Eigen::MatrixXf v = response.evaluate(rate, late, Quantity::velocity);
  std::vector<double> result;
  for (std::size_t n = 0; n < shape.modes().size(); ++n) {
    const auto row = static_cast<Eigen::Index>(n);
    const double w = 2.0 * pi * shape.modes()[n].frequency;
    const double amplitude =
        std::hypot(static_cast<double>(q(row, 0)), static_cast<double>(v(row, 0)) / w);
    result.push_back(amplitude * std::sqrt(2.0 / (string_length * string_density)));
  }
  return result;
}

/// Amplitude of mode n of a string that is pulled to d at the part p of its length (Fletcher & Rossing 1998).
double plucked(std::size_t n, double d, double p) {
  const double k = static_cast<double>(n) * pi;
  return std::abs(2.0 * d * std::sin(k * p) / (k * k * p * (1.0 - p)));
}

TEST(PluckAnalytic, APluckedStringFallsWithTheSquareOfTheNumber) {
  const auto shape = test_string(10000.0);
  const double p = 0.23, d = 0.002;
  const std::vector<double> there = shape->displacement({(p - 0.5) * string_length, 0.0});
  const scene::Strike strike{.pluck = scene::Pluck{.displacement = d}};
  const auto forces = modal_forces(std::span(&strike, 1), {}, std::span(&there, 1), shape->modes());
  const std::vector<double> amplitudes = amplitudes_after(*shape, forces[0]);
  ASSERT_GT(amplitudes.size(), 90u);
  for (std::size_t n = 1; n <= amplitudes.size(); ++n)
    EXPECT_NEAR(amplitudes[n - 1], plucked(n, d, p), 0.01 * plucked(n, d, p) + 1e-9) << n;
}

TEST(PluckAnalytic, AnInitialTriangleIsAPluck) {
  const auto shape = test_string(10000.0);
  const scene::IdealShape string = scene::IdealString{.length = string_length};
  const double p = 0.23, d = 0.002, half = 0.5 * string_length;
  const scene::InitialMotion initial{
      .profile = {{-half, 0.0}, {(p - 0.5) * string_length, d}, {half, 0.0}}};
  const std::vector<double> amplitudes =
      amplitudes_after(*shape, initial_force(*shape, string, initial, {0, 0}, 0.001));
  for (std::size_t n = 1; n <= amplitudes.size(); ++n)
    EXPECT_NEAR(amplitudes[n - 1], plucked(n, d, p), 1e-3 * plucked(n, d, p) + 1e-9) << n;
}

TEST(PluckAnalytic, AnInitialVelocityIsABlow) {
  // A felt of 2 cm that gives a string 1 m/s: amplitude 4 v sin(n pi p) sin(n pi b) / (n pi w).
  const auto shape = test_string(5000.0);
  const scene::IdealShape string = scene::IdealString{.length = string_length};
  const double at = -0.1, half = 0.01;
  const scene::InitialMotion initial{.is_velocity = true,
                                     .profile = {{at - half, 1.0}, {at + half, 1.0}}};
  const std::vector<double> amplitudes =
      amplitudes_after(*shape, initial_force(*shape, string, initial, {0, 0}, 0.001));
  for (std::size_t n = 1; n <= amplitudes.size(); ++n) {
    const double k = static_cast<double>(n) * pi, w = 2.0 * pi * shape->modes()[n - 1].frequency;
    const double expected = std::abs(4.0 / (k * w) * std::sin(k * (at / string_length + 0.5)) *
                                     std::sin(k * half / string_length));
    EXPECT_NEAR(amplitudes[n - 1], expected, 1e-3 * expected + 1e-9) << n;
  }
}

TEST(PluckAnalytic, AMembraneBeginsWithItsFirstMode) {
  // A cone over the middle of a square: against the integral of its first mode on a fine grid.
  const scene::IdealShape square = scene::IdealMembrane{.outline = scene::Rectangle{{0.3, 0.3}}};
  const auto shape = rectangular_membrane({0.3, 0.3}, 100.0, 0.2, {.max_frequency = 600.0});
  const std::vector<Vec2> cone = {{0.0, 1e-3}, {0.1, 0.0}};
  const std::vector<double> found = in_modes(*shape, square, cone, {0.02, 0.0});
  std::vector<double> sums(found.size(), 0.0);
  const int steps = 600;
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < steps; ++k) {
      const Vec2 at(0.3 * ((i + 0.5) / steps - 0.5), 0.3 * ((k + 0.5) / steps - 0.5));
      const double r = (at - Vec2(0.02, 0.0)).norm();
      if (r >= 0.1) continue;
      const std::vector<double> there = shape->displacement(at);
      const double mass = 0.2 * 0.09 / (steps * steps);
      for (std::size_t n = 0; n < sums.size(); ++n)
        sums[n] += mass * 1e-3 * (1.0 - r / 0.1) * there[n];
    }
  }
  for (std::size_t n = 0; n < sums.size(); ++n) EXPECT_NEAR(found[n], sums[n], 2e-5 * sums[0]);
}

TEST(PluckAnalytic, AReleasedModeSwingsAroundItsRest) {
  // Damped: q = F / w^2 at the release, and q'' + 2 d q' + w^2 q = 0 after it.
  const std::vector<base::Mode> modes = {{.frequency = 300.0, .decay_rate = 40.0},
                                         {.frequency = 50.0, .decay_rate = 500.0}};
  const ModalForce force{.pulse = {0.001, 1e-5, 3.0}, .gains = {2.0, 1.0}, .is_release = true};
  const ModalResponse response(modes, {force});
  const base::Rate rate{192000};
  const Eigen::MatrixXf q = response.evaluate(rate, {0, 4000}, Quantity::displacement);
  const Eigen::MatrixXf v = response.evaluate(rate, {0, 4000}, Quantity::velocity);
  const Eigen::MatrixXf a = response.evaluate(rate, {0, 4000}, Quantity::acceleration);
  for (Eigen::Index m = 0; m < 2; ++m) {
    const base::Mode& mode = modes[static_cast<std::size_t>(m)];
    const double w = 2.0 * pi * mode.frequency;
    const double rest = 3.0 * force.gains[static_cast<std::size_t>(m)] / (w * w);
    EXPECT_EQ(q(m, 190), 0.0f);
    EXPECT_NEAR(static_cast<double>(q(m, 196)), rest, 2e-3 * rest);
    for (Eigen::Index n = 200; n < 4000; n += 50) {
      const double sum = static_cast<double>(a(m, n)) +
                         2.0 * mode.decay_rate * static_cast<double>(v(m, n)) +
                         w * w * static_cast<double>(q(m, n));
      EXPECT_NEAR(sum, 0.0, 1e-5 * w * w * rest) << m << " " << n;
    }
  }
}

TEST(ContactPatchAnalytic, WeakensShortWaves) {
  for (const double ka : {0.1, 1.0, 1.8, 4.0, 8.0, 12.0}) {
    const geometry::Vec3 middle(0.3, 0.1, -0.2);
    double sum = 0.0, weight = 0.0;
    for (const PatchPoint& point : contact_patch(middle, geometry::Vec3::UnitY(), 0.01)) {
      sum += point.weight * std::cos(ka / 0.01 * (point.at.x() - middle.x()));
      weight += point.weight;
    }
    EXPECT_NEAR(weight, 1.0, 1e-12);
    EXPECT_NEAR(sum, 3.0 * (std::sin(ka) - ka * std::cos(ka)) / (ka * ka * ka), 1e-3) << ka;
  }
  EXPECT_EQ(contact_patch({1, 2, 3}, geometry::Vec3::UnitY(), 0.0).size(), 1u);
}

}  // namespace
}  // namespace peal::vibration
