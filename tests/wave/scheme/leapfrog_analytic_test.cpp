#include <gtest/gtest.h>

#include <numbers>

#include "wave/wave_fixture.h"

namespace peal::wave {
namespace {

using std::numbers::pi;

/// omega tau of the scheme for wave numbers k h along the axes: sin^2(omega tau / 2) = lambda^2 sum
/// of sin^2(k_i h / 2).
double discrete_phase(double lambda, const Vec3& kh) {
  const double sum = (0.5 * kh.array()).sin().square().sum();
  return 2.0 * std::asin(lambda * std::sqrt(sum));
}

/// Relative error of the phase velocity at `points` cells per wavelength along `direction`.
double velocity_error(double lambda, double points, const Vec3& direction) {
  const Vec3 kh = 2.0 * pi / points * direction.normalized();
  return discrete_phase(lambda, kh) / (lambda * kh.norm()) - 1.0;
}

/// Value of a box mode at a cell; (l, m, n) half waves fit into the box.
double mode(const Grid& grid, const Cell& lmn, const Cell& c) {
  double product = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    product *= std::cos(pi * lmn[axis] * (c[axis] + 0.5) / grid.size[axis]);
  }
  return product;
}

Vec3 mode_kh(const Grid& grid, const Cell& lmn) {
  return {pi * lmn[0] / grid.size[0], pi * lmn[1] / grid.size[1], pi * lmn[2] / grid.size[2]};
}

/// Phase that a box mode advances by in a step, from three consecutive values of the solver.
double measured_phase(const Grid& grid, const Cell& lmn, double lambda) {
  Leapfrog<double> solver(grid, settings_for(grid, lambda, Side::rigid));
  for_each_cell(grid.size, [&](const Cell& c) {
    solver.pressure()[c] = solver.previous()[c] = mode(grid, lmn, c);
  });
  const double before = solver.previous()[{0, 0, 0}], now = solver.pressure()[{0, 0, 0}];
  solver.step();
  return std::acos(0.5 * (solver.pressure()[{0, 0, 0}] + before) / now);
}

TEST(DispersionAnalytic, relation_gives_the_tables) {
  // References A15 (at the limit) and P-A15 (lambda = 0.5).
  const Vec3 axis(1, 0, 0), face(1, 1, 0), body(1, 1, 1), skew(1, 2, 3);
  EXPECT_NEAR(velocity_error(limit(), 4, axis), -0.072589077763816, 1e-12);
  EXPECT_NEAR(velocity_error(limit(), 10, axis), -0.0110739165923049, 1e-12);
  EXPECT_NEAR(velocity_error(limit(), 8, face), -0.00436751022942328, 1e-12);
  EXPECT_NEAR(velocity_error(limit(), 6, body), 0.0, 1e-12);
  EXPECT_NEAR(velocity_error(0.5, 5, axis), -0.0504918738813618, 1e-12);
  EXPECT_NEAR(velocity_error(0.5, 8, skew), -0.00649161147023114, 1e-12);
  EXPECT_NEAR(velocity_error(0.5, 12, body), -0.000958217691631291, 1e-12);
}

TEST(DispersionAnalytic, phase_velocity_of_the_solver_is_that_of_the_tables) {
  // In a box of 40 cells, mode 20 has 4 cells per wavelength, mode 8 has 10, mode 10 has 8.
  const Grid grid{.size = {40, 40, 40}};
  const auto error = [&](const Cell& lmn, double lambda) {
    return measured_phase(grid, lmn, lambda) / (lambda * mode_kh(grid, lmn).norm()) - 1.0;
  };
  EXPECT_NEAR(error({20, 0, 0}, limit()), -0.072589077763816, 1e-10);
  EXPECT_NEAR(error({8, 0, 0}, limit()), -0.0110739165923049, 1e-10);
  EXPECT_NEAR(error({0, 16, 0}, 0.5), -0.0504918738813618, 1e-10);
  EXPECT_NEAR(error({0, 0, 10}, 0.5), -0.0194581707759345, 1e-10);
  const Grid flat{.size = {24, 24, 1}};
  // 6 cells per wavelength along (1, 1, 0) are no whole mode; the relation stands in.
  EXPECT_NEAR(measured_phase(flat, {5, 5, 0}, 0.5), discrete_phase(0.5, mode_kh(flat, {5, 5, 0})),
              1e-12);
}

TEST(DispersionAnalytic, a_box_mode_is_reproduced_to_rounding) {
  const Grid grid{.size = {25, 20, 15}};
  const double lambda = 0.999 * limit();
  const Cell lmn = {3, 2, 4};
  const double phase = discrete_phase(lambda, mode_kh(grid, lmn));
  Leapfrog<double> solver(grid, settings_for(grid, lambda, Side::rigid));
  for_each_cell(grid.size, [&](const Cell& c) {
    solver.pressure()[c] = mode(grid, lmn, c);
    solver.previous()[c] = std::cos(phase) * mode(grid, lmn, c);
  });
  const int steps = 2000;
  for (int n = 0; n < steps; ++n) solver.step();
  double worst = 0.0;
  for_each_cell(grid.size, [&](const Cell& c) {
    const double exact = std::cos(steps * phase) * mode(grid, lmn, c);
    worst = std::max(worst, std::abs(solver.pressure()[c] - exact));
  });
  EXPECT_LT(worst, 1e-10);
}

TEST(BoxModesAnalytic, frequencies_converge_at_second_order) {
  // Reference A11: a rigid box of 0.5 x 0.4 x 0.3 m.
  const struct {
    Cell lmn;
    double hz;
  } modes[] = {{{1, 0, 0}, 343.2},
               {{1, 1, 0}, 549.388059571738},
               {{1, 1, 1}, 793.102288484909},
               {{1, 2, 0}, 924.094280904281}};
  for (const auto& [lmn, hz] : modes) {
    double error[2];
    for (const int fine : {0, 1}) {
      const double h = fine ? 0.0125 : 0.025;
      const Grid grid{
          .cell_size = h,
          .size = {static_cast<int>(std::lround(0.5 / h)), static_cast<int>(std::lround(0.4 / h)),
                   static_cast<int>(std::lround(0.3 / h))}};
      const double lambda = 0.5, tau = lambda * h / c_air;
      error[fine] = measured_phase(grid, lmn, lambda) / (2.0 * pi * tau) / hz - 1.0;
    }
    EXPECT_LT(std::abs(error[1]), 2e-3) << hz;
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.03) << hz;
  }
}

