#include <peal/wave/boundary/cut_fractions.h>
#include <peal/wave/boundary/cut_geometry.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

using geometry::Affine;
using geometry::TriMesh;

/// Volume of the solid as the fractions see it [cells].
double solid_volume(const CutFractions& body) {
  double volume = 0;
  for (const CutCell& c : body.cells) volume += 1 - c.volume;
  for (const SolidRun& run : body.solid) volume += run.end - run.begin;
  return volume;
}

TriMesh rotated_cube(const Vec3& centre, double side) {
  const Affine pose =
      Eigen::Translation3d(centre) * Eigen::AngleAxisd(0.7, Vec3(0.3, -0.5, 0.81).normalized());
  return geometry::transformed(geometry::box_mesh(Vec3::Constant(side), side), pose);
}

TEST(CutFractions, volume_of_a_rotated_cube_is_exact) {
  const CutFractions body = cut_fractions(unit_grid(20), rotated_cube({9.87, 10.21, 10.03}, 8));
  EXPECT_NEAR(solid_volume(body), 512, 1e-9);
  EXPECT_LT(body.residual, 1e-12);
}

TEST(CutFractions, a_cube_in_grid_planes_leaves_its_cells_solid_and_all_others_open) {
  const TriMesh cube = geometry::transformed(geometry::box_mesh({0.04, 0.03, 0.02}, 0.013),
                                             Affine(Eigen::Translation3d(0.05, 0.045, 0.06)));
  const Grid grid{.cell_size = 0.01, .size = {10, 10, 10}};
  const CutFractions body = cut_fractions(grid, cube);
  EXPECT_NEAR(solid_volume(body), 24, 1e-9);
  EXPECT_EQ(body.cells.size(), 2u * (4 * 3 + 4 * 2 + 3 * 2));
  for (const CutCell& c : body.cells) {
    EXPECT_NEAR(c.volume, 1, 1e-11);
    double closed = 0;
    for (double a : c.area) closed += 1 - a;
    EXPECT_NEAR(closed, 1, 1e-11);
    EXPECT_NEAR(c.wall.norm(), 1, 1e-11);
  }
}

struct Rms {
  double sum = 0;
  int count = 0;
  void add(double error) { sum += error * error, ++count; }
  double value() const { return std::sqrt(sum / count); }
};

/// Exact sphere by fine columns: open part of a cell and of its low x face.
struct ExactSphere {
  Vec3 centre;
  double radius;

  double open_length(double low, double high, double mid, double r2) const {
    if (r2 >= radius * radius) return high - low;
    const double half = std::sqrt(radius * radius - r2);
    return high - low - std::max(0.0, std::min(high, mid + half) - std::max(low, mid - half));
  }
  double face(const Cell& c, int axis, int high) const {
    constexpr int kLines = 1000;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double d = c[axis] + high - centre[axis];
    double open = 0;
    for (int i = 0; i < kLines; ++i) {
      const double e = c[u] + (i + 0.5) / kLines - centre[u];
      open += open_length(c[v], c[v] + 1, centre[v], d * d + e * e) / kLines;
    }
    return open;
  }
  double cell(const Cell& c) const {
    constexpr int kLines = 120;
    double open = 0;
    for (int i = 0; i < kLines; ++i)
      for (int j = 0; j < kLines; ++j) {
        const double y = c[1] + (i + 0.5) / kLines - centre.y();
        const double z = c[2] + (j + 0.5) / kLines - centre.z();
        open += open_length(c[0], c[0] + 1, centre.x(), y * y + z * z) / (kLines * kLines);
      }
    return open;
  }
};

struct SphereErrors {
  double volume, area, wall;
};

