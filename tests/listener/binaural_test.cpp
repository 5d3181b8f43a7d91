#include <peal/dynamics/keyframed_motion.h>
#include <peal/listener/array_listener.h>
#include <peal/listener/head.h>
#include <peal/listener/make_listener.h>
#include <peal/listener/rigid_sphere.h>
#include <peal/radiation/direct.h>
#include <peal/scene/read_sofa.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

namespace peal::listener {
namespace {

using base::Vec3;
using Complex = std::complex<double>;
using std::numbers::pi;
using Samples = std::vector<float>;

constexpr std::int64_t rate = 48000;

std::shared_ptr<const base::MeasuredHead> kemar() {
  static const auto head =
      std::make_shared<const base::MeasuredHead>(scene::read_sofa(scene::default_head()));
  return head;
}

/// A point whose strength is a formula of time.
class Formula : public base::PointShader {
 public:
  explicit Formula(std::function<double(double)> law) : law_(std::move(law)) {}
  base::Signal strength(base::Rate at, base::SampleRange range) const override {
    base::Signal signal{.rate = at, .start = range.begin};
    for (std::int64_t n = range.begin; n < range.end; ++n)
      signal.samples.push_back(static_cast<float>(law_(at.seconds(n))));
    return signal;
  }

 private:
  std::function<double(double)> law_;
};

/// A click of 1 Pa m with a flat spectrum below 20 kHz.
double click(double t) {
  const double x = (t - 0.03) * 40000.0;
  const double window = std::exp(-x * x / 200.0);
  return x == 0.0 ? 1.0 : std::sin(pi * x) / (pi * x) * window;
}

class Turning : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    return {.orientation = base::Quat(Eigen::AngleAxisd(2.0 * pi * t, Vec3::UnitY()))};
  }
  bool is_still() const override { return false; }
};

base::World world_with(const Vec3& place, std::function<double(double)> law, double seconds) {
  base::World world;
  world.samples = static_cast<std::int64_t>(seconds * static_cast<double>(rate));
  world.sources.push_back({.name = "source",
                           .motion = std::make_shared<base::Resting>(place),
                           .shader = std::make_shared<Formula>(std::move(law))});
  return world;
}

std::vector<Samples> heard(
    const base::World& world, const scene::Listener& settings, bool has_directions = true,
    std::shared_ptr<const base::Motion> motion = std::make_shared<base::Resting>()) {
  const auto listener = make_listener(settings, std::move(motion),
                                      {.rate = world.rate, .has_directions = has_directions});
  util::Silent silent;
  const auto receivers = listener->receivers();
  const auto pressures =
      radiation::DirectRadiator().radiate(world, receivers, {0, world.samples}, silent);
  return listener->listen(pressures).channels;
}

scene::Listener binaural(
    scene::Listener::Equalisation equalisation = scene::Listener::Equalisation::diffuse_field) {
  return {.name = "head",
          .kind = scene::Listener::Kind::binaural,
          .head = kemar(),
          .equalisation = equalisation};
}

Complex spectrum(const Samples& samples, double frequency, double samples_per_second) {
  Complex sum = 0.0;
  for (std::size_t n = 0; n < samples.size(); ++n)
    sum += static_cast<double>(samples[n]) *
           std::polar(1.0, -2.0 * pi * frequency * static_cast<double>(n) / samples_per_second);
  return sum;
}

double level(double ratio) {
  return 20.0 * std::log10(ratio);
}

/// Mean level over two fifths of an octave.
double band_level(const Samples& samples, double low, double samples_per_second) {
  double sum = 0.0;
  constexpr int steps = 12;
  for (int i = 0; i < steps; ++i)
    sum += level(std::abs(spectrum(samples, low * (1.0 + 0.4 * i / steps), samples_per_second)));
  return sum / steps;
}

