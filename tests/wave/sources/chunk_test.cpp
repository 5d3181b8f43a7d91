#include <peal/wave/sources/chunk.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

/// Rests, but for jumps that lead nowhere.
class Jumping : public base::Motion {
 public:
  explicit Jumping(std::vector<double> jumps) : jumps_(std::move(jumps)) {}
  base::Pose pose(double) const override { return {}; }
  bool is_still() const override { return false; }
  std::span<const double> jumps() const override { return jumps_; }

 private:
  std::vector<double> jumps_;
};

base::World humming(double seconds, std::shared_ptr<const base::Motion> motion = resting_at()) {
  base::World world = world_of(seconds, 8000);
  const auto hum = [](double t) { return std::cos(700 * t); };
  world.sources.push_back(
      {.name = "hum", .motion = std::move(motion), .shader = std::make_shared<Emitting>(hum)});
  return world;
}

TEST(Chunks, a_sound_that_grows_keeps_its_first_chunks) {
  for (const std::optional<double> longest : {std::optional<double>(), std::optional(0.3)}) {
    const std::vector<Chunk> before = chunks_of(humming(1.5), longest);
    const std::vector<Chunk> after = chunks_of(humming(1.87), longest);
    ASSERT_GT(after.size(), before.size());
    for (std::size_t i = 0; i + 1 < before.size(); ++i) {
      EXPECT_EQ(after[i].begin, before[i].begin);
      EXPECT_EQ(after[i].end, before[i].end);
    }
  }
}

TEST(Chunks, are_not_shorter_than_their_fades_without_need) {
  const std::vector<Chunk> chunks = chunks_of(humming(0.503), 0.25);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_NEAR(chunks[1].end, 0.503, 1e-9);
}

TEST(Chunks, share_every_source_wholly_also_when_jumps_follow_each_other_fast) {
  const auto motion =
      std::make_shared<Jumping>(std::vector<double>{0.1, 0.101, 0.1015, 0.104, 0.2});
  const std::vector<Chunk> chunks = chunks_of(humming(0.5, motion), 0.25);
  ASSERT_GE(chunks.size(), 6u);
  for (double t = 0.09; t < 0.21; t += 1e-4) {
    double sum = 0.0;
    for (const Chunk& chunk : chunks) {
      EXPECT_GE(chunk.weight(t), 0.0);
      sum += chunk.weight(t);
    }
    EXPECT_NEAR(sum, 1.0, 1e-12) << t;
  }
}

}  // namespace
}  // namespace peal::wave
