#pragma once

#include <peal/geometry/mesh/vector.h>

namespace peal::geometry {

/// The rotation of M = rotation * symmetric, the rotation nearest to M; a reflection goes to the
/// symmetric part.
Mat3 nearest_rotation(const Mat3& linear);

/// The smallest rotation that takes the direction of `from` to that of `to`. (Eigen's equivalent
/// instantiates a singular value decomposition wherever it is used.)
Quat least_turn(const Vec3& from, const Vec3& to);

}  // namespace peal::geometry
