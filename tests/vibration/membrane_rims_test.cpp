#include <peal/vibration/polygon_membrane.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

namespace peal::vibration {
namespace {

using std::numbers::pi;

/// A regular polygon with the area of a disc.
geometry::Polygon round_outline(int corners, double radius) {
  const double angle = 2 * pi / corners;
  const double around = radius * std::sqrt(angle / std::sin(angle));
  geometry::Polygon outline;
  for (int i = 0; i < corners; ++i)
    outline.emplace_back(around * std::cos(angle * i), around * std::sin(angle * i));
  return outline;
}

TEST(MembraneRimsSlow, SixHundredCornersAreNoTrouble) {
  // A disc within 1e-5: the polygon of equal area differs by 1e-8.
  const std::clock_t start = std::clock();
  const auto membrane = polygon_membrane(round_outline(600, 1.0), 1, 1, {.max_frequency = 3.0});
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const double zeros[] = {2.404825557695773, 3.831705970207512, 3.831705970207512,
                          5.135622301840683, 5.135622301840683, 5.520078110286311};
  ASSERT_GE(membrane->modes().size(), 40u);
  for (std::size_t i = 0; i < std::size(zeros); ++i) {
    const base::Mode& mode = membrane->modes()[i];
    EXPECT_NEAR(2 * pi * mode.frequency, zeros[i], 1e-5 * zeros[i]) << i;
    EXPECT_LT(mode.relative_error, 1e-5);
  }
  EXPECT_LT(seconds, 20.0);
}

TEST(MembraneRimsSlow, SixHundredJaggedCornersAreNoTrouble) {
  geometry::Polygon outline = round_outline(600, 1.0);
  for (std::size_t i = 0; i < outline.size(); ++i)
    outline[i] *= 1.0 + 0.01 * std::cos(static_cast<double>(i * i));
  const std::clock_t start = std::clock();
  const auto membrane = polygon_membrane(outline, 1, 1, {.max_frequency = 3.0, .most = 20});
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // Eigenvalues of a region are at most those of any that it contains.
  const double zeros[] = {2.404825557695773, 3.831705970207512, 3.831705970207512,
                          5.135622301840683, 5.135622301840683, 5.520078110286311};
  ASSERT_EQ(membrane->modes().size(), 20u);
  for (std::size_t i = 0; i < std::size(zeros); ++i) {
    const base::Mode& mode = membrane->modes()[i];
    EXPECT_GT(2 * pi * mode.frequency, zeros[i] / 1.0101) << i;
    EXPECT_LT(2 * pi * mode.frequency, zeros[i] / 0.9899) << i;
    EXPECT_LT(mode.relative_error, 5e-4);
  }
  EXPECT_LT(seconds, 20.0);
}

TEST(MembraneRimsAnalytic, FewerRingsAtBluntCornersLoseNothing) {
  // Eigenvalues of regular polygons and of the disc of the same area differ by 1 + 4 zeta(3) / n^3
  // (Grinfeld & Strang 2012).
  const auto membrane = polygon_membrane(round_outline(24, 1.0), 1, 1, {.max_frequency = 0.5});
  const double ratio = std::pow(2 * pi * membrane->modes()[0].frequency / 2.404825557695773, 2);
  EXPECT_NEAR(ratio, 1.0 + 4.0 * 1.202056903159594 / std::pow(24.0, 3), 2e-6);
  EXPECT_LT(membrane->modes()[0].relative_error, 1e-6);
}

TEST(MembraneRimsAnalytic, AnAnnulusIsFixedAtBothRims) {
  // J_0(k a) Y_0(k b) = J_0(k b) Y_0(k a) with b = a / 2.
  const double a = 1.0, b = 0.5;
  const auto rims = [&](double k) {
    return std::cyl_bessel_j(0, k * a) * std::cyl_neumann(0, k * b) -
           std::cyl_bessel_j(0, k * b) * std::cyl_neumann(0, k * a);
  };
  double low = 5.5, high = 6.8;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (rims(low) * rims(middle) <= 0.0 ? high : low) = middle;
  }
  geometry::Polygon hole = round_outline(32, b);
  std::ranges::reverse(hole);
  const auto membrane =
      polygon_membrane(round_outline(32, a), 1, 1, {.max_frequency = 1.1}, {hole});
  ASSERT_FALSE(membrane->modes().empty());
  EXPECT_NEAR(2 * pi * membrane->modes()[0].frequency, low, 1e-3 * low);
  EXPECT_NEAR(membrane->mass(), pi * (a * a - b * b), 1e-9);
  EXPECT_EQ(membrane->displacement({0.1, 0.2})[0], 0.0) << "in the hole";
}

}  // namespace
}  // namespace peal::vibration
