#include <peal/plot/spectral_peaks.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace peal::plot {
namespace {

TEST(SpectralPeaks, PartialsAreFoundStrongestFirst) {
  std::vector<double> x(96000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = 2 * std::numbers::pi * static_cast<double>(i) / 48000;
    x[i] = 0.1 * std::sin(440.3 * t) + std::sin(1297.7 * t) + 0.01 * std::sin(5000.9 * t);
  }
  const auto peaks = spectral_peaks(util::average_power(x, {.window = 16384, .transform = 32768}));
  ASSERT_GE(peaks.size(), 3u);
  EXPECT_NEAR(peaks[0].frequency, 1297.7, 0.05);
  EXPECT_NEAR(peaks[1].frequency, 440.3, 0.05);
  EXPECT_NEAR(peaks[2].frequency, 5000.9, 0.05);
  EXPECT_NEAR(peaks[0].power, 0.5, 0.002);
}

TEST(SpectralPeaks, AveragedNoiseHasNone) {
  std::mt19937 random(2);
  std::vector<double> x(240000);
  for (double& value : x) value = static_cast<double>(random()) / 2147483648.0 - 1.0;
  EXPECT_TRUE(spectral_peaks(util::average_power(x, {.window = 4096})).empty());
}

TEST(SpectralPeaks, EmptyAndFlatSpectraHaveNone) {
  EXPECT_TRUE(spectral_peaks({}).empty());
  EXPECT_TRUE(spectral_peaks({.bin_width = 1, .power = std::vector<double>(50, 1.0)}).empty());
}

}  // namespace
}  // namespace peal::plot
