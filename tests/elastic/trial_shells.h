#pragma once

#include <peal/geometry/mesh/shell_mesh.h>
#include <peal/util/random.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace peal::elastic {

/// A random number between -1 and 1.
inline double sheet_random(std::uint64_t stream, std::uint64_t index) {
  return 2.0 * util::random_uniform(12, stream, index) - 1.0;
}

enum class Triangulation { right, alternating, random };

/// A rectangle in the plane y = 0 with triangles that face +Y, `n` by `m` cells.
inline geometry::TriMesh flat_sheet(double a, double b, std::uint32_t n, std::uint32_t m,
                                    Triangulation kind) {
  geometry::TriMesh mesh;
  const auto at = [&](std::uint32_t i, std::uint32_t j) { return i + j * (n + 1); };
  for (std::uint32_t j = 0; j <= m; ++j) {
    for (std::uint32_t i = 0; i <= n; ++i) {
      const bool is_inner = i > 0 && i < n && j > 0 && j < m;
      const double shift = kind == Triangulation::random && is_inner ? 0.25 : 0.0;
      const double s = i + shift * sheet_random(60, at(i, j)),
                   t = j + shift * sheet_random(61, at(i, j));
      mesh.vertices.push_back({a * s / n, 0.0, b * t / m});
    }
  }
  for (std::uint32_t j = 0; j < m; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t p = at(i, j), q = at(i + 1, j), r = at(i, j + 1), s = at(i + 1, j + 1);
      const bool turned = kind == Triangulation::alternating ? (i + j) % 2 == 1
                          : kind == Triangulation::random    ? sheet_random(62, p) > 0.0
                                                             : false;
      if (turned) {
        mesh.triangles.push_back({p, r, q});
        mesh.triangles.push_back({q, r, s});
      } else {
        mesh.triangles.push_back({p, s, q});
        mesh.triangles.push_back({p, r, s});
      }
    }
  }
  return mesh;
}

inline geometry::ShellMesh uniform_shell(geometry::TriMesh middle, double thickness) {
  const std::size_t n = middle.vertices.size();
  return {std::move(middle), std::vector<double>(n, thickness)};
}

/// The sheet, bent to a bowl by y = bend r^2.
inline geometry::TriMesh bowl_sheet(geometry::TriMesh mesh, double bend) {
  for (geometry::Vec3& v : mesh.vertices) v.y() = bend * (v.x() * v.x() + v.z() * v.z());
  return mesh;
}

}  // namespace peal::elastic
