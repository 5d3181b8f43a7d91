#include <peal/util/measure.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace peal::util {
namespace {

constexpr double signal_rate = 48000;

void add(std::vector<double>& x, const Tone& tone) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double t = static_cast<double>(i) / signal_rate;
    x[i] += tone.amplitude * std::exp(-tone.decay * t) *
            std::cos(2 * std::numbers::pi * tone.frequency * t + tone.phase);
  }
}

std::vector<double> signal(const Tone& tone, std::size_t n) {
  std::vector<double> x(n, 0.0);
  add(x, tone);
  return x;
}

TEST(MeasureAnalytic, CleanToneIsFoundToRounding) {
  for (const double frequency : {31.7, 440.0, 997.123, 10000.0, 23456.7}) {
    const Tone exact{frequency, 0.3, 1.1, 0};
    const Tone found = find_tone(signal(exact, 9600), signal_rate);
    EXPECT_NEAR(found.frequency, frequency, 1e-10 * frequency);
    EXPECT_NEAR(found.amplitude, 0.3, 1e-10);
    EXPECT_NEAR(found.phase, 1.1, 1e-8);
  }
}

TEST(MeasureAnalytic, ShortOddWindowIsEnough) {
  const Tone found = find_tone(signal({1000.3, 2.0, -0.4, 0}, 201), signal_rate);
  EXPECT_NEAR(found.frequency, 1000.3, 1e-6);
  EXPECT_NEAR(found.amplitude, 2.0, 1e-8);
}

TEST(MeasureAnalytic, OffsetAndDistantTonesHardlyMatter) {
  std::vector<double> x = signal({1000.0, 1.0, 0.2, 0}, 48000);
  add(x, {1500.0, 1.0, 0.7, 0});
  for (double& value : x) value += 0.5;
  EXPECT_NEAR(find_tone(x, signal_rate, 1000, 100).frequency, 1000.0, 1e-6);
  EXPECT_NEAR(find_tone(x, signal_rate, 1500, 100).frequency, 1500.0, 1e-6);
  EXPECT_NEAR(tone_at(x, signal_rate, 1000.0).amplitude, 1.0, 1e-6);
}

TEST(MeasureAnalytic, ModeGivesFrequencyDecayAndInitialAmplitude) {
  for (const double decay : {0.5, 5.0, 50.0, 300.0}) {
    const Tone exact{523.25, 0.8, 0.9, decay};
    const Tone found = find_mode(signal(exact, 9600), signal_rate);
    EXPECT_NEAR(found.frequency, exact.frequency, 1e-7 * exact.frequency) << decay;
    EXPECT_NEAR(found.decay, decay, 1e-6 * decay) << decay;
    EXPECT_NEAR(found.amplitude, 0.8, 1e-6) << decay;
  }
  EXPECT_NEAR(decay_time(signal({523.25, 1, 0, 8}, 24000), signal_rate), 0.125, 1e-8);
}

TEST(MeasureAnalytic, ModeOfABellIsFoundAmongTheOthers) {
  std::vector<double> x(48000, 0.0);
  add(x, {400.0, 1.0, 0.0, 2.0});
  add(x, {1130.0, 0.7, 0.3, 4.0});
  add(x, {2170.0, 0.5, 0.8, 7.0});
  const Tone found = find_mode(x, signal_rate, 1130, 50);
  EXPECT_NEAR(found.frequency, 1130.0, 1e-4);
  EXPECT_NEAR(found.decay, 4.0, 1e-3);
  EXPECT_NEAR(found.amplitude, 0.7, 1e-3);
}

TEST(MeasureAnalytic, NoiseMovesTheFrequencyNoMoreThanTheoryAllows) {
  std::vector<double> x = signal({1234.5, 1.0, 0.0, 0}, 48000);
  std::mt19937 random(5);
  for (double& value : x) value += 0.01 * (static_cast<double>(random()) / 2147483648.0 - 1.0);
  // Cramer-Rao bound for variance s^2 = 1e-4/3: sigma_f = sqrt(24 s^2/n^3) rate/(2 pi) / A.
  EXPECT_NEAR(find_tone(x, signal_rate).frequency, 1234.5, 6 * 2.1e-5);
}

TEST(MeasureAnalytic, SteadyToneNeverDies) {
  EXPECT_GT(decay_time(signal({700, 1, 0, 0}, 9600), signal_rate), 1e6);
}

TEST(MeasureAnalytic, CentroidOfTonesIsTheirPowerWeightedMean) {
  std::vector<double> x = signal({1000, 2.0, 0, 0}, 480000);
  add(x, {4000, 1.0, 0, 0});
  for (double& value : x) value += 3.0;
  EXPECT_NEAR(spectral_centroid(x, signal_rate), (4.0 * 1000 + 1.0 * 4000) / 5.0, 2.0);
}

TEST(Measure, StatisticsOfAKnownSignal) {
  const std::vector<double> x = {1, -3, 2, 0};
  EXPECT_DOUBLE_EQ(mean(x), 0.0);
  EXPECT_DOUBLE_EQ(peak(x), 3.0);
  EXPECT_DOUBLE_EQ(rms(x), std::sqrt(14.0 / 4.0));
  EXPECT_DOUBLE_EQ(click(x), 9.0 / rms(x));
}

TEST(Measure, ADroppedSampleIsAClickAndASineIsNot) {
  std::vector<double> x = signal({440, 1.0, 0, 0}, 4800);
  const double bend = 2 * std::numbers::pi * 440 / signal_rate;
  EXPECT_LE(click(x), std::sqrt(2.0) * bend * bend * 1.001);
  x[2400] = 0.0;  // the crest of the 22nd period
  EXPECT_GT(click(x), 1.0);
}

TEST(Measure, SilentEmptyAndTinySignals) {
  const std::vector<double> silence(1000, 0.0);
  const std::vector<double> none;
  EXPECT_EQ(find_tone(silence, signal_rate).amplitude, 0.0);
  EXPECT_EQ(find_mode(silence, signal_rate).frequency, 0.0);
  EXPECT_EQ(click(silence), 0.0);
  EXPECT_EQ(spectral_centroid(silence, signal_rate), 0.0);
  EXPECT_EQ(rms(none) + peak(none) + mean(none) + click(none), 0.0);
  EXPECT_THROW(find_tone(std::vector<double>(8, 1.0), signal_rate), std::invalid_argument);
  const Tone tiny = find_tone(signal({440, 1e-200, 0, 0}, 4800), signal_rate);
  EXPECT_NEAR(tiny.frequency, 440, 1e-7);
  EXPECT_NEAR(tiny.amplitude, 1e-200, 1e-208);
}

}  // namespace
}  // namespace peal::util
