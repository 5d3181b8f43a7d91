#include <peal/wave/boundary/cut_interval.h>

#include <gtest/gtest.h>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

const Grid kIntervalGrid = unit_grid(16);

CutGeometry two_spheres(double shift) {
  const std::vector<CutFractions> bodies = {
      cut_fractions(kIntervalGrid, sphere_at({6.2 + shift, 7.1, 8.3}, 3.4, 6)),
      cut_fractions(kIntervalGrid, sphere_at({12.4, 7.4 - shift, 8.1}, 2.3, 6))};
  return combined(kIntervalGrid, bodies);
}

double solid_volume(const CutGeometry& g) {
  double volume = 0;
  for (const OpenCell& c : g.cells) volume += 1 - c.volume;
  for (const SolidRun& run : g.solid) volume += run.end - run.begin;
  return volume;
}

TEST(CutInterval, every_cell_is_as_the_key_has_it_at_the_keys_time) {
  const CutGeometry from = two_spheres(0), to = two_spheres(0.4);
  const CutInterval between_keys = interval(kIntervalGrid, from, to);
  EXPECT_GT(between_keys.from.size(), std::max(from.cells.size(), to.cells.size()));
  for (const auto& [key, geometry] :
       {std::pair(&from, between_keys.at(0)), std::pair(&to, between_keys.at(1))})
    for (const OpenCell& c : geometry.cells) {
      const auto found = std::ranges::find(key->cells, c.cell, &OpenCell::cell);
      const double uncut = is_solid(key->solid, c.cell) ? 0 : 1;
      EXPECT_NEAR(c.volume, found != key->cells.end() ? found->volume : uncut, 1e-15);
      for (int f = 0; f < cell_faces; ++f)
        EXPECT_NEAR(c.area[f], found != key->cells.end() ? found->area[f] : uncut, 1e-15);
    }
}

TEST(CutInterval, volume_and_closure_hold_between_the_keys) {
  const CutGeometry from = two_spheres(0), to = two_spheres(0.4);
  const CutInterval between_keys = interval(kIntervalGrid, from, to);
  EXPECT_NEAR(solid_volume(between_keys.at(0)), solid_volume(from), 1e-9);
  EXPECT_NEAR(solid_volume(between_keys.at(0.3)), 0.7 * solid_volume(from) + 0.3 * solid_volume(to),
              1e-9);
  const CutGeometry g = between_keys.at(0.3);
  std::vector<Vec3> wall(g.cells.size(), Vec3::Zero());
  for (const Wall& w : g.walls) wall[w.cell] += w.area_vector;
  for (std::size_t i = 0; i < g.cells.size(); ++i)
    for (int d = 0; d < 3; ++d)
      EXPECT_NEAR(wall[i][d], g.cells[i].area[2 * d + 1] - g.cells[i].area[2 * d], 1e-12);
}

TEST(CutInterval, neighbours_agree_between_the_keys) {
  const CutGeometry g = interval(kIntervalGrid, two_spheres(0), two_spheres(0.4)).at(0.6);
  for (const OpenCell& c : g.cells)
    for (int d = 0; d < 3; ++d) {
      Cell next = c.cell;
      ++next[d];
      const auto found = std::ranges::find(g.cells, next, &OpenCell::cell);
      const double uncut = is_solid(g.solid, next) ? 0 : 1;
      EXPECT_EQ(c.area[2 * d + 1], found != g.cells.end() ? found->area[2 * d] : uncut);
    }
}

}  // namespace
}  // namespace peal::wave
