#pragma once

#include <peal/base/surface_source.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// Sample points on a surface, each of which stands for a small part of a triangle.
struct SurfaceSamples {
  std::vector<base::SurfacePoint> points;
  std::vector<double> share;  ///< fraction of the triangle's area
  std::vector<double> area;   ///< [m^2]
};

/// Places sample points so that sums of a wave of length `wavelength` [m] and of functions that are
/// linear between vertices are accurate to a few per cent. Triangles have one point with edges up
/// to a quarter of a wavelength, three up to half a wavelength (0.03) and six up to 0.9 (0.012);
/// larger ones are first divided into similar ones. The points of a triangle are consecutive.
SurfaceSamples sample_surface(const geometry::TriMesh& mesh, double wavelength);

/// The number of points that sample_surface() would place.
double count_samples(const geometry::TriMesh& mesh, double wavelength);

/// Moves the samples to the same points of another shape of the mesh.
void move_to(SurfaceSamples& samples, const geometry::TriMesh& mesh,
             std::span<const geometry::Vec3> vertices);

}  // namespace peal::radiation