SphereErrors sphere_errors(int n) {
  const ExactSphere exact{{8.13, 7.91, 8.37}, 5};
  const CutFractions body = cut_fractions(unit_grid(16), sphere_at(exact.centre, 5, n));
  Rms volume, area, wall;
  for (const CutCell& c : body.cells) {
    volume.add(c.volume - exact.cell(c.cell));
    Vec3 s;
    for (int d = 0; d < 3; ++d) {
      const double low = exact.face(c.cell, d, 0), high = exact.face(c.cell, d, 1);
      area.add(c.area[2 * d] - low);
      s[d] = high - low;
    }
    wall.add((c.wall - s).norm());
  }
  std::printf("sphere of %d triangles: rms V %.5f A %.5f S %.5f, volume %+.4f cells, %zu cut\n",
              20 * n * n, volume.value(), area.value(), wall.value(),
              solid_volume(body) - 4.0 / 3 * std::numbers::pi * 125, body.cells.size());
  return {volume.value(), area.value(), wall.value()};
}

TEST(CutFractionsAnalytic, a_sphere_has_small_errors_that_fall_with_the_mesh) {
  const SphereErrors coarse = sphere_errors(4), fine = sphere_errors(8);
  EXPECT_LT(coarse.volume, 0.0065);
  EXPECT_LT(coarse.area, 0.012);
  EXPECT_LT(coarse.wall, 0.030);
  EXPECT_LT(fine.volume, 0.0016);
  EXPECT_LT(fine.area, 0.003);
  EXPECT_LT(fine.wall, 0.0075);
  EXPECT_GT(std::log2(coarse.area / fine.area), 1.8);
}

TEST(CutFractions, walls_close_the_open_faces_of_every_cell) {
  const CutFractions body = cut_fractions(unit_grid(16), sphere_at({8.13, 7.91, 8.37}, 5, 8));
  ASSERT_GT(body.cells.size(), 400u);
  Vec3 total = Vec3::Zero();
  double area = 0;
  for (const CutCell& c : body.cells) {
    for (int d = 0; d < 3; ++d) EXPECT_NEAR(c.wall[d], c.area[2 * d + 1] - c.area[2 * d], 1e-12);
    total += c.wall;
    area += c.wall_area;
  }
  EXPECT_LT(total.norm(), 1e-11);
  EXPECT_NEAR(area, geometry::surface_area(sphere_at({8.13, 7.91, 8.37}, 5, 8)), 1e-9);
}

TEST(CutFractions, neighbours_agree_on_the_face_between_them) {
  const Grid grid = unit_grid(20);
  const CutFractions body = cut_fractions(grid, rotated_cube({9.87, 10.21, 10.03}, 8));
  for (const CutCell& a : body.cells)
    for (int d = 0; d < 3; ++d) {
      Cell next = a.cell;
      ++next[d];
      const auto b = std::ranges::find(body.cells, next, &CutCell::cell);
      if (b != body.cells.end())
        EXPECT_EQ(a.area[2 * d + 1], b->area[2 * d]);
      else
        EXPECT_EQ(a.area[2 * d + 1], is_solid(body.solid, next) ? 0 : 1);
    }
}

TEST(CutFractions, a_move_by_whole_cells_changes_no_bit) {
  const Grid grid{.origin = {-1, 2, 0.5}, .cell_size = 1.0 / 128, .size = {60, 50, 40}};
  TriMesh mesh = sphere_at(Vec3::Zero(), 4.3 / 128, 6);
  for (Vec3& v : mesh.vertices) v = (v * 0x1p40).array().round() * 0x1p-40;
  const auto at = [&](const Cell& c) {
    TriMesh moved = mesh;
    for (Vec3& v : moved.vertices) v += grid.origin + Vec3(c[0], c[1], c[2]) / 128;
    return cut_fractions(grid, moved);
  };
  const CutFractions a = at({10, 12, 9}), b = at({37, 21, 31});
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    const CutCell &p = a.cells[i], &q = b.cells[i];
    EXPECT_EQ(q.cell[0] - p.cell[0], 27);
    EXPECT_EQ(p.volume, q.volume);
    EXPECT_EQ(p.area, q.area);
    EXPECT_EQ(p.wall, q.wall);
    EXPECT_EQ(p.wall_area, q.wall_area);
  }
}

