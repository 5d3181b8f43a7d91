#include <peal/wave/boundary/staircase.h>
#include <peal/wave/driver/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/cut_reference.h"
#include "wave/sphere_pulse.h"

namespace peal::wave {
namespace {

CutGeometry stairs_of(const Grid& grid, const geometry::TriMesh& mesh) {
  const CutFractions body = cut_fractions(grid, mesh);
  return staircase(grid, combined(grid, std::span(&body, 1)));
}

TEST(Staircase, cells_are_all_air_or_all_solid_and_faces_agree) {
  const Grid grid = unit_grid(16);
  const Vec3 centre(7.6, 8.3, 7.9);
  const CutGeometry g = stairs_of(grid, sphere_at(centre, 4.2, 8));
  std::size_t solid = 0;
  for (const SolidRun& run : g.solid) solid += static_cast<std::size_t>(run.end - run.begin);
  EXPECT_NEAR(static_cast<double>(solid), 4.0 / 3 * std::numbers::pi * std::pow(4.2, 3), 15);
  for (const OpenCell& open : g.cells) {
    EXPECT_EQ(open.volume, 1);
    EXPECT_FALSE(is_solid(g.solid, open.cell));
    int closed = 0;
    for (int f = 0; f < cell_faces; ++f) {
      Cell next = open.cell;
      next[f / 2] += f % 2 ? 1 : -1;
      EXPECT_EQ(open.area[f], is_solid(g.solid, next) ? 0 : 1);
      closed += open.area[f] == 0;
    }
    EXPECT_GT(closed, 0);
  }
}

TEST(Staircase, walls_drive_with_the_true_area_and_not_that_of_the_stairs) {
  const Grid grid = unit_grid(32);
  const Vec3 centre(15.6, 16.3, 15.9);
  const CutGeometry g = stairs_of(grid, sphere_at(centre, 10.2, 16));
  double area = 0, faces = 0;
  for (const Wall& wall : g.walls) {
    area += wall.driving_area();
    EXPECT_GT(wall.area_vector.normalized().dot((wall.centre - centre).normalized()), 0.99);
    EXPECT_NEAR((wall.centre - centre).norm(), 10.2, 0.1);
  }
  for (const OpenCell& open : g.cells)
    for (const double a : open.area) faces += 1 - a;
  const double exact = 4 * std::numbers::pi * 10.2 * 10.2;
  EXPECT_NEAR(area / exact, 1, 0.02);
  EXPECT_GT(faces / exact, 1.4);
}

TEST(Staircase, a_plate_half_a_cell_thick_vanishes) {
  const Grid grid = unit_grid(12);
  geometry::TriMesh plate = geometry::box_mesh({6, 6, 0.4}, 3);
  for (Vec3& v : plate.vertices) v += Vec3(6.1, 6.2, 6.5);
  const CutGeometry g = stairs_of(grid, plate);
  EXPECT_TRUE(g.solid.empty());
  EXPECT_TRUE(g.cells.empty());
}

TEST(Staircase, energy_is_conserved_around_a_sphere_in_a_rigid_box) {
  const Grid grid = unit_grid(16);
  const CutScheme scheme{.lambda = 0.9999 * std::numbers::inv_sqrt3};
  const CutGeometry g = stairs_of(grid, sphere_at({7.6, 8.3, 7.9}, 4.2, 8));
  const DenseCutReference reference(grid, scheme, g);
  Stepper<double> list(grid, scheme);
  list.cells.index(g);
  list.fill_with_noise(reference);
  list.step();
  const double start = reference.energy(list.p, list.p_old);
  for (int n = 0; n < 10000; ++n) list.step();
  EXPECT_GT(start, 1);
  EXPECT_LT(std::abs(reference.energy(list.p, list.p_old) / start - 1), 1e-12);
}

/// Over a few indices of the sphere, because stairs may fit one of them by chance.
double staircase_error(double cell_size, SoundingSphere::Mode mode) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 centre(0.0031 + 0.0014 * i, 0.0021 * i - 0.0017, 0.0023 - 0.0018 * i);
    const SoundingSphere sphere(cell_size, base::WaveSettings::Boundary::staircase, mode, centre);
    sum += std::pow(sphere.error(), 2) / 3;
  }
  std::printf("%g mm: error %.5f\n", 1e3 * cell_size, std::sqrt(sum));
  return std::sqrt(sum);
}

TEST(StaircaseAnalytic, a_pulsating_sphere_is_about_right) {
  EXPECT_LT(staircase_error(0.02, SoundingSphere::Mode::pulsating), 0.1);
  EXPECT_LT(staircase_error(0.01, SoundingSphere::Mode::pulsating), 0.03);
}

TEST(StaircaseAnalytic, a_shaking_sphere_converges_slower_than_at_second_order) {
  const double coarse = staircase_error(0.02, SoundingSphere::Mode::shaking);
  const double fine = staircase_error(0.01, SoundingSphere::Mode::shaking);
  EXPECT_LT(fine, 0.06);
  EXPECT_NEAR(std::log2(coarse / fine), 1.2, 0.5);
}

TEST(Staircase, a_silent_body_moves_through_silence_in_silence) {
  EXPECT_EQ(GlidingSphere(base::WaveSettings::Boundary::staircase, false).loudest, 0.0);
}

TEST(Staircase, a_body_that_sounds_while_it_moves_makes_no_bang) {
  const GlidingSphere sphere(base::WaveSettings::Boundary::staircase, true);
  EXPECT_GT(sphere.loudest, 0.01);
  EXPECT_LT(sphere.loudest, 0.06);  // rho a times the acceleration bounds the exact pressure
  EXPECT_LT(sphere.last, 0.2 * sphere.loudest);
}

}  // namespace
}  // namespace peal::wave
