#include <peal/wave/cut_sides.h>
#include <peal/wave/field.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "wave/cut_bodies.h"
#include "wave/cut_reference.h"

namespace peal::wave {
namespace {

using geometry::Affine;
using geometry::TriMesh;

constexpr double kLimit = 0.999 * std::numbers::inv_sqrt3;

Grid unit_grid(int size) {
  return {.origin = Vec3::Zero(), .cell_size = 1, .size = {size, size, size}};
}

Affine pose(const Vec3& centre, double angle = 0.7) {
  return Eigen::Translation3d(centre) *
         Eigen::AngleAxisd(angle, Vec3(0.3, -0.5, 0.81).normalized());
}

/// The mesh and its inside out copy, as one hollow body.
TriMesh hollow(const TriMesh& outer, const TriMesh& inner) {
  TriMesh mesh = outer;
  const auto first = static_cast<std::uint32_t>(outer.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const geometry::Triangle& t : inner.triangles)
    mesh.triangles.push_back({first + t[0], first + t[2], first + t[1]});
  return mesh;
}

TriMesh thin_box(const Vec3& centre, double side, double wall, double angle = 0.7) {
  const auto box = [&](double size) {
    return geometry::transformed(geometry::box_mesh(Vec3::Constant(size), 0.3 * size),
                                 pose(centre, angle));
  };
  return hollow(box(side), box(side - 2 * wall));
}

/// A walled-in tone, and the largest pressure in and out of the walls.
struct Leak {
  double inside = 0, outside = 0;
  double level() const { return 20 * std::log10(outside / inside); }
};

template <class IsInside>
Leak leak_of(const Grid& grid, const CutGeometry& g, const Vec3& source, const IsInside& is_inside,
             int steps = 400) {
  Stepper<double> list(grid, {.lambda = kLimit});
  list.cells.place(g);
  Leak leak;
  for (int n = 0; n < steps; ++n) {
    list.step();
    list.p[grid.index(grid.cell_of(source))] += std::sin(0.3 * n);
    for_each_cell(grid.size, [&](const Cell& c) {
      const double inner = is_inside(grid.centre(c));
      if (std::abs(inner) < 1.8) return;
      const double p = std::abs(list.p[grid.index(c)]);
      double& largest = inner > 0 ? leak.inside : leak.outside;
      largest = std::max(largest, p);
    });
  }
  return leak;
}

TEST(CutSheet, a_closed_box_with_thin_walls_is_silent_outside) {
  const Grid grid = unit_grid(24);
  const Vec3 centre(12.1, 11.8, 12.3);
  for (const double wall : {0.05, 0.2, 0.6})
    for (const double angle : {0.0, 0.7}) {
      const CutFractions body = cut_fractions(grid, thin_box(centre, 11, wall, angle));
      const CutGeometry g = combined(grid, std::span(&body, 1));
      const Affine back = pose(centre, angle).inverse();
      const Leak leak = leak_of(
          grid, g, centre, [&](const Vec3& x) { return 5.5 - (back * x).cwiseAbs().maxCoeff(); });
      std::printf("box, wall %.2f cells, turned %.1f: inside %.2f, outside %.2e; %zu divided\n",
                  wall, angle, leak.inside, leak.outside, g.divided.size());
      EXPECT_GT(leak.inside, 1);
      EXPECT_LT(leak.outside, 1e-3 * leak.inside);
    }
}

TEST(CutSheet, a_closed_sheet_without_thickness_is_silent_outside) {
  const Grid grid = unit_grid(24);
  const Vec3 centre(12.1, 11.8, 12.3);
  const CutFractions sheet = cut_sheet(grid, sphere_at(centre, 6.3, 6));
  const CutGeometry g = combined(grid, std::span(&sheet, 1));
  const Leak leak =
      leak_of(grid, g, centre, [&](const Vec3& x) { return 6.3 - (x - centre).norm(); });
  std::printf("sphere without thickness: inside %.2f, outside %.2e\n", leak.inside, leak.outside);
  EXPECT_GT(leak.inside, 1);
  EXPECT_EQ(leak.outside, 0);
}

TEST(CutSheet, sides_of_divided_cells_add_up_and_close) {
  const Grid grid = unit_grid(20);
  const Vec3 centre(10.1, 9.8, 10.3);
  const std::vector<CutFractions> bodies = {cut_fractions(grid, thin_box(centre, 9, 0.2))};
  const std::vector<CutFractions> sheets = {cut_sheet(grid, sphere_at(centre, 6.3, 6))};
  for (const auto& parts : {bodies, sheets}) {
    const CutGeometry g = combined(grid, parts);
    EXPECT_GT(g.divided.size(), 100u);
    double volume = 0, expected = 0;
    for (const OpenCell& c : g.whole) expected += 1 - c.volume;
    std::size_t index = ~std::size_t{0};
    for (const OpenCell& c : g.cells) {
      volume += (grid.index(c.cell) != index ? 1 : 0) - c.volume;
      index = grid.index(c.cell);
    }
    EXPECT_NEAR(volume, expected, 1e-9);
    std::vector<Vec3> open(g.cells.size(), Vec3::Zero()), wall(g.cells.size(), Vec3::Zero());
    for (const Link& link : g.links) {
      if (link.inner) continue;
      for (int d = 0; d < 3; ++d) {
        const int step = g.cells[link.b].cell[d] - g.cells[link.a].cell[d];
        open[link.a][d] += step * link.area;
        open[link.b][d] -= step * link.area;
      }
    }
    for (std::size_t i = 0; i < g.cells.size(); ++i)
      for (int f = 0; f < kFaces; ++f) open[i][f / 2] += (f % 2 ? 1 : -1) * g.cells[i].area[f];
    for (const Wall& w : g.walls) wall[w.cell] += w.area_vector;
    double worst = 0;
    for (const DividedCell& d : g.divided)
      for (int s = 0; s < d.sides; ++s)
        worst = std::max(worst, (open[d.first + s] - wall[d.first + s]).norm());
    EXPECT_LT(worst, 1e-9);
  }
}

/// Exactly constant at rest: sum of Vs (p - p_old)^2 + lambda^2 sum of A dp dp_old.
double energy(Stepper<double>& list) {
  CutCells<double>& cells = list.cells;
  const double l2 = list.scheme.lambda * list.scheme.lambda;
  const auto at = [&](const std::vector<double>& p, std::span<double> extra, std::uint32_t place) {
    return place & kExtraPlace ? extra[place & ~kExtraPlace] : p[place];
  };
  const auto now = [&](std::uint32_t place) { return at(list.p, cells.extra(), place); };
  const auto old = [&](std::uint32_t place) { return at(list.p_old, cells.extra_old(), place); };
  const Grid& grid = list.grid;
  std::vector<double> volume(grid.cells(), 1);
  std::vector<std::array<double, kFaces>> area(grid.cells(), {1, 1, 1, 1, 1, 1});
  double sum = 0;
  for (std::size_t i = 0; i < cells.nodes().size(); ++i) {
    const CutNode<double>& node = cells.nodes()[i];
    if (node.cell & kExtraPlace) {
      const double rate = now(node.cell) - old(node.cell);
      sum += cells.stable_volumes()[i] * rate * rate;
    } else {
      volume[node.cell] = cells.stable_volumes()[i];
      for (int f = 0; f < kFaces; ++f) area[node.cell][f] = node.area[f];
    }
  }
  for (const NodeLink<double>& link : cells.links())
    sum += l2 * link.area * (now(link.place_b) - now(link.place_a)) *
           (old(link.place_b) - old(link.place_a));
  for_each_cell(grid.size, [&](const Cell& c) {
    const std::size_t i = grid.index(c);
    sum += volume[i] * std::pow(list.p[i] - list.p_old[i], 2);
    for (int d = 0; d < 3; ++d) {
      Cell next = c;
      ++next[d];
      if (!grid.contains(next)) continue;
      const std::size_t j = grid.index(next);
      const double a = std::min(area[i][2 * d + 1], area[j][2 * d]);
      sum += l2 * a * (list.p[j] - list.p[i]) * (list.p_old[j] - list.p_old[i]);
    }
  });
  return sum;
}

TEST(CutSheet, energy_is_conserved_around_thin_walls) {
  const Grid grid = unit_grid(20);
  const Vec3 centre(10.1, 9.8, 10.3);
  const TriMesh disc =
      geometry::transformed(geometry::disc_mesh(6, 1.5), pose({9.3, 10.4, 9.1}, 0.4));
  const std::vector<CutFractions> bodies = {
      cut_fractions(grid, thin_box(centre, 9, 0.2)), cut_sheet(grid, disc),
      cut_fractions(grid, sphere_at({12.2, 10.1, 11.3}, 2.7, 4))};
  for (const bool borrow : {false, true}) {
    Stepper<double> list(grid, {.lambda = kLimit, .borrow = borrow});
    const CutGeometry g = combined(grid, bodies);
    list.cells.place(g);
    list.fill_with_noise(DenseCutReference(grid, list.scheme, g));
    list.step();
    const double start = energy(list);
    for (int n = 0; n < 3000; ++n) list.step();
    std::printf("energy %.12g, relative change after 3000 steps %.2e, %zu divided cells\n", start,
                energy(list) / start - 1, g.divided.size());
    EXPECT_GT(start, 1);
    EXPECT_LT(std::abs(energy(list) / start - 1), 1e-11);
  }
}

}  // namespace
}  // namespace peal::wave
