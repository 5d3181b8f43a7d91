#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/boundary/cut_interval.h>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <limits>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

using geometry::TriMesh;

const Grid kPartsGrid = unit_grid(16);

/// Three sectors around a tilted axis, which cross cells everywhere.
std::vector<std::uint32_t> sectors(const TriMesh& mesh, const Vec3& centre) {
  std::vector<std::uint32_t> part;
  for (const geometry::Triangle& t : mesh.triangles) {
    const Vec3 p = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3 - centre;
    const double angle = std::atan2(p.y() + 0.2 * p.z(), p.x());
    part.push_back(angle < -1 ? 0 : angle < 1.5 ? 7 : 3);
  }
  return part;
}

struct Sphere {
  Vec3 centre{8.13, 7.91, 8.37};
  TriMesh mesh = sphere_at(centre, 5, 8);
  std::vector<std::uint32_t> part = sectors(mesh, centre);
  CutFractions whole = cut_fractions(kPartsGrid, mesh);
  CutFractions in_parts = cut_fractions(kPartsGrid, mesh.vertices, mesh.triangles, part);
};

TEST(CutParts, parts_do_not_change_the_fractions) {
  const Sphere s;
  ASSERT_EQ(s.whole.cells.size(), s.in_parts.cells.size());
  for (std::size_t i = 0; i < s.whole.cells.size(); ++i) {
    EXPECT_EQ(s.whole.cells[i].volume, s.in_parts.cells[i].volume);
    EXPECT_EQ(s.whole.cells[i].area, s.in_parts.cells[i].area);
  }
  EXPECT_EQ(s.whole.patches.size(), s.whole.cells.size());
  EXPECT_GT(s.in_parts.patches.size(), s.whole.cells.size() + 20);
}

TEST(CutParts, pieces_add_up_to_their_cells_wall_and_come_by_cell_and_part) {
  const Sphere s;
  std::vector<Vec3> wall(s.whole.cells.size(), Vec3::Zero());
  std::vector<double> area(s.whole.cells.size());
  for (std::size_t i = 0; i < s.in_parts.patches.size(); ++i) {
    const WallPatch& patch = s.in_parts.patches[i];
    wall[patch.cell] += patch.area_vector;
    area[patch.cell] += patch.area;
    EXPECT_EQ(s.part[patch.triangle], patch.part);
    const Vec3 index = patch.centre - s.centre;
    EXPECT_NEAR(index.norm(), 5, 0.1);
    if (i == 0) continue;
    const WallPatch& before = s.in_parts.patches[i - 1];
    EXPECT_TRUE(std::tuple(before.cell, before.part) < std::tuple(patch.cell, patch.part));
  }
  for (std::size_t i = 0; i < wall.size(); ++i) {
    EXPECT_LT((wall[i] - s.whole.cells[i].wall).norm(), 1e-12);
    EXPECT_NEAR(area[i], s.whole.cells[i].wall_area, 1e-12);
  }
}

TEST(CutParts, corrections_of_a_mesh_with_a_hole_are_spread_over_the_parts) {
  Sphere s;
  s.mesh.triangles.erase(s.mesh.triangles.begin() + 40);
  s.part.erase(s.part.begin() + 40);
  const CutFractions holed = cut_fractions(kPartsGrid, s.mesh.vertices, s.mesh.triangles, s.part);
  EXPECT_GT(holed.residual, 0.01);
  std::vector<Vec3> wall(holed.cells.size(), Vec3::Zero());
  for (const WallPatch& patch : holed.patches) wall[patch.cell] += patch.area_vector;
  for (std::size_t i = 0; i < wall.size(); ++i)
    EXPECT_LT((wall[i] - holed.cells[i].wall).norm(), 1e-12);
}

TEST(CutParts, the_driving_areas_of_parts_add_up_to_that_of_the_whole_wall) {
  const Sphere s;
  const CutGeometry whole = combined(kPartsGrid, std::span(&s.whole, 1));
  const CutGeometry parts = combined(kPartsGrid, std::span(&s.in_parts, 1));
  std::vector<double> driven(parts.cells.size());
  for (const Wall& wall : parts.walls) driven[wall.cell] += wall.driving_area();
  for (const Wall& wall : whole.walls) EXPECT_NEAR(driven[wall.cell], wall.driving_area(), 1e-12);
}

TEST(CutParts, walls_are_paired_by_part_between_keys) {
  Sphere s;
  const CutGeometry from = combined(kPartsGrid, std::span(&s.in_parts, 1));
  for (Vec3& v : s.mesh.vertices) v += Vec3(0.2, -0.1, 0.05);
  const CutFractions moved = cut_fractions(kPartsGrid, s.mesh.vertices, s.mesh.triangles, s.part);
  const CutInterval keys = interval(kPartsGrid, from, combined(kPartsGrid, std::span(&moved, 1)));
  double area[2] = {}, expected[2] = {};
  for (std::size_t i = 0; i < keys.walls_from.size(); ++i) {
    EXPECT_EQ(keys.walls_from[i].part, keys.walls_to[i].part);
    EXPECT_EQ(s.part[keys.walls_to[i].triangle], keys.walls_to[i].part);
    area[0] += keys.walls_from[i].area;
    area[1] += keys.walls_to[i].area;
  }
  for (const WallPatch& patch : s.in_parts.patches) expected[0] += patch.area;
  for (const WallPatch& patch : moved.patches) expected[1] += patch.area;
  EXPECT_NEAR(area[0], expected[0], 1e-9);
  EXPECT_NEAR(area[1], expected[1], 1e-9);
}

TEST(CutParts, a_vertex_that_is_not_finite_costs_its_triangles_only) {
  Sphere s;
  s.mesh.vertices[17].x() = std::numeric_limits<double>::quiet_NaN();
  s.mesh.vertices[210].z() = -std::numeric_limits<double>::infinity();
  s.mesh.vertices[350].y() = 1e200;
  const CutFractions body = cut_fractions(kPartsGrid, s.mesh);
  double solid = 0;
  for (const CutCell& c : body.cells) solid += 1 - c.volume;
  for (const SolidRun& run : body.solid) solid += run.end - run.begin;
  EXPECT_NEAR(solid, 4.0 / 3 * std::numbers::pi * 125, 15);
}

TEST(CutPartsSlow, a_mesh_far_finer_than_the_cells_stays_exact) {
  const TriMesh mesh = sphere_at({8.13, 7.91, 8.37}, 5, 128);
  const auto start = std::chrono::steady_clock::now();
  const CutFractions body = cut_fractions(kPartsGrid, mesh);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  double solid = 0;
  for (const CutCell& c : body.cells) solid += 1 - c.volume;
  for (const SolidRun& run : body.solid) solid += run.end - run.begin;
  std::printf("%zu triangles on %zu cells: %.1f ms, %.0f ns a triangle, volume error %.1e\n",
              mesh.triangles.size(), body.cells.size(), 1e3 * took.count(),
              1e9 * took.count() / static_cast<double>(mesh.triangles.size()),
              solid - 4.0 / 3 * std::numbers::pi * 125);
  EXPECT_GT(mesh.triangles.size(), 300000u);
  EXPECT_NEAR(solid, 4.0 / 3 * std::numbers::pi * 125, 1e-9);
}

}  // namespace
}  // namespace peal::wave
