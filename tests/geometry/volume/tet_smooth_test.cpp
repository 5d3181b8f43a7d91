#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/tet_fill.h>
#include <peal/geometry/volume/tet_smooth.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::geometry {
namespace {

/// Half axes of 60, 20 and 40 mm: four of its edges bend by 33 degrees.
TriMesh flat_octahedron() {
  return {{{0.06, 0, 0}, {-0.06, 0, 0}, {0, 0.02, 0}, {0, -0.02, 0}, {0, 0, 0.04}, {0, 0, -0.04}},
          {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
}

/// Of height 1, its corners on a circle of radius 1.
TriMesh prism(std::uint32_t sides) {
  TriMesh mesh{{{0, 0, 0}, {0, 0, 1}}, {}};
  for (std::uint32_t k = 0; k < sides; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / sides;
    for (const double z : {0.0, 1.0})
      mesh.vertices.push_back({std::cos(angle), std::sin(angle), z});
    const std::uint32_t a = 2 + 2 * k, b = 2 + 2 * ((k + 1) % sides);
    mesh.triangles.insert(mesh.triangles.end(),
                          {{0, b, a}, {1, a + 1, b + 1}, {a, b, b + 1}, {a, b + 1, a + 1}});
  }
  return mesh;
}

TEST(SmoothSurface, FineMeshesHaveTheVolumeOfWhatTheyStandFor) {
  const double exact = 4.0 / 3.0 * std::numbers::pi * std::pow(0.05, 3);
  const TriMesh facets = sphere_mesh(0.05, 0.006);
  const double missing = exact - signed_volume(facets);
  EXPECT_GT(missing, 0.002 * exact);
  // What is left is of fourth order of the bends, which are of 7 degrees.
  EXPECT_NEAR(SmoothSurface(facets).volume(), exact, 0.03 * missing);
}

TEST(SmoothSurface, AFinePrismIsNearlyACylinder) {
  const TriMesh mesh = prism(40);
  const double missing = std::numbers::pi - signed_volume(mesh);
  // Sides are cut into two triangles: normals at their ends lean towards the larger part.
  EXPECT_NEAR(SmoothSurface(mesh).volume(), std::numbers::pi, 0.2 * missing);
}

/// Bends that are not flat and not creases.
int round_bends(const TriMesh& mesh) {
  const SmoothSurface smooth(mesh);
  int count = 0;
  for (std::uint32_t e = 0; e < smooth.topology().edges.size(); ++e) {
    const auto sides = smooth.topology().edge_triangles[e];
    const Vec3 a = area_vector(mesh, sides[0]), b = area_vector(mesh, sides[1]);
    if (a.cross(b).norm() > 0.01 * a.norm() * b.norm() && !smooth.is_crease(e)) ++count;
  }
  return count;
}

TEST(SmoothSurface, ABendThatDoesNotGoOnIsAnEdge) {
  // An undercut of 24 degrees between straight parts: both bends of its floor turn the same way,
  // but are much further apart than its slopes are long.
  const Polygon undercut = {{-0.1, -0.01}, {-0.06, -0.01}, {-0.04, -0.001}, {0.04, -0.001},
                            {0.06, -0.01}, {0.1, -0.01},   {0.1, 0.006},    {-0.1, 0.006}};
  EXPECT_EQ(round_bends(extruded_mesh(undercut, {}, 0.03, 0.03)), 0);
  const Polygon roof = {{-0.1, 0.0}, {0.1, 0.0}, {0.1, 0.02}, {0.0, 0.05}, {-0.1, 0.02}};
  EXPECT_EQ(round_bends(extruded_mesh(roof, {}, 0.2, 0.1)), 0);
  // An arch of steps of 24 degrees, and flat sides beside a rounded edge.
  Polygon arch = {{-0.1, -0.01}, {0.1, -0.01}};
  for (int k = -2; k <= 2; ++k) {
    const double angle = 24.0 * k * std::numbers::pi / 180.0;
    arch.push_back({-0.05 * std::sin(angle), 0.02 + 0.05 * std::cos(angle)});
  }
  EXPECT_GT(round_bends(extruded_mesh(arch, {}, 0.1, 0.1)), 2);
  Polygon filleted = {{-0.1, 0.0}, {0.1, 0.0}};
  for (int k = 0; k <= 3; ++k) {
    const double angle = 30.0 * k * std::numbers::pi / 180.0;
    filleted.push_back({0.09 + 0.01 * std::cos(angle), 0.05 + 0.01 * std::sin(angle)});
  }
  filleted.push_back({-0.1, 0.06});
  EXPECT_GE(round_bends(extruded_mesh(filleted, {}, 0.1, 0.1)), 4);
}

TEST(SmoothSurface, SlopesBetweenFlatFacesKeepTheirEdges) {
  // 12 degrees up, a floor that is not twice as long as the slopes, and down again.
  const Polygon undercut = {{-0.14, 0.0}, {-0.07, 0.0}, {-0.035, 0.0075}, {0.03, 0.0075},
                            {0.065, 0.0}, {0.14, 0.0},  {0.14, 0.017},    {-0.14, 0.017}};
  EXPECT_EQ(round_bends(extruded_mesh(undercut, {}, 0.05, 0.05)), 0);
  // Three bends of 8 degrees make an arch.
  Polygon arch = {{-0.1, -0.02}, {0.1, -0.02}};
  for (int k = -2; k <= 2; ++k) {
    const double angle = 8.0 * k * std::numbers::pi / 180.0;
    arch.push_back({-0.35 * std::sin(angle), -0.34 + 0.35 * std::cos(angle)});
  }
  EXPECT_GT(round_bends(extruded_mesh(arch, {}, 0.1, 0.1)), 2);
}

TEST(SmoothSurface, CoarseFacetsAreRounded) {
  const auto added = [](std::uint32_t sides) {
    const TriMesh mesh = prism(sides);
    return SmoothSurface(mesh).volume() / signed_volume(mesh) - 1.0;
  };
  // The circle has 1 + (2 pi / n)^2 / 6 of the area of its polygon of n sides.
  EXPECT_NEAR(added(20), 0.0166, 0.2 * 0.0166);
  EXPECT_NEAR(added(12), 0.0457, 0.25 * 0.0457);
  EXPECT_NEAR(added(9), 0.0798, 0.25 * 0.0798);
  EXPECT_NEAR(added(8), 0.0, 1e-12);
}

TEST(SmoothSurface, AnOctahedronStandsForItself) {
  const TriMesh mesh = flat_octahedron();
  const double volume = signed_volume(mesh);
  ASSERT_NEAR(volume, 4.0 / 3.0 * 0.06 * 0.02 * 0.04, 1e-18);
  EXPECT_NEAR(SmoothSurface(mesh).volume(), volume, 1e-12 * volume);
  std::vector<std::string> notices;
  for (const double size : {0.02, 0.008}) {
    const SolidTets tets = tets_of(mesh, size, "octahedron", notices);
    EXPECT_NEAR(geometry::volume(tets.mesh), volume, 1e-9 * volume) << size;
    EXPECT_NEAR(tets.bounded, volume, 1e-12 * volume);
  }
  EXPECT_TRUE(notices.empty());
}

}  // namespace
}  // namespace peal::geometry
