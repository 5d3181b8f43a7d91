#include <peal/geometry/shapes/shapes.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>
#include <peal/util/parallel.h>
#include <peal/util/processor_time.h>
#include <peal/wave/driver/wave_radiator.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

using base::Vec3;

const base::WaveSettings coarse = {.max_frequency = 2000, .accuracy = 0.05};

/// Up and down at a distance from the origin.
class Bobbing : public base::Motion {
 public:
  Bobbing(double distance, std::function<double(double)> height)
      : distance_(distance), height_(std::move(height)) {}
  base::Pose pose(double t) const override { return {.position = {distance_, height_(t), 0}}; }
  bool is_still() const override { return false; }

 private:
  double distance_;
  std::function<double(double)> height_;
};

base::Receiver receiver_at(double x, double y, double z) {
  return {.name = "ear", .motion = resting_at(x, y, z)};
}

std::vector<double> received(const base::World& world, const base::WaveSettings& settings,
                             const base::Receiver& receiver,
                             std::optional<std::filesystem::path> cache = {}) {
  util::Silent silent;
  const WaveRadiator radiator(settings, {.cache = std::move(cache)});
  const std::vector<base::Receiver> receivers = {receiver};
  radiator.plan(world, receivers);
  const auto signals = radiator.radiate(world, receivers, {0, world.samples}, silent);
  return util::as_double(signals.at(0).samples);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

base::World point_world(double seconds, std::function<double(double)> strength) {
  base::World world = world_of(seconds, 16000);
  world.sources.push_back({.name = "point",
                           .motion = resting_at(0.01, 0.02, -0.03),
                           .shader = std::make_shared<Emitting>(std::move(strength))});
  return world;
}

double burst(double t) {
  return pulse(t, 0.02, 0.004) * std::sin(2 * std::numbers::pi * 700 * t);
}

/// At rest at the origin; counts how often it was asked where it is.
class CountedMotion : public base::Motion {
 public:
  base::Pose pose(double) const override {
    ++calls_;
    return {.position = Vec3::Zero()};
  }
  bool is_still() const override { return false; }
  int calls_since_last() const { return calls_.exchange(0); }

 private:
  mutable std::atomic<int> calls_ = 0;
};

TEST(WaveRadiator, a_planned_world_is_not_planned_again_to_render_it) {
  base::World world = point_world(0.02, burst);
  const auto motion = std::make_shared<CountedMotion>();
  world.sources[0].motion = motion;
  const std::vector<base::Receiver> receivers = {receiver_at(0.5, 0, 0)};
  util::Silent silent;
  const auto count_radiate = [&](const WaveRadiator& radiator) {
    motion->calls_since_last();
    radiator.radiate(world, receivers, {0, world.samples}, silent);
    return motion->calls_since_last();
  };

  const int all = count_radiate(WaveRadiator(coarse));
  make_wave_plan(world, coarse, receivers);
  const int to_plan = motion->calls_since_last();
  const WaveRadiator radiator(coarse);
  radiator.plan(world, receivers);
  const int after_plan = count_radiate(radiator);

  EXPECT_GT(to_plan, 0);
  EXPECT_EQ(after_plan, all - to_plan);
}

TEST(WaveRadiator, a_plan_of_other_receivers_is_not_used) {
  const base::World world = point_world(0.02, burst);
  const std::vector<base::Receiver> near = {receiver_at(0.3, 0, 0)};
  const std::vector<base::Receiver> both = {receiver_at(0.3, 0, 0), receiver_at(0.6, 0, 0)};
  util::Silent silent;
  const WaveRadiator radiator(coarse);
  radiator.plan(world, near);
  EXPECT_EQ(radiator.radiate(world, both, {0, world.samples}, silent).size(), 2u);
}

TEST(WaveRadiator, the_plan_of_a_silent_scene_names_every_kind_of_source) {
  const std::vector<base::Receiver> receivers = {receiver_at(0.3, 0, 0)};
  const base::RadiationPlan plan = WaveRadiator(coarse).plan(world_of(0.02, 16000), receivers);
  ASSERT_EQ(plan.notices.size(), 1u);
  for (const char* source : {"silent", "point source", "speaker", "mode", "surface"})
    EXPECT_NE(plan.notices[0].find(source), std::string::npos) << plan.notices[0];
}

TEST(WaveRadiator, a_point_in_free_air_is_heard_as_its_strength_over_distance) {
  const base::World world = point_world(0.06, burst);
  for (const double distance : {0.08, 0.6, 3.0}) {
    const auto p = received(world, coarse, receiver_at(0.01 + distance, 0.02, -0.03));
    double worst = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double t = world.rate.seconds(static_cast<std::int64_t>(i));
      worst = std::max(worst, std::abs(p[i] - burst(t - distance / 343.2) / distance));
    }
    EXPECT_LT(worst * distance, 0.04) << distance << " m away";
  }
}