double onset(const Samples& samples) {
  const float peak =
      std::abs(*std::ranges::max_element(samples, {}, [](float x) { return std::abs(x); }));
  const auto first =
      std::ranges::find_if(samples, [&](float x) { return std::abs(x) > 0.15f * peak; });
  return static_cast<double>(first - samples.begin());
}

/// The lag of `a` behind `b` [s]: the phase where the head is half a wavelength or less.
double phase_lag(const Samples& a, const Samples& b, double samples_per_second) {
  double sum = 0.0, weight = 0.0;
  for (double f = 350.0; f <= 600.0; f += 25.0) {
    const Complex ratio = spectrum(a, f, samples_per_second) / spectrum(b, f, samples_per_second);
    sum += -std::arg(ratio) / (2.0 * pi * f);
    weight += 1.0;
  }
  return sum / weight;
}

const base::MeasuredHead::Response& measured_at(const Vec3& direction) {
  return *std::ranges::max_element(kemar()->responses, {},
                                   [&](const auto& one) { return one.direction.dot(direction); });
}

TEST(Binaural, SourceAtTheSideHasTheLevelsAndTheDelayOfTheMeasuredHead) {
  for (const Vec3& direction :
       {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(std::sqrt(0.5), 0, -std::sqrt(0.5))}) {
    const auto& measured = measured_at(direction);
    ASSERT_GT(measured.direction.dot(direction), 0.9999);
    const auto ears = heard(world_with(1.4 * direction, click, 0.08), binaural());
    for (const double low : {500.0, 1000.0, 2000.0, 4000.0, 8000.0, 12000.0}) {
      const double difference = band_level(ears[0], low, rate) - band_level(ears[1], low, rate);
      const double expected =
          band_level(measured.left, low, 44100) - band_level(measured.right, low, 44100);
      // A late part of 3 ms, in which the ear away from the source has noise, is cut off.
      EXPECT_NEAR(difference, expected, 1.5) << direction.transpose() << " at " << low;
    }
    EXPECT_NEAR(phase_lag(ears[0], ears[1], rate), phase_lag(measured.left, measured.right, 44100),
                1e-5)
        << direction.transpose();
  }
}

TEST(Binaural, SourceInFrontIsHeardAlikeByBothEars) {
  const auto ears = heard(world_with({0, 0, -2}, click, 0.08), binaural());
  for (std::size_t n = 0; n < ears[0].size(); ++n) ASSERT_NEAR(ears[0][n], ears[1][n], 0.02);
}

TEST(Binaural, LevelsAreThoseOfPressureWhereTheHeadIsSmall) {
  const base::World world = world_with({0, 0, -1}, click, 0.08);
  const auto ears = heard(world, binaural());
  const auto mono = heard(world, {.name = "mono"});
  // Shoulders and torso change levels by some decibels here.
  for (const double f : {60.0, 100.0, 200.0})
    EXPECT_NEAR(level(std::abs(spectrum(ears[0], f, rate) / spectrum(mono[0], f, rate))), 0.0, 3.0)
        << f;
}

TEST(Binaural, ClickArrivesWithoutTheDelayOfTheFilters) {
  const auto mono = heard(world_with({2, 0, 0}, click, 0.08), {.name = "mono"});
  const auto ears = heard(world_with({2, 0, 0}, click, 0.08), binaural());
  // The right ear is a radius nearer than the middle: 12 samples.
  EXPECT_NEAR(onset(ears[1]) - onset(mono[0]), -12.0, 4.0);
  EXPECT_NEAR(onset(ears[0]) - onset(mono[0]), 19.0, 4.0);  // around a quarter of the head
}

TEST(Binaural, NearSourceIsLouderAtTheNearEarThanDistanceAloneMakesIt) {
  const auto difference = [&](double distance) {
    const auto ears = heard(world_with({distance, 0, 0}, click, 0.08), binaural());
    return level(std::abs(spectrum(ears[1], 500.0, rate) / spectrum(ears[0], 500.0, rate)));
  };
  const double far = difference(1.4), near = difference(0.2);
  const double c = 343.2;
  const auto sphere = [&](double distance) {
    return level(std::abs(sphere_response(500, Head::radius, distance, 1, c) /
                          sphere_response(500, Head::radius, distance, -1, c)));
  };
  EXPECT_NEAR(near - far, sphere(0.2) - sphere(1.4), 0.2);
  EXPECT_GT(near - far, 6.0);
}

