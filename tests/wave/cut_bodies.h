#pragma once

#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/wave/grid/grid.h>

#include <cmath>
#include <numbers>

namespace peal::wave {

/// A cube of cells, with lengths in cells.
inline Grid unit_grid(int size) {
  return {.origin = geometry::Vec3::Zero(), .cell_size = 1, .size = {size, size, size}};
}

/// A sphere of 20 n^2 triangles, scaled to the volume of the exact sphere.
inline geometry::TriMesh sphere_at(const geometry::Vec3& centre, double radius, int n) {
  geometry::TriMesh mesh = geometry::sphere_mesh(radius, 1.3232 * radius / n);
  const double volume = geometry::signed_volume(mesh);
  const double exact = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
  for (geometry::Vec3& v : mesh.vertices) v = centre + std::cbrt(exact / volume) * v;
  return mesh;
}

}  // namespace peal::wave
