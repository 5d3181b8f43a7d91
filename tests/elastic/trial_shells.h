#pragma once

#include <peal/validation/shell_trials.h>

#include <cstdint>
#include <utility>

namespace peal::elastic {

using validation::Triangulation;

/// A rectangle in the plane y = 0 with triangles that face +Y, `n` by `m` cells.
inline geometry::TriMesh flat_sheet(double a, double b, std::uint32_t n, std::uint32_t m,
                                    Triangulation kind) {
  return validation::mapped_sheet(
      static_cast<int>(n), static_cast<int>(m), kind,
      [a, b](double s, double t) { return geometry::Vec3(a * s, 0.0, b * t); });
}

inline geometry::ShellMesh uniform_shell(geometry::TriMesh middle, double thickness) {
  return validation::uniform_wall(std::move(middle), thickness);
}

/// The sheet, bent to a bowl by y = bend r^2.
inline geometry::TriMesh bowl_sheet(geometry::TriMesh mesh, double bend) {
  for (geometry::Vec3& v : mesh.vertices) v.y() = bend * (v.x() * v.x() + v.z() * v.z());
  return mesh;
}

}  // namespace peal::elastic
