#pragma once

#include <peal/base/medium.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <complex>
#include <vector>

namespace peal::base {

/// The radiation amplitude of each mode of a body in free air: pressure at 1 m, RMS over all
/// directions, for a unit of the modal coordinate at the mode's frequency [Pa m / (m kg^1/2)].
///
/// The surface is taken for a layer of dipoles mu whose flow is the surface's motion; far away they
/// sound with their phases (docs/theory/vibration.md). Right to leading order for bodies and
/// structural waves that are small against the wavelength, however much of their motion cancels;
/// good to some 3 dB beyond.
///
/// The second of two modes of equal frequency is imaginary, that is, a quarter of a period out of
/// phase. Such modes radiate in different directions, so their powers add; and which pair of the
/// degenerate shapes of a round body an eigensolver finds is arbitrary. If they were in phase, an
/// impact between them would be silent.
std::vector<std::complex<double>> modal_radiation_amplitudes(const ModalModel& model,
                                                             const Medium& medium);

/// By how much each mode decays faster because it radiates [1/s]: its power over twice its energy,
///
///   d = 2 pi |p_1|^2 / (rho c w^2)
///
/// for radiation amplitudes p_1 as above.
std::vector<double> radiation_decay_rates(const std::vector<Mode>& modes,
                                          const std::vector<std::complex<double>>& amplitudes,
                                          const Medium& medium);

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