TEST(Binaural, HeadThatTurnsMakesNoClicks) {
  const double f = 1000.0;
  const auto tone = [&](double t) { return std::sin(2.0 * pi * f * t); };
  const auto ears =
      heard(world_with({2, 0.3, 0}, tone, 1.0), binaural(), true, std::make_shared<Turning>());
  // What is left 3 kHz from the tone, against the tone.
  for (const Samples& ear : ears) {
    double peak = 0.0, splash = 0.0;
    for (std::size_t block = 8; block + 1 < ear.size() / 1024; ++block) {
      Samples part(1024);
      for (std::size_t n = 0; n < 1024; ++n) {
        const double x = 2.0 * pi * static_cast<double>(n) / 1024.0;
        const double window =
            0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2 * x) - 0.01168 * std::cos(3 * x);
        part[n] = static_cast<float>(window) * ear[block * 1024 + n];
      }
      peak = std::max(peak, std::abs(spectrum(part, f, rate)));
      for (double high = 4000.0; high < 20000.0; high += 375.0)
        splash = std::max(splash, std::abs(spectrum(part, high, rate)));
    }
    EXPECT_LT(level(splash / peak), -60.0);
  }
}

TEST(Binaural, ArrayHearsAsTheHeadDoes) {
  for (const Vec3& place : {Vec3(1.4, 0, 0), Vec3(-0.7, 0.5, 0.7)}) {
    const base::World world = world_with(place, click, 0.08);
    const auto exact = heard(world, binaural()), array = heard(world, binaural(), false);
    for (std::size_t ear = 0; ear < 2; ++ear) {
      for (const double low : {125.0, 250.0, 500.0, 1000.0, 2000.0}) {
        const double difference =
            band_level(array[ear], low, rate) - band_level(exact[ear], low, rate);
        // Above 3 kHz, magnitudes are fitted in the mean over all directions only.
        EXPECT_NEAR(difference, 0.0, 1.5) << place.transpose() << ", " << ear << " at " << low;
      }
    }
    EXPECT_NEAR(phase_lag(array[0], array[1], rate), phase_lag(exact[0], exact[1], rate), 1e-5);
  }
}

TEST(Ambisonic, ChannelsAreThoseOfAmbiX) {
  const scene::Listener settings{
      .name = "field", .kind = scene::Listener::Kind::ambisonic, .order = 3};
  const Vec3 direction = Vec3(-0.48, 0.6, -0.64);  // front 0.64, left 0.48, up 0.6
  const double front = 0.64, left = 0.48, up = 0.6;
  const base::World world = world_with(2.0 * direction, click, 0.08);
  const auto mono = heard(world, {.name = "mono"});
  for (const bool exact : {true, false}) {
    const auto channels = heard(world, settings, exact);
    ASSERT_EQ(channels.size(), 16u);
    const double gains[] = {1.0,
                            left,
                            up,
                            front,
                            std::sqrt(3.0) * front * left,
                            std::sqrt(3.0) * left * up,
                            0.5 * (3 * up * up - 1),
                            std::sqrt(3.0) * front * up,
                            0.5 * std::sqrt(3.0) * (front * front - left * left)};
    for (std::size_t c = 0; c < std::size(gains); ++c)
      for (const double f : {500.0, 1000.0, 2000.0, 4000.0}) {
        const Complex ratio = spectrum(channels[c], f, rate) / spectrum(mono[0], f, rate);
        EXPECT_NEAR(std::abs(ratio - gains[c]), 0.0, exact ? 1e-3 : 0.05) << c << " at " << f;
      }
  }
}

}  // namespace
}  // namespace peal::listener
