#pragma once

#include <peal/base/material.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/volume/tet_check.h>

#include <memory>

namespace peal::vibration {

/// The surface that elements follow.
struct RingingSurface {
  geometry::TriMesh mesh;  ///< closed, manifold
  /// What `mesh` approximates, if it was simplified; null: the mesh represents itself.
  std::shared_ptr<const geometry::SurfaceQuery> target;
  double error = 0.0;  ///< expected of frequencies for what simplifying leaves out [1]
};

/// The longest sides of the lattice that replaces a broken surface, in walls: 1 for an accuracy of
/// 1
/// %, which changes the frequencies of a chair of boxes by up to 1 %.
double sides_per_wall(double accuracy);

/// The accuracy and the band that a surface must be good for.
struct SurfaceNeeds {
  double frequency = 20000.0;  ///< top of the band [Hz]
  double accuracy = 0.005;     ///< of frequencies [1]
  double tolerance = 1.0;      ///< factor of the tolerance: less where the result crosses itself
};

/// Whether a surface stands for much less than its triangles say, so that it should be simplified:
/// made by a lattice, noisy as scans are, or of very many triangles.
bool should_simplify(const geometry::CheckedSolid& solid);

/// Simplifies a surface to what the waves in the body need (geometry/repair/simplify.h): within a
/// fraction of the thickness and of the wavelength, but not below the noise of its vertices. The
/// patches between the new vertices meet it in the mean (geometry/volume/patch_fit.h).
RingingSurface simplified_surface(const geometry::CheckedSolid& solid,
                                  const base::Material& material, const SurfaceNeeds& needs);

}  // namespace peal::vibration
