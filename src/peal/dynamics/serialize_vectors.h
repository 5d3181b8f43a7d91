#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/util/archive.h>

#include <span>

namespace peal::dynamics {

template <class... Vectors>
void serialize_vectors(util::Archive& archive, Vectors&... vectors) {
  (archive.numbers(std::span(vectors.data(), 3)), ...);
}

inline void keep_quaternion(util::Archive& archive, geometry::Quat& quaternion) {
  archive.numbers(std::span(quaternion.coeffs().data(), 4));
}

}  // namespace peal::dynamics
