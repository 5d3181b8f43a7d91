#include <peal/util/decimator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::util {
namespace {

/// Two tones, a period of so many samples each, at a rate that is lowered by `factor`.
std::vector<std::array<float, 2>> lowered(std::int64_t factor, double period, double other,
                                          int samples) {
  DecimatorChain chain(2, factor);
  std::vector<std::array<float, 2>> heard;
  for (int i = 0; i < samples; ++i) {
    const double turn = 2.0 * std::numbers::pi * i;
    const std::array<float, 2> sample = {static_cast<float>(std::sin(turn / period)),
                                         static_cast<float>(std::sin(turn / other))};
    std::ranges::copy(sample, chain.next().begin());
    if (!chain.push()) continue;
    for (std::size_t k = 0; k < DecimatorChain::at_once; ++k)
      heard.push_back({chain.result(k)[0], chain.result(k)[1]});
  }
  return heard;
}

TEST(Decimator, TonesOfTheBandStayInTimeAndHigherOnesVanish) {
  for (const std::int64_t factor : {2, 7, 12, 14, 32}) {
    // 0.4 of the low rate, and what would fold onto 0.3 of it.
    const double low = static_cast<double>(factor) / 0.4, high = static_cast<double>(factor) / 0.7;
    const auto heard = lowered(factor, low, high, 600 * static_cast<int>(factor));
    ASSERT_GT(heard.size(), 500u) << factor;
    for (std::size_t k = 100; k < 500; ++k) {
      const double expected = std::sin(2.0 * std::numbers::pi * 0.4 * static_cast<double>(k));
      EXPECT_NEAR(heard[k][0], expected, 1e-3) << factor << " " << k;
      EXPECT_NEAR(heard[k][1], 0.0, 3e-4) << factor << " " << k;
    }
  }
}

TEST(Decimator, SaysWhenTheFirstResultsAreComplete) {
  for (const std::int64_t factor : {1, 2, 4, 12}) {
    DecimatorChain chain(1, factor);
    std::int64_t pushed = 0;
    for (bool is_complete = false; !is_complete; ++pushed) {
      chain.next()[0] = 1.0f;
      is_complete = chain.push();
    }
    EXPECT_EQ(pushed - 1, chain.reach()) << factor;
  }
}

TEST(Decimator, ResultsOneByOneAreThoseOfManyAtOnce) {
  const std::array<double, 4> taps = {0.4, 0.2, 0.1, 0.05};
  Decimator one_by_one(1, 3, taps, 1), many(1, 3, taps, 16);
  std::vector<float> heard, expected;
  for (int i = 0; i < 110; ++i) {
    one_by_one.next()[0] = many.next()[0] = static_cast<float>(i % 7);
    if (one_by_one.push()) expected.push_back(one_by_one.result(0)[0]);
    if (!many.push()) continue;
    for (std::size_t k = 0; k < 16; ++k) heard.push_back(many.result(k)[0]);
  }
  ASSERT_EQ(heard.size(), 32u);
  // They add up in another order.
  for (std::size_t i = 0; i < heard.size(); ++i) EXPECT_NEAR(heard[i], expected[i], 1e-6) << i;
}

// A tone of a third of the low rate that has lost 5 %.
TEST(Decimator, MakesUpForWhatWasLostBefore) {
  DecimatorChain chain(1, 4, 0.95);
  float largest = 0.0f;
  for (int i = 0; i < 2000; ++i) {
    // Sampled at its peaks.
    chain.next()[0] = static_cast<float>(0.95 * std::cos(2.0 * std::numbers::pi * i / 12.0));
    if (!chain.push() || i < 500) continue;
    for (std::size_t k = 0; k < DecimatorChain::at_once; ++k)
      largest = std::max(largest, chain.result(k)[0]);
  }
  EXPECT_NEAR(largest, 1.0f, 1e-3f);
}

}  // namespace
}  // namespace peal::util
