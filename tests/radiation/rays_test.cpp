#include <peal/base/piece.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/air_load.h>
#include <peal/radiation/rays.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>
#include <peal/util/parallel.h>
#include <peal/util/spectrum.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "radiation/sounding_world.h"

namespace peal::radiation {
namespace {

using base::Vec3;
using Form = base::RaysSettings::Form;
using std::numbers::pi;

geometry::TriMesh ball(double max_frequency) {
  return geometry::sphere_mesh(ball_radius, std::min(0.01, 343.2 / max_frequency / 4));
}

// Exact: p = rho A a^2 / (r sqrt(1 + (ka)^2)).
TEST(RaysAnalytic, APulsatingSphereIsRightWithinTwoDecibels) {
  for (const double f : {50.0, 200.0, 1000.0, 2000.0, 8000.0, 16000.0}) {
    const auto world = world_with(
        ball(f), [f](double t) { return std::sin(2 * pi * f * t); }, f < 100 ? 0.1 : 0.03);
    const double ka = 2 * pi * f / world.medium.speed_of_sound * ball_radius;
    const double exact =
        world.medium.density * ball_radius * ball_radius / std::sqrt(1.0 + ka * ka);
    const auto heard = heard_at(world, still({0, 0, 1}), Form::kirchhoff, std::max(1000.0, f));
    EXPECT_NEAR(decibel(amplitude_of(heard, f) / exact), 0.0, 2.0) << f;
  }
}

// Exact: p = rho A a^3 |1 + ikr| cos / (r^2 |2 + 2 ika - (ka)^2|).
TEST(RaysAnalytic, ASwingingSphereIsRightWithinATenthOfADecibel) {
  for (const double f : {50.0, 1000.0, 8000.0}) {
    const auto world = world_with(ball(f),
                                  Law{[](const auto& point) { return point.normal.z(); },
                                      [f](double t) { return std::sin(2 * pi * f * t); }},
                                  f < 100 ? 0.1 : 0.03);
    const double k = 2 * pi * f / world.medium.speed_of_sound, ka = k * ball_radius;
    for (const double degrees : {0.0, 60.0}) {
      const double angle = degrees * pi / 180;
      const double exact = world.medium.density * std::pow(ball_radius, 3) * std::hypot(1.0, k) *
                           std::cos(angle) / std::hypot(2.0 - ka * ka, 2.0 * ka);
      const auto heard = heard_at(world, still({std::sin(angle), 0, std::cos(angle)}),
                                  Form::kirchhoff, std::max(1000.0, f));
      EXPECT_NEAR(decibel(amplitude_of(heard, f) / exact), 0.0, 0.15) << f << ", " << degrees;
    }
  }
}

// A round piston in a wall, on its axis: p = 2 rho c v |sin(k (sqrt(r^2 + b^2) - r) / 2)|.
TEST(RaysAnalytic, ABaffledPistonByRayleighIsExact) {
  constexpr double b = 0.05, f = 10000.0, r = 0.3;
  const auto disc = geometry::cylinder_mesh(b, 0.002, 0.004);
  const double top = geometry::bounds(disc).max().y();
  const auto world =
      world_with(disc,
                 Law{[](const auto& point) { return point.normal.y() > 0.9 ? 1.0 : 0.0; },
                     [](double t) { return std::sin(2 * pi * f * t); }},
                 0.02);
  const double w = 2 * pi * f, speed = world.medium.speed_of_sound;
  const double exact = 2 * world.medium.density * speed / w *
                       std::abs(std::sin(0.5 * w / speed * (std::hypot(r, b) - r)));
  const auto heard = heard_at(world, still({0, top + r, 0}), Form::rayleigh);
  EXPECT_NEAR(decibel(amplitude_of(heard, f) / exact), 0.0, 0.2);
}

// The form of the paper falls by 6 dB an octave against the true one; its filter against constant
// pressure turns that round below 800 Hz.
TEST(RaysAnalytic, ThePapersFormIsTooDullAboveItsFilter) {
  const auto level = [](double f, Form form) {
    const auto world = world_with(
        geometry::sphere_mesh(0.002, 0.001), [f](double t) { return std::sin(2 * pi * f * t); },
        0.03);
    return amplitude_of(heard_at(world, still({0, 0, 1}), form, 4000), f);
  };
  const double paper = decibel(level(4000, Form::paper) / level(2000, Form::paper));
  const double true_one = decibel(level(4000, Form::kirchhoff) / level(2000, Form::kirchhoff));
  EXPECT_NEAR(paper - true_one, -5.5, 0.1);
}

/// Of the places of a body, the air that goes with it when it moves along z, over density [m^3].
double carried_air(const geometry::TriMesh& mesh, double wavelength) {
  const SurfaceSamples samples = sample_surface(mesh, wavelength);
  const std::vector<double> lengths = air_lengths(samples);
  double air = 0.0;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    air += samples.area[i] * lengths[i] * std::pow(samples.points[i].normal.z(), 2);
  return air;
}

// Lamb, Hydrodynamics: a sphere carries 2/3 pi a^3 of air along, a thin disc 8/3 a^3, also where
// they are turned; a square plate 0.455 L^3 (Brennen 1982, table of added masses: 0.579 pi/4).
TEST(RaysAnalytic, SlowBodiesCarryAsMuchAirAsTheoryTells) {
  constexpr double a = 0.1;
  EXPECT_NEAR(carried_air(geometry::sphere_mesh(a, 0.01), 0.01) / (2.0 / 3.0 * pi * a * a * a), 1.0,
              0.02);
  geometry::TriMesh disc = geometry::cylinder_mesh(a, 0.0005, 0.01);
  for (Vec3& vertex : disc.vertices) vertex = {vertex.x(), -vertex.z(), vertex.y()};
  EXPECT_NEAR(carried_air(disc, 0.005) / (8.0 / 3.0 * a * a * a), 1.0, 0.02);
  const geometry::TriMesh square = geometry::box_mesh({a, a, 0.0005}, 0.01);
  EXPECT_NEAR(carried_air(square, 0.005) / (0.455 * a * a * a), 1.0, 0.08);
}

// Parts that go up and parts that go down as much: a sphere's pressure would leave nothing of it.
// The wave equation (cells of 8 mm, as in `peal validate ray-plates`) gives -16.7 dB.
TEST(Rays, APlateThatBendsIsHeardThoughItsPartsBalance) {
  constexpr double f = 137.0;
  const auto level = [&](int half_waves) {
    const auto world =
        world_with(geometry::box_mesh({0.2, 0.001, 0.2}, 0.0125),
                   Law{[=](const auto& point) {
                         return point.normal.y() *
                                std::cos(pi * half_waves * (point.position.x() / 0.2 + 0.5));
                       },
                       [](double t) { return std::sin(2 * pi * f * t); }},
                   0.06);
    return amplitude_of(heard_at(world, still({0, 1, 0}), Form::kirchhoff, 2000), f);
  };
  EXPECT_NEAR(decibel(level(2) / level(0)), -16.7, 4.0);
}

TEST(Rays, SoundArrivesAfterItsTravelTimeAndFallsWithDistance) {
  const auto click = [](double t) { return t > 0.001 && t < 0.00115 ? 1.0 : 0.0; };
  const auto world = world_with(geometry::sphere_mesh(0.01, 0.005), click, 0.02);
  const auto peak = [&](double distance, double& time) {
    const auto heard = heard_at(world, still({0, distance, 0}));
    const auto it = std::ranges::max_element(heard);
    time = static_cast<double>(it - heard.begin()) / 48000.0;
    return *it;
  };
  double near_time = 0, far_time = 0;
  const float near = peak(1.0, near_time), far = peak(3.0, far_time);
  EXPECT_NEAR(far_time - near_time, 2.0 / world.medium.speed_of_sound, 1.0 / 48000.0);
  EXPECT_NEAR(near / far, 3.0, 0.1);  // peaks between samples
  const auto heard = heard_at(world, still({0, 3, 0}));
  const auto first = static_cast<std::size_t>(48000 * (0.001 + 2.98 / 343.2));
  for (std::size_t n = 0; n + 40 < first; ++n) EXPECT_LT(std::abs(heard[n]), 1e-3f * far);
}

// f' = f / (1 - v / c).
TEST(RaysAnalytic, ABodyThatComesIsHeardHigherAsDopplerSays) {
  constexpr double f = 2000.0, v = 20.0;
  const auto world = world_with(
      geometry::sphere_mesh(0.02, 0.01), [](double t) { return std::sin(2 * pi * f * t); }, 0.2,
      moving([](double t) { return Vec3(0, 0, v * (t - 0.1)); }));
  const auto heard = heard_at(world, still({0, 0, 8}), Form::kirchhoff, 4000);
  const double shifted = f / (1.0 - v / world.medium.speed_of_sound);
  const double there = amplitude_of(heard, shifted);
  EXPECT_GT(there, 30 * amplitude_of(heard, f));
  EXPECT_GT(there, 1.5 * amplitude_of(heard, shifted + 10));
  EXPECT_GT(there, 1.5 * amplitude_of(heard, shifted - 10));
}

TEST(Rays, AnotherBodyThatPassesCastsAShadowWithoutAClick) {
  constexpr double f = 500.0;
  auto world = world_with(
      geometry::sphere_mesh(0.02, 0.01), [](double t) { return std::sin(2 * pi * f * t); }, 0.3);
  const auto wall = [](double t) { return Vec3(t < 0.1 ? 3.0 : 0.0, 0, 0.5); };
  world.bodies.push_back({.name = "wall",
                          .mesh = geometry::box_mesh({0.5, 0.5, 0.01}, 1.0),
                          .motion = moving(wall, {0.1})});
  const auto heard = heard_at(world, still({0, 0, 1}), Form::kirchhoff, 4000);
  float before = 0, after = 0, jump = 0;
  for (std::size_t n = 1000; n + 1000 < heard.size(); ++n) {
    float& level = n < 4800 ? before : after;
    if (n < 4800 || n > 6000) level = std::max(level, std::abs(heard[n]));
    jump = std::max(jump, std::abs(heard[n + 1] - 2 * heard[n] + heard[n - 1]));
  }
  EXPECT_GT(before, 0.0f);
  EXPECT_LT(after, 1e-4f * before);
  // The tone's own second difference is (w dt)^2 of it.
  EXPECT_LT(jump, 10 * before * std::pow(2 * pi * f / 48000.0, 2));
}

TEST(Rays, ABodyThatIsHiddenBitByBitNeverGetsLouder) {
  // A ball that swings: its sides nearly balance, and half of it alone would be much louder.
  constexpr double f = 200.0;
  auto world = world_with(geometry::sphere_mesh(0.05, 0.02),
                          Law{[](const auto& point) { return point.normal.z(); },
                              [](double t) { return std::sin(2 * pi * f * t); }},
                          0.4);
  const auto open = heard_at(world, still({0, 0, 1}), Form::kirchhoff, 4000);
  world.bodies.push_back(
      {.name = "wall",
       .mesh = geometry::box_mesh({1.0, 1.0, 0.01}, 1.0),
       .motion = moving([](double t) { return Vec3(0.9 - 1.5 * t, 0, 0.5); }, {})});
  const auto heard = heard_at(world, still({0, 0, 1}), Form::kirchhoff, 4000);
  const auto level = [](const auto& sound, std::size_t begin) {
    float most = 0.0f;
    for (std::size_t n = begin; n < begin + 480; ++n) most = std::max(most, std::abs(sound[n]));
    return most;
  };
  float last = 1.0f;
  for (std::size_t begin = 960; begin + 480 < heard.size(); begin += 480) {
    const float part = level(heard, begin) / level(open, begin);
    EXPECT_LT(part, last + 0.03f) << begin;
    last = part;
  }
  EXPECT_LT(last, 1e-4f);
}

/// Two ears, one after the other at a jump, as one that jumps must hear them: by the fade of
/// pieces.
std::vector<double> faded(const base::World& world, const std::shared_ptr<const base::Motion>& old,
                          const std::shared_ptr<const base::Motion>& young, double jump) {
  const auto before = heard_at(world, old), after = heard_at(world, young);
  const base::Piece piece{.begin = jump};
  std::vector<double> expected(before.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const double level = piece.fade(world.rate.seconds(static_cast<std::int64_t>(n)));
    expected[n] = (1.0 - level) * double{before[n]} + level * double{after[n]};
  }
  return expected;
}

// A jump of the ear changes what arrives from then on, whatever is under way: from near to far
// there is no gap, and from far to near nothing is heard too early.
TEST(Rays, AnEarThatJumpsHearsItsOldPlaceUntilThenAndItsNewOneAfterwards) {
  constexpr double f = 1000.0, jump = 0.0503;
  const auto world = world_with(
      geometry::sphere_mesh(0.01, 0.005), [](double t) { return std::sin(2 * pi * f * t); }, 0.1);
  const Vec3 near(1, 0, 0), far(0, 3, 0);
  for (const bool goes_away : {true, false}) {
    const Vec3 a = goes_away ? near : far, b = goes_away ? far : near;
    const auto heard = heard_at(world, moving([&](double t) { return t < jump ? a : b; }, {jump}));
    const auto expected = faded(world, still(a), still(b), jump);
    const double level = *std::ranges::max_element(expected);
    double error = 0.0, bend = 0.0;
    for (std::size_t n = 1000; n + 1 < heard.size(); ++n) {
      error = std::max(error, std::abs(double{heard[n]} - expected[n]));
      bend = std::max(bend, std::abs(double{heard[n + 1]} - 2 * heard[n] + double{heard[n - 1]}));
    }
    // Fades are before the filters that make pressure of the sums, not behind them.
    EXPECT_LT(error, 2e-3 * level) << goes_away;
    // The tone's own second difference is (w dt)^2 of it.
    EXPECT_LT(bend, 1.1 * level * std::pow(2 * pi * f / 48000.0, 2)) << goes_away;
  }
}

// Two ears of which one jumps again and again and one goes on: neither knows of the other.
TEST(Rays, JumpsOfOneEarAreNotHeardByTheOthers) {
  const auto world = world_with(
      geometry::sphere_mesh(0.01, 0.005), [](double t) { return std::sin(2 * pi * 500 * t); }, 0.1);
  const auto walk = [](double t) { return Vec3(1.0 + 20.0 * t, 0.2, 0); };
  const std::vector<double> jumps{0.02, 0.05, 0.051, 0.06};
  const auto steps = [&](double t) {
    const auto done = std::ranges::upper_bound(jumps, t) - jumps.begin();
    return Vec3(1.0, done % 2 == 0 ? 1.0 : 3.0, 0);
  };
  const auto walking = moving(walk), stepping = moving(steps, jumps);
  util::Silent silent;
  const std::vector<base::Receiver> ears{{.name = "a", .motion = walking},
                                         {.name = "b", .motion = stepping}};
  const auto both = RaysRadiator({}).radiate(world, ears, {0, world.samples}, silent);
  const auto alone = heard_at(world, walking), other = heard_at(world, stepping);
  const float level = *std::ranges::max_element(alone);
  for (std::size_t n = 0; n < alone.size(); ++n) {
    ASSERT_NEAR(both[0].samples[n], alone[n], 1e-5f * level) << n;
    ASSERT_NEAR(both[1].samples[n], other[n], 1e-5f * level) << n;
  }
}

// From both sides of a sheet the same sound comes with opposite signs, and none along it.
TEST(Rays, ASheetIsADipole) {
  auto world = world_with(
      geometry::plane_mesh(0.05, 0.05, 0.01), [](double t) { return std::sin(2 * pi * 400 * t); },
      0.05);
  world.bodies[0].is_sheet = true;
  const auto above = heard_at(world, still({0, 1, 0}), Form::kirchhoff, 2000);
  const auto below = heard_at(world, still({0, -1, 0}), Form::kirchhoff, 2000);
  const auto beside = heard_at(world, still({1, 0, 0}), Form::kirchhoff, 2000);
  const double level = amplitude_of(above, 400);
  EXPECT_GT(level, 0.0);
  EXPECT_LT(amplitude_of(beside, 400), 1e-6 * level);
  for (std::size_t n = 0; n < above.size(); ++n) EXPECT_NEAR(above[n], -below[n], 1e-5 * level);
}

TEST(Rays, ATurningShapeAddsNoBuzz) {
  const geometry::TriMesh bar = geometry::box_mesh({0.1, 0.02, 0.006}, 0.01);
  base::World world = world_with(bar,
                                 Law{[](const auto& point) { return point.normal.z(); },
                                     [](double t) { return std::sin(2 * pi * 489 * t); }},
                                 0.2);
  world.bodies[0].deformation = std::make_shared<Turning>(bar.vertices);
  const std::vector<double> heard =
      util::as_double(heard_at(world, still({0, 0, 1}), Form::kirchhoff, 4000));
  const auto spectrum = util::average_power(
      std::span(heard).subspan(960), {.window = 8192, .transform = 8192, .sample_rate = 48000});
  const auto level = [&](double f) {
    const auto bin = static_cast<std::ptrdiff_t>(std::lround(f / spectrum.bin_width));
    return *std::max_element(spectrum.power.begin() + bin - 3, spectrum.power.begin() + bin + 4);
  };
  // Blocks of 256 samples would be heard 187.5 Hz beside the tone: normals that turned once a
  // block, 40 dB below it.
  EXPECT_LT(10 * std::log10(level(489 + 187.5) / level(489)), -65.0);
  EXPECT_LT(10 * std::log10(level(489 - 187.5) / level(489)), -65.0);
}

TEST(Rays, ManyThreadsGiveTheSameBytes) {
  const auto world = world_with(
      geometry::sphere_mesh(0.05, 0.01),
      Law{[](const auto& p) { return p.normal.x(); }, [](double t) { return std::sin(5000 * t); }},
      0.02, moving([](double t) { return Vec3(t, 0, 0); }));
  const auto run = [&](int threads) {
    const util::ThreadLimit limit(threads);
    return heard_at(world, still({1, 0, 0}), Form::kirchhoff, 4000);
  };
  EXPECT_EQ(run(1), run(2));
}

// As from a file in millimetres that is read as metres.
TEST(Rays, AnEarInsideOfASolidIsRefusedAndOneThatPassesThroughIsTold) {
  const auto world = world_with(
      geometry::sphere_mesh(0.05, 0.02), [](double) { return 0.0; }, 0.1);
  const RaysRadiator radiator({.max_frequency = 1000});
  const auto plan = [&](const std::shared_ptr<const base::Motion>& ear) {
    const base::Receiver receiver{.name = "main", .motion = ear};
    return radiator.plan(world, {&receiver, 1});
  };
  try {
    plan(still({0.01, 0, 0}));
    FAIL() << "it is in the ball";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("is inside the solid"));
  }
  EXPECT_THAT(plan(moving([](double t) { return Vec3(0.1 - 2.0 * t, 0, 0); }, {})).notices,
              testing::Contains(testing::HasSubstr("is inside the solid")));
  EXPECT_THAT(plan(still({0.06, 0, 0})).notices,
              testing::Not(testing::Contains(testing::HasSubstr("is inside"))));
}

TEST(Rays, ABodyThatIsTooLargeIsRefusedByNameSizeAndPlaces) {
  auto world = world_with(
      geometry::box_mesh({120, 80, 40}, 200), [](double) { return 0.0; }, 0.01);
  const std::vector<base::Receiver> ears{{.name = "ear", .motion = still({0, 0, 100})}};
  try {
    RaysRadiator({}).plan(world, ears);
    FAIL() << "was planned";
  } catch (const util::InputError& error) {
    EXPECT_EQ(error.place().at, "object \"body\"");
    EXPECT_THAT(error.problem(), testing::HasSubstr("120 m large"));
    EXPECT_THAT(error.problem(), testing::ContainsRegex("[0-9.]+e\\+0[89] sample points"));
    EXPECT_THAT(error.cure(), testing::HasSubstr("\"scale\""));
    EXPECT_THAT(error.cure(), testing::HasSubstr("\"max_frequency\""));
  }
  // Up to a lower frequency it takes no more than a body of usual size.
  RaysRadiator({.max_frequency = 10.0}).plan(world, ears);
}

}  // namespace
}  // namespace peal::radiation
