#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/domain_chooser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

using base::Vec3;

/// Rests until a time, then leaves at 3 m/s.
class Leaving : public base::Motion {
 public:
  explicit Leaving(double at) : at_(at) {}
  base::Pose pose(double t) const override {
    return {.position = Vec3(0.2 + 3.0 * std::max(0.0, t - at_), 0.0, 0.0)};
  }
  bool is_still() const override { return false; }

 private:
  double at_;
};

/// A point that sounds for 40 ms and a ball beside it, in a domain with much room.
class ListeningBoxInDomain : public testing::Test {
 protected:
  static base::World ball_that_leaves_at(double t) {
    base::World world = world_of(1.0, 8000);
    world.sources.push_back({.name = "point",
                             .motion = resting_at(),
                             .shader = std::make_shared<Emitting>(
                                 [](double time) { return pulse(time, 0.02, 0.004); })});
    world.bodies.push_back(
        body_of("ball", sphere_at(Vec3::Zero(), 0.1, 5), std::make_shared<Leaving>(t)));
    return world;
  }

  Domain domain_for(const base::World& world) const {
    const auto discretisation = choose_discretisation(settings_, world.rate, world.medium);
    return DomainChooser(world, settings_, discretisation).domain_for(chunk_, 1.0);
  }

  std::vector<float> received(const base::World& world, const Domain& domain) const {
    const std::vector<base::Receiver> ears = {{.name = "ear", .motion = resting_at(2, 1, 0.5)}};
    return run({.world = world,
                .settings = settings_,
                .discretisation = choose_discretisation(settings_, world.rate, world.medium),
                .domain = domain,
                .chunk = chunk_,
                .latest_end = 1.0,
                .receivers = ears},
               [](std::int64_t) {})
        .received.at(0)
        .samples;
  }

  Chunk chunk_ = {.begin = 0.0, .end = 0.04};
  base::WaveSettings settings_ = {
      .max_frequency = 700,
      .accuracy = 0.05,
      .domain = geometry::Box(Vec3::Constant(-1.0), Vec3::Constant(1.0))};
};

TEST_F(ListeningBoxInDomain, is_chosen_by_what_moves_in_the_time_of_the_chunk) {
  const Domain resting = domain_for(ball_that_leaves_at(2.0));
  const Domain later = domain_for(ball_that_leaves_at(0.5));
  const Domain soon = domain_for(ball_that_leaves_at(0.2));
  for (int d = 0; d < 3; ++d) {
    EXPECT_LT(resting.rim_low[d], resting.low[d]);
    EXPECT_GT(resting.rim_high[d], resting.high[d]);
  }
  EXPECT_EQ(later.low, resting.low);
  EXPECT_EQ(later.high, resting.high);
  EXPECT_GT(soon.high[0], resting.high[0]);
  EXPECT_EQ(soon.grid.size, resting.grid.size);
}

TEST_F(ListeningBoxInDomain, gives_way_to_the_largest_one_if_something_leaves_it) {
  const base::World leaves = ball_that_leaves_at(0.01);
  Domain domain = domain_for(ball_that_leaves_at(2.0));
  domain.chosen_until = 0.0;
  const std::vector<float> largest = received(leaves, with_largest_box(domain));
  EXPECT_EQ(received(leaves, domain), largest);
  // It would not have been the same.
  domain.chosen_until = 10.0;
  EXPECT_NE(received(leaves, domain), largest);
}

// Before the wall begins, the ball does not leave: no room is made for where it goes later.
/// A pulse that ends after 4 ms, and what one ear hears of it until the run of `chunk` ends.
class EndOfRun : public testing::Test {
 protected:
  struct Result {
    std::vector<float> heard;
    double end;  ///< [s]
  };
  Result result(const base::World& world, double chunk_end) const {
    const std::vector<base::Receiver> ears = {{.name = "ear", .motion = resting_at(0.1, 0.4, 0.2)}};
    const auto discretisation = choose_discretisation(settings_, world.rate, world.medium);
    const Chunk chunk{.begin = 0.0, .end = chunk_end};
    std::int64_t steps = 0;
    const ChunkSound sound =
        run({.world = world,
             .settings = settings_,
             .discretisation = discretisation,
             .domain = DomainChooser(world, settings_, discretisation).domain_for(chunk, 1.0),
             .chunk = chunk,
             .latest_end = 1.0,
             .receivers = ears},
            [&](std::int64_t count) { steps += count; });
    return {sound.received.at(0).samples,
            chunk.first_source() + discretisation.rate.seconds(steps)};
  }
  static base::World pulse_at(const Vec3& place) {
    base::World world = world_of(1.0);
    world.sources.push_back({.name = "point",
                             .motion = resting_at(place.x(), place.y(), place.z()),
                             .shader = std::make_shared<Emitting>([](double time) {
                               return pulse(time, 0.002, 0.0004) *
                                      std::sin(18850.0 * (time - 0.002));
                             })});
    return world;
  }

  base::WaveSettings settings_ = {.max_frequency = 8000, .accuracy = 0.05};
};

TEST_F(EndOfRun, comes_soon_where_nothing_rings) {
  EXPECT_LT(result(pulse_at({0, 0.03, 0}), 0.004).end, 0.04);
}

TEST_F(EndOfRun, waits_for_air_that_rings_in_a_jar) {
  base::World world = pulse_at({0, 0.05, 0});
  world.bodies.push_back(body_of(
      "jar",
      geometry::lathe_mesh(
          {{0, 0}, {0.05, 0}, {0.05, 0.1}, {0.038, 0.1}, {0.038, 0.012}, {0, 0.012}}, 0.01)));
  const Result ends = result(world, 0.004), goes_on = result(world, 0.9);
  EXPECT_GT(ends.end, 0.03);
  EXPECT_LT(ends.end, 0.5);
  float peak = 0.0F, worst = 0.0F;
  for (std::size_t i = 0; i < goes_on.heard.size(); ++i) {
    const float heard = i < ends.heard.size() ? ends.heard[i] : 0.0F;
    peak = std::max(peak, std::abs(goes_on.heard[i]));
    worst = std::max(worst, std::abs(goes_on.heard[i] - heard));
  }
  EXPECT_LT(worst, 2e-3F * peak);
}

TEST(WavePlan, a_part_of_the_scene_has_the_domain_of_its_time) {
  base::World world = world_of(0.2, 8000);
  world.bodies.push_back(
      body_of("ball", sphere_at(Vec3::Zero(), 0.1, 5), std::make_shared<Leaving>(0.1)));
  world.bodies[0].sources.push_back(std::make_shared<Pulsating>([](double) { return 1.0; }));
  world.bodies.push_back(body_of("wall", sphere_at(Vec3(0.2, 0.4, 0), 0.1, 5)));
  world.bodies[1].exists = {.begin = 0.1};
  const base::WaveSettings settings = {.max_frequency = 700, .accuracy = 0.05};
  const WavePlan plan = make_wave_plan(world, settings, {});
  ASSERT_EQ(plan.runs.size(), 2u);
  EXPECT_DOUBLE_EQ(plan.runs[0].chunk.end, 0.1);
  EXPECT_LT(plan.runs[0].domain.content.max().x(), 0.31);
  EXPECT_GT(plan.runs[1].domain.content.max().x(), 0.55);
}

}  // namespace
}  // namespace peal::wave
