#pragma once

#include <peal/geometry/io/read_ply_header.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// Parses the data of an ascii PLY file, one element per line; `header` is parse_ply_header(bytes).
TriMesh parse_ply_ascii(std::string_view bytes, const PlyHeader& header, const std::string& name);

}  // namespace peal::geometry
