#include <peal/plot/axis.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace peal::plot {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const Axis& axis, int most) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks(axis, most)) {
    if (!tick.text.empty()) result.push_back(tick.text);
  }
  return result;
}

TEST(Axis, PositionAndValueAreInverse) {
  const Axis linear{.min = -3, .max = 7};
  const Axis log{.scale = Scale::log, .min = 20, .max = 24000};
  for (const double position : {0.0, 0.1, 0.5, 1.0}) {
    EXPECT_NEAR(linear.position(linear.value(position)), position, 1e-14);
    EXPECT_NEAR(log.position(log.value(position)), position, 1e-14);
  }
  EXPECT_NEAR(log.position(std::sqrt(20.0 * 24000.0)), 0.5, 1e-14);
  EXPECT_TRUE(std::isnan(log.position(0.0)));
}

TEST(Axis, LinearTicksAreRoundAndInside) {
  EXPECT_THAT(texts({.min = 0, .max = 1}, 5), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts({.min = -1.08, .max = 1.08}, 2), ElementsAre("−1", "0", "1"));
  EXPECT_THAT(texts({.min = 3, .max = 91}, 5), ElementsAre("20", "40", "60", "80"));
}

TEST(Axis, LargeAndSmallNumbersCarryAPrefix) {
  EXPECT_THAT(texts({.min = 0, .max = 24000}, 5), ElementsAre("0", "5 k", "10 k", "15 k", "20 k"));
  EXPECT_THAT(texts({.min = 0, .max = 3e-5}, 3), ElementsAre("0", "10 µ", "20 µ", "30 µ"));
  EXPECT_THAT(texts({.min = -4e-3, .max = 4e-3}, 4),
              ElementsAre("−4 m", "−2 m", "0", "2 m", "4 m"));
}

TEST(Axis, AudioBandShows125WhereThereIsRoomAndDecadesWhereNot) {
  const Axis audio{.scale = Scale::log, .min = 20, .max = 24000};
  EXPECT_THAT(texts(audio, 12),
              ElementsAre("20", "50", "100", "200", "500", "1 k", "2 k", "5 k", "10 k", "20 k"));
  EXPECT_THAT(texts(audio, 5), ElementsAre("100", "1 k", "10 k"));
}

TEST(Axis, ManyDecadesAreWrittenAsPowersAndThinnedOut) {
  const Axis error{.scale = Scale::log, .min = 1e-12, .max = 1};
  EXPECT_THAT(texts(error, 5), ElementsAre("10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"));
}

TEST(Axis, NarrowLogRangeFallsBackToLinearTicks) {
  EXPECT_THAT(texts({.scale = Scale::log, .min = 430, .max = 450}, 3),
              ElementsAre("430", "440", "450"));
}

TEST(Axis, TickCountNeverExceedsWhatWasAskedByMuch) {
  for (int i = 0; i < 200; ++i) {
    const double range = std::pow(10.0, -8 + 0.1 * i);
    const Axis axis{.min = -0.3 * range, .max = 0.7 * range};
    for (const int most : {2, 4, 10}) {
      const std::size_t count = ticks(axis, most).size();
      EXPECT_GE(count, 2u) << range;
      EXPECT_LE(count, static_cast<std::size_t>(most) + 3) << range;
    }
  }
}

TEST(Axis, UnusableRangesBecomeDrawable) {
  const double nan = std::nan("");
  for (const Scale scale : {Scale::linear, Scale::log}) {
    for (const auto& [min, max] : std::vector<std::pair<double, double>>{
             {0, 0}, {5, 5}, {3, -3}, {nan, 1}, {1, nan}, {-INFINITY, INFINITY}, {-2, -1}}) {
      const Axis axis = usable({.scale = scale, .min = min, .max = max});
      EXPECT_LT(axis.min, axis.max);
      EXPECT_TRUE(std::isfinite(axis.min) && std::isfinite(axis.max));
      if (scale == Scale::log) {
        EXPECT_GT(axis.min, 0.0);
      }
      EXPECT_FALSE(ticks(axis, 5).empty());
    }
  }
}

TEST(Axis, AroundTakesTheNextRoundNumbersOutside) {
  const Axis linear = around({}, 0.13, 0.87);
  EXPECT_DOUBLE_EQ(linear.min, 0.1);
  EXPECT_DOUBLE_EQ(linear.max, 0.9);
  const Axis log = around({.scale = Scale::log}, 3e-5, 0.4);
  EXPECT_DOUBLE_EQ(log.min, 2e-5);
  EXPECT_DOUBLE_EQ(log.max, 0.5);
}

TEST(Axis, NumbersForPeople) {
  EXPECT_EQ(si_text(0.25), "0.25");
  EXPECT_EQ(si_text(1500), "1.5 k");
  EXPECT_EQ(si_text(2e-5, 3, "s"), "20 µs");
  EXPECT_EQ(si_text(-440, 4, "Hz"), "−440 Hz");
  EXPECT_EQ(si_text(0), "0");
  EXPECT_EQ(frequency_text(440.04), "440.0 Hz");
  EXPECT_EQ(frequency_text(1297.3), "1297 Hz");
  EXPECT_EQ(frequency_text(12345), "12.35 kHz");
}

}  // namespace
}  // namespace peal::plot
