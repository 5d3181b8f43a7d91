#pragma once

#include <peal/geometry/vector.h>

namespace peal::geometry {

/// The rotation of M = rotation * symmetric, the nearest one to M; a mirror is left to the
/// symmetric part.
Mat3 nearest_rotation(const Mat3& linear);

}  // namespace peal::geometry
