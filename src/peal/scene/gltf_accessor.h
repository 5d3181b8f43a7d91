#pragma once

#include <peal/scene/gltf_document.h>

#include <cstdint>
#include <vector>

namespace peal::scene::gltf {

/// How whole numbers in an accessor become reals.
enum class Integers {
  refused,     ///< only floats are right here (times)
  normalized,  ///< to [0, 1] or [-1, 1], and the accessor must say so (rotations)
  any          ///< as they are unless the accessor says normalized (quantised positions)
};

/// All numbers of an accessor in order, `components` for each element (1: SCALAR, 3: VEC3,
/// 4: VEC4, 16: MAT4 by columns). Checks type, ranges, and that every number is finite. `user` is
/// what names the accessor: "meshes[0].primitives[1].attributes.POSITION".
std::vector<double> read_numbers(Document& document, const Value& user, int components,
                                 Integers integers);

/// The vertex indices of an accessor of unsigned whole numbers.
std::vector<std::uint32_t> read_indices(Document& document, const Value& user);

/// Four joints for each vertex, of 8 or 16 bits.
std::vector<std::uint32_t> read_joints(Document& document, const Value& user);

}  // namespace peal::scene::gltf
