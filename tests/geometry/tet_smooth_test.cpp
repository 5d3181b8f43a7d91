#include <peal/geometry/mass_properties.h>
#include <peal/geometry/shapes.h>
#include <peal/geometry/tet_fill.h>
#include <peal/geometry/tet_smooth.h>

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
