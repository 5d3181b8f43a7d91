#include <peal/bubbles/coupled.h>
#include <peal/bubbles/play.h>
#include <peal/bubbles/pulsation.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace peal::bubbles {
namespace {

using base::BubblePopulation;
using base::BubbleSound;
using base::BubbleTrack;
using base::Vec3;

BubbleTrack resting(std::int64_t id, double time, double radius, const Vec3& position) {
  return {.id = id,
          .samples = {{.time = time, .position = position, .radius = radius}},
          .excitation = {.cone = 0.95}};
}

PlaySettings together(std::int64_t samples) {
  PlaySettings how;
  how.oscillators.range = {0, samples};
  how.chains.liquid.gravity = 0.0;
  // Little damping, for sharp tones.
  how.chains.liquid.thermal_diffusivity = 1e-8;
  how.chains.liquid.speed_of_sound = 1e6;
  return how;
}

/// Frequency of the sum or the difference of two bubbles.
double tone_of(const std::vector<BubbleSound>& sounds, double sign) {
  std::vector<double> sum(20000, 0.0);
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const std::int64_t n = 1000 + static_cast<std::int64_t>(i) - sounds[b].start;
      if (n < static_cast<std::int64_t>(sounds[b].volume_velocity.size()))
        sum[i] += (b == 0 ? 1.0 : sign) *
                  static_cast<double>(sounds[b].volume_velocity[static_cast<std::size_t>(n)]);
    }
  }
  return util::find_tone(sum, 48000.0).frequency;
}

TEST(CoupledBubblesAnalytic, APairHasTheFrequenciesOfItsTwoModes) {
  const base::FlatSurface surface(100.0);
  const double radius = 2e-3;
  for (const double distance : {3.0, 6.0, 20.0}) {
    // One begins, the other is carried along: both modes ring.
    const BubblePopulation pair{{resting(1, 0.001, radius, Vec3::Zero()),
                                 resting(2, 0.001, radius, {distance * radius, 0.0, 0.0})}};
    PlaySettings how = together(24000);
    BubblePopulation one_strong = pair;
    one_strong.tracks[1].excitation.cone = 0.2;
    const PlayedBubbles result = play(one_strong, surface, how);
    ASSERT_EQ(result.sounds.sounds.size(), 2u);
    const double alone = pulsation(radius, how.chains.liquid).frequency();
    const double m = 1.0 / std::sqrt(distance * distance + 4.0);
    EXPECT_NEAR(tone_of(result.sounds.sounds, 1.0), alone / std::sqrt(1.0 + m), 0.003 * alone);
    EXPECT_NEAR(tone_of(result.sounds.sounds, -1.0), alone / std::sqrt(1.0 - m), 0.003 * alone);
  }
}

TEST(CoupledBubblesAnalytic, TheImageOfTheSurfaceRaisesTheLowestModeOfACloud) {
  // 2 cm across, 12 mm deep: the lowest mode rises by a sixth to a fifth.
  std::vector<OscillatorKey> keys;
  for (int i = 0; i < 30; ++i) {
    const double angle = 2.4 * i, distance = 0.01 * std::sqrt((i + 0.5) / 30.0);
    const double depth = 0.012 + 0.006 * std::sin(7.0 * i);
    keys.push_back({.omega = 1.0,
                    .radius = 1e-3,
                    .capacitance = 1e-3,
                    .depth = depth,
                    .position = {distance * std::cos(angle), -depth, distance * std::sin(angle)}});
  }
  const auto lowest = [&](bool images) {
    Eigen::MatrixXd mass = Eigen::MatrixXd::Identity(30, 30);
    for (int i = 0; i < 30; ++i) {
      for (int j = 0; j < 30; ++j) {
        OscillatorKey a = keys[static_cast<std::size_t>(i)], b = keys[static_cast<std::size_t>(j)];
        if (!images) a.depth = b.depth = INFINITY;
        if (i != j) mass(i, j) = coupling(a, b);
        if (i == j && images) mass(i, i) -= a.radius / (2.0 * a.depth);
      }
    }
    return 1.0 /
           std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass).eigenvalues().maxCoeff());
  };
  EXPECT_GT(lowest(true) / lowest(false), 1.10);
  EXPECT_LT(lowest(true) / lowest(false), 1.35);
}

TEST(CoupledBubbles, FarFromOthersABubblePlaysAsIfAlone) {
  const base::FlatSurface surface(0.0);
  BubblePopulation population{
      {resting(1, 0.00123, 1e-3, {0.0, -0.05, 0.0}), resting(2, 0.0031, 2e-3, {5.0, -0.05, 0.0})}};
  PlaySettings how;
  how.oscillators.range = {0, 4800};
  const auto coupled = play(population, surface, how);
  how.coupled = false;
  const auto alone = play(population, surface, how);
  for (std::size_t b = 0; b < 2; ++b) {
    BubbleSound x = coupled.sounds.sounds[b], y = alone.sounds.sounds[b];
    x.expand();
    y.expand();
    double wrong = 0.0, all = 0.0;
    for (std::int64_t n = std::min(x.start, y.start); n < y.end(); ++n) {
      const auto value = [n](const BubbleSound& sound) {
        const std::int64_t i = n - sound.start;
        return i < 0 || n >= sound.end()
                   ? 0.0
                   : static_cast<double>(sound.volume_acceleration[static_cast<std::size_t>(i)]);
      };
      wrong += (value(x) - value(y)) * (value(x) - value(y));
      all += value(y) * value(y);
    }
    EXPECT_LT(std::sqrt(wrong / all), 0.05) << b;
  }
}

TEST(CoupledBubbles, BubblesThatOverlapStayFiniteAndKeepTheirEnergy) {
  const base::FlatSurface surface(0.0);
  BubblePopulation population;
  for (int i = 0; i < 40; ++i) {
    population.tracks.push_back(
        resting(i, 0.001 + 1e-4 * i, 1e-3 + 2e-5 * i, {1e-4 * i, -0.002 - 1e-4 * (i % 7), 0.0}));
  }
  PlaySettings how;
  how.oscillators.range = {0, 9600};
  const PlayedBubbles result = play(population, surface, how);
  const base::BubbleEnergy& energy = result.sounds.energy;
  EXPECT_EQ(result.sounds.sounds.size(), 40u);
  EXPECT_TRUE(std::isfinite(energy.given) && std::isfinite(energy.dissipated));
  EXPECT_LT(energy.dissipated, 1.05 * energy.given);
  EXPECT_GT(energy.dissipated, 0.8 * energy.given);
  EXPECT_LT(energy.radiated, energy.dissipated);
}

}  // namespace
}  // namespace peal::bubbles
