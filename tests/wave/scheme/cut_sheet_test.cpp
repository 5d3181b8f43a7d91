#include <peal/wave/boundary/cut_sides.h>
#include <peal/wave/grid/field.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "wave/cut_bodies.h"
#include "wave/cut_motion.h"
#include "wave/cut_reference.h"

namespace peal::wave {
namespace {

using geometry::Affine;
using geometry::TriMesh;

constexpr double kSheetLimit = 0.999 * std::numbers::inv_sqrt3;

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
  Stepper<double> list(grid, {.lambda = kSheetLimit});
  list.cells.index(g);
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
                  wall, angle, leak.inside, leak.outside, g.split.size());
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
    EXPECT_GT(g.split.size(), 100u);
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
      for (int f = 0; f < cell_faces; ++f) open[i][f / 2] += (f % 2 ? 1 : -1) * g.cells[i].area[f];
    for (const Wall& w : g.walls) wall[w.cell] += w.area_vector;
    double worst = 0;
    for (const SplitCell& d : g.split) {
      // What a wall that ends in the cell leaves open belongs to no wall.
      if (std::ranges::find(g.lattices, d.cell, &LatticeCell::cell)->rim) continue;
      for (int s = 0; s < d.sides; ++s)
        worst = std::max(worst, (open[d.first + s] - wall[d.first + s]).norm());
    }
    EXPECT_LT(worst, 1e-9);
  }
}

