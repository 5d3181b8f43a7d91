#include <peal/geometry/mesh/polygon.h>
#include <peal/geometry/shapes/planar_mesh.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

double covered_area(const std::vector<Vec2>& points, const Triangles& triangles) {
  double area = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const double part = signed_area({points[a], points[b], points[c]});
    EXPECT_GT(part, 0.0);
    area += part;
  }
  return area;
}

/// A star-shaped outline around `centre` with a random radius at each of n directions.
Polygon random_star(Random& random, const Vec2& centre, double low, double high, int n) {
  Polygon star;
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / n, radius = random.uniform(low, high);
    star.push_back(centre + radius * Vec2(std::cos(angle), std::sin(angle)));
  }
  return star;
}

TEST(Polygon, OrientationIsRightWhereDoublesCannotTell) {
  // c is one unit in the last place above the line through a and b.
  const Vec2 a(0.5, 0.5), b(12.0, 12.0);
  EXPECT_EQ(orientation(a, b, Vec2(24.0, 24.0)), 0);
  EXPECT_EQ(orientation(a, b, Vec2(24.0, std::nextafter(24.0, 25.0))), 1);
  EXPECT_EQ(orientation(a, b, Vec2(std::nextafter(24.0, 25.0), 24.0)), -1);
  EXPECT_EQ(orientation(Vec2(0.5 + 0x1p-53, 0.5), b, Vec2(24.0, 24.0)), -1);
}

TEST(Polygon, ContainsAgreesWithTheRadiusOfAStar) {
  Random random(3);
  const Polygon star = random_star(random, {0.2, -0.1}, 0.5, 1.0, 25);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec2 p(random.uniform(-1, 1.4), random.uniform(-1.2, 1));
    double winding = 0.0;
    for (std::size_t k = 0; k < star.size(); ++k) {
      const Vec2 u = star[k] - p, v = star[(k + 1) % star.size()] - p;
      winding += std::atan2(u.x() * v.y() - u.y() * v.x(), u.dot(v));
    }
    EXPECT_EQ(contains(star, p), winding > std::numbers::pi);
    inside += contains(star, p);
  }
  EXPECT_GT(inside, 300);
}

TEST(Polygon, CrossingsAreFound) {
  const Polygon square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_FALSE(first_crossing({square}));
  EXPECT_TRUE(first_crossing({{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}));
  EXPECT_TRUE(first_crossing({{{0, 0}, {1, 0}, {0.5, 0}, {0.5, 1}}}));        // folds back
  EXPECT_TRUE(first_crossing({square, {{0.5, 0}, {0.6, 0.5}, {0.4, 0.5}}}));  // touches
  EXPECT_FALSE(first_crossing({square, {{0.5, 0.1}, {0.6, 0.5}, {0.4, 0.5}}}));
  EXPECT_FALSE(first_crossing({{{0, 0}, {0.5, 0}, {1, 0}, {1, 1}}}));  // in line
}

TEST(Polygon, EarClippingCoversRandomStarsWithHoles) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Polygon outline =
        random_star(random, {0, 0}, 1.5, 4.0, 5 + static_cast<int>(random.index(60)));
    std::vector<Polygon> holes;
    for (int h = 0; h < trial % 5; ++h) {
      const Vec2 centre(0.7 * std::cos(1.6 * h), 0.7 * std::sin(1.6 * h));
      holes.push_back(
          random_star(random, centre, 0.1, 0.4, 3 + static_cast<int>(random.index(20))));
      std::reverse(holes.back().begin(), holes.back().end());
    }
    std::vector<Polygon> all = holes;
    all.push_back(outline);
    if (first_crossing(all)) continue;
    std::vector<Vec2> points = outline;
    double area = signed_area(outline);
    for (const Polygon& hole : holes) {
      points.insert(points.end(), hole.begin(), hole.end());
      area += signed_area(hole);
    }
    const Triangles triangles = ear_clipping(outline, holes);
    EXPECT_EQ(triangles.size(), points.size() + 2 * holes.size() - 2);
    EXPECT_NEAR(covered_area(points, triangles), area, 1e-12);
  }
}

TEST(Polygon, CollinearCornersAndAlignedHolesAreNoTrouble) {
  // A grid of square holes: every bridge candidate is in line with corners of other holes.
  Polygon outline;
  for (int i = 0; i < 9; ++i) outline.push_back({i, 0});
  for (int i = 0; i < 9; ++i) outline.push_back({9, i});
  for (int i = 9; i > 0; --i) outline.push_back({i, 9});
  for (int i = 9; i > 0; --i) outline.push_back({0, i});
  std::vector<Polygon> holes;
  for (int i = 1; i < 8; i += 2)
    for (int j = 1; j < 8; j += 2)
      holes.push_back({{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}});
  std::vector<Vec2> points = outline;
  for (const Polygon& hole : holes) points.insert(points.end(), hole.begin(), hole.end());
  EXPECT_NEAR(covered_area(points, ear_clipping(outline, holes)), 81.0 - 16.0, 1e-12);
}

TEST(PlanarMesh, FillsAPolygonWithGoodTriangles) {
  const Polygon outline = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const std::vector<Polygon> holes = {{{0.3, 0.3}, {0.3, 0.6}, {0.6, 0.6}, {0.6, 0.3}}};
  const double h = 0.04;
  const PlanarMesh mesh = mesh_polygon(outline, holes, h);
  EXPECT_NEAR(covered_area(mesh.points, mesh.triangles), 0.91, 1e-12);
  double smallest = 180.0, longest = 0.0;
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vec2 u = mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
      const Vec2 v = mesh.points[t[(k + 2) % 3]] - mesh.points[t[k]];
      longest = std::max(longest, u.norm());
      smallest = std::min(smallest, std::atan2(u.x() * v.y() - u.y() * v.x(), u.dot(v)));
    }
  EXPECT_LE(longest, 1.5 * h);
  EXPECT_GE(smallest * 180 / std::numbers::pi, 25.0);
  EXPECT_LT(mesh.triangles.size(), 2.6 * 0.91 / (0.433 * h * h));
}

TEST(PlanarMesh, TurnedPolygonsWithRoundedCollinearSidesAreFilled) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    Polygon outline = {{0, 0}, {1, 0}, {1, 0.4}, {0.4, 0.4}, {0.4, 1}, {0, 1}};
    if (trial % 2 == 0) outline = random_star(random, {0, 0}, 0.3, 1.0, 5 + trial / 5);
    const Eigen::Rotation2Dd turn(random.uniform(0.0, 6.3));
    const Vec2 shift(random.uniform(-100, 100), random.uniform(-100, 100));
    for (Vec2& p : outline) p = turn * p + shift;
    const double h = random.uniform(0.05, 0.3);
    const PlanarMesh mesh = mesh_polygon(outline, {}, h);
    EXPECT_NEAR(covered_area(mesh.points, mesh.triangles), signed_area(outline), 1e-10);
    EXPECT_LT(static_cast<double>(mesh.triangles.size()),
              200.0 + 20.0 * signed_area(outline) / (h * h));
  }
}

TEST(PlanarMesh, NeedlesAndCombsKeepTheirArea) {
  Polygon comb = {{0, 0}, {2, 0}};
  for (int i = 20; i > 0; --i) {
    comb.push_back({0.1 * i, 1.0});
    comb.push_back({0.1 * i - 0.095, 0.01});
  }
  const PlanarMesh mesh = mesh_polygon(comb, {}, 0.05);
  EXPECT_NEAR(covered_area(mesh.points, mesh.triangles), signed_area(comb), 1e-12);
}

}  // namespace
}  // namespace peal::geometry
