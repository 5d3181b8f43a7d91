#include <peal/util/random.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/scheme/ghost_cells.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "wave/cut_bodies.h"
#include "wave/sphere_pulse.h"

namespace peal::wave {
namespace {

using Boundary = base::WaveSettings::Boundary;

double random_number(int what, int which) {
  return util::random_uniform(1, static_cast<std::uint64_t>(what),
                              static_cast<std::uint64_t>(which));
}

Vec3 random_vector(int what) {
  return 2 * Vec3(random_number(what, 0), random_number(what, 1), random_number(what, 2)) -
         Vec3::Ones();
}

TEST(GhostStencil, a_linear_pressure_is_continued_exactly_beyond_any_plane) {
  const Grid grid{.origin = Vec3::Zero(), .cell_size = 0.01, .size = {8, 8, 8}};
  const Cell ghost{4, 4, 4};
  const Vec3 slope(3, -20, 11);
  const auto pressure = [&](const Vec3& x) { return 0.7 + slope.dot(x); };
  int with_itself = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3 normal = random_vector(i).normalized();
    const double distance = 0.01 * random_number(i, 7);
    const Vec3 wall = grid.centre(ghost) + distance * normal;
    const auto stencil = image_stencil(grid, ghost, {wall, normal, 0, distance}, 25);
    if (!stencil) continue;
    with_itself += stencil->cells.size() == 7;
    double value = -slope.dot(normal) * stencil->reach;  // rho a_n = -dp/dn
    for (std::size_t k = 0; k < stencil->cells.size(); ++k)
      value += stencil->weights[k] * pressure(grid.centre(stencil->cells[k]));
    ASSERT_NEAR(value, pressure(grid.centre(ghost)), 1e-10) << i;
  }
  EXPECT_GT(with_itself, 50);
}

TEST(GhostStencil, a_slope_that_does_not_see_the_ghost_is_left_to_first_order) {
  // Wang et al. 2018, appendix A: at the ghost itself a slope along (1, -1) is the difference of
  // its neighbours.
  const Grid grid{.origin = Vec3::Zero(), .cell_size = 1, .size = {8, 8, 8}};
  const Vec3 normal = Vec3(1, -1, 0).normalized();
  const NearestWall wall{grid.centre({4, 4, 4}) + Vec3::Constant(1e-3), normal, 0, 1e-3};
  EXPECT_FALSE(image_stencil(grid, {4, 4, 4}, wall, 25));
  const auto is_air = [](const Cell& c) { return c[0] > 4; };
  const GhostStencil first = neighbour_stencil(grid, {4, 4, 4}, wall, is_air);
  ASSERT_EQ(first.cells.size(), 1u);
  EXPECT_EQ(first.cells[0], (Cell{5, 4, 4}));
  EXPECT_NEAR(first.reach, normal.x(), 1e-12);
}

TEST(GhostCells, kappa_chooses_between_first_and_second_order) {
  const Grid grid{.origin = Vec3::Zero(), .cell_size = 1, .size = {16, 16, 16}};
  const base::Body body = body_of("ball", sphere_at({7.6, 8.3, 7.9}, 4.2, 8));
  const BodyShape shape(body, {});
  const CutFractions fractions = cut_fractions(grid, body.mesh);
  const CutGeometry cut = combined(grid, std::span(&fractions, 1));
  const auto index = [&](double kappa) {
    auto ghosts =
        std::make_unique<GhostCells>(grid, FieldLayout::packed(grid), std::span(&shape, 1), kappa);
    ghosts->index(ghosts->raster(cut, 0));
    return ghosts;
  };
  const auto first = index(0), hybrid = index(25);
  EXPECT_GT(first->count(), 100u);
  EXPECT_EQ(first->fallbacks(), first->count());
  EXPECT_LT(hybrid->fallbacks(), hybrid->count() / 5);
}

TEST(GhostCellsAnalytic, a_pulsating_sphere_is_sharper_than_with_stairs) {
  const double coarse = SoundingSphere(0.02, Boundary::ghost_cells).error();
  const double fine = SoundingSphere(0.01, Boundary::ghost_cells).error();
  std::printf("20 mm: error %.5f, 10 mm: %.5f\n", coarse, fine);
  EXPECT_LT(coarse, 0.04);
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(std::log2(coarse / fine), 0.7);
}

TEST(GhostCells, a_silent_body_moves_through_silence_in_silence) {
  EXPECT_EQ(GlidingSphere(Boundary::ghost_cells, false).loudest, 0.0);
}

TEST(GhostCells, a_body_that_sounds_while_it_moves_makes_no_bang) {
  const GlidingSphere sphere(Boundary::ghost_cells, true);
  EXPECT_GT(sphere.loudest, 0.01);
  EXPECT_LT(sphere.loudest, 0.06);  // rho a times the acceleration bounds the exact pressure
  EXPECT_LT(sphere.last, 0.2 * sphere.loudest);
}

}  // namespace
}  // namespace peal::wave
