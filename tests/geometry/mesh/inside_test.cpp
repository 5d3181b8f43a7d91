#include <peal/geometry/mesh/inside.h>

#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

TEST(InsideAnalytic, SolidAngleOfAnOctantIsHalfPi) {
  const Corners octant = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  EXPECT_NEAR(solid_angle(octant, Vec3::Zero()), 0.5 * std::numbers::pi, 1e-14);
  EXPECT_EQ(solid_angle(octant, octant[0]), 0.0);
}

TEST(InsideAnalytic, WindingNumberIsOneInsideAndZeroOutside) {
  const TriMesh mesh = torus_mesh(1.0, 0.4, 0.2);
  EXPECT_NEAR(winding_number(mesh, {1.0, 0.1, 0.0}), 1.0, 1e-12);
  EXPECT_NEAR(winding_number(mesh, {0.0, 0.0, 0.0}), 0.0, 1e-12);
  EXPECT_NEAR(winding_number(mesh, {50.0, 0.0, 0.0}), 0.0, 1e-12);
}

TEST(Inside, TheTreeMatchesThePlainSum) {
  for (const TriMesh& mesh : {sphere_mesh(1.0, 0.1), torus_mesh(1.0, 0.3, 0.08),
                              plane_mesh(2.0, 2.0, 0.1), triangle_soup(3000, 5)}) {
    const InsideTest rough(mesh, 2.0), fair(mesh, 4.0), exact(mesh, 1e9);
    Random random(23);
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random.in_cube(i % 2 ? 1.5 : 8.0);
      const double plain = winding_number(mesh, p);
      EXPECT_NEAR(rough.winding_number(p), plain, 3e-3);
      EXPECT_NEAR(fair.winding_number(p), plain, 3e-4);
      EXPECT_NEAR(exact.winding_number(p), plain, 1e-12);
    }
  }
}

TEST(Inside, TheExpansionIsOfSecondOrder) {
  // What is left out is of third order in radius over distance, and so falls with the fifth power
  // of the distance (dipole field: second power).
  const TriMesh mesh = plane_mesh(1.0, 0.5, 0.1);
  const InsideTest far(mesh, 0.0);
  const auto error = [&](double distance) {
    const Vec3 p = distance * Vec3(1, 2, 3).normalized() + Vec3(0.1, 0, 0.1);
    return std::abs(far.winding_number(p) - winding_number(mesh, p));
  };
  EXPECT_GT(order(error(4.0), error(8.0)), 4.5);
  EXPECT_GT(error(4.0), 0.0);
}

TEST(Inside, AHolePunchedSphereIsStillRightAwayFromTheHole) {
  TriMesh mesh = sphere_mesh(1.0, 0.15);
  Vec3 hole = triangle_centre(mesh, 0);
  mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 10);
  const InsideTest test(mesh);
  Random random(29);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.in_cube(1.3);
    if ((p - hole).norm() < 0.6 || std::abs(p.norm() - 1.0) < 0.02) continue;
    EXPECT_EQ(test.inside(p), p.norm() < 1.0) << p.transpose();
  }
}

TEST(Inside, DoubledFacesAndCracksDoNotMatter) {
  const TriMesh sphere = sphere_mesh(1.0, 0.15);
  TriMesh mesh;  // every triangle with its own, slightly shrunken, vertices; some twice
  for (std::uint32_t t = 0; t < sphere.triangles.size(); ++t) {
    const Vec3 centre = triangle_centre(sphere, t);
    for (int copy = 0; copy < (t % 20 == 0 ? 2 : 1); ++copy) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const std::uint32_t v : sphere.triangles[t])
        mesh.vertices.push_back(centre + 0.98 * (sphere.vertices[v] - centre));
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
  }
  const InsideTest test(mesh);
  Random random(31);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random.in_cube(1.3);
    if (std::abs(p.norm() - 1.0) > 0.03) {
      EXPECT_EQ(test.inside(p), p.norm() < 1.0);
    }
  }
}

TEST(Inside, SignedDistanceOfASphere) {
  const TriMesh mesh = sphere_mesh(1.0, 0.05);
  const SurfaceQuery surface(mesh);
  const InsideTest solid(mesh);
  Random random(37);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 p = random.in_cube(2.0);
    EXPECT_NEAR(signed_distance(surface, solid, p), p.norm() - 1.0, 5e-4);
  }
}

TEST(Inside, PointsOnTheSurfaceAndEmptyMeshesGiveNumbers) {
  const TriMesh mesh = box_mesh({1, 1, 1}, 0.25);
  const InsideTest test(mesh);
  for (const Vec3& p : mesh.vertices) EXPECT_TRUE(std::isfinite(test.winding_number(p)));
  EXPECT_FALSE(InsideTest{TriMesh{}}.inside(Vec3::Zero()));
  const InsideTest collapsed(TriMesh{.vertices = {{1, 1, 1}}, .triangles = {{0, 0, 0}}});
  EXPECT_TRUE(std::isfinite(collapsed.winding_number({1, 1, 1})));
  EXPECT_EQ(collapsed.winding_number({2, 1, 1}), 0.0);
}

}  // namespace
}  // namespace peal::geometry
