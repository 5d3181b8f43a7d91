#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/hex_rows.h>
#include <peal/geometry/volume/hex_shapes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// Whether no cell lies upon another along t, and all are thinner that way than along r and s.
bool is_thin_layer(const HexMesh& mesh) {
  return is_layer(rows_of(mesh)) &&
         std::ranges::all_of(mesh.hexes, [&](const Hex& hex) { return is_thin(mesh, hex); });
}

/// Closed, facing outward.
double enclosed(const HexMesh& mesh) {
  const TriMesh surface = surface_of(mesh).mesh;
  const MeshTopology topology = mesh_topology(surface);
  for (std::uint32_t edge = 0; edge < topology.edges.size(); ++edge) {
    EXPECT_TRUE(topology.is_manifold(edge) && consistently_oriented(surface, topology, edge));
  }
  return signed_volume(surface);
}

TEST(HexShapes, ABoxHasItsVolumeAndTheCellsAskedFor) {
  for (const int across : {0, 1, 2}) {
    const HexMesh mesh = box_hexes({0.3, 0.2, 0.1}, {3, 4, 5}, across);
    EXPECT_EQ(mesh.hexes.size(), 60u);
    EXPECT_EQ(mesh.vertices.size(), 4u * 5u * 6u);
    EXPECT_NEAR(enclosed(mesh), 0.006, 1e-15);
    const Hex& hex = mesh.hexes[0];  // corner 4 is next to corner 0 along t
    Vec3 t = mesh.vertices[hex[4]] - mesh.vertices[hex[0]];
    t[across] = 0.0;
    EXPECT_NEAR(t.norm(), 0.0, 1e-15);
    const HexMesh other = box_hexes({0.3, 0.2, 0.1}, {3, 4, 5}, across, (across + 2) % 3);
    EXPECT_NEAR(enclosed(other), 0.006, 1e-15) << "right-handed too";
  }
}

TEST(HexShapesAnalytic, ABowlWithItsPoleTendsToItsVolume) {
  std::vector<Vec2> profile;
  for (int i = 0; i <= 60; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / 60;
    profile.emplace_back(i == 0 ? 0.0 : 0.05 * std::sin(angle), -0.05 * std::cos(angle));
  }
  const double exact = 2.0 / 3.0 * std::numbers::pi * (std::pow(0.05, 3) - std::pow(0.048, 3));
  const double coarse = enclosed(lathe_hexes(profile, 0.002, 16, 8)) / exact - 1.0;
  const double fine = enclosed(lathe_hexes(profile, 0.002, 32, 16)) / exact - 1.0;
  EXPECT_LT(std::abs(fine), 0.01);
  EXPECT_NEAR(coarse / fine, 4.0, 1.0);
  EXPECT_TRUE(is_thin_layer(lathe_hexes(profile, 0.002, 16, 8)));
}

TEST(HexShapes, ATubeIsOneLayerAndACupKeepsItsCorner) {
  const HexMesh tube = lathe_hexes({{0.05, 0.0}, {0.05, 0.1}}, 0.002, 32, 8);
  EXPECT_EQ(tube.hexes.size(), 256u);
  EXPECT_TRUE(is_thin_layer(tube));
  const HexMesh cup = lathe_hexes({{0.0, 0.0}, {0.03, 0.0}, {0.03, 0.1}}, 0.003, 24, 7);
  double on_corner = 0.0;
  for (const Vec3& v : cup.vertices) {
    if (v.y() == 0.0) on_corner = std::max(on_corner, std::hypot(v.x(), v.z()));
  }
  EXPECT_NEAR(on_corner, 0.03, 1e-12);
}

TEST(HexShapes, NodesOfADishFaceEachOtherStraightAcrossTheWallButAtItsCorner) {
  const auto slanting = [](const std::vector<Vec2>& profile) {
    const HexMesh mesh = lathe_hexes(profile, 0.003, 24, 13);
    int count = 0;
    for (const Hex& hex : mesh.hexes) {
      for (int c = 0; c < 4; ++c) {
        const double length = (mesh.vertices[hex[c + 4]] - mesh.vertices[hex[c]]).norm();
        if (length > 1.001 * 0.003) ++count;
      }
    }
    return count;
  };
  EXPECT_EQ(slanting({{0.0, 0.0}, {0.03, 0.0}, {0.1, 0.07}}), 4 * 24)
      << "four cells of each column meet at the corner";
  EXPECT_EQ(slanting({{0.0, 0.0}, {0.03, 0.0}, {0.03, 0.1}}), 0) << "blocks";
}

