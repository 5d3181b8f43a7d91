#include <peal/wave/sources/source_decimator.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

constexpr base::Rate slow_solver{6000}, fast_audio{48000};
constexpr double low_band = 500.0;  // [Hz]
constexpr base::SampleRange some_samples{1200, 1500};

double sine(double t, double frequency) {
  return std::sin(2.0 * std::numbers::pi * frequency * t);
}

/// The largest difference of a source, decimated, from a tone at 400 Hz, with another tone on it.
double surface_error(double other) {
  const auto source = std::make_shared<Pulsating>(
      [=](double t) { return sine(t, 400.0) + (other > 0.0 ? sine(t, other) : 0.0); });
  const auto decimated = SourceDecimator(slow_solver, fast_audio, low_band).decimated(source);
  base::Coefficients values;
  decimated->coefficients(slow_solver, some_samples, values);
  double error = 0.0;
  for (std::int64_t n = 0; n < some_samples.size(); ++n) {
    const double exact = sine(slow_solver.seconds(some_samples.begin + n), 400.0);
    error = std::max(error, std::abs(static_cast<double>(values(0, n)) - exact));
  }
  return error;
}

TEST(SourceDecimator, PassesTheBand) {
  EXPECT_LT(surface_error(0.0), 4e-4);  // two ripples of 80 dB, in single precision
}

TEST(SourceDecimator, RemovesWhatWouldAliasIntoTheBand) {
  // 5.6 and 12.3 kHz would be 400 and 300 Hz at 6 kHz.
  EXPECT_LT(surface_error(5600.0), 4e-4);
  EXPECT_LT(surface_error(12300.0), 4e-4);
}

TEST(SourceDecimator, ASampleHasTheSameValueInAnyRange) {
  const auto source = std::make_shared<Pulsating>([](double t) { return pulse(t, 0.22, 3e-4); });
  const auto decimated = SourceDecimator(slow_solver, fast_audio, low_band).decimated(source);
  base::Coefficients all, part;
  decimated->coefficients(slow_solver, some_samples, all);
  decimated->coefficients(slow_solver, {1301, 1350}, part);
  EXPECT_EQ(part, all.middleCols(101, 49));
}

TEST(SourceDecimator, PointsLoseWhatIsAboveTheBandToo) {
  const Emitting point([](double t) { return sine(t, 400.0) + sine(t, 11900.0); });
  const base::Signal signal =
      SourceDecimator(slow_solver, fast_audio, low_band).strength(point, some_samples);
  ASSERT_EQ(signal.samples.size(), 300u);
  for (std::size_t n = 0; n < signal.samples.size(); ++n) {
    const double t = slow_solver.seconds(signal.start + static_cast<std::int64_t>(n));
    EXPECT_NEAR(static_cast<double>(signal.samples[n]), sine(t, 400.0), 4e-4);
  }
}

TEST(SourceDecimator, LeavesSourcesAloneFromTheAudioRateOn) {
  const auto source = std::make_shared<Pulsating>([](double t) { return sine(t, 400.0); });
  EXPECT_EQ(SourceDecimator({60000}, fast_audio, 5000.0).decimated(source), source);
  EXPECT_EQ(SourceDecimator(fast_audio, fast_audio, 5000.0).decimated(source), source);
}

TEST(SourceDecimator, IsActiveAsLongAsTheFilterRings) {
  const auto source = std::make_shared<Pulsating>([](double) { return 1.0; }, 0.21);
  const auto active = SourceDecimator(slow_solver, fast_audio, low_band)
                          .decimated(source)
                          ->active(slow_solver, some_samples);
  ASSERT_EQ(active.size(), 1u);
  EXPECT_EQ(active[0].begin, some_samples.begin);
  EXPECT_GT(active[0].end, 1260);
  EXPECT_LT(active[0].end, 1290);
}

}  // namespace
}  // namespace peal::wave