TEST(ViscosityAnalytic, modes_decay_at_the_rate_of_equation_1) {
  // Reference A16: alpha = 0.2 mm; s = -c alpha k^2 / 2 +- i omega.
  const double alpha = 2e-4, k = 100.0, decay = 343.2, omega = 34318.2839570979;
  const int cells = 64;
  const double h = pi / k / cells;  // half a wave fits
  const Grid grid{.cell_size = h, .size = {cells, 1, 1}};
  LeapfrogSettings settings = settings_for(grid, 0.05, Side::rigid);
  settings.viscosity = alpha;
  Leapfrog<double> solver(grid, settings);
  const double tau = settings.time_step;
  const auto exact = [&](double t) { return std::exp(-decay * t) * std::cos(omega * t); };
  for_each_cell(grid.size, [&](const Cell& c) {
    solver.pressure()[c] = mode(grid, {1, 0, 0}, c);
    solver.previous()[c] = exact(-tau) * mode(grid, {1, 0, 0}, c);
  });
  const int steps = 4000;
  double worst = 0.0;
  for (int n = 1; n <= steps; ++n) {
    solver.step();
    const double amplitude = solver.pressure()[{0, 0, 0}] / mode(grid, {1, 0, 0}, {0, 0, 0});
    worst = std::max(worst, std::abs(amplitude - exact(n * tau)));
  }
  EXPECT_LT(exact(steps * tau), 0.95);
  EXPECT_LT(worst, 1e-3);
}

/// Relative error (rms over time) of a monopole's pulse at a distance of 0.24 m along (2, 2, 1).
double monopole_error(int refinement) {
  const int n = 30 * refinement + 18;
  const Grid grid{.cell_size = 0.02 / refinement, .size = {n, n, n}};
  const LeapfrogSettings settings = settings_for(grid, 0.999 * limit(), Side::absorbing_layer);
  Leapfrog<double> solver(grid, settings);
  const auto strength = [](double t) {
    const double u = (t - 1.5e-3) / 3e-4;
    return (1.0 - 2.0 * u * u) * std::exp(-u * u);
  };
  const Cell source = {n / 2, n / 2, n / 2};
  const Cell listener = {source[0] + 8 * refinement, source[1] + 8 * refinement,
                         source[2] + 4 * refinement};
  const double r = (grid.centre(listener) - grid.centre(source)).norm();
  double error = 0.0, sum = 0.0;
  for (int step = 0; step * settings.time_step < 3.5e-3; ++step) {
    const double t = step * settings.time_step;
    solver.advance_planes(0, n);
    solver.add_monopole(source, strength(t));
    const double exact = strength(t - r / c_air) / (4.0 * pi * r);
    const double p = solver.pressure()[listener];
    error += (p - exact) * (p - exact);
    sum += exact * exact;
    solver.finish_step();
  }
  return std::sqrt(error / sum);
}

TEST(MonopoleAnalytic, sends_the_exact_spherical_wave) {
  const double coarse = monopole_error(1), fine = monopole_error(2);
  EXPECT_LT(fine, 0.01);
  EXPECT_GT(std::log2(coarse / fine), 1.7);
}

}  // namespace
}  // namespace peal::wave
