#include <peal/util/error.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/scheme/cut_cells.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "wave/cut_bodies.h"
#include "wave/cut_reference.h"

namespace peal::wave {
namespace {

constexpr double kLimit = 0.9999 * std::numbers::inv_sqrt3;

CutGeometry sphere_geometry(const Grid& grid, const Vec3& centre, double radius, int n = 6) {
  const CutFractions body = cut_fractions(grid, sphere_at(centre, radius, n));
  return combined(grid, std::span(&body, 1));
}

/// Values by cell of the geometry, spread over the whole grid.
std::vector<double> spread(const Grid& grid, const CutGeometry& g, std::span<const double> values) {
  std::vector<double> all(grid.cells());
  for (std::size_t i = 0; i < values.size(); ++i) all[grid.index(g.cells[i].cell)] = values[i];
  return all;
}

TEST(CutCells, nodes_of_more_than_2_to_the_32_cells_are_addressed_right) {
  Grid grid = unit_grid(16);
  grid.size = {2000, 2000, 2000};
  const Vec3 centre(1987.6, 1988.3, 1987.9);
  CutCells<float> cells(grid, FieldLayout::packed(grid), {.lambda = kLimit});
  cells.index(sphere_geometry(grid, centre, 3.7));
  ASSERT_GT(cells.nodes().size(), 100u);
  for (std::size_t i = 0; i < cells.nodes().size(); ++i) {
    const CutNode<float>& node = cells.nodes()[i];
    const Cell& cell = cells.cell_of(i);
    EXPECT_GT(node.cell, CellIndex{1} << 32);
    EXPECT_EQ(grid.cell(node.cell), cell);
    EXPECT_LT((grid.centre(cell) - centre).norm(), 6.0);
    for (int f = 0; f < cell_faces; ++f) {
      if (node.area[f] > 0) {
        EXPECT_EQ(grid.cell(node.neighbour(f)), beyond(cell, f));
      }
    }
  }
}

TEST(CutCells, a_grid_beyond_the_limit_is_refused) {
  Grid grid = unit_grid(16);
  grid.size[2] = most_cells_along + 1;
  EXPECT_THROW(CutCells<float>(grid, FieldLayout::packed(grid), {.lambda = kLimit}),
               util::InputError);
}

TEST(CutCells, the_list_equals_the_dense_reference_at_rest) {
  const Grid grid = unit_grid(16);
  for (const double gamma : {0.0, 0.3}) {
    const CutScheme scheme{.lambda = kLimit, .gamma = gamma};
    const CutGeometry g = sphere_geometry(grid, {7.6, 8.3, 7.9}, 3.7);
    DenseCutReference reference(grid, scheme, g);
    Stepper<double> list(grid, scheme);
    list.cells.index(g);
    list.fill_with_noise(reference);
    reference.p = reference.p_old = list.p;
    const std::vector<double> unit(g.walls.size(), 1.0);
    for (int n = 0; n < 300; ++n) {
      std::vector<double> source = wall_source<double>(g.cells.size(), g.walls, unit, 1, 1);
      for (double& s : source) s *= std::sin(0.1 * n);
      list.step(source);
      reference.step(spread(grid, g, source));
    }
    EXPECT_LT(largest_difference(list.p, reference.p), 1e-12);
    EXPECT_GT(list.rms(), 0.1);
  }
}

TEST(CutCells, the_list_equals_the_dense_reference_in_motion) {
  const Grid grid = unit_grid(16);
  const CutScheme scheme{.lambda = kLimit, .gamma = 0.1};
  const auto at = [&](int n) {
    return sphere_geometry(grid, Vec3(6.1, 8.3, 7.9) + 0.11 * n * Vec3(0.6, -0.48, 0.64), 2.8);
  };
  CutGeometry g = at(0);
  DenseCutReference reference(grid, scheme, g);
  Stepper<double> list(grid, scheme);
  list.cells.index(g);
  list.fill_with_noise(reference);
  reference.p = reference.p_old = list.p;
  for (int n = 0; n < 40; ++n) {
    g = at(n + 1);
    const std::vector<double> now(g.walls.size(), std::sin(0.3 * n)),
        before(g.walls.size(), std::sin(0.3 * (n - 1)));
    const auto source = wall_source<double>(g.cells.size(), g.walls, now, 1, 1);
    const auto source_before = wall_source<double>(g.cells.size(), g.walls, before, 1, 1);
    list.cells.move(g);
    list.cells.resolve_changes(list.p, list.p_old, source, source_before);
    reference.move(g, spread(grid, g, source), spread(grid, g, source_before));
    ASSERT_LT(largest_difference(list.p, reference.p), 1e-12) << n;
    list.step(source);
    reference.step(spread(grid, g, source));
    ASSERT_LT(largest_difference(list.p, reference.p), 1e-12) << n;
  }
  EXPECT_GT(list.rms(), 0.1);
}

TEST(CutCells, advancing_between_keys_equals_moving_to_each_geometry) {
  const Grid grid = unit_grid(16);
  const CutScheme scheme{.lambda = kLimit, .gamma = 0.1};
  const auto at_key = [&](int key) {
    return sphere_geometry(grid, Vec3(6.1, 8.3, 7.9) + 0.27 * key * Vec3(0.6, -0.48, 0.64), 2.8);
  };
  Stepper<double> moved(grid, scheme), advanced(grid, scheme);
  CutGeometry key = at_key(0);
  const DenseCutReference open(grid, scheme, key);
  for (Stepper<double>* list : {&moved, &advanced}) {
    list->cells.index(key);
    list->fill_with_noise(open);
  }
  std::size_t changes = 0;
  for (int k = 1; k <= 12; ++k) {
    const CutInterval between_keys = interval(grid, key, at_key(k));
    advanced.cells.enter(between_keys);
    for (const double t : {0.25, 0.5, 0.75, 1.0}) {
      const CutGeometry g = between_keys.at(t);
      std::vector<double> acceleration;
      for (const Wall& wall : g.walls)
        acceleration.push_back(wall.driving_area() * std::sin(k + t));
      const auto source = wall_source<double>(g.cells.size(), g.walls, acceleration, 1, 1);
      moved.cells.move(g);
      advanced.cells.advance(t);
      for (Stepper<double>* list : {&moved, &advanced}) {
        list->cells.resolve_changes(list->p, list->p_old, source, source);
        list->step(source);
      }
      ASSERT_LT(largest_difference(moved.p, advanced.p), 1e-12) << k << " " << t;
    }
    changes += between_keys.from.size() != at_key(k).cells.size();
    key = at_key(k);
  }
  EXPECT_GT(changes, 6u);
}

TEST(CutCells, energy_is_conserved_at_the_cfl_limit) {
  const Grid grid = unit_grid(16);
  const CutScheme scheme{.lambda = kLimit};
  const CutGeometry g = sphere_geometry(grid, {7.6, 8.3, 7.9}, 4.2);
  const DenseCutReference reference(grid, scheme, g);
  Stepper<double> list(grid, scheme);
  list.cells.index(g);
  list.fill_with_noise(reference);
  list.step();
  const double start = reference.energy(list.p, list.p_old);
  for (int n = 0; n < 10000; ++n) list.step();
  const double change = reference.energy(list.p, list.p_old) / start - 1;
  std::printf("energy %.12g, relative change after 1e4 steps %.2e\n", start, change);
  EXPECT_GT(start, 1);
  EXPECT_LT(std::abs(change), 1e-12);
}

TEST(CutCells, many_cells_need_the_raised_volume) {
  const Grid grid = unit_grid(16);
  const CutGeometry g = sphere_geometry(grid, {7.6, 8.3, 7.9}, 4.2);
  Stepper<double> list(grid, {.lambda = kLimit});
  list.cells.index(g);
  std::size_t raised = 0;
  for (std::size_t i = 0; i < g.cells.size(); ++i)
    raised += list.cells.stable_volumes()[i] > g.cells[i].volume;
  EXPECT_GT(raised, g.cells.size() / 10);
}

TEST(CutCells, borrowing_gives_raised_volume_back_and_stays_stable) {
  const Grid grid = unit_grid(16);
  const CutGeometry g = sphere_geometry(grid, {7.6, 8.3, 7.9}, 4.2);
  const auto total = [&](bool borrow) {
    CutCells<double> cells(grid, FieldLayout::packed(grid), {.lambda = kLimit, .borrow = borrow});
    cells.index(g);
    double sum = 0;
    for (std::size_t i = 0; i < g.cells.size(); ++i)
      sum += cells.stable_volumes()[i] - g.cells[i].volume;
    return sum;
  };
  std::printf("volume added by the floor %.4f cells, after borrowing %.4f\n", total(false),
              total(true));
  EXPECT_GT(total(false), 1);
  EXPECT_LT(std::abs(total(true)), 0.3 * total(false));

  Stepper<double> list(grid, {.lambda = kLimit, .borrow = true});
  list.cells.index(g);
  DenseCutReference reference(grid, list.scheme, g);
  for (std::size_t i = 0; i < g.cells.size(); ++i)
    reference.volume[grid.index(g.cells[i].cell)] = list.cells.stable_volumes()[i];
  list.fill_with_noise(reference);
  list.step();
  const double start = reference.energy(list.p, list.p_old);
  for (int n = 0; n < 2000; ++n) list.step();
  EXPECT_NEAR(reference.energy(list.p, list.p_old) / start, 1, 1e-12);
}

TEST(CutCellsSlow, no_growth_in_float_over_1e5_steps) {
  const Grid grid = unit_grid(12);
  const CutScheme scheme{.lambda = kLimit};
  const CutGeometry g = sphere_geometry(grid, {5.6, 6.3, 5.9}, 3.1);
  const DenseCutReference reference(grid, scheme, g);
  Stepper<float> list(grid, scheme);
  list.cells.index(g);
  list.fill_with_noise(reference);
  list.step();
  const auto energy = [&] {
    const std::vector<double> now(list.p.begin(), list.p.end());
    const std::vector<double> before(list.p_old.begin(), list.p_old.end());
    return reference.energy(now, before);
  };
  const double start = energy();
  for (int n = 0; n < 100000; ++n) list.step();
  std::printf("float: relative change of energy after 1e5 steps %.2e, rms %.3f\n",
              energy() / start - 1, list.rms());
  EXPECT_LT(std::abs(energy() / start - 1), 1e-4);
}

TEST(CutCells, a_sphere_at_20_m_s_through_silence_makes_no_sound) {
  const Grid grid = unit_grid(16);
  const double speed = 20 / 343.2 * kLimit;  // cells a step
  Stepper<float> list(grid, {.lambda = kLimit, .gamma = 0.1});
  const Vec3 start(5.1, 9.7, 6.4), along = Vec3(0.7, -0.5, 0.51).normalized();
  list.cells.index(sphere_geometry(grid, start, 3.3, 4));
  for (int n = 1; n <= 200; ++n) {
    const CutGeometry g = sphere_geometry(grid, start + n * speed * along, 3.3, 4);
    const std::vector<float> none(g.cells.size());
    list.cells.move(g);
    list.cells.resolve_changes(list.p, list.p_old, none, none);
    list.step();
    ASSERT_TRUE(std::ranges::all_of(list.p, [](float v) { return v == 0; }));
  }
}

TEST(CutCellsSlow, a_sphere_swinging_at_20_m_s_in_a_closed_box_adds_no_noise) {
  const Grid grid = unit_grid(16);
  Stepper<float> list(grid, {.lambda = kLimit, .gamma = 0.1});
  // 1.5 cells to either side, 20 m/s in the middle.
  const double omega = 20 / 343.2 * kLimit / 1.5;
  const auto at = [&](int n) {
    return sphere_geometry(
        grid, Vec3(8.1, 7.7, 8.4) + 1.5 * std::sin(omega * n) * Vec3(0.6, -0.48, 0.64), 3.3, 4);
  };
  CutGeometry g = at(0);
  list.cells.index(g);
  const DenseCutReference open(grid, list.scheme, g);
  for (int z = 0; z < 16; ++z)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) {
        const std::size_t i = grid.index({x, y, z});
        const double mode = std::cos(std::numbers::pi * (x + 0.5) / 16);
        list.p[i] = list.p_old[i] = static_cast<float>(open.volume[i] > 0 ? mode : 0);
      }
  const double start = list.rms();
  std::vector<float> older;
  const auto second_difference = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < 16 * 16; ++i) {
      const float d = list.p[i] - 2 * list.p_old[i] + older[i];
      sum += static_cast<double>(d) * static_cast<double>(d);
    }
    return std::sqrt(sum / (16 * 16));
  };
  double worst_early = 0, worst_late = 0;
  for (int n = 1; n <= 10000; ++n) {
    g = at(n);
    const std::vector<float> none(g.cells.size());
    list.cells.move(g);
    list.cells.resolve_changes(list.p, list.p_old, none, none);
    older = list.p_old;
    list.step();
    if (n > 10 && n <= 1000) worst_early = std::max(worst_early, second_difference());
    if (n > 9000) worst_late = std::max(worst_late, second_difference());
  }
  std::printf("swinging sphere: rms %.3f -> %.3f, second difference %.4f -> %.4f\n", start,
              list.rms(), worst_early, worst_late);
  EXPECT_LT(list.rms(), 1.5 * start);
  EXPECT_LT(worst_late, 1.2 * worst_early);
}

}  // namespace
}  // namespace peal::wave