// The solver takes fewer steps than audio has samples; what sounds above its band does not alias.
TEST(WaveRadiator, a_low_band_is_right_at_any_audio_rate) {
  base::WaveSettings settings = coarse;
  settings.max_frequency = 1500;
  settings.accuracy = 0.02;
  const auto strength = [](double t) {
    return burst(t) + pulse(t, 0.02, 0.004) * std::sin(2 * std::numbers::pi * 11900 * t);
  };
  for (const std::int64_t audio : {44100, 48000}) {
    base::World world = point_world(0.06, strength);
    world.samples = static_cast<std::int64_t>(0.06 * static_cast<double>(audio));
    world.rate = {audio};
    EXPECT_LT(choose_discretisation(settings, world.rate, world.medium).rate.hz, audio / 2);
    const double distance = 0.6;
    const auto p = received(world, settings, receiver_at(0.01 + distance, 0.02, -0.03));
    double worst = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double t = world.rate.seconds(static_cast<std::int64_t>(i));
      worst = std::max(worst, std::abs(p[i] - burst(t - distance / 343.2) / distance));
    }
    EXPECT_LT(worst * distance, 0.03) << audio << " Hz";
  }
}

TEST(WaveRadiator, half_the_band_is_a_sixteenth_of_the_work) {
  const auto work = [](double band) {
    const Discretisation d =
        choose_discretisation({.max_frequency = band}, base::Rate{48000}, base::Medium{});
    return static_cast<double>(d.rate.hz) / std::pow(d.cell_size, 3);
  };
  for (double band = 250.0; band < 9000.0; band *= 2.0)
    EXPECT_NEAR(work(2.0 * band) / work(band), 16.0, 2.0) << band;
}

/// Writes down what is reported.
class Reported : public util::Progress {
 public:
  void begin(std::string_view, double) override {}
  void update(double fraction) override { fractions.push_back(fraction); }
  void end() override {}
  std::vector<double> fractions;
};

TEST(WaveRadiator, progress_moves_forward_to_the_end_also_while_bodies_ring) {
  base::World world = point_world(0.2, [](double t) { return t < 0.12 ? burst(t) : 0.0; });
  base::WaveSettings settings = coarse;
  settings.chunk = 0.03;
  const std::vector<base::Receiver> receivers = {receiver_at(0.5, 0, 0)};
  Reported reported;
  const util::ThreadLimit one(1);
  WaveRadiator(settings).radiate(world, receivers, {0, world.samples}, reported);
  ASSERT_GT(reported.fractions.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(reported.fractions));
  EXPECT_LT(reported.fractions[reported.fractions.size() / 2], 0.9);
  EXPECT_EQ(reported.fractions.back(), 1.0);
}

TEST(WaveRadiator, the_time_of_a_render_is_estimated_from_trials) {
  const base::World world = point_world(0.6, [](double t) { return std::sin(4000.0 * t); });
  const std::vector<base::Receiver> receivers = {receiver_at(0.5, 0, 0)};
  const util::ThreadLimit one(1);
  const WaveRadiator radiator(coarse);
  const double expected = radiator.expected_seconds(world, receivers);
  util::Silent silent;
  const double start = util::process_seconds();
  radiator.radiate(world, receivers, {0, world.samples}, silent);
  const double taken = util::process_seconds() - start;
  // Within 25 % on a machine that does nothing else.
  EXPECT_LT(std::abs(std::log(expected / taken)), std::log(2.0)) << expected << " s, " << taken;
}

