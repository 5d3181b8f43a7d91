#include <peal/base/prescribed_source.h>
#include <peal/radiation/direct.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "radiation/sound_fixture.h"

namespace peal::radiation {
namespace {

using base::Rate;
using base::SampleRange;
using base::Signal;
using base::Vec3;

using std::numbers::pi;
constexpr double c = 343.2;

/// A sound given by a formula for its strength.
class Formula : public base::PointShader {
 public:
  explicit Formula(std::function<double(double)> strength) : strength_(std::move(strength)) {}
  Signal strength(Rate rate, SampleRange range) const override {
    Signal signal{.rate = rate, .start = range.begin};
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      signal.samples.push_back(static_cast<float>(strength_(rate.seconds(i))));
    }
    return signal;
  }

 private:
  std::function<double(double)> strength_;
};

/// The tone of reference A14: q = sin(w t), so q' = w cos(w t) and the strength is q' / (4 pi).
double unit_flux_strength(double frequency, double t) {
  const double w = 2.0 * pi * frequency;
  return w * std::cos(w * t) / (4.0 * pi);
}

base::World world_of(std::shared_ptr<const base::Motion> motion,
                     std::function<double(double)> strength, double seconds) {
  base::World world;
  world.samples = static_cast<std::int64_t>(seconds * static_cast<double>(world.rate.hz));
  world.sources.push_back({.name = "source",
                           .motion = std::move(motion),
                           .shader = std::make_shared<Formula>(std::move(strength))});
  return world;
}

std::vector<float> render(const base::World& world,
                          const std::shared_ptr<const base::Motion>& receiver_point) {
  util::Silent silent;
  const std::vector<base::Receiver> receivers{{.name = "ear", .motion = receiver_point}};
  return DirectRadiator().radiate(world, receivers, {0, world.samples}, silent).at(0).samples;
}

/// Exact field of a monopole on a straight path, x = v (t - t0), seen from (0, y, 0) (A14).
double moving_monopole(double frequency, double v, double y, double t) {
  const double w = 2.0 * pi * frequency;
  const double mach = v / c;
  const double x = v * t;
  // R solves R^2 = (M R - x)^2 + y^2 with the source at v te.
  const double r =
      (-mach * x + std::sqrt(x * x + (1.0 - mach * mach) * y * y)) / (1.0 - mach * mach);
  const double te = t - r / c;
  const double mach_r = mach * (-v * te) / r;
  const double d = 1.0 - mach_r;
  return w * std::cos(w * te) / (4.0 * pi * r * d * d) +
         std::sin(w * te) * c * (mach_r - mach * mach) / (4.0 * pi * r * r * d * d * d);
}

/// The reference itself, so that the formula above is known to be right.
TEST(DirectAnalytic, TheFormulaUsedHereIsReferenceA14) {
  const std::vector<double> t{-0.4, -0.1, -0.02, 0.0, 0.005, 0.01, 0.05, 0.1, 0.4};
  const std::vector<double> p{7.56877597282992,  18.0731392813901,  -104.197628268321,
                              -100.488785003402, -72.3759633397733, 54.9219764492798,
                              28.2571586083857,  -74.5691592886513, 25.2332314843186};
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(moving_monopole(440.0, 20.0, 2.0, t[i]), p[i], 1e-9 * 105.0);
  }
}

class PassByAnalytic : public testing::TestWithParam<double> {};

TEST_P(PassByAnalytic, AMonopoleAt20MetresPerSecondGivesTheExactWaveform) {
  const double frequency = GetParam();
  const double closest = 1.0;  // the time of closest approach [s]
  const auto received =
      render(world_of(
                 moving([&](double t) { return Vec3(20.0 * (t - closest), 0.0, 0.0); }),
                 [&](double t) { return unit_flux_strength(frequency, t - closest); }, 1.5),
             still({0, 2, 0}));
  double error = 0.0, largest = 0.0;
  for (std::int64_t n = 48000 / 4; n < 72000; ++n) {
    const double exact = moving_monopole(frequency, 20.0, 2.0, Rate{}.seconds(n) - closest);
    error = std::max(error, std::abs(received[n] - exact));
    largest = std::max(largest, std::abs(exact));
  }
  EXPECT_LT(error / largest, frequency < 100.0 ? 1e-3 : 2e-4);
}

INSTANTIATE_TEST_SUITE_P(Frequencies, PassByAnalytic,
                         testing::Values(50.0, 440.0, 3000.0, 10000.0, 19000.0));

