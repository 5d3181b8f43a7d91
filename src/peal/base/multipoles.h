#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::base {

/// What a small rigid body that accelerates is heard as: a dipole. Far away, and for waves that are
/// long against it,
///
///   p = rho / (4 pi c r) d/dt [sum over k of (volumes_k e_k . a + turning_k . alpha) e_k . n]
///
/// with the acceleration a of its centre, its angular acceleration alpha, and n towards the
/// listener.
struct RigidDipole {
  geometry::Mat3 axes;     ///< e_k (columns)
  geometry::Vec3 volumes;  ///< volume of the body plus that of its added mass (1.5 V: sphere) [m^3]
  geometry::Mat3
      turning;  ///< one row per axis; zero for bodies with three planes of symmetry [m^4]
};

/// The dipole of a rigid body, by the same layer of dipoles as for modes. The body rotates about
/// `centre`.
RigidDipole rigid_dipole(const geometry::TriMesh& mesh, const geometry::Vec3& centre);

}  // namespace peal::base
