#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/shapes/shapes.h>

#include <cmath>
#include <numbers>
#include <random>

namespace peal::geometry {

/// A sphere of meridians and parallels, with poles: many thin triangles.
inline TriMesh uv_sphere(double radius, int rings, int around) {
  TriMesh mesh;
  mesh.vertices.push_back({0, -radius, 0});
  for (int i = 1; i < rings; ++i) {
    const double latitude = std::numbers::pi * (static_cast<double>(i) / rings - 0.5);
    for (int j = 0; j < around; ++j) {
      const double angle = 2.0 * std::numbers::pi * j / around;
      mesh.vertices.push_back(radius * Vec3(std::cos(latitude) * std::cos(angle),
                                            std::sin(latitude),
                                            std::cos(latitude) * std::sin(angle)));
    }
  }
  mesh.vertices.push_back({0, radius, 0});
  const auto vertex = [&](int i, int j) {
    return static_cast<std::uint32_t>(1 + i * around + j % around);
  };
  const auto top = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
  for (int j = 0; j < around; ++j) {
    mesh.triangles.push_back({0, vertex(0, j), vertex(0, j + 1)});
    for (int i = 0; i + 2 < rings; ++i) {
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
    mesh.triangles.push_back({vertex(rings - 2, j), top, vertex(rings - 2, j + 1)});
  }
  return mesh;
}

inline TriMesh translated(TriMesh mesh, const Vec3& by) {
  for (Vec3& vertex : mesh.vertices) vertex += by;
  return mesh;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 in_cube(double half) {
    const double x = uniform(-half, half), y = uniform(-half, half);
    return {x, y, uniform(-half, half)};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_cube(1.0);
      if (v.norm() < 1.0 && v.norm() > 0.1) return v.normalized();
    }
  }
  std::size_t index(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// Triangles of all sizes thrown about at random, some of them without area.
inline TriMesh triangle_soup(int count, unsigned seed) {
  Random random(seed);
  TriMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3 centre = random.in_cube(1.0);
    const double size = std::pow(10.0, random.uniform(-3.0, 0.0));
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(centre + random.in_cube(size));
    if (i % 50 == 0) mesh.vertices.back() = mesh.vertices[first];
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

/// Observed order of convergence from errors at h and h / 2.
inline double order(double coarse_error, double fine_error) {
  return std::log2(std::abs(coarse_error / fine_error));
}

}  // namespace peal::geometry