TEST(WaveRadiator, a_floor_that_leaves_the_domain_mirrors_the_source) {
  for (const double thickness : {0.4, 0.04}) {
    base::World world = point_world(0.06, burst);
    world.bodies.push_back(body_of("floor", geometry::box_mesh({8, thickness, 8}, 10),
                                   resting_at(0, -0.2 - 0.5 * thickness, 0)));
    const Vec3 source(0.01, 0.02, -0.03), image(0.01, -0.42, -0.03), ear(1.2, 0.5, 0.4);
    const auto p = received(world, coarse, receiver_at(1.2, 0.5, 0.4));
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double t = world.rate.seconds(static_cast<std::int64_t>(i));
      const double a = (ear - source).norm(), b = (ear - image).norm();
      const double exact = burst(t - a / 343.2) / a + burst(t - b / 343.2) / b;
      worst = std::max(worst, std::abs(p[i] - exact));
      most = std::max(most, std::abs(exact));
    }
    EXPECT_LT(worst / most, 0.05) << thickness << " m thick";
  }
}

TEST(WaveRadiator, behind_a_floor_without_end_there_is_silence_and_no_click) {
  // A humming point, and a receiver that dives through the floor and comes up again.
  const auto hum = [](double t) { return tone(t, 300); };
  base::World world = point_world(0.12, hum);
  world.bodies.push_back(
      body_of("floor", geometry::box_mesh({8, 0.4, 8}, 10), resting_at(0, -0.4, 0)));  // top: -0.2
  const double dives = 0.03, returns = 0.09;                                           // [s]
  const auto path = [&](double t) { return -0.2 + 200.0 * (t - dives) * (t - returns); };
  const base::Receiver diver{.name = "diver", .motion = std::make_shared<Bobbing>(0.5, path)};
  const std::vector<double> p = received(world, coarse, diver);
  const auto at = [&](double t) { return static_cast<std::size_t>(world.rate.samples(t)); };
  const std::vector<double> before(p.begin() + at(0.01), p.begin() + at(dives));
  const std::vector<double> around(p.begin() + at(0.01), p.end() - 160);
  const std::vector<double> behind(p.begin() + at(dives + 0.015), p.begin() + at(returns - 0.01));
  EXPECT_GT(util::peak(before), 1.0);
  EXPECT_LT(util::peak(behind), 1e-10);
  EXPECT_GT(util::peak(std::span(p).subspan(at(returns + 0.01))), 0.5);
  EXPECT_LT(util::click(around), 2.0 * util::click(before));  // a cut: 100 times

  const auto notices = WaveRadiator(coarse).plan(world, std::vector{diver}).notices;
  EXPECT_TRUE(std::ranges::any_of(notices, [](const std::string& notice) {
    return notice.find("behind a floor or wall") != std::string::npos &&
           notice.find("of 0.12 s, from 0.03") != std::string::npos;
  })) << testing::PrintToString(notices);
}

TEST(WaveRadiator, an_ear_that_stays_behind_a_floor_hears_nothing) {
  base::World world = point_world(0.03, burst);
  world.bodies.push_back(
      body_of("floor", geometry::box_mesh({8, 0.04, 8}, 10), resting_at(0, -0.22, 0)));
  EXPECT_EQ(util::peak(received(world, coarse, receiver_at(0.5, -0.4, 0))), 0.0);
  EXPECT_GT(util::peak(received(world, coarse, receiver_at(0.5, -0.199, 0))), 1.0);
}

TEST(WaveRadiator, chunks_add_up_to_the_whole) {
  const base::World world =
      point_world(0.12, [](double t) { return pulse(t, 0.05, 0.011) * tone(t, 600); });
  base::WaveSettings one = coarse, many = coarse;
  one.chunk = 1.0;
  many.chunk = 0.02;
  const auto whole = received(world, one, receiver_at(0.5, 0.3, 0.1));
  const auto segments = received(world, many, receiver_at(0.5, 0.3, 0.1));
  EXPECT_GT(util::peak(whole), 0.5);
  EXPECT_LT(largest_difference(whole, segments), 2e-3 * util::peak(whole));
}

