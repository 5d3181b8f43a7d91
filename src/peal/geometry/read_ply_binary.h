#pragma once

#include <peal/geometry/read_ply_header.h>
#include <peal/geometry/tri_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// The data of a binary PLY file in either byte order; `header` is parse_ply_header(bytes). Float
/// coordinates and triangles with 32-bit indices, as nearly every program writes them, are
/// converted at about the speed of memory.
TriMesh parse_ply_binary(std::string_view bytes, const PlyHeader& header, const std::string& name);

}  // namespace peal::geometry
