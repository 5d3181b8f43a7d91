#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <string>
#include <string_view>

namespace peal::geometry {

/// Reads a mesh of Blender's fluid cache, `fluid_mesh_####.bobj.gz`: compressed by gzip, or plain.
/// `name` is the file for errors (InputError).
///
/// The file has the number of vertices, their coordinates, the number of normals, the normals, the
/// number of triangles and their corners, as 32-bit little-endian integers and floats. Normals are
/// ignored. Coordinates are those of the domain, in its units.
TriMesh parse_bobj(std::string_view bytes, const std::string& name);

}  // namespace peal::geometry
