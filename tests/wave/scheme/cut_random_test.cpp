#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <span>

#include "wave/cut_bodies.h"
#include "wave/cut_reference.h"

namespace peal::wave {
namespace {

using geometry::Affine;
using geometry::TriMesh;

const Grid kRandomGrid{.origin = {-0.3, 0.2, 0.1}, .cell_size = 0.01, .size = {22, 20, 18}};

/// Boxes, cones, cylinders and tori: turned at random, or in line with the grid with their faces
/// at whole, half and other parts of a cell.
class RandomBodies {
 public:
  TriMesh next() {
    const Vec3 size = {steps(10, 70), steps(10, 70), steps(10, 70)};
    TriMesh mesh = shape(size);
    Affine pose = Affine::Identity();
    if (number(0, 1) < 0.5) {
      pose.rotate(
          Eigen::AngleAxisd(number(0, 6), Vec3(number(-1, 1), number(-1, 1), 1).normalized()));
    }
    const Vec3 middle = kRandomGrid.origin + Vec3(0.11, 0.1, 0.09);
    pose.pretranslate(middle + Vec3(steps(-20, 20), steps(-20, 20), steps(-20, 20)));
    return geometry::transformed(mesh, pose);
  }

 private:
  TriMesh shape(const Vec3& size) {
    switch (random_() % 4) {
      case 0:
        return geometry::box_mesh(size, number(0.005, 0.1));
      case 1:
        return geometry::cylinder_mesh(size.x() / 2, size.y(), number(0.004, 0.03));
      case 2:
        return geometry::cone_mesh(size.x() / 2, 0, size.y(), number(0.004, 0.03));
      default:
        return geometry::torus_mesh(0.03, size.x() / 8, number(0.004, 0.01));
    }
  }
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  /// Multiples of a quarter of a cell [m], or anything [mm].
  double steps(double low, double high) {
    const double mm = number(low, high);
    return 1e-3 * (random_() % 2 ? 2.5 * std::round(mm / 2.5) : mm);
  }

  std::mt19937 random_{11};
};

double open_area(const CutFractions& body, const Cell& cell, int face) {
  const auto found = std::ranges::find(body.cells, cell, &CutCell::cell);
  if (found != body.cells.end()) return found->area[face];
  return is_solid(body.solid, cell) ? 0 : 1;
}

TEST(CutRandomFuzz, volume_closure_and_shared_faces_are_right_for_any_body) {
  RandomBodies bodies;
  for (int i = 0; i < 200; ++i) {
    const TriMesh mesh = bodies.next();
    const CutFractions body = cut_fractions(kRandomGrid, mesh);
    double volume = 0;
    for (const SolidRun& run : body.solid) volume += run.end - run.begin;
    for (const CutCell& c : body.cells) {
      volume += 1 - c.volume;
      for (int d = 0; d < 3; ++d) {
        ASSERT_NEAR(c.wall[d], c.area[2 * d + 1] - c.area[2 * d], 1e-10) << i;
        for (int side = 0; side < 2; ++side) {
          Cell next = c.cell;
          next[d] += side ? 1 : -1;
          if (!kRandomGrid.contains(next)) continue;
          ASSERT_EQ(c.area[2 * d + side], open_area(body, next, 2 * d + 1 - side)) << i;
        }
      }
    }
    const double exact = geometry::signed_volume(mesh) / std::pow(kRandomGrid.cell_size, 3);
    ASSERT_NEAR(volume, exact, 1e-8 * exact) << i;
    ASSERT_LT(body.residual, 1e-10) << i;
  }
}

TEST(CutRandomFuzz, triangles_without_sense_give_bounded_fractions) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> x(-0.1, 0.35);
  for (int i = 0; i < 200; ++i) {
    TriMesh soup;
    for (std::uint32_t v = 0; v < 30; v += 3) {
      for (int k = 0; k < 3; ++k)
        soup.vertices.push_back(kRandomGrid.origin + Vec3(x(random), x(random), x(random)));
      soup.triangles.push_back({v, v + 1, i % 2 ? v : v + 2});
    }
    const CutFractions body = cut_fractions(kRandomGrid, soup);
    for (const CutCell& c : body.cells) {
      ASSERT_TRUE(kRandomGrid.contains(c.cell));
      ASSERT_TRUE(c.volume >= 0 && c.volume <= 1);
      for (double a : c.area) ASSERT_TRUE(a >= 0 && a <= 1);
    }
    for (const WallPatch& patch : body.patches) ASSERT_TRUE(patch.centre.allFinite());
  }
}

/// As if no wall were thin, which the dense reference knows nothing about.
CutGeometry undivided(const CutGeometry& g) {
  if (g.lattices.empty()) return g;
  return {.cells = g.whole, .walls = g.whole_walls, .solid = g.solid};
}

// Two spheres drive through each other, and one of them out of the grid.
TEST(CutRandomFuzz, bodies_that_meet_overlap_and_leave_equal_the_dense_reference) {
  const Grid grid{.origin = Vec3::Zero(), .cell_size = 1, .size = {16, 14, 15}};
  const CutScheme scheme{.lambda = 0.999 * std::numbers::inv_sqrt3, .gamma = 0.1};
  const auto at = [&](int n) {
    const std::vector<CutFractions> bodies = {
        cut_fractions(grid, sphere_at({2.7 + 0.15 * n, 6.4, 7.3}, 2.6, 4)),
        cut_fractions(grid, sphere_at({12.1 - 0.13 * n, 7.1, 7.9 - 0.05 * n}, 2.2, 4))};
    return undivided(combined(grid, bodies));
  };
  CutGeometry g = at(0);
  DenseCutReference reference(grid, scheme, g);
  Stepper<double> list(grid, scheme);
  list.cells.index(g);
  list.fill_with_noise(reference);
  reference.p = reference.p_old = list.p;
  const double start = list.rms();
  const std::vector<double> none(grid.cells());
  for (int n = 1; n <= 110; ++n) {
    g = at(n);
    list.cells.move(g);
    list.cells.resolve_changes(list.p, list.p_old, none, none);
    reference.move(g, none, none);
    list.step();
    reference.step(none);
    ASSERT_LT(largest_difference(list.p, reference.p), 1e-12) << n;
    ASSERT_LT(list.rms(), 3 * start) << n;
  }
}

}  // namespace
}  // namespace peal::wave
