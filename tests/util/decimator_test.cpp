#include <peal/util/decimator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::util {
namespace {

/// What comes of a chain of one block, from the result of the first sample on, if signals c of it
/// are fed with `samples(i, c)`.
template <class Samples>
std::vector<std::array<float, 2>> lowered(DecimatorChain chain, int count, const Samples& samples) {
  std::vector<std::array<float, 2>> heard;
  DecimatorChain::Results results;
  for (int i = 0; i < count; ++i) {
    float* const next = chain.samples(0) + chain.slot();
    for (int c = 0; c < 2; ++c) next[c] = static_cast<float>(samples(i, c));
    const bool is_complete = chain.push(1);
    chain.filter(0);
    if (!is_complete) continue;
    chain.make(0, results);
    for (std::size_t k = 0; k < chain.at_once(); ++k)
      heard.push_back({results[k * Decimator::lanes], results[k * Decimator::lanes + 1]});
  }
  heard.erase(heard.begin(), heard.begin() + static_cast<std::ptrdiff_t>(chain.late()));
  return heard;
}

TEST(Decimator, TonesOfTheBandStayInTimeAndHigherOnesVanish) {
  for (const std::int64_t factor : {2, 5, 6, 7, 12, 14, 32}) {
    // 0.4 of the low rate, and what would fold onto 0.3 of it.
    const std::array<double, 2> tones = {0.4 / static_cast<double>(factor),
                                         0.7 / static_cast<double>(factor)};
    const auto heard =
        lowered(DecimatorChain(1, factor), 600 * static_cast<int>(factor),
                [&](int i, int c) { return std::sin(2.0 * std::numbers::pi * i * tones.at(c)); });
    ASSERT_GT(heard.size(), 500u) << factor;
    for (std::size_t k = 100; k < 500; ++k) {
      const double expected = std::sin(2.0 * std::numbers::pi * 0.4 * static_cast<double>(k));
      EXPECT_NEAR(heard[k][0], expected, 1e-3) << factor << " " << k;
      EXPECT_NEAR(heard[k][1], 0.0, 3e-4) << factor << " " << k;
    }
  }
}

TEST(Decimator, WhatBelongsToTheFirstSampleComesAsLateAsItSays) {
  for (const std::int64_t factor : {1, 2, 3, 4, 12}) {
    const auto heard = lowered(DecimatorChain(1, factor), 80 * static_cast<int>(factor),
                               [&](int i, int) { return i == 20 * factor ? 1.0 : 0.0; });
    for (std::size_t k = 1; k < 20; ++k) {
      EXPECT_GT(heard[20][0], heard[20 + k][0]) << factor;
      EXPECT_NEAR(heard[20 - k][0], heard[20 + k][0], 1e-7) << factor << " " << k;
    }
  }
}

TEST(Decimator, ResultsOfAGroupAreThoseOfManyAtOnce) {
  // Memory of many blocks is far away, and results then come more at a time.
  DecimatorChain few(1, 4), many(2000, 4);
  ASSERT_LT(few.at_once(), many.at_once());
  const auto noise = [](int i, int c) { return i * (37 + 12 * c) % 101 - 50; };
  const auto heard = lowered(few, 4000, noise), expected = lowered(many, 4000, noise);
  ASSERT_GT(heard.size(), 900u);
  for (std::size_t k = 0; k < 900; ++k) EXPECT_EQ(heard[k], expected[k]) << k;
}

// A tone of a third of the low rate that has lost 5 %.
TEST(Decimator, MakesUpForWhatWasLostBefore) {
  // Sampled at its peaks.
  const DecimatorChain::Loss loss{1.0 / 3.0, 0.95};
  const auto heard = lowered(DecimatorChain(1, 4, {&loss, 1}), 2000, [](int i, int) {
    return 0.95 * std::cos(2.0 * std::numbers::pi * i / 12.0);
  });
  float largest = 0.0f;
  for (std::size_t k = 100; k < heard.size(); ++k) largest = std::max(largest, heard[k][0]);
  EXPECT_NEAR(largest, 1.0f, 1e-3f);
}

}  // namespace
}  // namespace peal::util
