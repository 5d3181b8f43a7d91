#include <peal/validation/duct.h>
#include <peal/wave/scheme/engquist_majda.h>

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "wave/wave_fixture.h"

namespace peal::wave {
namespace {

TEST(EngquistMajdaAnalytic, reflects_what_the_condition_of_second_order_does) {
  // Reference A17.
  const struct {
    double degrees, reflection;
  } order2[] = {
      {0, 0.0}, {30, 0.00515477614287156}, {45, 0.0294372515228594}, {60, 0.111111111111111}};
  for (const double points : {16.0, 24.0, 40.0}) {
    for (const auto& [degrees, reflection] : order2) {
      EXPECT_NEAR(validation::duct_reflection(points, degrees, Side::engquist_majda), reflection,
                  std::max(1e-3, 0.2 * reflection))
          << points << " cells per wavelength, " << degrees << " degrees";
    }
  }
}

/// At each of the six sides.
TEST(EngquistMajda, all_sides_are_alike) {
  const Cell middle = {8, 8, 8};
  std::vector<double> received[6];
  for (int side = 0; side < 6; ++side) {
    const Grid grid{.size = {17, 17, 17}};
    LeapfrogSettings settings = settings_for(grid, 0.57, Side::rigid);
    settings.sides[side] = Side::engquist_majda;
    Leapfrog<double> solver(grid, settings);
    for (int n = 0; n < 80; ++n) {
      solver.advance_planes(0, 17);
      solver.add_monopole(middle, n < 10 ? 1.0 : 0.0);
      solver.finish_step();
      received[side].push_back(solver.pressure()[middle]);
    }
  }
  for (int side = 1; side < 6; ++side) {
    for (std::size_t n = 0; n < received[0].size(); ++n) {
      ASSERT_NEAR(received[side][n], received[0][n], 1e-10) << side;
    }
  }
}

/// Most of a pulse leaves through faces, edges and corners.
TEST(EngquistMajda, lets_the_pulse_of_a_point_source_out) {
  const Grid grid{.size = {30, 28, 26}};
  Leapfrog<float> solver(grid, settings_for(grid, 0.999 * limit(), Side::engquist_majda));
  double most = 0.0;
  for (int n = 0; n < 400; ++n) {
    const double u = (n - 40) / 12.0;
    solver.advance_planes(0, grid.size[2]);
    solver.add_monopole({15, 13, 12}, (1.0 - 2.0 * u * u) * std::exp(-u * u));
    solver.finish_step();
    most = std::max(most, std::abs(static_cast<double>(solver.pressure()[{10, 9, 9}])));
  }
  EXPECT_LT(largest(solver.pressure()), 1e-2 * most);
}

/// Largest pressure after each of five parts of a long run from noise.
std::vector<double> from_noise(const Grid& grid, const LeapfrogSettings& settings, int steps) {
  Leapfrog<float> solver(grid, settings);
  for_each_cell(grid.size, [&](const Cell& c) {
    solver.pressure()[c] = solver.previous()[c] = static_cast<float>(noise(1, c));
  });
  std::vector<double> most;
  for (int part = 0; part < 5; ++part) {
    for (int n = 0; n < steps / 5; ++n) solver.step();
    most.push_back(largest(solver.pressure()));
  }
  return most;
}

TEST(EngquistMajdaSlow, nothing_grows_in_float) {
  const Grid grid{.size = {20, 18, 16}};
  for (const double lambda : {0.4, 0.9999 * limit()}) {
    const auto most = from_noise(grid, settings_for(grid, lambda, Side::engquist_majda), 100000);
    for (const double value : most) EXPECT_LT(value, 1e-4) << lambda;
  }
}

TEST(EngquistMajdaSlow, nothing_grows_beside_rigid_sides_and_layers) {
  const Grid grid{.size = {20, 18, 16}};
  LeapfrogSettings settings = settings_for(grid, 0.9999 * limit(), Side::engquist_majda);
  settings.sides[2] = Side::rigid;
  settings.sides[5] = Side::absorbing_layer;
  for (const double value : from_noise(grid, settings, 50000)) EXPECT_LT(value, 1e-3);
}

TEST(EngquistMajda, says_what_grid_it_needs) {
  const Grid grid{.size = {9, 1, 9}};
  EXPECT_THROW(Leapfrog<float>(grid, settings_for(grid, 0.5, Side::engquist_majda)),
               std::invalid_argument);
}

}  // namespace
}  // namespace peal::wave
