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

TEST(Time, CommensurateRatesAreHardlyMoreThanAsked) {
  for (const std::int64_t audio : {8000, 44100, 48000, 96000, 192000}) {
    for (const double hz : {700.0, 5800.0, 30001.0, 58000.0, 96000.0, 1.3e6}) {
      const Rate rate = commensurate_at_least({audio}, hz);
      EXPECT_GE(static_cast<double>(rate.hz), hz);
      EXPECT_LE(static_cast<double>(rate.hz), hz * 33.0 / 32.0 + 1.0) << audio << " " << hz;
      const CommonTick tick(rate, {audio});
      EXPECT_EQ(tick.samples * audio, tick.other_samples * rate.hz);
      EXPECT_LE(tick.other_samples, audio / 10) << audio << " " << hz;
    }
  }
  EXPECT_EQ(commensurate_at_least({48000}, 96000.0), Rate{96000});
}

TEST(Time, ABackwardRangeIsEmpty) {
  EXPECT_TRUE((SampleRange{5, 3}.empty()));
  EXPECT_EQ((SampleRange{5, 3}.size()), 0);
  EXPECT_EQ((SampleRange{3, 5}.size()), 2);
}

}  // namespace
}  // namespace peal::base