TEST(WaveRadiator, the_number_of_threads_does_not_change_a_bit) {
  const base::World world = point_world(0.08, [](double t) { return tone(t, 500); });
  base::WaveSettings settings = coarse;
  settings.chunk = 0.02;
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 4}) {
    const util::ThreadLimit limit(threads);
    results.push_back(received(world, settings, receiver_at(0.5, 0.3, 0.1)));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(WaveRadiator, the_domain_follows_a_thrown_speaker_without_a_click) {
  // A small pulsating ball flies 1.2 m; the tone must be as smooth as a Doppler-shifted tone is.
  base::World world = world_of(0.15, 16000);
  world.bodies.push_back(
      body_of("ball", sphere_at(Vec3::Zero(), 0.06, 5),
              std::make_shared<Gliding>(Vec3(-0.6, 0.013, 0.007), Vec3(8, 0, 0))));
  world.bodies[0].sources.push_back(
      std::make_shared<Pulsating>([](double t) { return 10 * tone(t, 400); }));
  base::WaveSettings settings = coarse;
  settings.chunk = 0.03;
  const WaveRadiator radiator(settings);
  const std::vector<base::Receiver> receivers = {receiver_at(0, 0, 1.0)};
  const base::RadiationPlan plan = radiator.plan(world, receivers);
  EXPECT_TRUE(std::ranges::any_of(plan.choices, [](const std::string& choice) {
    return choice.find("follows") != std::string::npos;
  }));
  const auto p = received(world, settings, receivers[0]);
  const std::span<const double> steady = std::span(p).subspan(200, p.size() - 400);
  const double bend = std::pow(2 * std::numbers::pi * 410 / 16000.0, 2) * std::sqrt(2.0);
  EXPECT_LT(util::click(steady), 1.3 * bend);
}

TEST(WaveRadiator, what_still_rings_when_a_domain_lets_go_is_mentioned) {
  // A click in the sealed air of a box that drives by, and a receiver in there.
  const auto drives = [](double x) {
    return std::make_shared<Gliding>(Vec3(x, 0.01, 0.02), Vec3(3, 0, 0));
  };
  base::World world = world_of(0.8, 8000);
  geometry::TriMesh inner = geometry::box_mesh({0.6, 0.6, 0.6}, 1);
  for (geometry::Triangle& t : inner.triangles) std::swap(t[0], t[1]);
  world.bodies.push_back(
      body_of("safe", geometry::joined(geometry::box_mesh({1, 1, 1}, 1), inner), drives(-1)));
  world.sources.push_back(
      {.name = "click", .motion = drives(-1.1), .shader = std::make_shared<Emitting>([](double t) {
                                                  return pulse(t, 0.01, 0.001);
                                                })});
  std::vector<std::string> notices;
  const WaveRadiator radiator(
      {.max_frequency = 500, .accuracy = 0.05},
      {.take_notice = [&](std::string notice) { notices.push_back(std::move(notice)); }});
  const std::vector<base::Receiver> ears = {{.name = "ear", .motion = drives(-0.85)}};
  const auto before = radiator.plan(world, ears).notices;
  EXPECT_TRUE(std::ranges::any_of(before, [](const std::string& notice) {
    return notice.find("rings longer than 0.3 s") != std::string::npos;
  })) << testing::PrintToString(before);
  util::Silent silent;
  radiator.radiate(world, ears, {0, world.samples}, silent);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_TRUE(notices[0].starts_with("1 of 1 chunks were faded out while still ringing"))
      << notices[0];
}

TEST(WaveRadiator, a_finished_chunk_is_found_again) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("peal-chunk-cache-test-" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  const base::World world = point_world(0.05, burst);
  base::WaveSettings settings = coarse;
  settings.chunk = 0.025;
  const auto ear = receiver_at(0.5, 0.1, 0.2);
  const auto first = received(world, settings, ear, folder);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry);
  ASSERT_EQ(files.size(), 2u);
  const auto written = std::filesystem::last_write_time(files[0]);
  EXPECT_EQ(received(world, settings, ear, folder), first);
  EXPECT_EQ(std::filesystem::last_write_time(files[0]), written);

  // A spoilt file is computed anew, never believed.
  std::ofstream(files[0], std::ios::binary | std::ios::in | std::ios::out) << "nonsense";
  EXPECT_EQ(received(world, settings, ear, folder), first);

  // Another loudness is another chunk.
  const auto loud =
      received(point_world(0.05, [](double t) { return 2 * burst(t); }), settings, ear, folder);
  EXPECT_NEAR(util::peak(loud), 2 * util::peak(first), 1e-3 * util::peak(loud));
  std::filesystem::remove_all(folder);
}