TEST(HexShapes, TheSurfaceOfAnEvenPlateLooksTheSameInMirrors) {
  const SolidSurface surface = surface_of(box_hexes({0.4, 0.01, 0.3}, {4, 1, 6}, 1));
  // Triangles by their centres, which tell on which side of a diagonal they are.
  const auto centres = [&](const Vec3& mirror) {
    std::vector<std::array<long, 3>> all;
    for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
      const Vec3 centre = triangle_centre(surface.mesh, t).cwiseProduct(mirror) * 1e9;
      all.push_back({std::lround(centre.x()), std::lround(centre.y()), std::lround(centre.z())});
    }
    std::ranges::sort(all);
    return all;
  };
  EXPECT_EQ(centres({-1, 1, 1}), centres({1, 1, 1}));
  EXPECT_EQ(centres({1, 1, -1}), centres({1, 1, 1}));
}

/// Of a section that is turned around the axis, by Pappus and Guldin, if circles have 16 sides.
double turned_volume(const Polygon& section) {
  double moment = 0.0;
  for (std::size_t i = 0; i < section.size(); ++i) {
    const Vec2 &a = section[i], &b = section[(i + 1) % section.size()];
    moment += (a.x() * b.y() - b.x() * a.y()) * (a.x() + b.x()) / 6.0;
  }
  return 16.0 * std::sin(std::numbers::pi / 8.0) * moment;
}

TEST(HexShapes, AWallThatTurnsByARightAngleHasBlocksInItsCorners) {
  const std::vector<Vec2> cup = {{0, 0}, {0.035, 0}, {0.04, 0.09}},
                          flange = {{0.03, 0}, {0.03, 0.05}, {0.055, 0.05}},
                          pan = {{0, 0}, {0.06, 0}, {0.06, 0.03}, {0.09, 0.03}};
  for (const auto& [profile, corners] : {std::pair{cup, 1u}, {flange, 1u}, {pan, 2u}}) {
    for (const int along : {6, 20, 60}) {
      const HexMesh mesh = lathe_hexes(profile, 0.003, 16, along);
      const double exact = turned_volume(wall_section(profile, 0.003));
      EXPECT_NEAR(enclosed(mesh) / exact, 1.0, 1e-9) << corners << ' ' << along;
      const auto rows = rows_of(mesh);
      EXPECT_TRUE(is_layer(rows));
      EXPECT_EQ(std::ranges::count_if(rows, is_corner), 16 * corners);
    }
  }
  const std::vector<Vec2> slanted = {{0, 0}, {0.035, 0}, {0.07, 0.05}};
  EXPECT_EQ(std::ranges::count_if(rows_of(lathe_hexes(slanted, 0.003, 16, 12)), is_corner), 0);
}

TEST(HexShapes, CornersOfWallsHoldWhateverRoundingSays) {
  for (int n = 0; n < 40; ++n) {
    const double scale = 1.0 + n / 37.0;
    const std::vector<Vec2> hat = {{0, 0},
                                   {0.0442 * scale, 0},
                                   {0.0442 * scale, 0.021 * scale},
                                   {0.0933 * scale, 0.021 * scale}};
    const std::vector<Vec2> lid = {{0, 0},
                                   {0.0506 * scale, 0},
                                   {0.0506 * scale, -0.0406 * scale},
                                   {0.0193 * scale, -0.0406 * scale}};
    for (const auto& profile : {hat, lid}) {
      const HexMesh mesh = lathe_hexes(profile, 0.002, 16, 15);
      const double exact = turned_volume(wall_section(profile, 0.002));
      EXPECT_NEAR(enclosed(mesh) / exact, 1.0, 1e-9) << n;
    }
  }
}

TEST(HexShapes, KinksOfAProfileThatAreFartherApartThanCellsGetNodes) {
  // Turns of 17, 10 and 11 degrees: no corners, but what makes a dish stiff.
  const std::vector<Vec2> dish = {{0, 0}, {0.05, 0}, {0.07, 0.006}, {0.09, 0.016}, {0.11, 0.022}};
  const auto has_ring = [](const HexMesh& mesh, const Vec2& at) {
    return std::ranges::any_of(mesh.vertices, [&](const Vec3& v) {
      return (Vec2(std::hypot(v.x(), v.z()), v.y()) - at).norm() < 1e-12;
    });
  };
  for (const int along : {5, 6, 7, 10, 13}) {
    const HexMesh mesh = lathe_hexes(dish, 0.003, 32, along);
    for (std::size_t i = 2; i < dish.size(); ++i)
      EXPECT_TRUE(has_ring(mesh, dish[i])) << along << " along, point " << i;
    EXPECT_TRUE(is_thin_layer(mesh));
  }
  // Cells longer than the pieces cannot follow all of them.
  EXPECT_FALSE(has_ring(lathe_hexes(dish, 0.003, 12, 2), dish[3]));
}