TEST(CutFractions, a_body_across_the_grids_edge_is_cut_as_in_a_larger_grid) {
  const TriMesh mesh = sphere_at({0.37, 9.61, 5.2}, 5.3, 7);
  const Grid small = unit_grid(10);
  const Grid large{.origin = Vec3::Constant(-8), .cell_size = 1, .size = {30, 30, 30}};
  const CutFractions inside = cut_fractions(small, mesh), whole = cut_fractions(large, mesh);
  std::size_t matched = 0;
  for (const CutCell& c : whole.cells) {
    const Cell here = {c.cell[0] - 8, c.cell[1] - 8, c.cell[2] - 8};
    if (!small.contains(here)) continue;
    const auto found = std::ranges::find(inside.cells, here, &CutCell::cell);
    ASSERT_NE(found, inside.cells.end());
    EXPECT_NEAR(found->volume, c.volume, 1e-12);
    for (int f = 0; f < cell_faces; ++f) EXPECT_NEAR(found->area[f], c.area[f], 1e-12);
    ++matched;
  }
  EXPECT_EQ(matched, inside.cells.size());
  for (int z = 0; z < 10; ++z)
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 10; ++x)
        EXPECT_EQ(is_solid(inside.solid, {x, y, z}), is_solid(whole.solid, {x + 8, y + 8, z + 8}));
}

TEST(CutFractions, bodies_outside_and_around_the_grid) {
  const CutFractions outside = cut_fractions(unit_grid(8), sphere_at({-9, 4, 30}, 5, 4));
  EXPECT_TRUE(outside.cells.empty());
  EXPECT_TRUE(outside.solid.empty());
  const CutFractions around = cut_fractions(unit_grid(8), sphere_at({4, 4, 4}, 300, 4));
  EXPECT_TRUE(around.cells.empty());
  EXPECT_DOUBLE_EQ(solid_volume(around), 512);
  // A floor far larger than the grid costs no more than what of it is in the grid.
  const TriMesh floor = geometry::transformed(geometry::box_mesh({1e6, 1e6, 1e6}, 1e6),
                                              Affine(Eigen::Translation3d(0, -5e5 + 2.25, 0)));
  EXPECT_NEAR(solid_volume(cut_fractions(unit_grid(8), floor)), 64 * 2.25, 1e-6);
}

double volume_error(const CutFractions& body, const CutFractions& right) {
  Rms rms;
  for (const CutCell& c : right.cells) {
    const auto found = std::ranges::find(body.cells, c.cell, &CutCell::cell);
    const double volume = found != body.cells.end()      ? found->volume
                          : is_solid(body.solid, c.cell) ? 0
                                                         : 1;
    rms.add(volume - c.volume);
  }
  return rms.value();
}

TEST(CutFractions, cracks_and_missing_triangles_stay_local) {
  const Grid grid = unit_grid(16);
  const TriMesh whole = sphere_at({8.13, 7.91, 8.37}, 5, 8);
  const CutFractions right = cut_fractions(grid, whole);

  TriMesh cracked;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shift(-1e-3, 1e-3);
  for (const geometry::Triangle& t : whole.triangles) {
    const auto first = static_cast<std::uint32_t>(cracked.vertices.size());
    for (auto v : t)
      cracked.vertices.push_back(whole.vertices[v] +
                                 Vec3(shift(random), shift(random), shift(random)));
    cracked.triangles.push_back({first, first + 1, first + 2});
  }
  const CutFractions cracks = cut_fractions(grid, cracked);

  TriMesh holed = whole;
  for (int i = 0; i < 10; ++i) holed.triangles.erase(holed.triangles.begin() + 100 * i);
  const CutFractions holes = cut_fractions(grid, holed);

  std::printf("V rms with cracks of 1e-3: %.5f, ten triangles missing: %.5f, residuals %.4f %.4f\n",
              volume_error(cracks, right), volume_error(holes, right), cracks.residual,
              holes.residual);
  EXPECT_LT(volume_error(cracks, right), 5e-4);
  EXPECT_LT(volume_error(holes, right), 0.016);
  EXPECT_GT(cracks.residual, 1e-5);
  EXPECT_GT(holes.residual, 0.05);
  for (const auto* body : {&cracks, &holes}) {
    ASSERT_EQ(body->solid.size(), right.solid.size());
    for (std::size_t i = 0; i < right.solid.size(); ++i)
      EXPECT_EQ(body->solid[i].begin, right.solid[i].begin);
  }
}

