#include <peal/util/parallel.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/rasteriser.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

const Grid kRoom = {.origin = Vec3::Zero(), .cell_size = 0.01, .size = {30, 24, 30}};

/// Goes round on its rim until `stop`, then rests.
class Tumbling : public base::Motion {
 public:
  explicit Tumbling(double stop) : stop_(stop) {}
  base::Pose pose(double t) const override {
    const double turn = 12.0 * std::min(t, stop_);
    const Vec3 axis(std::cos(turn), 0.0, std::sin(turn));
    return {.position = Vec3(0.151, 0.083, 0.149),
            .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.4, axis))};
  }
  bool is_still() const override { return false; }

 private:
  double stop_;
};

/// A bowl with a wall of half a cell on a floor.
base::World bowl_on_floor(double stop) {
  base::World world = world_of(1.0);
  world.bodies.push_back(body_of(
      "bowl",
      geometry::lathe_mesh(
          {{0, 0.045}, {0.05, 0.03}, {0.06, 0}, {0.065, 0}, {0.054, 0.034}, {0, 0.05}}, 0.006),
      std::make_shared<Tumbling>(stop)));
  world.bodies.push_back(
      body_of("floor", geometry::box_mesh({1, 0.1, 1}, 0.1), resting_at(0.15, -0.01, 0.15)));
  return world;
}

bool is_same(const Wall& a, const Wall& b) {
  return a.cell == b.cell && a.body == b.body && a.triangle == b.triangle &&
         a.area_vector == b.area_vector && a.area == b.area && a.centre == b.centre &&
         a.share == b.share && a.front == b.front;
}
bool is_same(const OpenCell& a, const OpenCell& b) {
  return a.cell == b.cell && a.volume == b.volume && a.area == b.area;
}
bool is_same(const Link& a, const Link& b) {
  return a.a == b.a && a.b == b.b && a.area == b.area && a.pull == b.pull;
}
bool is_same(const SplitCell& a, const SplitCell& b) {
  return a.cell == b.cell && a.first == b.first && a.side == b.side;
}
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return is_same(x, y); });
}
bool is_same(const CutInterval& a, const CutInterval& b) {
  return are_same(a.from, b.from) && are_same(a.to, b.to) && are_same(a.walls_from, b.walls_from) &&
         are_same(a.walls_to, b.walls_to) && are_same(a.links_from, b.links_from) &&
         are_same(a.links_to, b.links_to) && are_same(a.split_from, b.split_from) &&
         are_same(a.split_to, b.split_to);
}

/// The intervals between four keys of a moving bowl, by `threads` threads.
std::vector<CutInterval> intervals_with(int threads) {
  const util::ThreadLimit limit(threads);
  const base::World world = bowl_on_floor(1.0);
  Rasteriser rasteriser(world, kRoom, {});
  std::vector<CutInterval> all;
  CutGeometry from = rasteriser.key_at(0.0);
  for (const double t : {0.004, 0.008, 0.012}) {
    CutGeometry to = rasteriser.key_at(t);
    all.push_back(interval(kRoom, from, to));
    from = std::move(to);
  }
  return all;
}

TEST(Rasteriser, any_number_of_threads_makes_the_same_intervals) {
  const std::vector<CutInterval> one = intervals_with(1), many = intervals_with(0);
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_GT(one[i].split_from.size(), 100u);
    EXPECT_TRUE(is_same(one[i], many[i])) << "interval " << i;
  }
}

TEST(Rasteriser, keys_make_the_interval_of_the_divided_geometries) {
  const base::World world = bowl_on_floor(1.0);
  Rasteriser rasteriser(world, kRoom, {});
  const CutGeometry from = rasteriser.at(0.0), to = rasteriser.at(0.004);
  EXPECT_FALSE(from.split.empty());
  const CutGeometry key_from = rasteriser.key_at(0.0), key_to = rasteriser.key_at(0.004);
  EXPECT_TRUE(is_same(interval(kRoom, from, to), interval(kRoom, key_from, key_to)));
}

TEST(Rasteriser, a_body_that_stops_rests_until_it_moves_again) {
  const base::World world = bowl_on_floor(0.5);
  Rasteriser rasteriser(world, kRoom, {});
  EXPECT_FALSE(rasteriser.rests_until(0.6));  // nothing was asked for yet
  const CutGeometry moving = rasteriser.key_at(0.4);
  EXPECT_FALSE(rasteriser.rests_until(0.41));
  const CutGeometry stopped = rasteriser.key_at(0.6), later = rasteriser.key_at(0.7);
  EXPECT_TRUE(rasteriser.rests_until(0.9));
  EXPECT_FALSE(rasteriser.rests_until(0.49));
  EXPECT_TRUE(is_same(interval(kRoom, stopped, stopped), interval(kRoom, later, stopped)));
}

/// Falls to a floor evenly, and rises as fast.
class Bouncing : public base::Motion {
 public:
  explicit Bouncing(double time) : time_(time) {}
  base::Pose pose(double t) const override {
    return {.position = Vec3(0.15, 0.1 + std::abs(t - time_), 0.15)};
  }
  bool is_still() const override { return false; }

 private:
  double time_;
};

TEST(Rasteriser, KeysFollowABodyThatBounces) {
  const auto steps_from_start = [](double time) {
    base::World world = world_of(1.0);
    world.bodies.push_back(body_of("brick", geometry::box_mesh({0.05, 0.05, 0.05}, 0.05),
                                   std::make_shared<Bouncing>(time)));
    return Rasteriser(world, kRoom, {}).steps_to_next_key(0, 1e-5, 512);
  };
  // 0.3 cells on the way; a bounce after 1 ms would be missed.
  EXPECT_EQ(steps_from_start(1.0), 256);
  EXPECT_LE(steps_from_start(0.001), 128);
}

}  // namespace
}  // namespace peal::wave