TEST(DirectAnalytic, ASourceAtRestIsDelayedByItsTravelTimeAndSpreadsSpherically) {
  const double frequency = 997.0;
  const auto tone = [&](double t) { return std::sin(2.0 * pi * frequency * t); };
  const auto received = render(world_of(still({0, 0, 0}), tone, 0.2), still({3, 0, 0}));
  for (std::int64_t n = 2000; n < 9000; ++n) {
    EXPECT_NEAR(received[n], tone(Rate{}.seconds(n) - 3.0 / c) / 3.0, 1e-5);
  }
}

TEST(DirectAnalytic, AMovingListenerHearsTheClassicalDopplerShift) {
  // A13: f' = f (1 + v / c) for a listener that approaches a source at rest.
  const double frequency = 440.0, v = 20.0;
  const auto tone = [&](double t) { return std::sin(2.0 * pi * frequency * t); };
  const auto received = render(world_of(still({0, 0, 0}), tone, 1.0),
                               moving([&](double t) { return Vec3(50.0 - v * t, 0.0, 0.0); }));
  for (std::int64_t n = 12000; n < 48000; ++n) {
    const double t = Rate{}.seconds(n), r = 50.0 - v * t;
    EXPECT_NEAR(received[n] * r, tone(t - r / c), 1e-4);
  }
}

TEST(DirectAnalytic, ACirclingSourceHasTheExtremeDopplerRatiosOfPA14) {
  // P-A14: R = 0.4 m, 3 turns a second, seen from 5 m in the plane.
  const double frequency = 5000.0, w = 2.0 * pi * 3.0;
  const auto received = render(
      world_of(
          moving([&](double t) { return Vec3(0.4 * std::cos(w * t), 0.0, 0.4 * std::sin(w * t)); }),
          [&](double t) { return std::cos(2.0 * pi * frequency * t); }, 1.0),
      still({5, 0, 0}));
  // Frequency between successive rising zero crossings, over 20 periods.
  std::vector<double> crossings;
  for (std::size_t n = 4800; n + 1 < received.size(); ++n) {
    if (received[n] < 0.0f && received[n + 1] >= 0.0f) {
      crossings.push_back((static_cast<double>(n) + received[n] / (received[n] - received[n + 1])) /
                          48000.0);
    }
  }
  double lowest = 1e9, highest = 0.0;
  for (std::size_t i = 20; i < crossings.size(); ++i) {
    const double ratio = 20.0 / (crossings[i] - crossings[i - 20]) / frequency;
    lowest = std::min(lowest, ratio);
    highest = std::max(highest, ratio);
  }
  EXPECT_NEAR(highest, 1.02246266572884, 1e-4);
  EXPECT_NEAR(lowest, 0.978503090074866, 1e-4);
}

TEST(Direct, NothingIsHeardBeforeSoundCanArrive) {
  const auto received =
      render(world_of(
                 still({0, 0, 0}), [](double t) { return t > 0.01 ? 1.0 : 0.0; }, 0.1),
             still({10, 0, 0}));
  const auto arrival = static_cast<std::size_t>((0.01 + 10.0 / c) * 48000.0);
  for (std::size_t n = 0; n < arrival - 30; ++n) ASSERT_EQ(received[n], 0.0f) << n;
  EXPECT_GT(received[arrival + 30], 0.05f);
}

TEST(Direct, APathOfStraightStretchesMakesNoZipperNoise) {
  // A circle sampled at 24 frames a second, straight in between: energy far above the tone must
  // stay far below it.
  const double frequency = 300.0;
  const auto corner = [](double frame) {
    const double angle = 2.0 * pi * frame / 24.0;
    return Vec3(2.0 * std::cos(angle), 0.0, 2.0 * std::sin(angle));
  };
  std::vector<double> frames;
  for (int i = 0; i <= 24; ++i) frames.push_back(i / 24.0);
  const auto received =
      render(world_of(
                 moving(
                     [&](double t) {
                       const double frame = std::floor(24.0 * t);
                       return Vec3(corner(frame) +
                                   (24.0 * t - frame) * (corner(frame + 1) - corner(frame)));
                     },
                     {}, frames),
                 [&](double t) { return std::sin(2.0 * pi * frequency * t); }, 1.0),
             still({5, 0, 0}));
  // Fourth difference: passes 8 kHz and up, blocks 300 Hz by 100 dB.
  double high = 0.0, all = 0.0;
  for (std::size_t n = 4800; n + 4 < received.size(); ++n) {
    const double d = received[n] - 4.0 * received[n + 1] + 6.0 * received[n + 2] -
                     4.0 * received[n + 3] + received[n + 4];
    high += d * d / 256.0;
    all += received[n] * received[n];
  }
  EXPECT_LT(10.0 * std::log10(high / all), -90.0);
}

