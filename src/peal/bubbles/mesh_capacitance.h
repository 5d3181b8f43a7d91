#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <limits>

namespace peal::bubbles {

/// A plane near a bubble: points x with normal . x = offset.
struct NearbyPlane {
  geometry::Vec3 normal = geometry::Vec3::UnitY();          ///< unit length
  double offset = std::numeric_limits<double>::infinity();  ///< [m]
  bool is_free = true;  ///< a free surface; otherwise a rigid wall
};

/// Capacitance [m] of a closed surface that is not round, by boundary elements: the charge of each
/// triangle is uniform, and the potential at all centres is 1. A plane is an image of opposite
/// (free surface) or equal sign (wall). The frequency is that of pulsation() with C over the radius
/// of the sphere of the same volume. Throws InputError for a surface without triangles or with more
/// than `most_triangles`, the size of the dense system.
double mesh_capacitance(const geometry::TriMesh& mesh, const NearbyPlane& plane = {});

inline constexpr std::size_t most_capacitance_triangles = 8000;

}  // namespace peal::bubbles