TEST(WaveRadiator, what_cannot_be_rendered_is_said_before_it_starts) {
  const std::vector<base::Receiver> far = {receiver_at(2, 0, 0)};
  const auto ball = [](double radius) {
    return body_of("ball", sphere_at(Vec3::Zero(), radius, 4));
  };
  base::World inside = point_world(0.02, burst);
  inside.bodies.push_back(ball(0.2));
  EXPECT_THROW(WaveRadiator(coarse).plan(inside, far), util::InputError);

  base::World deaf = point_world(0.02, burst);
  deaf.bodies.push_back(
      body_of("ball", sphere_at(Vec3::Zero(), 0.2, 4), resting_at(2.0, 0.0, 0.0)));
  EXPECT_THROW(WaveRadiator(coarse).plan(deaf, far), util::InputError);

  base::World fast = point_world(0.02, burst);
  fast.bodies.push_back(body_of("bullet", sphere_at(Vec3::Zero(), 0.05, 4),
                                std::make_shared<Gliding>(Vec3(0, 1, 0), Vec3(400, 0, 0))));
  EXPECT_THROW(WaveRadiator(coarse).plan(fast, far), util::InputError);

  base::WaveSettings fine = coarse;
  fine.cell_size = 1e-4;
  base::World huge = point_world(0.02, burst);
  huge.sources.push_back(huge.sources[0]);
  huge.sources[1].motion = resting_at(0.5, 0.5, 0.5);
  EXPECT_THROW(WaveRadiator(fine).plan(huge, far), util::InputError);

  base::WaveSettings elsewhere = coarse;
  elsewhere.domain = geometry::Box(Vec3(1, 1, 1), Vec3(2, 2, 2));
  EXPECT_THROW(WaveRadiator(elsewhere).plan(point_world(0.02, burst), far), util::InputError);
}

TEST(WaveRadiator, a_domain_without_room_for_the_expansion_is_refused) {
  const std::vector<base::Receiver> far = {receiver_at(4, 0, 0)};
  const base::World world = point_world(0.02, burst);
  base::WaveSettings settings = coarse;
  settings.far_field = base::WaveSettings::FarField::expansion;
  settings.domain = geometry::Box(Vec3::Constant(-0.15), Vec3::Constant(0.15));
  EXPECT_THROW(WaveRadiator(settings).plan(world, far), util::InputError);
  settings.domain = geometry::Box(Vec3::Constant(-0.6), Vec3::Constant(0.6));
  EXPECT_NO_THROW(WaveRadiator(settings).plan(world, far));
}

