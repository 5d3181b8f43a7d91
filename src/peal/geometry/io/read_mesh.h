#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <filesystem>

namespace peal::geometry {

/// Reads a mesh file; its extension determines the format: .obj, .ply, .stl, .bobj
/// or .bobj.gz in upper or lower case. Throws InputError for an unknown extension, for content of a
/// format other than the extension says, and for everything the format's reader rejects
/// (read_obj.h, read_ply.h, read_stl.h).
TriMesh read_mesh(const std::filesystem::path& path);

}  // namespace peal::geometry
