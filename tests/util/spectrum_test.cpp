#include <peal/util/spectrum.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "util/noise.h"

namespace peal::util {
namespace {

constexpr double spectrum_rate = 48000;

std::vector<double> sine(double frequency, double amplitude, std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = amplitude *
           std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / spectrum_rate);
  }
  return x;
}

double mean_square(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum / static_cast<double>(x.size());
}

TEST(SpectrumAnalytic, HannCopiesAQuarterApartAddUpToAConstant) {
  const std::vector<double> window = hann_window(64);
  for (std::size_t i = 0; i < 16; ++i) {
    double plain = 0, squared = 0;
    for (std::size_t j = i; j < 64; j += 16) {
      plain += window[j];
      squared += window[j] * window[j];
    }
    EXPECT_NEAR(plain, 2.0, 1e-14);
    EXPECT_NEAR(squared, 1.5, 1e-14);
  }
}

TEST(SpectrumAnalytic, OnePascalOfSineIs91DecibelsOfSoundPressure) {
  const double frequency = 85 * spectrum_rate / 4096;
  const PowerSpectrum spectrum = average_power(sine(frequency, 1.0, 40960), {.window = 4096});
  EXPECT_NEAR(spectrum.power[85], 0.5, 1e-12);
  EXPECT_NEAR(level_db(spectrum.power[85]), 90.969, 1e-3);
  EXPECT_NEAR(85 * spectrum.bin_width, frequency, 1e-9);
}

TEST(SpectrumAnalytic, BetweenTwoBinsAToneShowsTheHannScallopingLoss) {
  const PowerSpectrum spectrum =
      average_power(sine(200.5 * spectrum_rate / 4096, 2.0, 40960), {.window = 4096});
  EXPECT_NEAR(10 * std::log10(spectrum.power[200] / 2.0), -1.4236, 1e-3);
  const PowerSpectrum padded = average_power(sine(200.5 * spectrum_rate / 4096, 2.0, 40960),
                                             {.window = 4096, .transform = 8192});
  EXPECT_NEAR(padded.power[401], 2.0, 1e-6);
}

TEST(SpectrumAnalytic, ConstantShowsItsSquareAtZeroFrequency) {
  const std::vector<double> x(8192, 3.0);
  EXPECT_NEAR(average_power(x, {.window = 1024}).power[0], 9.0, 1e-12);
}

TEST(SpectrumAnalytic, PaddedDensityIntegratesToTheMeanSquareOfAnySignal) {
  std::vector<double> x = noise(10007, 3);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::exp(-0.001 * static_cast<double>(i));
  for (const std::size_t window : {64u, 1024u, 4096u, 65536u}) {
    const PowerSpectrum spectrum = average_power(x, {.window = window}, Ends::padded);
    double total = 0;
    for (std::size_t k = 0; k < spectrum.power.size(); ++k) {
      total += spectrum.density(k) * spectrum.bin_width;
    }
    EXPECT_NEAR(total, mean_square(x), 1e-12 * mean_square(x)) << window;
  }
}

TEST(SpectrumAnalytic, DensityOfWhiteNoiseDoesNotDependOnTheWindow) {
  const std::vector<double> x = noise(1 << 18, 3);
  const double expected =
      (1.0 / 3.0) / (spectrum_rate / 2);  // variance of the uniform distribution / band
  for (const std::size_t window : {256u, 1024u}) {
    const PowerSpectrum spectrum = average_power(x, {.window = window});
    double mean = 0;
    for (std::size_t k = 2; k + 2 < spectrum.power.size(); ++k) mean += spectrum.density(k);
    mean /= static_cast<double>(spectrum.power.size() - 4);
    EXPECT_NEAR(mean, expected, 0.01 * expected);
  }
}

TEST(Spectrum, FramesAreCentredOnTheirTime) {
  std::vector<double> x(9600, 0.0);
  x[4800] = 1.0;
  const Spectrogram s = spectrogram(x, 240, {.window = 1024});
  EXPECT_EQ(s.frames, 40u);
  EXPECT_DOUBLE_EQ(s.frame_step, 0.005);
  std::size_t loudest = 0;
  for (std::size_t j = 0; j < s.frames; ++j) {
    if (s.frame(j)[100] > s.frame(loudest)[100]) loudest = j;
  }
  EXPECT_EQ(loudest, 20u);  // 20 * 240 = 4800
}

TEST(Spectrum, FloatAndDoubleSamplesGiveTheSameSpectrum) {
  const std::vector<double> x = noise(4096, 3);
  std::vector<float> single(x.begin(), x.end());
  const std::vector<double> rounded(single.begin(), single.end());
  EXPECT_EQ(average_power(single, {}).power, average_power(rounded, {}).power);
}

TEST(Spectrum, ShortEmptyAndSilentSignalsAreFinite) {
  EXPECT_TRUE(average_power(std::vector<double>{}, {}).power.empty());
  for (const std::size_t n : {1u, 2u, 3u, 5u, 100u}) {
    for (const Ends ends : {Ends::inside, Ends::padded}) {
      const std::vector<double> x(n, 1.0);
      const PowerSpectrum spectrum = average_power(x, {}, ends);
      EXPECT_GT(spectrum.power[0], 0.0) << n;
      EXPECT_TRUE(std::all_of(spectrum.power.begin(), spectrum.power.end(),
                              [](double p) { return std::isfinite(p); }));
    }
  }
  EXPECT_EQ(level_db(0.0), -INFINITY);
}

}  // namespace
}  // namespace peal::util
