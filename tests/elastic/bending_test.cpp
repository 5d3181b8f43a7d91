#include <peal/elastic/bending.h>
#include <peal/fem/symmetric_eigen.h>

#include <elastic/trial_solids.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::elastic {
namespace {

/// The lowest frequencies of a free solid that are not its rigid motions [Hz].
std::vector<double> free_frequencies(const geometry::HexMesh& mesh, int count,
                                     const base::Material& material = trial_steel()) {
  const Solid solid = make_hexahedral_solid(mesh, material, HexElement::by_shape);
  const Eigen::VectorXd values = fem::symmetric_eigen(scaled_matrix(solid)).values;
  std::vector<double> found;
  for (Eigen::Index i = 6; i < 6 + count; ++i) {
    found.push_back(std::sqrt(values[i]) / (2.0 * std::numbers::pi));
  }
  return found;
}

/// Euler's and Bernoulli's theory of a free steel bar [Hz].
double bar_theory(int mode, double length, double thickness) {
  constexpr double roots[] = {4.730040745, 7.853204624, 10.99560784};
  const double k = roots[mode] / length;
  return k * k * thickness * std::sqrt(200e9 / (12.0 * 7850.0)) / (2.0 * std::numbers::pi);
}

TEST(BendingAnalytic, StripsOfAnyNumberOfCellsBendAsTheoryTells) {
  // So thin that shear and rotary inertia do not count, and much narrower than long.
  constexpr double length = 0.2, thickness = 0.0005;
  for (const int beside : {1, 2, 3}) {
    const auto mesh = geometry::box_hexes({length, thickness, 0.005 * beside}, {15, 1, beside}, 1);
    const std::vector<double> found = free_frequencies(mesh, 3);
    for (int mode = 0; mode < 3; ++mode) {
      EXPECT_NEAR(found[mode] / bar_theory(mode, length, thickness), 1.0,
                  beside == 1 ? 0.001 : 0.005)
          << beside << " beside, mode " << mode;
    }
  }
}

TEST(BendingAnalytic, StripsOfAnyNumberOfCellsBendSidewaysAlike) {
  // Higher than wide, so that this is its first mode. A rod of one cell is known to be right.
  const geometry::Vec3 size(0.2, 0.03, 0.02);
  const double rod = free_frequencies(geometry::box_hexes(size, {40, 1, 1}, 1), 1)[0];
  for (const int beside : {2, 3, 4}) {
    const auto mesh = geometry::box_hexes(size, {15, 1, beside}, 1);
    EXPECT_NEAR(free_frequencies(mesh, 1)[0] / rod, 1.0, 0.003) << beside;
  }
}

TEST(BendingAnalytic, AClampedPlateOfTwoLayersDoesNotLock) {
  // Cells 25 times as long as thick. Leissa 1969, table 4.22: lambda = 35.985.
  constexpr double side = 0.4, thickness = 0.004;
  for (const int layers : {1, 2}) {
    const auto mesh = geometry::box_hexes({side, thickness, side}, {8, layers, 8}, 1);
    const Solid solid = make_hexahedral_solid(mesh, trial_steel(), HexElement::by_shape);
    FreeAxes free;
    for (auto& axis : free) axis.assign(solid.rest.size(), 1.0);
    for (std::size_t n = 0; n < solid.rest.size(); ++n) {
      const geometry::Vec3 at = solid.rest.at(n);
      if (std::max(std::abs(at.x()), std::abs(at.z())) < 0.4999 * side) continue;
      for (auto& axis : free) axis[n] = 0.0;
    }
    const Eigen::VectorXd values = fem::symmetric_eigen(scaled_matrix(solid, free)).values;
    double lowest = values[values.size() - 1];
    for (const double value : values)  // those of nodes that are held are 0
      if (value > 1.0) lowest = std::min(lowest, value);
    const double theory = 35.985 / (2.0 * std::numbers::pi * side * side) * thickness *
                          std::sqrt(200e9 / (12.0 * (1.0 - 0.09) * 7850.0));
    EXPECT_NEAR(std::sqrt(lowest) / (2.0 * std::numbers::pi) / theory, 1.0, 0.04) << layers;
  }
}

TEST(Bending, OneLayerOfCellsIsEnoughForThickPlates) {
  // From `peal modes --accuracy 0.002`, of bodies of 1000 kg/m^3 and 1 GPa. Two or more layers
  // twist up to 0.9 % too fast.
  struct ThickPlate {
    geometry::Vec3 size;
    std::array<int, 3> cells;
    double poisson_ratio;
    std::array<double, 4> modes;  ///< [Hz]
  };
  const ThickPlate plates[] = {
      {{0.2633, 0.0198, 0.0679}, {15, 1, 4}, 0.3, {288.4, 599.8, 770.7, 838.8}},
      {{0.2025, 0.0322, 0.0996}, {15, 1, 8}, 0.3, {746.4, 844.2, 1596.9, 1733.9}},
      {{0.0833, 0.0177, 0.0371}, {15, 1, 7}, 0.35, {2295.3, 2623.2, 3687.1, 5248.8}},
      {{0.1, 0.025, 0.025}, {15, 1, 4}, 0.3, {2160.1, 2160.1, 2847.4, 4811.7}}};
  for (const ThickPlate& plate : plates) {
    const base::Material plastic{.name = "plastic",
                                 .density = 1000.0,
                                 .young_modulus = 1e9,
                                 .poisson_ratio = plate.poisson_ratio};
    const auto found =
        free_frequencies(geometry::box_hexes(plate.size, plate.cells, 1), 4, plastic);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(found[k] / plate.modes[k], 1.0, 0.005) << plate.size.transpose() << ", " << k;
  }
}

/// Shear factors of steel.
std::vector<std::array<double, 3>> factors_of(const geometry::HexMesh& mesh) {
  return shear_factors(mesh, geometry::rows_of(mesh), fem::checked_lame(trial_steel(), ""));
}

/// What a parabola of shear counts.
constexpr double plain = 5.0 / 6.0 - 1e-6;

/// Cells beside free edges may keep more, for the sake of twist.
bool is_plain(const std::array<double, 3>& kept) {
  return kept[0] == 1.0 && kept[1] > plain && kept[2] > plain;
}

TEST(Bending, OnlyWavesThatGoOneWayAreMadeUpForByShear) {
  for (const auto& cell : factors_of(geometry::box_hexes({0.3, 0.01, 0.2}, {12, 1, 8}, 1))) {
    EXPECT_TRUE(is_plain(cell)) << "a plate";
  }
  for (const auto& cell : factors_of(geometry::box_hexes({0.3, 0.03, 0.02}, {12, 2, 2}, 1))) {
    EXPECT_EQ(cell, (std::array{1.0, 1.0, 1.0})) << "two layers";
  }
  for (const auto& [rs, st, tr] :
       factors_of(geometry::box_hexes({0.3, 0.01, 0.03}, {12, 1, 3}, 1))) {
    EXPECT_LT(rs, 1.0) << "a strip";
    EXPECT_NE(st < plain, tr < plain);
  }
  for (const auto& [rs, st, tr] :
       factors_of(geometry::box_hexes({0.3, 0.01, 0.03}, {12, 1, 1}, 1))) {
    EXPECT_LT(rs, 1.0) << "a rod";
    EXPECT_NE(st < plain, tr < plain);
  }
  for (const auto& [rs, st, tr] :
       factors_of(geometry::lathe_hexes({{0.03, 0.0}, {0.05, 0.1}}, 0.002, 32, 10))) {
    EXPECT_EQ(rs, 1.0) << "a cone";
    EXPECT_NE(st < plain, tr < plain);
  }
  std::vector<geometry::Vec2> round;
  for (int i = 0; i <= 8; ++i) {
    const double angle = std::numbers::pi * (0.1 + 0.05 * i);
    round.push_back({0.05 * std::sin(angle), -0.05 * std::cos(angle)});
  }
  round.back().y() = 0.0;
  for (const auto& cell : factors_of(geometry::lathe_hexes(round, 0.002, 32, 8))) {
    EXPECT_TRUE(is_plain(cell)) << "a bowl";
  }
}

}  // namespace
}  // namespace peal::elastic
