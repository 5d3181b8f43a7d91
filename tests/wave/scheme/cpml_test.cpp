#include <peal/validation/duct.h>
#include <peal/wave/scheme/cpml.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "wave/wave_fixture.h"

namespace peal::wave {
namespace {

double decibel(double ratio) {
  return 20.0 * std::log10(ratio);
}

/// In dB.
double reflection(double points, double degrees, const CpmlSettings& layer = {}) {
  return decibel(validation::duct_reflection(points, degrees, Side::absorbing_layer, layer));
}

TEST(AbsorbingLayerAnalytic, reflects_little_of_a_wave_at_any_usual_angle) {
  for (const double points : {10.0, 17.0, 34.0}) {
    EXPECT_LT(reflection(points, 0.0), -60.0) << points;
    EXPECT_LT(reflection(points, 45.0), -50.0) << points;
    EXPECT_LT(reflection(points, 65.0), -40.0) << points;
  }
}

TEST(AbsorbingLayerAnalytic, three_more_cells_reflect_less) {
  for (const double degrees : {0.0, 45.0}) {
    EXPECT_LT(reflection(17.0, degrees, {.cells = 8}), reflection(17.0, degrees) - 3.0);
  }
}

TEST(Cpml, says_what_grid_it_needs) {
  const Grid grid{.size = {30, 30, 9}};
  const LeapfrogSettings settings = settings_for(grid, 0.5, Side::absorbing_layer);
  try {
    const Leapfrog<float> solver(grid, settings);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "an absorbing layer of 5 cells does not fit a grid of 9 cells along z: take 10 "
                 "cells or more, or a thinner layer");
  }
}

/// A pulse from a point beside the layers of a small box, at all angles up to 65 degrees and, in
/// edges and corners, into several layers at once; the reflection is the difference from a box so
/// large that nothing returns in time.
TEST(AbsorbingLayerSlow, swallows_the_pulse_of_a_point_source) {
  const int small = 36, large = 96, steps = 110, shift = (large - small) / 2;
  const Grid near{.size = {small, small, small}}, far{.size = {large, large, large}};
  Leapfrog<float> boxed(near, settings_for(near, 0.999 * limit(), Side::absorbing_layer));
  Leapfrog<float> open(far, settings_for(far, 0.999 * limit(), Side::rigid));
  const Cell source = {18, 18, 18};
  double reflected = 0.0, direct = 0.0;
  for (int n = 0; n < steps; ++n) {
    const double u = (n - 40) / 12.0, strength = (1.0 - 2.0 * u * u) * std::exp(-u * u);
    boxed.advance_planes(0, small);
    open.advance_planes(0, large);
    boxed.add_monopole(source, strength);
    open.add_monopole({source[0] + shift, source[1] + shift, source[2] + shift}, strength);
    boxed.finish_step();
    open.finish_step();
    for_each_cell({small - 16, small - 16, small - 16}, [&](const Cell& c) {
      const Cell at = {c[0] + 8, c[1] + 8, c[2] + 8};
      const double p = open.pressure()[{at[0] + shift, at[1] + shift, at[2] + shift}];
      reflected = std::max(reflected, std::abs(boxed.pressure()[at] - p));
      // What arrives at the corner of the free part, the farthest cell.
      if (c == Cell{0, 0, 0}) direct = std::max(direct, std::abs(p));
    });
  }
  EXPECT_LT(decibel(reflected / direct), -50.0);
}

/// A source much smaller than a wavelength is surrounded by air that it moves to and fro, and the
/// layer lies in it: four points in a row, + - - +, at a wavelength of 160 cells, against a layer
/// so thick that it could be anywhere.
TEST(AbsorbingLayerSlow, leaves_near_fields_alone) {
  const auto field = [](int layer) {
    const int size = 2 * layer + 22;
    const Grid grid{.size = {size, size, size}};
    LeapfrogSettings settings = settings_for(grid, 0.999 * limit(), Side::absorbing_layer);
    settings.layer.cells = layer;
    Leapfrog<double> solver(grid, settings);
    const int period = static_cast<int>(160 / (0.999 * limit()));
    std::vector<double> received;
    for (int n = 0; n < 2 * period; ++n) {
      solver.advance_planes(0, size);
      const double u = (n - period) / (0.2 * period),
                   pulse = (1.0 - 2.0 * u * u) * std::exp(-u * u);
      for (int i = 0; i < 4; ++i)
        solver.add_monopole({layer + 8 + 2 * i, layer + 11, layer + 11},
                            i == 0 || i == 3 ? pulse : -pulse);
      solver.finish_step();
      for (const Cell& c : {Cell{2, 11, 11}, Cell{11, 3, 11}, Cell{19, 18, 12}})
        received.push_back(solver.pressure()[{layer + c[0], layer + c[1], layer + c[2]}]);
    }
    return received;
  };
  const std::vector<double> near = field(5), far = field(24);
  double error = 0.0, whole = 0.0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    error += std::pow(near[i] - far[i], 2);
    whole += std::pow(far[i], 2);
  }
  std::printf("near field, layer of 5 cells: error %.2e\n", std::sqrt(error / whole));
  EXPECT_LT(std::sqrt(error / whole), 0.01);
}

