#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <filesystem>

namespace peal::geometry {

/// Reads a mesh file; its ending chooses the format: .obj, .ply or .stl in upper or lower case.
/// Throws InputError for an unknown ending, for content of another format than the ending says,
/// and for whatever the format's reader refuses (read_obj.h, read_ply.h, read_stl.h).
TriMesh read_mesh(const std::filesystem::path& path);

}  // namespace peal::geometry
