#include <peal/util/decimator.h>

#include <gtest/gtest.h>

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
    const auto out = chain.push(sample);
    if (!out.empty()) heard.push_back({out[0], out[1]});
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

TEST(Decimator, SaysWhenASampleIsComplete) {
  DecimatorChain chain(1, 12);
  std::int64_t pushed = 0, complete = -1;
  const std::array<float, 1> one = {1.0f};
  while (complete < 0) {
    if (!chain.push(one).empty()) complete = pushed;
    ++pushed;
  }
  EXPECT_EQ(complete, chain.reach());
}

}  // namespace
}  // namespace peal::util
