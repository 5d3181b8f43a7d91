#include <peal/plot/colour.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::plot {
namespace {

TEST(Colour, EqualStepsOfLevelAreEqualStepsOfLightness) {
  for (int i = 0; i <= 100; ++i) {
    EXPECT_NEAR(lightness(level_colour(i / 100.0)), 0.10 + 0.87 * i / 100.0, 2e-3) << i;
  }
}

TEST(Colour, NeighboursDifferNowhereByAJump) {
  for (int i = 0; i < 256; ++i) {
    const Colour a = level_colour(i / 256.0);
    const Colour b = level_colour((i + 1) / 256.0);
    EXPECT_LT(std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue),
              0.05)
        << i;
  }
}

TEST(Colour, LevelsOutsideOfTheRangeAreClamped) {
  EXPECT_EQ(level_colour(-5).red, level_colour(0).red);
  EXPECT_EQ(level_colour(7).green, level_colour(1).green);
  EXPECT_EQ(level_colour(std::nan("")).blue, level_colour(0).blue);
}

TEST(Colour, PressuresOfEitherSignAreEquallyLightAndNothingIsAlmostWhite) {
  EXPECT_GT(lightness(signed_colour(0)), 0.97);
  for (int i = 0; i <= 20; ++i) {
    const double level = i / 20.0;
    EXPECT_NEAR(lightness(signed_colour(level)), lightness(signed_colour(-level)), 2e-3) << level;
    EXPECT_NEAR(lightness(signed_colour(level)), 0.98 - 0.56 * level, 2e-3) << level;
  }
  EXPECT_GT(signed_colour(1).red, signed_colour(1).blue + 0.3);
  EXPECT_GT(signed_colour(-1).blue, signed_colour(-1).red + 0.3);
}

TEST(Colour, LightnessOfWhiteIsOneAndOfBlackZero) {
  EXPECT_NEAR(lightness({1, 1, 1}), 1.0, 1e-6);
  EXPECT_NEAR(lightness({0, 0, 0}), 0.0, 1e-6);
}

}  // namespace
}  // namespace peal::plot
