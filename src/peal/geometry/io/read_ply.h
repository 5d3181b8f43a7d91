#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peal::geometry {

/// Reads a PLY file: ascii, binary little-endian or binary big-endian. `name` is the file for
/// errors (InputError with the line of the header or of ascii data, else the byte).
///
/// The file needs an element `vertex` with the properties x, y, z (any types, any order) and an
/// element `face` with the list `vertex_indices` or `vertex_index`. Polygons of any size become
/// triangles (read_polygon.h). Other elements and properties are skipped by their declared size.
/// Triangle strips and point clouds are errors. PLY has no groups.
TriMesh parse_ply(std::string_view bytes, const std::string& name);

/// Reads a binary PLY file through a small window, which is faster than loading the whole file.
/// Returns nullopt if it is not a binary PLY file with a header of usual length; then read the
/// bytes and call parse_ply().
std::optional<TriMesh> read_binary_ply(const std::filesystem::path& path);

/// The values of a property of the vertices of a PLY file that parse_ply() reads, one for each
/// vertex of its mesh. Throws InputError like parse_ply(), and if the property is missing, a list,
/// or not finite somewhere.
std::vector<double> parse_ply_values(std::string_view bytes, const std::string& property,
                                     const std::string& name);

}  // namespace peal::geometry