TEST(HexShapes, AnArchedBarIsOneLayerAndAStepIsKept) {
  Polygon arch = {{-0.18, 0.0}, {-0.18, 0.01}, {0.18, 0.01}, {0.18, 0.0}};
  for (int i = 20; i >= -20; --i) {
    const double x = 0.1 * i / 20;
    arch.emplace_back(x, 0.006 * (1.0 - x * x / 0.01));
  }
  const HexMesh bar = extruded_hexes({arch, {}, 0.04}, 0.02);
  EXPECT_TRUE(is_thin_layer(bar));
  EXPECT_NEAR(enclosed(bar), 0.04 * std::abs(signed_area(arch)),
              0.001 * 0.04 * std::abs(signed_area(arch)))
      << "chords of the arch, which is 1 % short of it with nodes on it, have its mean height";

  const Polygon step = {{0.0, 0.0},   {0.1, 0.0},  {0.1, 0.005},
                        {0.2, 0.005}, {0.2, 0.01}, {0.0, 0.01}};
  const HexMesh stepped = extruded_hexes({step, {}, 0.03}, 0.02);
  EXPECT_NEAR(enclosed(stepped), 0.03 * 0.0015, 1e-12);
  EXPECT_FALSE(is_thin_layer(stepped));
}

TEST(HexShapes, CellsOfABarFollowEachOtherAlongIt) {
  for (const Vec3& size : {Vec3(0.3, 0.01, 0.02), Vec3(0.01, 0.02, 0.3), Vec3(0.02, 0.3, 0.01)}) {
    const HexMesh bar = hexes_of(HexBoxShape{size}, 0.03);
    ASSERT_EQ(bar.hexes.size(), 10u);
    for (std::size_t e = 1; e < 10; ++e) {
      for (const std::size_t c : {0u, 2u, 4u, 6u})
        EXPECT_EQ(bar.hexes[e][c], bar.hexes[e - 1][c + 1]);
    }
    EXPECT_NEAR(enclosed(bar), 6e-5, 1e-15);
  }
}

TEST(HexShapes, FlatExtrusionsAreOneLayerWithCellsAsAskedFor) {
  const Polygon slanted = {{-0.1, -0.08}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.06}};
  const HexMesh plate = extruded_hexes({slanted, {}, 0.004}, 0.02);
  EXPECT_EQ(plate.hexes.size(), 100u);
  EXPECT_TRUE(is_thin_layer(plate));
  EXPECT_NEAR(enclosed(plate), 0.004 * signed_area(slanted), 1e-12);

  const Polygon outer = {{-0.1, -0.05}, {0.1, -0.05}, {0.1, 0.05}, {-0.1, 0.05}};
  const Polygon hole = {{-0.06, -0.03}, {-0.06, 0.03}, {0.06, 0.03}, {0.06, -0.03}};
  const HexMesh frame = extruded_hexes({outer, {hole}, 0.004}, 0.02);
  EXPECT_TRUE(is_thin_layer(frame));
  EXPECT_NEAR(enclosed(frame), 0.004 * (0.2 * 0.1 - 0.12 * 0.06), 1e-12);
  const Polygon rhomb = {{-0.06, 0.0}, {0.0, 0.03}, {0.06, 0.0}, {0.0, -0.03}};
  EXPECT_THROW(extruded_hexes({outer, {rhomb}, 0.004}, 0.02), std::invalid_argument);
}

TEST(HexShapes, ThickPlatesAreOneLayerAndBlocksHaveMany) {
  const auto layers = [](const Vec3& size) {
    const auto rows = rows_of(hexes_of(HexBoxShape{.size = size}, 0.01));
    return rows[0][2].cells;
  };
  EXPECT_EQ(layers({0.18, 0.055, 0.1}), 1);
  EXPECT_EQ(layers({0.18, 0.065, 0.1}), 7);
}

TEST(HexShapes, SidesOfAFrameHaveTwoCellsSideBySide) {
  const Polygon outline = {{0.0, 0.0}, {0.3, 0.0}, {0.3, 0.2}, {0.0, 0.2}};
  const Polygon hole = {{0.01, 0.01}, {0.29, 0.01}, {0.29, 0.19}, {0.01, 0.19}};
  const HexMesh mesh =
      extruded_hexes({.outline = outline, .holes = {hole}, .height = 0.004}, 0.015);
  for (const HexRows& rows : rows_of(mesh)) EXPECT_GE(std::min(rows[0].cells, rows[1].cells), 2);
}

