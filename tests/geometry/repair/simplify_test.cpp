#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/denoise.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/self_intersection.h>
#include <peal/geometry/repair/simplify.h>
#include <peal/geometry/shapes/shapes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace peal::geometry {
namespace {

TriMesh noisy_sphere(double radius, double edge, double noise) {
  TriMesh mesh = sphere_mesh(radius, edge);
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.0, noise);
  for (Vec3& v : mesh.vertices) v *= 1.0 + normal(random) / radius;
  return mesh;
}

TriMesh simplified_within(const TriMesh& mesh, double tolerance) {
  return simplified(SurfaceQuery(mesh), std::vector(mesh.vertices.size(), tolerance));
}

TEST(Simplify, ASphereKeepsItsVolumeAndStaysWithinTheTolerance) {
  const TriMesh sphere = sphere_mesh(0.05, 0.002);
  const double tolerance = 2e-4;
  const TriMesh simple = simplified_within(sphere, tolerance);
  EXPECT_LT(simple.triangles.size(), sphere.triangles.size() / 10);
  EXPECT_TRUE(check_mesh(simple).watertight);
  EXPECT_NEAR(signed_volume(simple) / signed_volume(sphere), 1.0, 1e-9);
  const SurfaceQuery given(sphere), made(simple);
  for (const Vec3& v : simple.vertices) EXPECT_LT(given.closest_point(v).distance, 1.5 * tolerance);
  for (const Vec3& v : sphere.vertices) EXPECT_LT(made.closest_point(v).distance, 3.0 * tolerance);
}

TEST(Denoise, LowersNoiseAndKeepsTheVolume) {
  // Noise of 0.4 edges: facets fold over each other.
  const TriMesh noisy = noisy_sphere(0.05, 0.002, 0.0008);
  const TriMesh calm = denoised(noisy, 10);
  EXPECT_LT(surface_noise(calm), 0.3 * surface_noise(noisy));
  EXPECT_NEAR(signed_volume(calm) / signed_volume(sphere_mesh(0.05, 0.002)), 1.0, 5e-3);
  double largest = 0.0, mean = 0.0;
  for (const Vec3& v : calm.vertices) {
    largest = std::max(largest, std::abs(v.norm() - 0.05));
    mean += (v.norm() - 0.05) / static_cast<double>(calm.vertices.size());
  }
  EXPECT_LT(largest, 0.002);
  EXPECT_NEAR(mean, 0.0, 2e-5);
  // What has no noise stays as it is.
  const TriMesh clean = sphere_mesh(0.05, 0.002);
  EXPECT_NEAR(signed_volume(denoised(clean, 10)) / signed_volume(clean), 1.0, 1e-3);
}

TEST(Denoise, AllowsASurfaceOfFoldedFacetsToBeSimplified) {
  const TriMesh noisy = noisy_sphere(0.05, 0.002, 0.0008);
  EXPECT_LT(simplified_within(denoised(noisy, 10), 0.002).triangles.size(), 1500u);
}

TEST(Simplify, NoiseOfAScanDisappears) {
  const double noise = 1e-4;
  const TriMesh scan = noisy_sphere(0.05, 0.002, noise);
  EXPECT_NEAR(surface_noise(scan), noise, 0.3 * noise);
  const TriMesh simple = simplified_within(scan, 6.0 * noise);
  EXPECT_LT(simple.triangles.size(), 1500u);
  EXPECT_NEAR(signed_volume(simple) / signed_volume(scan), 1.0, 1e-9);
}

TEST(Simplify, ABoxNeedsFewTrianglesAndKeepsItsCorners) {
  const TriMesh simple = simplified_within(box_mesh({0.1, 0.06, 0.02}, 0.005), 1e-5);
  EXPECT_LE(simple.triangles.size(), 60u);
  EXPECT_NEAR(bounds(simple).sizes().x(), 0.1, 2e-5);
  EXPECT_NEAR(surface_area(simple), 2.0 * (0.1 * 0.06 + 0.1 * 0.02 + 0.06 * 0.02), 1e-5);
}

TEST(Simplify, AThinWallDoesNotCrossItself) {
  const TriMesh bowl =
      lathe_mesh({{0.0, 0.0}, {0.03, 0.002}, {0.05, 0.02}, {0.06, 0.05}}, 0.002, 0.002);
  const TriMesh simple = simplified_within(bowl, 8e-4);
  EXPECT_TRUE(self_intersections(simple, 1).pairs.empty());
  EXPECT_TRUE(check_mesh(simple).watertight);
}

TEST(Simplify, GivesTheSameResultAgain) {
  const TriMesh scan = noisy_sphere(0.05, 0.005, 1e-4);
  EXPECT_EQ(simplified_within(scan, 5e-4).vertices, simplified_within(scan, 5e-4).vertices);
}

}  // namespace
}  // namespace peal::geometry