TEST(CutFractions, thin_walls_keep_their_volume_and_are_told_apart) {
  const TriMesh plate = geometry::transformed(geometry::box_mesh({6, 0.3, 6}, 6),
                                              Affine(Eigen::Translation3d(8.1, 8.5, 7.9)));
  const CutFractions body = cut_fractions(unit_grid(16), plate);
  EXPECT_NEAR(solid_volume(body), 6 * 6 * 0.3, 1e-9);
  EXPECT_GT(std::ranges::count_if(body.cells, &CutCell::has_two_walls), 20);
}

TEST(CutFractions, a_wall_drives_the_air_by_its_facing_area_and_a_thin_plate_by_both_sides) {
  const Wall plain{.area_vector = {0.6, 0.8, 0}, .area = 1.05};
  EXPECT_NEAR(plain.driving_area(), 1, 1e-15);
  const Wall plate{.area_vector = {0, 0.1, 0}, .area = 2};
  EXPECT_EQ(plate.driving_area(), 2);
  const Wall between{.area_vector = {0, 0, 0.625}, .area = 1};
  EXPECT_NEAR(between.driving_area(), 0.8125, 1e-15);
}

TEST(CutFractions, bodies_that_share_cells_add_up_and_overlaps_stay_solid) {
  const Grid grid = unit_grid(16);
  const auto slab = [&](double low, double high) {
    return cut_fractions(
        grid, geometry::transformed(geometry::box_mesh({4, high - low, 4}, 4),
                                    Affine(Eigen::Translation3d(8, (low + high) / 2, 8))));
  };
  const auto volume = [](const CutGeometry& g) {
    double v = 0;
    for (const OpenCell& c : g.whole.empty() ? g.cells : g.whole) v += 1 - c.volume;
    for (const SolidRun& run : g.solid) v += run.end - run.begin;
    return v;
  };
  const std::vector<CutFractions> touching = {slab(4.2, 7.3), slab(7.3, 9.9)};
  EXPECT_NEAR(volume(combined(grid, touching)), 16 * 5.7, 1e-9);
  const std::vector<CutFractions> overlapping = {slab(4.2, 9.3), slab(6.8, 11.4)};
  EXPECT_NEAR(volume(combined(grid, overlapping)), 16 * 7.2, 1e-9);
  for (const OpenCell& c : combined(grid, overlapping).cells) {
    EXPECT_GE(c.volume, 0);
    EXPECT_FALSE(c.cell[1] >= 5 && c.cell[1] <= 10 && c.cell[0] >= 6 && c.cell[0] < 10 &&
                 c.cell[2] >= 6 && c.cell[2] < 10);
  }
}

TEST(CutFractionsSlow, cost_grows_with_the_surface) {
  double seconds[2] = {};
  for (int level = 0; level < 2; ++level) {
    const double radius = level == 0 ? 20 : 80;
    const int side = static_cast<int>(2 * radius) + 6;
    const TriMesh mesh = sphere_at(Vec3::Constant(radius + 3.1), radius, level == 0 ? 16 : 64);
    std::size_t cells = 0;
    seconds[level] = 1e9;
    for (int repeat = 0; repeat < 5; ++repeat) {
      // Of the processor: the machine may be busy.
      const std::clock_t start = std::clock();
      cells = cut_fractions(unit_grid(side), mesh).cells.size();
      const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      seconds[level] = std::min(seconds[level], took);
    }
    std::printf("radius %g cells: %zu triangles, %zu cut cells, %.2f ms, %.2f us per cut cell\n",
                radius, mesh.triangles.size(), cells, 1e3 * seconds[level],
                1e6 * seconds[level] / static_cast<double>(cells));
  }
  // 16 times the surface, 64 times the volume.
  EXPECT_LT(seconds[1] / seconds[0], 40);
}

}  // namespace
}  // namespace peal::wave
