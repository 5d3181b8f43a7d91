#pragma once

#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// Sample points that stand for a small triangle of a body's surface each.
struct SurfaceSamples {
  std::vector<base::SurfacePoint> points;
  std::vector<double> share;  ///< of the triangle's area
  std::vector<double> area;   ///< [m^2]
};

/// Sample points at which a wave of length `wavelength` [m] and what goes straight between vertices
/// are summed up to a few per cent: one in triangles with edges up to a quarter of a wave, three up
/// to half a wave (0.03), six up to 0.9 (0.012), larger ones are divided into similar ones first.
/// Sample points of a triangle follow each other.
SurfaceSamples sample_surface(const geometry::TriMesh& mesh, double wavelength);

/// How many that would be.
double count_samples(const geometry::TriMesh& mesh, double wavelength);

/// The same places of another shape of the mesh.
void move_to(SurfaceSamples& samples, const geometry::TriMesh& mesh,
             std::span<const geometry::Vec3> vertices);

}  // namespace peal::radiation
