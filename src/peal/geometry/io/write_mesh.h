#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <filesystem>
#include <string>

namespace peal::geometry {

/// Type of the coordinates in a PLY file.
enum class PlyPrecision {
  single_precision,  ///< as most programs expect: rounded to 24 bits, relative error 6e-8
  double_precision   ///< exact
};

/// Writes .obj or .ply according to the path's extension, completely or not at all (util/files.h).
/// PLY is binary little-endian. Throws InputError for another extension, or if the file cannot be
/// written.
void write_mesh(const std::filesystem::path& path, const TriMesh& mesh,
                PlyPrecision precision = PlyPrecision::double_precision);

/// The text of an OBJ file. Coordinates have the fewest digits that read back as the same double.
/// Groups read back under the same names; control characters and blanks at the ends of a name,
/// which OBJ cannot store, become underscores.
std::string to_obj(const TriMesh& mesh);

/// The bytes of a binary PLY file. Groups are not written because PLY has none.
std::string to_ply(const TriMesh& mesh, PlyPrecision precision);

}  // namespace peal::geometry
