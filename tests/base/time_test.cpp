#include <peal/base/time.h>

#include <gtest/gtest.h>

namespace peal::base {
namespace {

TEST(Time, SecondsDoNotDriftOverAnHour) {
  EXPECT_EQ(Rate{44100}.seconds(std::int64_t{44100} * 3600), 3600.0);
}

TEST(Time, SolverRatesAreWholeMultiples) {
  EXPECT_EQ(multiple_at_least(Rate{48000}, 100000.0), Rate{144000});
  EXPECT_EQ(multiple_at_least(Rate{48000}, 96000.0), Rate{96000});
  EXPECT_EQ(multiple_at_least(Rate{48000}, 1.0), Rate{48000});
}

TEST(Time, ABackwardRangeIsEmpty) {
  EXPECT_TRUE((SampleRange{5, 3}.empty()));
  EXPECT_EQ((SampleRange{5, 3}.size()), 0);
  EXPECT_EQ((SampleRange{3, 5}.size()), 2);
}

}  // namespace
}  // namespace peal::base