/// Exactly constant at rest: sum of Vs (p - p_old)^2 + lambda^2 sum of A dp dp_old.
double energy(Stepper<double>& list) {
  CutCells<double>& cells = list.cells;
  const double l2 = list.scheme.lambda * list.scheme.lambda;
  const auto at = [&](const std::vector<double>& p, std::span<double> extra, CellIndex index) {
    return index & extra_index ? extra[index & ~extra_index] : p[index];
  };
  const auto now = [&](CellIndex index) { return at(list.p, cells.extra(), index); };
  const auto old = [&](CellIndex index) { return at(list.p_old, cells.extra_old(), index); };
  const Grid& grid = list.grid;
  std::vector<double> volume(grid.cells(), 1);
  std::vector<std::array<double, cell_faces>> area(grid.cells(), {1, 1, 1, 1, 1, 1});
  double sum = 0;
  for (std::size_t i = 0; i < cells.nodes().size(); ++i) {
    const CutNode<double>& node = cells.nodes()[i];
    if (node.cell & extra_index) {
      const double rate = now(node.cell) - old(node.cell);
      sum += cells.stable_volumes()[i] * rate * rate;
    } else {
      volume[node.cell] = cells.stable_volumes()[i];
      for (int f = 0; f < cell_faces; ++f) area[node.cell][f] = node.area[f];
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
    Stepper<double> list(grid, {.lambda = kSheetLimit, .borrow = borrow});
    const CutGeometry g = combined(grid, bodies);
    list.cells.index(g);
    list.fill_with_noise(DenseCutReference(grid, list.scheme, g));
    list.step();
    const double start = energy(list);
    for (int n = 0; n < 3000; ++n) list.step();
    std::printf("energy %.12g, relative change after 3000 steps %.2e, %zu divided cells\n", start,
                energy(list) / start - 1, g.split.size());
    EXPECT_GT(start, 1);
    EXPECT_LT(std::abs(energy(list) / start - 1), 1e-11);
  }
}

/// Energy of a pulse behind a square plate relative to that without it [dB], over 18 places in its
/// shadow, before the first echo of the box. Thickness and places are in cells of the coarse grid;
/// the grid is `finer` times finer.
double shadow(double thickness, double angle, int finer) {
  const Grid grid{Vec3::Zero(), 1.0 / finer, {36 * finer, 40 * finer, 36 * finer}};
  const auto received = [&](bool plate) {
    std::vector<CutFractions> bodies;
    if (plate) {
      const TriMesh mesh = geometry::transformed(geometry::box_mesh({22, thickness, 22}, 22),
                                                 pose({18.2, 20.1, 17.9}, angle));
      bodies.push_back(cut_fractions(grid, mesh));
    }
    Stepper<float> list(grid, {.lambda = kSheetLimit});
    list.cells.index(combined(grid, bodies));
    const std::size_t source = grid.index(grid.cell_of({18.5, 10.5, 18.5}));
    double energy = 0;
    for (int n = 0; n < 70 * finer; ++n) {
      list.step();
      list.p[source] +=
          static_cast<float>(std::exp(-0.5 * std::pow((n / double(finer) - 12) / 3, 2)));
      for (int i = 0; i < 18; ++i) {
        const Vec3 index(14.5 + 4 * (i % 3), 26.5 + 3 * (i / 9), 14.5 + 4 * (i / 3 % 3));
        const std::size_t behind = grid.index(grid.cell_of(index));
        energy += std::pow(static_cast<double>(list.p[behind] - list.p_old[behind]), 2);
      }
    }
    return energy;
  };
  return 10 * std::log10(received(true) / received(false));
}

// A thicker plate casts a deeper shadow (-12 dB at 4 cells, -9 dB at 0.2: sound that bends around
// two edges in turn loses more than around one), so the thin plate is held against itself on finer
// grids, where the same plate is resolved.
TEST(CutSheetSlow, a_plate_of_a_fifth_of_a_cell_casts_the_shadow_it_has_on_a_fine_grid) {
  for (const double thickness : {0.2, 4.0})
    for (const double angle : {0.0, 0.7}) {
      const double coarse = shadow(thickness, angle, 1), fine = shadow(thickness, angle, 3);
      std::printf("shadow of a plate of %.1f cells, turned %.1f: %.2f dB, on a fine grid %.2f dB\n",
                  thickness, angle, coarse, fine);
      EXPECT_LT(coarse, -8);
      EXPECT_NEAR(coarse, fine, thickness < 1 ? 0.25 : 0.6);
    }
}

TEST(CutSheet, sheets_that_meet_close_a_box) {
  const Grid grid = unit_grid(20);
  const Affine turned = pose({10.1, 9.8, 10.3});
  std::vector<CutFractions> plates;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-4.0, 4.0}) {
      // Larger than the box: each crosses its neighbours.
      Affine index = Affine::Identity();
      if (axis == 0) index = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ());
      if (axis == 2) index = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX());
      index = Eigen::Translation3d(side * Vec3::Unit(axis)) * index;
      plates.push_back(cut_sheet(
          grid, geometry::transformed(geometry::plane_mesh(9.5, 9.5, 3), turned * index)));
    }
  const Leak leak = leak_of(grid, combined(grid, plates), {10.1, 9.8, 10.3}, [&](const Vec3& x) {
    return 4 - (turned.inverse() * x).cwiseAbs().maxCoeff();
  });
  std::printf("six crossing sheets: inside %.2f, outside %.2e\n", leak.inside, leak.outside);
  EXPECT_GT(leak.inside, 0.5);
  EXPECT_LT(leak.outside, 1e-3 * leak.inside);
}

TEST(CutSheet, a_moving_closed_sheet_is_silent_outside_and_stable) {
  const Grid grid = unit_grid(22);
  const auto at = [&](double way) {
    const CutFractions sheet =
        cut_sheet(grid, sphere_at(Vec3(9.1, 10.8, 11.3) + way * Vec3(0.82, 0.43, -0.38), 5.3, 5));
    return combined(grid, std::span(&sheet, 1));
  };
  Stepper<float> list(grid, {.lambda = kSheetLimit, .gamma = 0.1});
  list.cells.index(at(0));
  float outside = 0, inside = 0;
  for (int key = 0; key < 20; ++key) {
    const CutInterval keys = interval(grid, at(0.2 * key), at(0.2 * (key + 1)));
    list.cells.enter(keys);
    const std::vector<float> none(keys.from.size());
    for (int n = 1; n <= 8; ++n) {
      list.cells.advance(n / 8.0);
      list.cells.resolve_changes(list.p, list.p_old, none, none);
      list.step();
      const Vec3 centre = Vec3(9.1, 10.8, 11.3) + 0.2 * (key + n / 8.0) * Vec3(0.82, 0.43, -0.38);
      if (key < 4)
        list.p[grid.index(grid.cell_of(centre))] += std::sin(0.4f * static_cast<float>(n));
      for_each_cell(grid.size, [&](const Cell& c) {
        const double distance = (grid.centre(c) - centre).norm();
        float& most = distance > 7 ? outside : inside;
        if (distance > 7 || distance < 3.5) most = std::max(most, std::abs(list.p[grid.index(c)]));
      });
    }
  }
  std::printf("moving sphere without thickness: inside %.2f, outside %.2e\n",
              static_cast<double>(inside), static_cast<double>(outside));
  EXPECT_GT(inside, 0.5f);
  EXPECT_LT(inside, 20.0f);
  EXPECT_EQ(outside, 0.0f);
}

