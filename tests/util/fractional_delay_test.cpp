#include <peal/util/fractional_delay.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::util {
namespace {

using std::numbers::pi;

/// Samples of sin(2 pi f n + 1), f in cycles per sample.
std::vector<float> sine(double f, int count) {
  std::vector<float> samples(count);
  for (int n = 0; n < count; ++n) samples[n] = static_cast<float>(std::sin(2 * pi * f * n + 1.0));
  return samples;
}

class FractionalDelayAnalytic : public testing::TestWithParam<double> {};

TEST_P(FractionalDelayAnalytic, ReadsATonesValueBetweenItsSamples) {
  const double f = GetParam();
  const FractionalDelay delay;
  const DelayLine line(sine(f, 400), 0);
  double error = 0.0;
  for (double x = 100.0; x < 300.0; x += 0.0137) {
    error = std::max(error, std::abs(delay.read(line, x) - std::sin(2 * pi * f * x + 1.0)));
  }
  EXPECT_LT(error, 5e-5);
}

// Up to 20.2 kHz at 48 kHz.
INSTANTIATE_TEST_SUITE_P(Frequencies, FractionalDelayAnalytic,
                         testing::Values(0.001, 0.05, 0.2, 0.35, 0.42));

TEST(FractionalDelay, IsExactOnSamples) {
  const FractionalDelay delay;
  const std::vector<float> samples = sine(0.3, 100);
  const DelayLine line(samples, 0);
  for (int n = 0; n < 100; ++n) EXPECT_NEAR(delay.read(line, n), samples[n], 1e-6);
}

TEST(FractionalDelay, KeepsAConstantConstantWhateverTheFraction) {
  const FractionalDelay delay;
  const DelayLine line(std::vector<float>(200, 1.0f), 0);
  for (double x = 60.0; x < 61.0; x += 0.001) EXPECT_NEAR(delay.read(line, x), 1.0f, 2e-6);
}

TEST(FractionalDelay, IsSilentFarOutsideTheSignalAndRespectsItsStart) {
  const FractionalDelay delay;
  const DelayLine line(std::vector<float>(10, 1.0f), 1000);
  EXPECT_EQ(delay.read(line, 0.0), 0.0f);
  EXPECT_EQ(delay.read(line, 1000.0 - FractionalDelay::half), 0.0f);
  EXPECT_EQ(delay.read(line, 1010.0 + FractionalDelay::half), 0.0f);
  EXPECT_EQ(delay.read(line, 1e18), 0.0f);
  EXPECT_EQ(delay.read(line, -1e18), 0.0f);
  EXPECT_NEAR(delay.read(line, 1005.0), 1.0f, 1e-6f);
}

TEST(FractionalDelay, FiltersWhatCompressionWouldFoldOver) {
  // Read twice as fast, 0.4 cycles a sample would fold to 0.2; it must vanish instead, while 0.1
  // passes at 0.2 unharmed.
  const FractionalDelay delay;
  const DelayLine high(sine(0.4, 2000), 0), low(sine(0.1, 2000), 0);
  for (int n = 100; n < 900; ++n) {
    EXPECT_NEAR(delay.read(high, 2.0 * n, 2.0), 0.0, 1e-3);
    EXPECT_NEAR(delay.read(low, 2.0 * n + 0.3, 2.0), std::sin(2 * pi * 0.1 * (2.0 * n + 0.3) + 1.0),
                1e-3);
  }
}

TEST(FractionalDelay, StretchingSetsInWithoutAStep) {
  const FractionalDelay delay;
  const DelayLine line(sine(0.2, 400), 0);
  EXPECT_NEAR(delay.read(line, 200.37, 1.1), delay.read(line, 200.37, 1.1 + 1e-9), 1e-5);
}

TEST(FractionalDelay, AddsAConstantDelayAsItWouldBeReadSampleBySample) {
  const FractionalDelay delay;
  const DelayLine line(sine(0.21, 300), 40);
  for (const double by : {0.0, 0.3, 17.5, 260.99, 1e6, -55.25}) {
    for (const std::int64_t begin : {-100, 0, 63, 500}) {
      std::vector<float> out(431, 1.0f);
      delay.add_delayed(line, by, 0.5f, begin, out);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const double position = static_cast<double>(begin + static_cast<std::int64_t>(i)) - by;
        EXPECT_NEAR(out[i], 1.0f + 0.5f * delay.read(line, position), 1e-6f) << by << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace peal::util
