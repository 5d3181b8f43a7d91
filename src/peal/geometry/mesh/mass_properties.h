#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// The mass properties of a rigid body.
struct MassProperties {
  double volume = 0.0;              ///< [m^3]
  double mass = 0.0;                ///< [kg]
  Vec3 centre = Vec3::Zero();       ///< centre of mass [m]
  Mat3 inertia = Mat3::Identity();  ///< about the centre, in the mesh's axes [kg m^2]
};

/// Enclosed volume; negative if the normals point inward [m^3].
double signed_volume(const TriMesh& mesh);

/// Computes the exact mass properties of the polyhedron: sums over the tetrahedra between each
/// triangle and the centre of the bounding box, so that a body far from the origin loses no
/// precision. Throws std::invalid_argument if the mesh encloses no positive volume.
MassProperties mass_properties(const TriMesh& mesh, double density);  ///< density [kg/m^3]

/// Principal moments in ascending order, and their axes (columns, right-handed).
struct PrincipalAxes {
  Vec3 moments;  ///< [kg m^2]
  Mat3 axes;
};
PrincipalAxes principal_axes(const Mat3& inertia);

/// The effective mass of an impact at `point` along `direction` [kg] (Chadwick, Zheng & James 2012,
/// eq. 9, with the inverse on the inertia tensor whereas the paper prints it elsewhere):
///     1 / m_eff = 1 / M + (r x n)^T I^-1 (r x n),   r = point - centre, n = direction /
///     |direction|
/// A moment of inertia of zero (an ideal rod) yields to any torque about its axis: m_eff = 0.
double effective_mass(const MassProperties& body, const Vec3& point, const Vec3& direction);

}  // namespace peal::geometry
