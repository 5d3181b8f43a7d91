#include <peal/bubbles/chain.h>
#include <peal/bubbles/forced_response.h>
#include <peal/bubbles/oscillator.h>
#include <peal/bubbles/play.h>
#include <peal/bubbles/pulsation.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace peal::bubbles {
namespace {

using base::Bubble;
using base::BubbleEnd;
using base::BubblePopulation;
using base::BubbleSound;
using base::BubbleStart;
using base::BubbleTrack;
using base::Vec3;

constexpr double steepness = 0.95;

/// Far below the surface, so that the frequency is that of the bubble alone.
const base::FlatSurface far_surface(10.0);

BubbleTrack bubble_at(double time, double radius, double depth, std::int64_t id = 1) {
  return {.id = id,
          .samples = {{.time = time, .position = Vec3(0.0, 10.0 - depth, 0.0), .radius = radius}},
          .excitation = {.cone = steepness}};
}

PlaySettings settings(std::int64_t samples, std::int64_t rate = 48000) {
  PlaySettings one{.coupled = false};
  one.oscillators.rate = {rate};
  one.oscillators.range = {0, samples};
  one.chains.liquid.gravity = 0.0;
  return one;
}

BubbleSound played(const BubbleTrack& track, const PlaySettings& how) {
  const PlayedBubbles result = play({{track}}, far_surface, how);
  EXPECT_EQ(result.sounds.sounds.size(), 1u);
  if (result.sounds.sounds.empty()) return {};
  BubbleSound sound = result.sounds.sounds.front();
  sound.expand();
  return sound;
}

double largest(const std::vector<float>& samples) {
  float peak = 0.0f;
  for (const float x : samples) peak = std::max(peak, std::abs(x));
  return static_cast<double>(peak);
}

/// Runge-Kutta's solution of V'' + 2 beta V' + omega(t)^2 V = F / m at the samples from 0 on.
std::vector<double> reference(const Chain& chain, std::int64_t samples, base::Rate rate) {
  const auto force = [&](double t) {
    double sum = 0.0;
    for (const Forcing& f : chain.forcings) {
      const double s = t - f.begin;
      if (s > 0.0 && s < f.duration) sum += f.curvature * s * s;
    }
    return sum;
  };
  const auto acceleration = [&](double t, double v, double w) {
    const OscillatorKey key = chain.at(t);
    return force(t) - 2.0 * key.beta * w - key.omega * key.omega * v;
  };
  constexpr int parts = 512;
  std::vector<double> result;
  double v = 0.0, w = 0.0;
  const double h = rate.step() / parts;
  for (std::int64_t i = 0; i < samples * parts; ++i) {
    const double t = static_cast<double>(i) * h;
    if (i % parts == 0) result.push_back(w);
    const double k1 = acceleration(t, v, w);
    const double k2 = acceleration(t + h / 2, v + h / 2 * w, w + h / 2 * k1);
    const double k3 = acceleration(t + h / 2, v + h / 2 * (w + h / 2 * k1), w + h / 2 * k2);
    const double k4 = acceleration(t + h, v + h * (w + h / 2 * k2), w + h * k3);
    v += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return result;
}

/// Relative RMS error of the volume velocity, from 100 samples on: the end of the forcing, which is
/// band-limited, is before.
double error_of(const BubbleSound& sound, const std::vector<double>& exact) {
  double wrong = 0.0, all = 0.0;
  for (std::size_t n = 100; n < exact.size(); ++n) {
    const auto i = static_cast<std::int64_t>(n) - sound.start;
    const bool is_there = i >= 0 && i < static_cast<std::int64_t>(sound.volume_velocity.size());
    const double ours =
        is_there ? static_cast<double>(sound.volume_velocity[static_cast<std::size_t>(i)]) : 0.0;
    wrong += (ours - exact[n]) * (ours - exact[n]);
    all += exact[n] * exact[n];
  }
  return std::sqrt(wrong / all);
}

TEST(BubbleOscillatorAnalytic, ItsToneHasTheFrequencyAndDecayOfItsPulsation) {
  for (const double radius : {5e-4, 1e-3, 3e-3}) {
    const PlaySettings how = settings(24000);
    const BubbleSound sound = played(bubble_at(0.01, radius, 5.0), how);
    const Pulsation expected = pulsation(radius, how.chains.liquid);
    const auto n = [&](double t) { return static_cast<std::size_t>(t * 48000.0); };
    const double after = 0.002, later = 0.002 + 0.5 * expected.decay_time();
    const auto samples = util::as_double(sound.volume_velocity);
    // Two windows of whole periods, and the decay between them.
    const std::size_t length = n(8.0 / expected.frequency());
    const auto level = [&](double at) {
      return util::tone_at(std::span(samples).subspan(n(at), length), 48000.0, expected.frequency())
          .amplitude;
    };
    EXPECT_NEAR(20.0 * std::log10(level(later) / level(after)), -30.0, 0.3) << radius;
    const auto ringing = std::span(samples).subspan(n(after), n(0.4 * expected.decay_time()));
    EXPECT_NEAR(util::find_tone(ringing, 48000.0).frequency / expected.frequency(), 1.0, 2e-3);
  }
}

TEST(BubbleOscillatorAnalytic, LevelIsThatOfDeaneAndStokesForAllSizes) {
  for (const double radius : {3e-4, 1e-3, 3e-3}) {
    const BubbleSound sound = played(bubble_at(0.01, radius, 5.0), settings(9600, 480000));
    EXPECT_NEAR(largest(sound.volume_acceleration), 9.3e-3, 1.2e-3) << radius;
  }
}

TEST(BubbleOscillatorAnalytic, FollowsADriftingFrequencyAsRungeAndKuttaDo) {
  BubbleTrack track = bubble_at(0.0011, 1e-3, 5.0);
  track.samples.front().frequency = 2000.0;
  for (int i = 1; i <= 6; ++i) {
    Bubble next = track.samples.back();
    next.time += 0.004;
    next.frequency = *next.frequency * (i % 2 == 1 ? 1.25 : 0.95);
    track.samples.push_back(next);
  }
  const PlaySettings how = settings(1440);
  const Chains chains = make_chains({{track}}, far_surface, how.chains);
  PlayedChain ours = play_chain(chains.chains.front(), StepResidual(), how.oscillators);
  ours.sound.expand();
  EXPECT_LT(error_of(ours.sound, reference(chains.chains.front(), 1440, {48000})), 2e-3);
}

TEST(BubbleOscillatorAnalytic, PlaysAConstantFrequencyExactly) {
  const PlaySettings how = settings(1440);
  const Chains chains = make_chains({{bubble_at(0.00123, 2e-3, 5.0)}}, far_surface, how.chains);
  PlayedChain ours = play_chain(chains.chains.front(), StepResidual(), how.oscillators);
  ours.sound.expand();
  EXPECT_LT(error_of(ours.sound, reference(chains.chains.front(), 1440, {48000})), 5e-4);
}

TEST(BubbleOscillator, TheAccelerationIsTheDerivativeOfTheVelocity) {
  BubbleTrack track = bubble_at(0.00123, 2e-3, 5.0);
  track.samples.push_back(track.samples.front());
  track.samples.back().time = 0.02;
  track.end = BubbleEnd::collapsed;
  const BubbleSound sound = played(track, settings(2000));
  double sum = 0.0, worst = 0.0, peak = 0.0;
  for (std::size_t n = 0; n < sound.volume_velocity.size(); ++n) {
    // The trapezoidal rule at a fifth of Nyquist's frequency is right to 1 %.
    if (n > 0)
      sum += 0.5 / 48000.0 *
             static_cast<double>(sound.volume_acceleration[n] + sound.volume_acceleration[n - 1]);
    worst = std::max(worst, std::abs(sum - static_cast<double>(sound.volume_velocity[n])));
    peak = std::max(peak, std::abs(static_cast<double>(sound.volume_velocity[n])));
  }
  EXPECT_LT(worst, 0.03 * peak);
}

TEST(BubbleOscillator, StartsAndEndsWithoutAClick) {
  for (const bool coupled : {false, true}) {
    BubbleTrack track = bubble_at(0.0101, 1.5e-3, 5.0);
    track.samples.push_back(track.samples.front());
    track.samples.back().time = 0.0152;  // in the middle of its ringing
    track.end = BubbleEnd::collapsed;
    PlaySettings how = settings(4800);
    how.coupled = coupled;
    const BubbleSound sound = played(track, how);
    ASSERT_FALSE(sound.volume_acceleration.empty());
    const double peak = largest(sound.volume_acceleration);
    EXPECT_LT(std::abs(sound.volume_acceleration.front()), 1e-3 * peak);
    EXPECT_LT(std::abs(sound.volume_acceleration.back()), 1e-3 * peak);
    EXPECT_LT(sound.end(), 48 * 24);
    // What the end adds above the bubble's octave is below -60 dB of the bubble.
    const auto samples = util::as_double(sound.volume_acceleration);
    const auto ending = std::span(samples).subspan(samples.size() - 120);
    EXPECT_LT(util::tone_at(ending, 48000.0, 15000.0).amplitude, 1e-3 * peak);
  }
}

TEST(BubbleOscillator, TheEndOfAForcingDoesNotAlias) {
  // At ten times the rate, the spectrum up to 16 kHz is the same.
  const BubbleSound fine = played(bubble_at(0.0101, 1e-3, 5.0), settings(48000, 480000));
  const BubbleSound coarse = played(bubble_at(0.0101, 1e-3, 5.0), settings(4800));
  const auto at = [](const BubbleSound& sound, double rate, double frequency) {
    std::complex<double> sum = 0.0;
    for (std::size_t n = 0; n < sound.volume_acceleration.size(); ++n) {
      const double t = (static_cast<double>(sound.start) + static_cast<double>(n)) / rate;
      sum += static_cast<double>(sound.volume_acceleration[n]) *
             std::polar(1.0, -2.0 * std::numbers::pi * frequency * t);
    }
    return sum / rate;
  };
  for (const double frequency : {500.0, 3000.0, 8000.0, 12000.0, 16000.0}) {
    const std::complex<double> exact = at(fine, 480000.0, frequency);
    EXPECT_LT(std::abs(at(coarse, 48000.0, frequency) / exact - 1.0), 0.02) << frequency;
  }
}

TEST(BubbleOscillatorAnalytic, GivesAwayWhatItWasGiven) {
  for (const bool coupled : {false, true}) {
    PlaySettings how = settings(24000);
    how.coupled = coupled;
    const PlayedBubbles result = play({{bubble_at(0.01, 2e-3, 5.0)}}, far_surface, how);
    const base::BubbleEnergy& energy = result.sounds.energy;
    EXPECT_GT(energy.given, 0.0);
    EXPECT_NEAR((energy.dissipated + energy.remaining) / energy.given, 1.0, 0.01) << coupled;
    EXPECT_GT(energy.radiated, 0.0);
    EXPECT_LT(energy.radiated, 0.02 * energy.given);
  }
}

TEST(BubbleOscillator, EnergyBalancesWhenTheFrequencyRises) {
  BubbleTrack track = bubble_at(0.0011, 2e-3, 5.0);
  for (int i = 1; i <= 4; ++i) {
    Bubble next = track.samples.back();
    next.time += 0.005;
    next.position.y() = 10.0 - 0.02 + 0.004 * i;
    track.samples.push_back(next);
  }
  const base::BubbleEnergy energy = play({{track}}, far_surface, settings(24000)).sounds.energy;
  EXPECT_NEAR((energy.dissipated + energy.remaining) / energy.given, 1.0, 0.01);
}

BubblePopulation merging() {
  BubbleTrack large = bubble_at(0.001, 2e-3, 5.0, 1), small = bubble_at(0.002, 1e-3, 5.0, 2);
  for (BubbleTrack* track : {&large, &small}) {
    track->samples.push_back(track->samples.front());
    track->samples.back().time = 0.012;
    track->end = BubbleEnd::merged;
  }
  BubbleTrack merged = bubble_at(0.012, 2.08e-3, 5.0, 3);
  merged.start = BubbleStart::merged;
  merged.parents = {2, 1};
  return {{large, small, merged}};
}

TEST(BubbleChain, AMergedBubbleContinuesTheLargerOne) {
  const Chains chains = make_chains(merging(), far_surface, settings(1).chains);
  ASSERT_EQ(chains.chains.size(), 2u);
  EXPECT_EQ(chains.chains[0].bubble, 1);
  ASSERT_EQ(chains.chains[0].forcings.size(), 2u);
  EXPECT_LT(chains.chains[0].forcings[0].curvature, 0.0) << "a neck squeezes";
  EXPECT_GT(chains.chains[0].forcings[1].curvature, 0.0) << "a merged bubble expands";
  EXPECT_FALSE(chains.chains[0].fade_begin);
  EXPECT_EQ(chains.chains[0].keys.back().radius, 2.08e-3);
  EXPECT_EQ(chains.chains[1].bubble, 2);
  ASSERT_TRUE(chains.chains[1].fade_begin);
  EXPECT_NEAR(*chains.chains[1].fade_begin, 0.012, 1e-12);
}

TEST(BubbleChain, TheLargestPartOfASplitBubbleContinuesIt) {
  BubbleTrack whole = bubble_at(0.001, 2e-3, 5.0, 1);
  whole.samples.push_back(whole.samples.front());
  whole.samples.back().time = 0.012;
  whole.end = BubbleEnd::split;
  BubbleTrack small = bubble_at(0.012, 0.8e-3, 5.0, 2), large = bubble_at(0.012, 1.9e-3, 5.0, 3);
  for (BubbleTrack* part : {&small, &large}) {
    part->start = BubbleStart::split;
    part->parents = {1};
  }
  const Chains chains = make_chains({{whole, small, large}}, far_surface, settings(1).chains);
  ASSERT_EQ(chains.chains.size(), 2u);
  EXPECT_EQ(chains.chains[0].forcings.size(), 2u);
  EXPECT_EQ(chains.chains[0].keys.back().radius, 1.9e-3);
  EXPECT_EQ(chains.chains[1].bubble, 2);
  EXPECT_EQ(chains.chains[1].forcings.size(), 1u);
}

TEST(BubbleChain, ABubbleThatIsTornOffAboveTheBandOrTooShortIsLeftOut) {
  BubbleTrack short_lived = bubble_at(0.001, 2e-3, 5.0, 1);
  short_lived.samples.push_back(short_lived.samples.front());
  short_lived.samples.back().time += 1e-3;
  short_lived.end = BubbleEnd::collapsed;
  const Chains chains =
      make_chains({{short_lived, bubble_at(0.0, 1e-4, 5.0, 2), bubble_at(0.0, 1e-3, -0.1, 3)}},
                  far_surface, settings(1).chains);
  EXPECT_TRUE(chains.chains.empty());
  EXPECT_EQ(chains.too_short, 1u);
  EXPECT_EQ(chains.above_band, 1u);
  EXPECT_EQ(chains.outside, 1u);
}

TEST(BubbleChain, ABubbleThatRisesAtItsEndIsExtended) {
  BubbleTrack track = bubble_at(0.0, 1e-3, 5.0);
  track.samples.front().frequency = 3000.0;
  for (int i = 1; i < 6; ++i) {
    Bubble next = track.samples.back();
    next.time += 1e-3;
    next.frequency = 3000.0 + 40.0 * i;
    track.samples.push_back(next);
  }
  track.end = BubbleEnd::collapsed;
  const Chains chains = make_chains({{track}}, far_surface, settings(1).chains);
  ASSERT_EQ(chains.chains.size(), 1u);
  const Chain& chain = chains.chains.front();
  EXPECT_NEAR(*chain.fade_begin, 0.005 + 0.03, 1e-9);
  // 40 Hz more each millisecond, in proportion to itself.
  const double expected = 3200.0 * std::exp(40e3 * 0.03 / 3200.0);
  EXPECT_NEAR(chain.keys.back().omega / (2.0 * std::numbers::pi), expected, 1.0);
}

TEST(BubbleOscillator, AnEventListsAmplitudeIsThatOfItsForcing) {
  BubbleTrack track = bubble_at(0.01, 2e-3, 5.0);
  track.excitation = {.amplitude = 0.02};
  const Chains chains = make_chains({{track}}, far_surface, settings(1).chains);
  const Forcing& forcing = chains.chains.front().forcings.front();
  EXPECT_NEAR(forcing.curvature * forcing.duration * forcing.duration, -0.02, 1e-12);
}

/// Of a bubble that rings freely, samples are made where they are read.
TEST(FreeRingingAnalytic, WhatIsReadAddedAndExpandedAreTheSameSamplesWithTheEnergyThatIsAccounted) {
  const PlayedBubbles result = play({{bubble_at(0.00123, 1e-3, 5.0)}}, far_surface, settings(9600));
  const BubbleSound& sound = result.sounds.sounds.at(0);
  ASSERT_GT(sound.ringing.samples, 1000);
  BubbleSound whole = sound;
  whole.expand();
  ASSERT_EQ(whole.end(), sound.end());
  const float peak = static_cast<float>(largest(whole.volume_acceleration));
  // Pieces that begin before the sound, within it and across its parts.
  for (std::int64_t first = sound.start - 37; first < sound.end() + 100; first += 333) {
    std::vector<float> accelerations(333), velocities(333), added(333, 1.0f);
    sound.read(first, accelerations, velocities);
    sound.add_acceleration(first, 2.0f, added);
    for (std::size_t i = 0; i < 333; ++i) {
      const std::int64_t n = first + static_cast<std::int64_t>(i) - whole.start;
      const bool is_there = n >= 0 && n < whole.end() - whole.start;
      const float expected =
          is_there ? whole.volume_acceleration[static_cast<std::size_t>(n)] : 0.0f;
      ASSERT_NEAR(accelerations[i], expected, 1e-4f * peak) << first << " " << i;
      ASSERT_NEAR(added[i], 1.0f + 2.0f * expected, 1e-4f * peak + 1e-6f);
      if (is_there) {
        ASSERT_NEAR(velocities[i], whole.volume_velocity[static_cast<std::size_t>(n)],
                    1e-4 * largest(whole.volume_velocity));
      }
    }
  }
  double velocity = 0.0, acceleration = 0.0;
  const auto rings = static_cast<std::size_t>(sound.ringing_start() - sound.start);
  for (std::size_t i = rings; i < whole.volume_velocity.size(); ++i) {
    velocity += std::pow(static_cast<double>(whole.volume_velocity[i]), 2);
    acceleration += std::pow(static_cast<double>(whole.volume_acceleration[i]), 2);
  }
  EXPECT_NEAR(sound.ringing.velocity_squares() / velocity, 1.0, 1e-4);
  EXPECT_NEAR(sound.ringing.acceleration_squares() / acceleration, 1.0, 1e-4);
}

}  // namespace
}  // namespace peal::bubbles
