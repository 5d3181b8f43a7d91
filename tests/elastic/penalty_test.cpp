#include <peal/elastic/face_watch.h>
#include <peal/elastic/penalty.h>

#include <gtest/gtest.h>

#include <vector>

/// What contact with obstacles and of surfaces have in common.
namespace peal::elastic {
namespace {

using geometry::Vec3;

TEST(Penalty, FrictionOpposesSlidingByCoulombsLawUpToItsLimit) {
  const Vec3 normal = Vec3::UnitY();
  const ContactVelocity velocity({3, -1, 4}, normal);
  EXPECT_DOUBLE_EQ(velocity.apart, -1.0);
  EXPECT_DOUBLE_EQ(velocity.speed, 5.0);
  const Vec3 sliding = contact_force(normal, 10.0, velocity, 0.3 * 10.0, 1e9);
  EXPECT_NEAR((sliding - Vec3(-0.3 * 6, 10, -0.3 * 8)).norm(), 0.0, 1e-12);
  const Vec3 limited = contact_force(normal, 10.0, velocity, 0.3 * 10.0, 0.01);
  EXPECT_NEAR((limited - Vec3(-0.03, 10, -0.04)).norm(), 0.0, 1e-12);
}

TEST(Penalty, FrictionOfWhatDoesNotSlideIsNone) {
  const ContactVelocity velocity({0, -1, 0}, Vec3::UnitY());
  EXPECT_EQ(contact_force(Vec3::UnitY(), 2.0, velocity, 1.0, 1e3), Vec3(0, 2, 0));
}

/// A spring of 1 N/m that is asked once a step: the sum over the steps in which its end goes in.
TEST(PenaltyAnalytic, TheWorkOnASpringDoesNotDependOnThePhaseOfTheSteps) {
  const double travel = 0.1;
  for (double phase = 0.005; phase < travel; phase += 0.01) {
    double work = 0.0, deepest = 0.0;
    for (double depth = phase; depth < 1.0; depth += travel) {
      work += travel * spring_depth(depth, travel);
      deepest = depth;
    }
    // The last force acts for a whole step, half of it after the deepest instant.
    EXPECT_NEAR(work, 0.5 * deepest * deepest + 0.5 * travel * deepest, 1e-12) << phase;
  }
}

TEST(FaceWatch, AFaceIsLookedAtBeforeItCanHaveClosedItsGap) {
  const double dt = 1e-5, speed = 8.0;
  double gap = 0.01;  // of one face that closes as fast as it can
  FaceWatch watch;
  FaceWatch::Closing closing{.now = 0, .dt = dt, .speed = speed};
  watch.list(1, closing, [&](std::uint32_t) { return gap; });
  int looks = 0;
  for (; gap > 0.0; gap -= speed * dt, ++closing.now) {
    watch.look(closing, [&](std::uint32_t) {
      ++looks;
      return gap;
    });
  }
  bool is_seen = false;
  watch.look(closing, [&](std::uint32_t) {
    is_seen = true;
    return gap;
  });
  EXPECT_TRUE(is_seen) << "at the step in which it has closed";
  EXPECT_LT(looks, 5) << "of 126 steps";
}

TEST(FaceWatch, FacesThatCannotCloseBeforeTheNextListAreLeftOut) {
  FaceWatch watch;
  const FaceWatch::Closing closing{.now = 512, .dt = 1e-5, .speed = 8.0};
  const std::vector<double> gaps = {0.03, 0.01, -0.001};
  watch.list(3, closing, [&](std::uint32_t face) { return gaps[face]; });
  std::vector<std::uint32_t> seen;
  FaceWatch::Closing last = closing;
  last.now += FaceWatch::interval - 1;
  watch.look(last, [&](std::uint32_t face) {
    seen.push_back(face);
    return gaps[face];
  });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace peal::elastic