TEST(Direct, StopMotionInSmallStepsKeepsItsLevel) {
  // A millimetre a frame: the tone goes on, its level within 1 %.
  std::vector<double> frames;
  for (int i = 1; i < 24; ++i) frames.push_back(i / 24.0);
  const auto received = render(
      world_of(
          moving([](double t) { return Vec3(1.0 + 0.001 * std::floor(24.0 * t), 0, 0); }, frames),
          [](double t) { return std::sin(2.0 * pi * 1000.0 * t); }, 1.0),
      still({0, 0, 0}));
  for (std::size_t n = 4800; n + 48 < received.size(); n += 48) {  // a period each
    const float peak = *std::max_element(received.begin() + static_cast<std::ptrdiff_t>(n),
                                         received.begin() + static_cast<std::ptrdiff_t>(n) + 48);
    EXPECT_NEAR(peak * (1.0 + 0.001 * static_cast<double>(n) / 2000.0), 1.0, 0.015);
  }
}

TEST(Direct, JumpingAllTheTimeCostsNoMoreThanMoving) {
  // Five jumps a millisecond: each block updates only at its own.
  std::vector<double> jumps;
  for (int i = 1; i < 1000; ++i) jumps.push_back(0.2 * i / 1000.0);
  const auto there_and_back = [&](double t) {
    const auto jumped = std::ranges::upper_bound(jumps, t) - jumps.begin();
    return Vec3(jumped % 2 == 0 ? 1.0 : 1.1, 0.0, 0.0);
  };
  const auto received = render(world_of(
                                   moving(there_and_back, jumps),
                                   [](double t) { return std::sin(2.0 * pi * 500.0 * t); }, 2.0),
                               still({0, 0, 0}));
  for (const float pressure : received) ASSERT_LT(std::abs(pressure), 1.01f);
}

TEST(DirectAnalytic, AFastCircleHasTheLevelOfItsVelocity) {
  // 0.3 m at 50 turns a second is 94 m/s: convective amplification decides the level.
  const double frequency = 440.0, turns = 2.0 * pi * 50.0, radius = 0.3;
  const auto sample_point = [&](double t) {
    return Vec3(radius * std::cos(turns * t), 0.0, radius * std::sin(turns * t));
  };
  const Vec3 receiver_point(5, 0, 0);
  const auto received = render(
      world_of(
          moving(sample_point), [&](double t) { return unit_flux_strength(frequency, t); }, 0.3),
      still(receiver_point));
  double error = 0.0, largest = 0.0;
  for (std::int64_t n = 9600; n < 14000; ++n) {
    const double t = Rate{}.seconds(n);
    double te = t;
    for (int i = 0; i < 200; ++i) te = t - (receiver_point - sample_point(te)).norm() / c;
    const double r = (receiver_point - sample_point(te)).norm();
    const Vec3 mach = Vec3(-std::sin(turns * te), 0, std::cos(turns * te)) * (radius * turns / c);
    const double mach_r = mach.dot(receiver_point - sample_point(te)) / r, d = 1.0 - mach_r;
    const double w = 2.0 * pi * frequency;
    const double exact =
        w * std::cos(w * te) / (4.0 * pi * r * d * d) +
        std::sin(w * te) * c * (mach_r - mach.squaredNorm()) / (4.0 * pi * r * r * d * d * d);
    error = std::max(error, std::abs(received[n] - exact));
    largest = std::max(largest, std::abs(exact));
  }
  EXPECT_LT(error / largest, 1e-3);
}

TEST(DirectAnalytic, AClosePassAtALowRateIsExactToo) {
  const double frequency = 1000.0, v = 20.0, y = 0.1;
  auto world = world_of(
      moving([&](double t) { return Vec3(v * (t - 0.5), 0.0, 0.0); }),
      [&](double t) { return unit_flux_strength(frequency, t - 0.5); }, 1.0);
  world.rate = {8000};
  world.samples = 8000;
  const auto received = render(world, still({0, y, 0}));
  double error = 0.0, largest = 0.0;
  for (std::int64_t n = 2000; n < 8000; ++n) {
    const double exact = moving_monopole(frequency, v, y, world.rate.seconds(n) - 0.5);
    error = std::max(error, std::abs(received[n] - exact));
    largest = std::max(largest, std::abs(exact));
  }
  EXPECT_LT(error / largest, 2e-3);
}

