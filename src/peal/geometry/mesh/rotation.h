#pragma once

#include <peal/geometry/mesh/vector.h>

namespace peal::geometry {

/// The rotation of M = rotation * symmetric, the nearest one to M; a mirror is left to the
/// symmetric part.
Mat3 nearest_rotation(const Mat3& linear);

/// The least turn that takes the direction of `from` to that of `to`. (Eigen's own is as good, but
/// compiles a singular value decomposition wherever it is used.)
Quat least_turn(const Vec3& from, const Vec3& to);

}  // namespace peal::geometry