TEST(HexShapes, CellsBesideAKinkOfAWallAreShort) {
  // Within sqrt(R t) = 11 mm of it the wall bends.
  const HexMesh mesh = lathe_hexes({{0.0, 0.0}, {0.043, 0.0}, {0.0616, 0.017}}, 0.0029, 48, 8);
  double shortest = 1.0;
  for (const Hex& hex : mesh.hexes) {
    const bool is_beside = std::ranges::any_of(hex, [&](std::uint32_t v) {
      const Vec3& at = mesh.vertices[v];
      return at.y() == 0.0 && std::abs(std::hypot(at.x(), at.z()) - 0.043) < 1e-6;
    });
    const auto sides = mean_sides(mesh, hex);
    EXPECT_TRUE(!is_beside || std::min(sides[0], sides[1]) < 0.0055);
    shortest = std::min({shortest, sides[0], sides[1]});
  }
  EXPECT_GT(shortest, 0.002);
}

TEST(HexShapes, LargerCellsOfATurnedWallAreNeverMore) {
  // A cymbal: a hole, a bell that turns into the bow at a kink, and a flat rim.
  const std::vector<Vec2> profile = {{0.006, 0.024}, {0.02, 0.022},  {0.034, 0.014}, {0.043, 0.006},
                                     {0.06, 0.002},  {0.12, -0.004}, {0.2, -0.014}};
  std::size_t before = 1'000'000;
  for (const double size : {0.008, 0.01, 0.013, 0.016, 0.02, 0.025, 0.03, 0.04, 0.05, 0.07, 0.1}) {
    const std::size_t cells = hexes_of(HexWallShape{profile, 0.001}, size).hexes.size();
    EXPECT_LE(cells, before) << size;
    before = cells;
  }
}

TEST(HexShapes, RowsGoFromFreeSideToFreeSideAndAroundTubesForEver) {
  const auto rows = rows_of(box_hexes({0.3, 0.2, 0.1}, {3, 4, 1}, 2));
  EXPECT_TRUE(is_layer(rows));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    EXPECT_EQ(rows[e][0].cells, 3);
    EXPECT_EQ(rows[e][0].before, static_cast<int>(e % 3));
    EXPECT_EQ(rows[e][0].after, static_cast<int>(2 - e % 3));
    EXPECT_EQ(rows[e][1].cells, 4);
    EXPECT_TRUE(rows[e][2].has_free_end_here());
  }
  EXPECT_FALSE(is_layer(rows_of(box_hexes({0.3, 0.2, 0.1}, {3, 4, 2}, 2))));

  int around = 0, along = 0;
  for (const HexRows& row : rows_of(lathe_hexes({{0.05, 0.0}, {0.05, 0.1}}, 0.002, 32, 8))) {
    around += row[0].cells == 0 || row[1].cells == 0;
    along += row[0].cells == 8 || row[1].cells == 8;
  }
  EXPECT_EQ(around, 256);
  EXPECT_EQ(along, 256);

  // Through the pole of a dish rows go from rim to rim.
  const auto dish = rows_of(lathe_hexes({{0.0, 0.0}, {0.05, 0.0}}, 0.002, 16, 4));
  int ends = 0;
  for (const HexRows& row : dish) {
    for (const std::size_t axis : {0, 1}) ends += row[axis].has_free_end_here();
  }
  EXPECT_EQ(ends, 16);
}

TEST(HexShapes, WhatCannotBeCutIsRefused) {
  const Polygon back = {{0.0, 0.0},  {0.2, 0.01}, {0.1, 0.02},
                        {0.3, 0.03}, {0.3, 0.05}, {0.0, 0.05}};
  EXPECT_THROW(extruded_hexes({back, {}, 0.1}, 0.02), std::invalid_argument);
  EXPECT_THROW(lathe_hexes({{0.05, 0.0}, {0.05, 0.1}}, 0.002, 30, 8), std::invalid_argument);
  EXPECT_THROW(box_hexes({0.1, 0.1, 0.0}, {1, 1, 1}, 2), std::invalid_argument);
  EXPECT_THROW(hexes_of(HexBoxShape{{1.0, 1.0, 1.0}}, 1e-3), std::invalid_argument);
}

}  // namespace
}  // namespace peal::geometry
