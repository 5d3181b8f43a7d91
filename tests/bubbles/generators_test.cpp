#include <peal/bubbles/drops.h>
#include <peal/bubbles/plume.h>
#include <peal/bubbles/pulsation.h>
#include <peal/bubbles/spectrum.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::bubbles {
namespace {

const base::Liquid water;

TEST(BubbleOfDrop, StoredResultsAreMet) {
  const auto small = bubble_of_drop(3.8e-3, 1.55, water),
             large = bubble_of_drop(4.6e-3, 1.25, water);
  ASSERT_TRUE(small && large);
  EXPECT_NEAR(small->radius, 0.41e-3, 0.01e-3);
  EXPECT_NEAR(small->depth, 6.3e-3, 0.1e-3);
  EXPECT_NEAR(small->delay, 25.1e-3, 0.5e-3);
  EXPECT_NEAR(large->radius, 0.53e-3, 0.01e-3);
  EXPECT_NEAR(large->depth, 7.2e-3, 0.1e-3);
  EXPECT_NEAR(large->delay, 27.7e-3, 0.5e-3);
  EXPECT_NEAR(pulsation(small->radius, water).frequency(), 8.0e3, 0.25e3);
}

TEST(BubbleOfDrop, OnlyDropsOfTheRegularRegionPlink) {
  const auto plinks = [](double diameter, double height) {
    return bubble_of_drop(diameter, falling_speed(diameter, height, water.gravity), water)
        .has_value();
  };
  EXPECT_TRUE(plinks(4.6e-3, 0.085));
  EXPECT_FALSE(plinks(4.6e-3, 0.04));
  EXPECT_FALSE(plinks(5e-3, 0.20)) << "a tap too high is silent";
  EXPECT_TRUE(plinks(3e-3, 0.20));
  EXPECT_TRUE(plinks(1e-3, 100.0)) << "small raindrops";
  EXPECT_FALSE(plinks(2e-3, 100.0));
}

TEST(Drops, AreTheSameForTheSameSeedOnly) {
  Drops drops{.end = 5.0};
  const auto once = make_drop_bubbles(drops, water, {1, 2});
  const auto again = make_drop_bubbles(drops, water, {1, 2});
  const auto other = make_drop_bubbles(drops, water, {2, 2});
  ASSERT_EQ(once.population.tracks.size(), again.population.tracks.size());
  EXPECT_GT(once.population.tracks.size(), 5u);
  for (std::size_t i = 0; i < once.population.tracks.size(); ++i)
    EXPECT_EQ(once.population.tracks[i].begin_time(), again.population.tracks[i].begin_time());
  EXPECT_NE(once.population.tracks[1].begin_time(), other.population.tracks[1].begin_time());
}

TEST(Rain, HasTheFluxOfItsIntensity) {
  // What falls per second and square metre, over 10 s on a disc of 1 m: the sizes of Marshall and
  // Palmer are within a fifth of the intensity they are named by.
  Rain rain{.spread = 0.5, .end = 4.0, .intensity = 20.0};
  const auto made = make_rain_bubbles(rain, water, {3, 0});
  EXPECT_GT(made.drops, 3000u);
  EXPECT_GT(made.population.tracks.size(), made.drops / 50);
  for (const base::BubbleTrack& track : made.population.tracks) {
    EXPECT_GT(*track.samples.back().frequency, 10e3);
    EXPECT_LE(track.samples.front().position.norm(), 0.51);
  }
}

TEST(BubbleSpectrum, HasItsSlopesAndVolume) {
  const BubbleSpectrum spectrum;
  EXPECT_NEAR(spectrum.radius(0.0), 1e-4, 1e-12);
  EXPECT_NEAR(spectrum.radius(1.0), 5e-3, 1e-9);
  // Numbers of equal parts give the mean volume.
  double sum = 0.0;
  constexpr int parts = 200000;
  for (int i = 0; i < parts; ++i) {
    const double r = spectrum.radius((i + 0.5) / parts);
    sum += 4.0 / 3.0 * std::numbers::pi * r * r * r / parts;
  }
  EXPECT_NEAR(sum / spectrum.mean_volume(), 1.0, 0.01);
  // Number per radius: part of bubbles below r has the density of the two power laws.
  const auto density = [&](double part) {
    const double h = 1e-6;
    return 2.0 * h / (spectrum.radius(part + h) - spectrum.radius(part - h));
  };
  const auto slope = [&](double a, double b) {
    return std::log(density(b) / density(a)) / std::log(spectrum.radius(b) / spectrum.radius(a));
  };
  EXPECT_NEAR(slope(0.2, 0.5), -1.5, 0.01);
  EXPECT_NEAR(slope(0.95, 0.99), -10.0 / 3.0, 0.02);
}

TEST(Jet, TakesAlongWhatBinSays) {
  // 4.5 L/min, 8 mm, from 20 cm.
  const Jet jet{.flow = 7.5e-5, .diameter = 0.008, .height = 0.2, .end = 2.0};
  const JetImpact impact = impact_of(jet, water);
  EXPECT_NEAR(impact.speed, 2.48, 0.02);
  EXPECT_NEAR(impact.air_flow / jet.flow, 0.04 * 3.64 * 4.0, 0.01);
  const auto population = make_plume(plume_of(jet, water), {1, 0});
  double volume = 0.0;
  for (const base::BubbleTrack& track : population.tracks) {
    const double r = track.samples.front().radius;
    volume += 4.0 / 3.0 * std::numbers::pi * r * r * r;
    for (const base::Bubble& bubble : track.samples) EXPECT_LT(bubble.position.y(), -r);
  }
  EXPECT_NEAR(volume / (2.0 * impact.air_flow), 1.0, 0.1);
  EXPECT_TRUE(make_plume(plume_of({.flow = 1e-6, .height = 0.01}, water), {1, 0}).tracks.empty());
}

TEST(Particles, GetTheRadiiOfTheSpectrumInTheOrderOfTime) {
  std::vector<AirParticle> particles;
  for (int i = 0; i < 1000; ++i) particles.push_back({.time = 1.0 - 1e-3 * i});
  const auto population = make_particle_bubbles(particles, {1, 0});
  ASSERT_EQ(population.tracks.size(), 1000u);
  int large = 0;
  for (std::size_t i = 1; i < 1000; ++i) {
    EXPECT_LE(population.tracks[i - 1].begin_time(), population.tracks[i].begin_time());
    large += population.tracks[i].samples.front().radius > 1e-3 ? 1 : 0;
  }
  EXPECT_NEAR(large, 90, 40);
}

TEST(EventBubbles, RiseAsVanDenDoelSays) {
  const BubbleEvent event{.time = 1.0, .radius = 2e-3, .amplitude = 0.5, .rise_factor = 0.1};
  const auto population = make_event_bubbles(std::span(&event, 1), Vec3::Zero(), water);
  const auto& samples = population.tracks.front().samples;
  const Pulsation alone = pulsation(2e-3, water);
  const double late = samples.back().time - 1.0;
  EXPECT_NEAR(*samples.back().frequency, alone.frequency() * (1.0 + 0.1 * alone.beta() * late),
              1e-6);
}

}  // namespace
}  // namespace peal::bubbles
