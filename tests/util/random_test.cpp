#include <peal/util/random.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::util {
namespace {

TEST(Random, DependsOnEachOfSeedStreamAndIndex) {
  const auto value = random_bits(1, 2, 3);
  EXPECT_EQ(value, random_bits(1, 2, 3));
  EXPECT_NE(value, random_bits(2, 2, 3));
  EXPECT_NE(value, random_bits(1, 3, 3));
  EXPECT_NE(value, random_bits(1, 2, 4));
  EXPECT_NE(random_bits(1, 2, 3), random_bits(2, 1, 3));
}

TEST(Random, UniformHasTheMeanVarianceAndIndependenceOfUniform) {
  constexpr int count = 100000;
  double sum = 0.0, squares = 0.0, products = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = random_uniform(7, 0, i) - 0.5;
    ASSERT_GE(x, -0.5);
    ASSERT_LT(x, 0.5);
    sum += x;
    squares += x * x;
    products += x * (random_uniform(7, 0, i + 1) - 0.5);
  }
  EXPECT_NEAR(sum / count, 0.0, 4 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 12, 1e-3);
  EXPECT_NEAR(products / count, 0.0, 4.0 / 12 / std::sqrt(count));
}

}  // namespace
}  // namespace peal::util