TEST(Direct, AWildZigZagBelowTheSpeedOfSoundConverges) {
  std::vector<double> kinks;
  for (int i = 0; i < 500; ++i) kinks.push_back(0.002 * i);
  const auto received =
      render(world_of(
                 moving(
                     [](double t) {
                       const double phase = std::fmod(t / 0.004, 1.0);
                       return Vec3(1.2 * (phase < 0.5 ? phase : 1.0 - phase), 0.0, 1.0);
                     },
                     {}, kinks),
                 [](double t) { return std::sin(2.0 * pi * 300.0 * t); }, 1.0),
             still({5, 0, 0}));
  for (const float pressure : received) ASSERT_TRUE(std::isfinite(pressure));
}

TEST(Direct, AJumpFadesInsteadOfClicking) {
  const auto tone = [](double t) { return std::sin(2.0 * pi * 300.0 * t); };
  const auto received = render(
      world_of(moving([](double t) { return t < 0.5 ? Vec3(1, 0, 0) : Vec3(-30, 0, 0); }, {0.5}),
               tone, 1.0),
      still({0, 0, 0}));
  double largest = 0.0;
  for (std::size_t n = 2000; n + 2 < received.size(); ++n) {
    largest =
        std::max(largest, std::abs(received[n] - 2.0 * received[n + 1] + double{received[n + 2]}));
  }
  const double w = 2.0 * pi * 300.0 / 48000.0;
  EXPECT_LT(largest, 2.0 * w * w);  // the tone's own curvature is w^2
  EXPECT_NEAR(received[47000] * 30.0f, tone(Rate{}.seconds(47000) - 30.0 / c), 1e-3);
}

TEST(Direct, TheSameBytesForAnyNumberOfThreadsAndAgain) {
  base::World world;
  world.samples = 20000;
  for (int i = 0; i < 20; ++i) {
    world.sources.push_back(
        {.name = "s",
         .motion = moving([i](double t) { return Vec3(i + 5.0 * t, 1.0, 2.0 + i); }),
         .shader =
             std::make_shared<Formula>([i](double t) { return std::sin(1000.0 * (i + 1) * t); })});
  }
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = still({0, 0, 0})},
                                         {.name = "ear", .motion = still({0.2, 0, 0})}};
  util::Silent silent;
  const auto run = [&](int threads, SampleRange range) {
    const util::ThreadLimit limit(threads);
    return DirectRadiator().radiate(world, ears, range, silent)[1].samples;
  };
  const auto one = run(1, {0, world.samples});
  EXPECT_EQ(one, run(2, {0, world.samples}));
  EXPECT_EQ(one, run(2, {0, world.samples}));
}

TEST(Direct, ASupersonicSourceIsRefusedByNameTimeAndSpeed) {
  const auto world = world_of(
      moving([](double t) { return Vec3(400.0 * t, 0, 0); }), [](double) { return 0.0; }, 1.0);
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = still({0, 0, 0})}};
  try {
    DirectRadiator().plan(world, ears);
    FAIL() << "a source at 400 m/s was accepted";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("source"));
    EXPECT_THAT(error.what(), testing::HasSubstr("400 m/s"));
  }
}

TEST(Direct, ASourceAtTheEarIsLimitedAndSaidSo) {
  const auto world = world_of(
      still({0, 0, 0}), [](double) { return 1.0; }, 0.1);
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = still({0, 0, 0})}};
  EXPECT_THAT(DirectRadiator().plan(world, ears).notices,
              testing::ElementsAre(testing::HasSubstr("within 20 mm")));
  const auto received = render(world, still({0, 0, 0}));
  EXPECT_NEAR(received[2000], 50.0f, 1e-3f);
}

TEST(Direct, OnlyBodiesWithoutSoundAreCalledIgnoredAndOnlySurfacesUnheard) {
  base::World world = world_of(
      still({0, 0, 0}), [](double) { return 1.0; }, 0.1);
  for (const char* name : {"source", "speaker", "table"})
    world.bodies.push_back({.name = name, .motion = still({0, 0, 0})});
  world.bodies[1].sources.push_back(
      std::make_shared<base::PrescribedSource>([](double) { return 1.0; }));
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = still({1, 0, 0})}};
  const auto one_of = [](const char* name, const char* others, const char* more) {
    return testing::AllOf(testing::HasSubstr(name), testing::Not(testing::HasSubstr(others)),
                          testing::Not(testing::HasSubstr(more)));
  };
  EXPECT_THAT(DirectRadiator().plan(world, ears).notices,
              testing::ElementsAre(one_of("\"table\"", "\"source\"", "\"speaker\""),
                                   one_of("\"speaker\"", "\"source\"", "\"table\"")));
}

}  // namespace
}  // namespace peal::radiation
