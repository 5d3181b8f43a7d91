#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/geometry/tri_mesh.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// Places that stand for a small piece of a body's surface each.
struct SurfaceSamples {
  std::vector<base::SurfacePoint> points;
  std::vector<double> share;  ///< of the point's triangle
  std::vector<double> area;   ///< [m^2]
};

/// Triangles with an edge longer than `spacing` [m] are divided into similar ones.
SurfaceSamples sample_surface(const geometry::TriMesh& mesh, double spacing);

/// The same places of another shape of the mesh.
void move_to(SurfaceSamples& samples, const geometry::TriMesh& mesh,
             std::span<const geometry::Vec3> vertices);

}  // namespace peal::radiation