TEST(AbsorbingLayerSlow, empties_the_box_in_float) {
  const Grid grid{.size = {24, 22, 20}};
  Leapfrog<float> solver(grid, settings_for(grid, 0.9999 * limit(), Side::absorbing_layer));
  for_each_cell(grid.size, [&](const Cell& c) {
    solver.pressure()[c] = solver.previous()[c] = static_cast<float>(noise(1, c));
  });
  for (const double bound : {0.02, 2e-3, 1e-3}) {
    for (int n = 0; n < 10000; ++n) solver.step();
    EXPECT_LT(largest(solver.pressure()), bound);
  }
}

/// The way a boundary list works: save p_old and xi, let the grid advance, overwrite.
TEST(Cpml, a_node_can_be_advanced_by_hand) {
  const Grid grid{.size = {20, 19, 18}};
  const LeapfrogSettings settings = settings_for(grid, 0.57, Side::absorbing_layer);
  Leapfrog<double> solver(grid, settings);
  for_each_cell(grid.size, [&](const Cell& c) { solver.pressure()[c] = noise(1, c); });
  for (int n = 0; n < 5; ++n) solver.step();

  const auto at = [&](Cell c, int axis, int step) {
    c[axis] += step;
    return grid.contains(c) ? solver.pressure()[c] : 0.0;
  };
  for (const Cell& c : {Cell{0, 0, 0}, Cell{7, 10, 9}, Cell{8, 7, 0}, Cell{19, 18, 17},
                        Cell{12, 11, 10}, Cell{9, 9, 9}, Cell{13, 5, 16}}) {
    const double old = solver.previous()[c];
    double xi[3];
    for (int axis = 0; axis < 3; ++axis) {
      const auto memory = solver.layer().axis_memory(axis, c);
      xi[axis] = memory.xi ? *memory.xi : 0.0;
    }
    solver.advance_planes(0, grid.size[2]);
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto memory = solver.layer().axis_memory(axis, c);
      const double here = solver.pressure()[c];
      const double v =
          (at(c, axis, 1) - here + memory.high()) - (here - at(c, axis, -1) + memory.low());
      const double advanced = memory.b * xi[axis] + memory.a * v;
      EXPECT_NEAR(memory.xi ? *memory.xi : 0.0, advanced, 1e-13);
      sum += v + advanced;
    }
    const double by_hand = 2.0 * solver.pressure()[c] - old + 0.57 * 0.57 * sum;
    EXPECT_NEAR(solver.next()[c], by_hand, 1e-12);
    solver.finish_step();
  }
}

}  // namespace
}  // namespace peal::wave