TEST(WaveRadiator, what_leaves_its_domain_or_outruns_sound_is_refused_whenever_it_does) {
  const std::vector<base::Receiver> far = {receiver_at(2, 0, 0)};
  const auto sprint = std::make_shared<Gliding>(Vec3(0, 1, 0), Vec3(400, 0, 0));
  base::World fast = point_world(0.02, burst);
  fast.sources[0].motion = sprint;
  EXPECT_THROW(WaveRadiator(coarse).plan(fast, far), util::InputError);
  const std::vector<base::Receiver> runner = {{.name = "runner", .motion = sprint}};
  EXPECT_THROW(WaveRadiator(coarse).plan(point_world(0.02, burst), runner), util::InputError);

  base::World bullet = point_world(0.02, burst);
  bullet.bodies.push_back(body_of("ball", sphere_at(Vec3::Zero(), 0.05, 4),
                                  std::make_shared<Gliding>(Vec3(0, 1, 0), Vec3(150, 0, 0))));
  EXPECT_THROW(WaveRadiator(coarse).plan(bullet, far), util::InputError);
  bullet.bodies[0].motion = std::make_shared<Gliding>(Vec3(0, 1, 0), Vec3(120, 0, 0));
  EXPECT_NO_THROW(WaveRadiator(coarse).plan(bullet, far));

  base::World leaving = point_world(0.1, burst);
  leaving.sources[0].motion = std::make_shared<Gliding>(Vec3::Zero(), Vec3(5, 0, 0));
  base::WaveSettings small = coarse;
  small.domain = geometry::Box(Vec3::Constant(-0.4), Vec3::Constant(0.4));
  EXPECT_THROW(WaveRadiator(small).plan(leaving, far), util::InputError);
}

TEST(WaveRadiator, a_small_body_that_leaves_the_domain_is_no_mirror) {
  base::World world = point_world(0.02, burst);
  world.bodies.push_back(
      body_of("crate", geometry::box_mesh({0.3, 0.3, 0.3}, 1), resting_at(0.5, 0, 0)));
  base::WaveSettings small = coarse;
  small.domain = geometry::Box(Vec3::Constant(-0.25), Vec3::Constant(0.25));
  const auto notices = WaveRadiator(small).plan(world, std::vector{receiver_at(0, 0, -2)}).notices;
  ASSERT_EQ(notices.size(), 1u) << testing::PrintToString(notices);
  EXPECT_NE(notices[0].find("does not reflect"), std::string::npos);
}

TEST(WaveRadiator, the_plan_tells_distance_pitch_obstacles_and_sealed_air) {
  base::World world = point_world(0.2, burst);
  world.sources[0].motion = std::make_shared<Gliding>(Vec3(-1.5, 0, 0), Vec3(10, 0, 0));
  // From the source's line to the receiver, the wall hides it for the first half of the time.
  world.bodies.push_back(
      body_of("wall", geometry::box_mesh({0.75, 0.6, 0.02}, 1), resting_at(-0.5, 0, 0.5)));
  geometry::TriMesh hollow = geometry::box_mesh({0.3, 0.3, 0.3}, 1);
  geometry::TriMesh inner = geometry::box_mesh({0.2, 0.2, 0.2}, 1);
  for (geometry::Triangle& t : inner.triangles) std::swap(t[0], t[1]);
  world.bodies.push_back(
      body_of("safe", geometry::joined(hollow, inner), resting_at(0.0, 0.0, -0.6)));
  const auto diagnostics =
      WaveRadiator(coarse).plan(world, std::vector{receiver_at(0, 0, 1)}).diagnostics;
  const auto says = [&](const std::string& words) {
    return std::ranges::any_of(
        diagnostics, [&](const std::string& f) { return f.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(
      says("\"point\" is 1 m from ear, 2.91 ms of travel time at closest approach, t = 0.15 s"));
  EXPECT_TRUE(says("Doppler shift from 0.98"));
  EXPECT_TRUE(says("\"wall\" stands between \"point\" and ear"));
  EXPECT_TRUE(says("% of the time"));
  EXPECT_FALSE(says("\"safe\" stands"));
  EXPECT_TRUE(says("8 l of air are sealed off")) << testing::PrintToString(diagnostics);
}

TEST(WaveRadiator, a_world_without_sound_is_silent_and_says_so) {
  base::World world = world_of(0.02, 16000);
  world.bodies.push_back(body_of("ball", sphere_at(Vec3::Zero(), 0.05, 4)));
  const std::vector<base::Receiver> ears = {receiver_at(1, 0, 0)};
  EXPECT_EQ(WaveRadiator(coarse).plan(world, ears).notices.size(), 1u);
  EXPECT_EQ(util::peak(received(world, coarse, ears[0])), 0.0);
}

}  // namespace
}  // namespace peal::wave
