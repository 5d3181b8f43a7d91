#include <peal/util/fft.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "util/noise.h"

namespace peal::util {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> transformed(const std::vector<double>& x) {
  RealFft fft(x.size());
  std::vector<Complex> spectrum(fft.bins());
  fft.forward(x, spectrum);
  return spectrum;
}

/// The definition, with the angle reduced exactly before it is taken.
Complex direct(const std::vector<double>& x, std::size_t k) {
  Complex sum = 0;
  for (std::size_t m = 0; m < x.size(); ++m) {
    const double turns = static_cast<double>(k * m % x.size()) / static_cast<double>(x.size());
    sum += x[m] * std::polar(1.0, -2.0 * std::numbers::pi * turns);
  }
  return sum;
}

class FftAnalytic : public testing::TestWithParam<std::size_t> {};

TEST_P(FftAnalytic, ForwardIsTheDefinition) {
  const std::vector<double> x = noise(GetParam());
  const std::vector<Complex> spectrum = transformed(x);
  for (std::size_t k = 0; k < spectrum.size(); ++k) {
    EXPECT_LT(std::abs(spectrum[k] - direct(x, k)), 1e-12 * std::sqrt(GetParam())) << k;
  }
}

TEST_P(FftAnalytic, EnergyIsTheSameInBothDomains) {
  const std::vector<double> x = noise(GetParam());
  const std::vector<Complex> spectrum = transformed(x);
  double in_time = 0;
  for (const double value : x) in_time += value * value;
  double in_frequency = std::norm(spectrum.front()) + std::norm(spectrum.back());
  for (std::size_t k = 1; k + 1 < spectrum.size(); ++k) in_frequency += 2 * std::norm(spectrum[k]);
  EXPECT_NEAR(in_frequency / static_cast<double>(x.size()), in_time, 1e-12 * in_time);
}

TEST_P(FftAnalytic, InverseUndoesForward) {
  const std::vector<double> x = noise(GetParam());
  RealFft fft(x.size());
  std::vector<Complex> spectrum(fft.bins());
  std::vector<double> back(x.size());
  fft.forward(x, spectrum);
  fft.inverse(spectrum, back);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(back[i], x[i], 1e-13) << i;
}

// Powers of two, three and five, a half that is prime, odd halves, and the smallest lengths.
INSTANTIATE_TEST_SUITE_P(Lengths, FftAnalytic,
                         testing::Values(2, 4, 6, 10, 14, 30, 64, 98, 206, 486, 500, 720, 1024));

TEST(Fft, ImaginaryPartsThatARealSignalCannotHaveAreIgnored) {
  RealFft fft(8);
  std::vector<double> plain(8), odd(8);
  std::vector<Complex> spectrum = {{1, 0}, {0, 2}, {3, 1}, {0, 0}, {-1, 0}};
  fft.inverse(spectrum, plain);
  spectrum.front().imag(5);
  spectrum.back().imag(7);
  fft.inverse(spectrum, odd);
  EXPECT_EQ(plain, odd);
}

TEST(Fft, OddOrWrongLengthsAreRefused) {
  EXPECT_THROW(RealFft(0), std::invalid_argument);
  EXPECT_THROW(RealFft(7), std::invalid_argument);
  RealFft fft(8);
  std::vector<double> x(6);
  std::vector<Complex> spectrum(5);
  EXPECT_THROW(fft.forward(x, spectrum), std::invalid_argument);
}

TEST(Fft, FastSizesAreEvenSmoothAndNextAbove) {
  EXPECT_EQ(fast_fft_size(0), 2u);
  EXPECT_EQ(fast_fft_size(7), 8u);
  EXPECT_EQ(fast_fft_size(1024), 1024u);
  EXPECT_EQ(fast_fft_size(1025), 1080u);
  EXPECT_EQ(fast_fft_size(9001), 9216u);
}

}  // namespace
}  // namespace peal::util
