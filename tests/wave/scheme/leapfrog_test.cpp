#include <peal/wave/scheme/leapfrog_reference.h>

#include <gtest/gtest.h>

#include "wave/wave_fixture.h"

namespace peal::wave {
namespace {

/// Largest difference from the reference after some steps from noise, relative to the largest
/// pressure.
template <class Real>
double difference_from_reference(const Grid& grid, const LeapfrogSettings& settings, int steps) {
  Leapfrog<Real> fast(grid, settings);
  ReferenceLeapfrog<Real> slow(grid, settings);
  for_each_cell(grid.size, [&](const Cell& c) {
    fast.pressure()[c] = slow.pressure(c) = static_cast<Real>(noise(1, c));
    fast.previous()[c] = slow.previous(c) = static_cast<Real>(noise(2, c));
  });
  for (int n = 0; n < steps; ++n) {
    fast.step();
    slow.step();
  }
  double most = 0.0;
  for_each_cell(grid.size, [&](const Cell& c) {
    most = std::max(most, std::abs(static_cast<double>(fast.pressure()[c] - slow.pressure(c))));
  });
  return most / largest(fast.pressure());
}

TEST(Leapfrog, equals_the_reference_in_a_rigid_box) {
  for (const Cell& size : {Cell{1, 1, 1}, Cell{2, 3, 1}, Cell{16, 5, 4}, Cell{37, 9, 11}}) {
    const Grid grid{.size = size};
    const LeapfrogSettings settings = settings_for(grid, 0.999 * limit(), Side::rigid);
    EXPECT_LT(difference_from_reference<double>(grid, settings, 20), 1e-13);
    EXPECT_LT(difference_from_reference<float>(grid, settings, 20), 5e-6);
  }
}

TEST(Leapfrog, equals_the_reference_with_viscosity) {
  for (const int length : {21, 24}) {
    const Grid grid{.size = {length, 6, 7}};
    for (const Side side : {Side::rigid, Side::absorbing_layer}) {
      LeapfrogSettings settings = settings_for(grid, 0.5, side);
      settings.layer.cells = 3;
      settings.viscosity = 1e-4;
      EXPECT_LT(difference_from_reference<double>(grid, settings, 20), 1e-12);
    }
  }
}

TEST(Leapfrog, equals_the_reference_with_an_absorbing_layer) {
  for (const auto& [cells, length] :
       {std::pair{1, 35}, {4, 24}, {6, 16}, {6, 40}, {8, 35}, {8, 32}, {11, 24}}) {
    const Grid grid{.size = {length, 2 * cells, 2 * cells + 3}};
    LeapfrogSettings settings = settings_for(grid, 0.999 * limit(), Side::absorbing_layer);
    settings.layer.cells = cells;
    EXPECT_LT(difference_from_reference<double>(grid, settings, 20), 1e-13) << cells;
    EXPECT_LT(difference_from_reference<float>(grid, settings, 20), 5e-6) << cells;
  }
}

TEST(Leapfrog, equals_the_reference_with_a_layer_on_any_one_side) {
  const Grid grid{.size = {19, 17, 16}};
  for (int side = 0; side < 6; ++side) {
    LeapfrogSettings settings = settings_for(grid, 0.999 * limit(), Side::rigid);
    settings.sides[side] = Side::absorbing_layer;
    EXPECT_LT(difference_from_reference<double>(grid, settings, 20), 1e-13) << side;
  }
}

TEST(Leapfrog, planes_in_several_calls_give_the_same_bytes_as_a_step) {
  const Grid grid{.size = {20, 18, 17}};
  const LeapfrogSettings settings = settings_for(grid, 0.57, Side::absorbing_layer);
  Leapfrog<float> whole(grid, settings), parts(grid, settings);
  for_each_cell(grid.size, [&](const Cell& c) {
    whole.pressure()[c] = parts.pressure()[c] = static_cast<float>(noise(1, c));
  });
  for (int n = 0; n < 5; ++n) {
    whole.step();
    parts.advance_planes(0, 3);
    parts.advance_planes(3, 17);
    parts.finish_step();
  }
  for_each_cell(grid.size,
                [&](const Cell& c) { ASSERT_EQ(whole.pressure()[c], parts.pressure()[c]); });
}

/// Numbers below the normal ones would make a decaying box slow.
TEST(Leapfrog, what_is_too_small_for_a_normal_number_is_silence) {
  const Grid grid{.size = {24, 24, 24}};
  Leapfrog<float> solver(grid, settings_for(grid, 0.57, Side::absorbing_layer));
  for_each_cell(grid.size, [&](const Cell& c) {
    solver.pressure()[c] = solver.previous()[c] = static_cast<float>(1e-39 * noise(1, c));
  });
  for (int n = 0; n < 2; ++n) solver.step();
  EXPECT_EQ(largest(solver.pressure()), 0.0);
  volatile float tiny = 1e-39F;
  EXPECT_GT(tiny * 0.5F, 0.0F) << "outside the solver such numbers count";
}

TEST(Leapfrog, silence_stays_exact_silence) {
  const Grid grid{.size = {24, 24, 24}};
  Leapfrog<float> solver(grid, settings_for(grid, 0.57, Side::absorbing_layer));
  for (int n = 0; n < 50; ++n) solver.step();
  EXPECT_EQ(largest(solver.pressure()), 0.0);
}

TEST(Leapfrog, energy_in_a_closed_box_is_constant) {
  const Grid grid{.size = {12, 11, 10}};
  Leapfrog<double> solver(grid, settings_for(grid, 0.999 * limit(), Side::rigid));
  for_each_cell(grid.size,
                [&](const Cell& c) { solver.pressure()[c] = solver.previous()[c] = noise(1, c); });
  const auto energy = [&] {
    return discrete_energy(solver.pressure(), solver.previous(), solver.courant());
  };
  const double first = energy();
  double worst = 0.0;
  for (int n = 0; n < 10000; ++n) {
    solver.step();
    if (n % 100 == 99) worst = std::max(worst, std::abs(energy() / first - 1.0));
  }
  EXPECT_LT(worst, 1e-12);
}

/// Largest pressure after some steps from noise that was at rest.
double after(int steps, double lambda, double viscosity) {
  const Grid grid{.size = {16, 16, 16}};
  LeapfrogSettings settings = settings_for(grid, lambda, Side::rigid);
  settings.viscosity = viscosity;
  Leapfrog<double> solver(grid, settings);
  for_each_cell(grid.size,
                [&](const Cell& c) { solver.pressure()[c] = solver.previous()[c] = noise(1, c); });
  for (int n = 0; n < steps; ++n) solver.step();
  return largest(solver.pressure());
}

TEST(Leapfrog, is_stable_just_below_the_limit_and_blows_up_just_above) {
  EXPECT_LT(after(4000, 0.999 * limit(), 0.0), 3.0);
  EXPECT_GT(after(500, 1.01 * limit(), 0.0), 1e6);

  const double alpha = 0.002, h = Grid{}.cell_size;
  const double viscous_limit = stable_step(h, c_air, alpha) * c_air / h;
  EXPECT_LT(after(4000, 0.999 * viscous_limit, alpha), 1.0);
  EXPECT_GT(after(1000, 1.02 * viscous_limit, alpha), 1e6);
}

}  // namespace
}  // namespace peal::wave
