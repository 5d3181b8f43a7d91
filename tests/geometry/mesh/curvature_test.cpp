#include <peal/geometry/mesh/curvature.h>

#include <gtest/gtest.h>

#include "geometry/test_meshes.h"

namespace peal::geometry {
namespace {

/// Largest relative error of the mean and the Gaussian curvature of a sphere.
std::pair<double, double> sphere_errors(const TriMesh& mesh, double radius) {
  const Curvature curvature = discrete_curvature(mesh);
  double mean = 0.0, gaussian = 0.0;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    mean = std::max(mean, std::abs(curvature.mean[v] * radius - 1.0));
    gaussian = std::max(gaussian, std::abs(curvature.gaussian[v] * radius * radius - 1.0));
  }
  return {mean, gaussian};
}

TEST(CurvatureAnalytic, IsExactOnSpheres) {
  for (const auto& [mesh, radius] : {std::pair{sphere_mesh(0.1, 0.02), 0.1},
                                     {sphere_mesh(0.1, 0.01), 0.1},
                                     {uv_sphere(2.0, 20, 40), 2.0},
                                     {uv_sphere(2.0, 40, 80), 2.0}}) {
    const auto [mean, gaussian] = sphere_errors(mesh, radius);
    EXPECT_LT(mean, 1e-9);
    EXPECT_LT(gaussian, 1e-9);
  }
}

TEST(CurvatureAnalytic, CylinderWallIsHalfTheInverseRadius) {
  const double radius = 0.25;
  const TriMesh mesh = cylinder_mesh(radius, 1.0, 0.05);
  const Curvature curvature = discrete_curvature(mesh);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const bool on_wall = std::abs(mesh.vertices[v].y()) < 0.49;
    const bool on_cap = std::hypot(mesh.vertices[v].x(), mesh.vertices[v].z()) < 0.99 * radius;
    if (!on_wall && !on_cap) continue;
    EXPECT_NEAR(curvature.mean[v] * radius, on_wall ? 0.5 : 0.0, on_wall ? 2e-3 : 1e-10);
    EXPECT_NEAR(curvature.gaussian[v] * radius * radius, 0.0, on_wall ? 3e-3 : 1e-10);
  }
}

// Triangles of any form say nothing of the shape: bumps on a pebble of 3 cm.
TEST(Curvature, DependsLittleOnTheTriangles) {
  const auto pebble = [](int rings) {
    TriMesh mesh = uv_sphere(1.0, rings, 2 * rings);
    for (Vec3& v : mesh.vertices) {
      v *= 0.03 * (1.0 + 0.1 * std::sin(5.0 * v.x() + 1.0) * std::cos(4.0 * v.y()) +
                   0.02 * std::sin(6.0 * v.z()));
    }
    return mesh;
  };
  const TriMesh coarse = pebble(40), fine = pebble(80);
  const Curvature rough = discrete_curvature(coarse), smooth = discrete_curvature(fine);
  double difference = 0.0;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < coarse.vertices.size(); ++i) {
    for (std::size_t j = 0; j < fine.vertices.size(); ++j) {
      if ((coarse.vertices[i] - fine.vertices[j]).norm() > 1e-9) continue;
      difference = std::max(difference, std::abs(rough.mean[i] - smooth.mean[j]));
      ++compared;
    }
  }
  EXPECT_GT(compared, 3000u);
  EXPECT_LT(difference * 0.03, 0.15);  // of 1 / R
}

TEST(CurvatureAnalytic, TorusFollowsTheExactFormula) {
  const double major = 0.5, minor = 0.1;
  std::array<double, 2> error{};
  for (int i = 0; i < 2; ++i) {
    const TriMesh mesh = torus_mesh(major, minor, 0.02 / (1 << i));
    const Curvature curvature = discrete_curvature(mesh);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      const double r = std::hypot(mesh.vertices[v].x(), mesh.vertices[v].z());
      const double across = (r - major) / minor;  // cosine around the tube
      const double mean = 0.5 * (1.0 / minor + across / r);
      error[i] = std::max(error[i], std::abs(curvature.mean[v] - mean) * minor);
    }
  }
  EXPECT_LT(error[1], 5e-3);
  EXPECT_NEAR(order(error[0], error[1]), 2.0, 0.3);
}

TEST(Curvature, InsideOfASphereIsConcave) {
  TriMesh cavity = sphere_mesh(0.5, 0.1);
  for (Triangle& t : cavity.triangles) std::swap(t[0], t[1]);
  for (const double mean : discrete_curvature(cavity).mean) EXPECT_LT(mean, -1.9);
}

TEST(Curvature, ARimIsAsRoundAsWhatIsInside) {
  TriMesh bowl = sphere_mesh(1.0, 0.1);
  std::erase_if(bowl.triangles, [&](const Triangle& t) {
    return bowl.vertices[t[0]].y() + bowl.vertices[t[1]].y() + bowl.vertices[t[2]].y() > 0.0;
  });
  const Curvature curvature = discrete_curvature(bowl);
  for (std::size_t v = 0; v < bowl.vertices.size(); ++v) {
    const bool used = std::any_of(bowl.triangles.begin(), bowl.triangles.end(), [&](const auto& t) {
      return t[0] == v || t[1] == v || t[2] == v;
    });
    EXPECT_NEAR(curvature.mean[v], used ? 1.0 : 0.0, 0.02);
  }
  for (const double mean : discrete_curvature(plane_mesh(1, 1, 0.1)).mean)
    EXPECT_NEAR(mean, 0.0, 1e-12);
}

TEST(Curvature, DegenerateTrianglesGiveNumbers) {
  TriMesh mesh = sphere_mesh(1.0, 0.3);
  mesh.vertices.push_back(mesh.vertices[1]);
  mesh.triangles.push_back({0, 0, 0});
  mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(mesh.vertices.size() - 1)});
  mesh.triangles.push_back({2, 2, 3});
  for (const TriMesh& each : {mesh, triangle_soup(200, 1)}) {
    const Curvature curvature = discrete_curvature(each);
    for (std::size_t v = 0; v < each.vertices.size(); ++v) {
      EXPECT_TRUE(std::isfinite(curvature.mean[v]));
      EXPECT_TRUE(std::isfinite(curvature.gaussian[v]));
    }
  }
}

}  // namespace
}  // namespace peal::geometry
