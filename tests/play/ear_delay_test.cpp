#include <peal/play/ear_delay.h>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace peal::play {
namespace {

/// The gain of a delay at a frequency in cycles a sample: a complex tone's response over it.
std::complex<double> gain_of_delay(double delay, double cycles) {
  constexpr int length = 600, settled = 200;
  std::complex<double> sum = 0.0;
  for (const bool is_sine : {false, true}) {
    EarDelay line(100);
    line.set(delay, 0);
    std::vector<float> in, out(length);
    for (int n = 0; n < length; ++n) {
      const double angle = 2.0 * std::numbers::pi * cycles * n;
      in.push_back(static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle)));
    }
    line.process(in, out);
    for (int n = settled; n < length; ++n) {
      const auto turn = std::polar(1.0, -2.0 * std::numbers::pi * cycles * n);
      sum += (is_sine ? std::complex<double>(0, 1) : 1.0) * static_cast<double>(out[n]) * turn;
    }
  }
  return sum / static_cast<double>(length - settled);
}

TEST(EarDelayAnalytic, AnyDelayKeepsLevelsAndIsAsLongAsItShouldBe) {
  for (const double delay : {0.0, 3.0, 10.25, 17.5, 40.9, 99.99}) {
    for (const double cycles : {0.01, 0.1, 0.2, 0.3, 0.37}) {
      const std::complex<double> gain = gain_of_delay(delay, cycles);
      EXPECT_NEAR(20.0 * std::log10(std::abs(gain)), 0.0, 0.1) << delay << " at " << cycles;
      const double late = delay + EarDelay::latency;
      const std::complex<double> exact = std::polar(1.0, -2.0 * std::numbers::pi * cycles * late);
      EXPECT_NEAR(std::arg(gain / exact), 0.0, 0.005) << delay << " at " << cycles;
    }
  }
}

TEST(EarDelay, BlocksOfAnySizeGiveTheSameSamples) {
  std::vector<float> in(500);
  for (std::size_t n = 0; n < in.size(); ++n)
    in[n] = std::sin(0.3f * static_cast<float>(n * n % 97));
  EarDelay whole(50), parts(50);
  for (EarDelay* line : {&whole, &parts}) {
    line->set(12.5, 0);
    line->set(30.0, 300);
  }
  std::vector<float> a(in.size()), b(in.size());
  whole.process(in, a);
  for (std::size_t n = 0; n < in.size(); n += 25)
    parts.process(std::span(in).subspan(n, 25), std::span(b).subspan(n, 25));
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace peal::play
