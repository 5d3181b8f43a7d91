#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace peal::geometry {

/// Reads an STL file, ascii or binary. `name` is the file for errors (InputError with the line or
/// the byte).
///
/// A file is binary if its size is 84 + 50 n bytes with the n of its header, whatever its first
/// bytes are. STL repeats each vertex for each triangle: vertices at exactly the same position
/// become one, so that a closed surface is closed. Normals, colours and attributes are ignored. The
/// solids of an ascii file are groups; a single solid without a name has none.
TriMesh parse_stl(std::string_view bytes, const std::string& name);

/// Whether the size of a file agrees with the triangle count of a binary STL file that begins with
/// these bytes.
bool is_binary_stl(std::string_view first, std::uint64_t size);

/// Throws util::InputError if a file of this size [bytes] cannot be STL by its first bytes, of
/// which a hundred are enough.
void check_stl(std::string_view first, std::uint64_t size, const std::string& name);

}  // namespace peal::geometry
