#include <peal/base/motion_segment.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace peal::base {
namespace {

class Teleport : public Motion {
 public:
  explicit Teleport(std::vector<double> jumps) : jumps_(std::move(jumps)) {}
  Pose pose(double) const override { return {}; }
  bool is_still() const override { return false; }
  std::span<const double> jumps() const override { return jumps_; }

 private:
  std::vector<double> jumps_;
};

TEST(MotionSegment, a_motion_without_jumps_is_one_endless_piece) {
  const std::vector<MotionSegment> all = segments(Teleport({}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].fade(-1e9), 1.0);
  EXPECT_EQ(all[0].fade(1e9), 1.0);
  EXPECT_EQ(all[0].clamp(-7.0), -7.0);
}

TEST(MotionSegment, gains_of_all_pieces_add_up_to_one) {
  const std::vector<MotionSegment> all = segments(Teleport({1.0, 1.002, 2.0}));
  ASSERT_EQ(all.size(), 4u);
  for (double t = 0.99; t < 2.02; t += 1e-4) {
    double sum = 0.0;
    for (const MotionSegment& segment : all) sum += segment.fade(t);
    EXPECT_NEAR(sum, 1.0, 1e-12) << t;
  }
}

TEST(MotionSegment, is_held_beyond_its_ends) {
  const MotionSegment segment{.begin = 1.0, .end = 2.0};
  EXPECT_EQ(segment.clamp(0.5), 1.0);
  EXPECT_EQ(segment.clamp(1.5), 1.5);
  EXPECT_EQ(segment.clamp(2.0), std::nextafter(2.0, 1.0));
}

TEST(MotionSegment, a_cut_is_heard_until_its_fade_is_over) {
  const std::vector<MotionSegment> all = segments(Teleport({1.0, 2.0}));
  EXPECT_EQ(segments_within(all, 1.5, 1.6).size(), 1u);
  EXPECT_EQ(segments_within(all, 1.0 + 0.5 * MotionSegment::edge_time, 1.6).size(), 2u);
  EXPECT_EQ(segments_within(all, 0.0, 3.0).size(), 3u);
}

}  // namespace
}  // namespace peal::base
