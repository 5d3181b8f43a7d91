#pragma once

#include <peal/geometry/io/read_ply_header.h>
#include <peal/geometry/io/read_stream.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <string>

namespace peal::geometry {

/// Parses the data of a binary PLY file in either byte order; `header` is parse_ply_header() of the
/// stream's bytes, and the stream is at its beginning. Float coordinates and triangles with 32-bit
/// indices, as nearly every program writes them, are converted at about memory bandwidth.
/// `values`, if not null, gets those of a property of the vertices.
TriMesh parse_ply_binary(ByteStream& stream, const PlyHeader& header, const std::string& name,
                         PlyValues* values = nullptr);

}  // namespace peal::geometry