TEST(CutSheet, a_probe_reads_its_own_side_of_a_divided_cell) {
  const Grid grid = unit_grid(16);
  const Vec3 centre(8.2, 7.9, 8.1);
  const CutFractions sheet = cut_sheet(grid, sphere_at(centre, 5.2, 6));
  Stepper<double> list(grid, {.lambda = kSheetLimit});
  list.cells.index(combined(grid, std::span(&sheet, 1)));
  for (int n = 0; n < 100; ++n) {
    list.step();
    list.p[grid.index({8, 7, 8})] += 1;
  }
  const Vec3 direction = Vec3(0.3, 0.8, -0.52).normalized();
  EXPECT_GT(list.cells.pressure_at(list.p, centre + 4.8 * direction), 0.1);
  EXPECT_EQ(list.cells.pressure_at(list.p, centre + 5.6 * direction), 0);
}

/// First resonance of a bowl: a sphere of radius 50 mm with an opening of 60 degrees, no thickness.
double bowl_resonance(double h) {
  const int size = static_cast<int>(std::lround(0.4 / h));
  const Grid grid{Vec3::Constant(-0.2), h, {size, size, size}};
  TriMesh bowl = geometry::sphere_mesh(0.05, 0.004);
  std::erase_if(bowl.triangles, [&](const geometry::Triangle& t) {
    const Vec3 middle = (bowl.vertices[t[0]] + bowl.vertices[t[1]] + bowl.vertices[t[2]]) / 3;
    return middle.normalized().dot(Vec3(0.36, 0.8, 0.48).normalized()) >
           std::cos(std::numbers::pi / 6);
  });
  const CutFractions sheet = cut_sheet(grid, bowl);
  Stepper<float> list(grid, {.lambda = kSheetLimit});
  list.cells.index(combined(grid, std::span(&sheet, 1)));
  const double dt = kSheetLimit * h / 343.2;
  std::vector<double> received;
  for (int n = 0; n * dt < 0.03; ++n) {
    const std::vector<float> before = list.p_old;
    list.step();
    absorb_at_walls(grid, kSheetLimit, before, list.p);
    const std::size_t middle = grid.index(grid.cell_of(Vec3(0, -0.02, 0)));
    list.p[middle] += static_cast<float>(std::exp(-0.5 * std::pow((n * dt - 1e-3) / 2e-4, 2)));
    if (n * dt > 3e-3) received.push_back(static_cast<double>(list.p[middle]));
  }
  double best = 0, at = 0;
  for (double f = 300; f < 1200; f += 2) {
    double re = 0, im = 0;
    for (std::size_t i = 0; i < received.size(); ++i) {
      re += received[i] * std::cos(2 * std::numbers::pi * f * dt * static_cast<double>(i));
      im += received[i] * std::sin(2 * std::numbers::pi * f * dt * static_cast<double>(i));
    }
    if (re * re + im * im > best) best = re * re + im * im, at = f;
  }
  std::printf("bowl on %g mm cells: %.0f Hz\n", 1e3 * h, at);
  return at;
}

TEST(CutSheetSlow, a_bowl_without_thickness_rings_at_its_converged_frequency) {
  const double coarse = bowl_resonance(0.01), fine = bowl_resonance(0.005);
  EXPECT_NEAR(coarse, fine, 0.04 * fine);
}

}  // namespace
}  // namespace peal::wave
