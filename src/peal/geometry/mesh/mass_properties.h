#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// What a rigid body needs to know about its shape.
struct MassProperties {
  double volume = 0.0;              ///< [m^3]
  double mass = 0.0;                ///< [kg]
  Vec3 centre = Vec3::Zero();       ///< centre of mass [m]
  Mat3 inertia = Mat3::Identity();  ///< about the centre, in the mesh's axes [kg m^2]
};

/// Enclosed volume; negative if the normals point inward [m^3].
double signed_volume(const TriMesh& mesh);

/// Exact for the polyhedron: sums over the tetrahedra between each triangle and the middle of
/// the bounding box, so that a body far from the origin loses no digits.
/// Throws std::invalid_argument if the mesh encloses no positive volume.
MassProperties mass_properties(const TriMesh& mesh, double density);  ///< density [kg/m^3]

/// Moments in ascending order and the axes they belong to (columns, right-handed).
struct PrincipalAxes {
  Vec3 moments;  ///< [kg m^2]
  Mat3 axes;
};
PrincipalAxes principal_axes(const Mat3& inertia);

/// Mass that an impact at `point` along `direction` feels [kg] (Chadwick, Zheng & James 2012,
/// eq. 9, with the inverse on the inertia tensor where the paper prints it elsewhere):
///     1 / m_eff = 1 / M + (r x n)^T I^-1 (r x n),   r = point - centre, n = direction /
///     |direction|
/// A moment of inertia of zero (an ideal rod) gives way to any torque about its axis: m_eff = 0.
double effective_mass(const MassProperties& body, const Vec3& point, const Vec3& direction);

}  // namespace peal::geometry
