#pragma once

#include <peal/geometry/io/read_ply_header.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// Parses the data of an ascii PLY file, one element per line; `header` is parse_ply_header(bytes).
/// `values`, if not null, gets those of a property of the vertices.
TriMesh parse_ply_ascii(std::string_view bytes, const PlyHeader& header, const std::string& name,
                        PlyValues* values = nullptr);

}  // namespace peal::geometry
