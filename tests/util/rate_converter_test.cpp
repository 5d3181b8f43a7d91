#include <peal/util/error.h>
#include <peal/util/rate_converter.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

namespace peal::util {
namespace {

std::vector<float> tone(double hz, std::int64_t rate, std::size_t count) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(rate);
    samples[i] = static_cast<float>(std::sin(2.0 * std::numbers::pi * hz * t + 0.3));
  }
  return samples;
}

class RateConverterAnalytic
    : public ::testing::TestWithParam<std::tuple<std::int64_t, std::int64_t, double>> {};

TEST_P(RateConverterAnalytic, ToneComesOutAsTheSameToneWithoutDelay) {
  const auto [from, to, hz] = GetParam();
  const auto count = static_cast<std::size_t>(from / 2);
  const auto result = convert(tone(hz, from, count), from, to);
  const auto exact = tone(hz, to, result.size());
  const auto margin = static_cast<std::size_t>(to / 40);  // the ends hear the silence outside
  double worst = 0.0;
  for (std::size_t i = margin; i + margin < result.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(result[i] - exact[i])));
  }
  EXPECT_LT(worst, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Rates, RateConverterAnalytic,
    ::testing::Values(std::tuple(44100, 48000, 1000.0), std::tuple(44100, 48000, 18000.0),
                      std::tuple(48000, 44100, 10000.0), std::tuple(48000, 96000, 15000.0),
                      std::tuple(96000, 48000, 5000.0), std::tuple(8000, 48000, 3000.0),
                      std::tuple(11025, 48000, 440.0), std::tuple(192000, 48000, 440.0)));

TEST(RateConverter, ResultCoversTheSameTime) {
  for (const std::size_t n : {1u, 2u, 7u, 100u, 441u, 4411u}) {
    EXPECT_EQ(convert(tone(100, 44100, n), 44100, 48000).size(), (n * 480 + 440) / 441);
    EXPECT_EQ(convert(tone(100, 44100, n), 48000, 96000).size(), 2 * n);
    EXPECT_EQ(convert(tone(100, 44100, n), 96000, 48000).size(), (n + 1) / 2);
  }
  EXPECT_TRUE(convert({}, 44100, 48000).empty());
}

TEST(RateConverter, EqualRatesChangeNothing) {
  const auto samples = tone(1000, 48000, 1000);
  EXPECT_EQ(convert(samples, 48000, 48000), samples);
}

TEST(RateConverter, ClickStaysInItsPlace) {
  std::vector<float> click(2000, 0.0f);
  click[1000] = 1.0f;
  const auto result = convert(click, 48000, 96000);
  EXPECT_EQ(std::max_element(result.begin(), result.end()) - result.begin(), 2000);
  for (std::size_t i = 1; i < 500; ++i) EXPECT_NEAR(result[2000 - i], result[2000 + i], 1e-6);
}

TEST(RateConverter, ToneAboveTheNewBandIsGone) {
  const auto result = convert(tone(30000, 96000, 20000), 96000, 48000);
  for (std::size_t i = 1000; i < 9000; ++i) ASSERT_LT(std::abs(result[i]), 1e-5);
}

TEST(RateConverter, ImpossibleRatesAreTold) {
  const auto samples = tone(1000, 48000, 10);
  EXPECT_THROW(convert(samples, 100, 48000), InputError);
  EXPECT_THROW(convert(samples, 0, 48000), InputError);
  EXPECT_THROW(convert(samples, 48000, -1), InputError);
}

}  // namespace
}  // namespace peal::util
