#include <peal/geometry/read_ply.h>
#include <peal/geometry/read_ply_ascii.h>
#include <peal/geometry/read_ply_binary.h>
#include <peal/geometry/read_ply_header.h>
#include <peal/util/error.h>

namespace peal::geometry {

TriMesh parse_ply(std::string_view bytes, const std::string& name) {
  const PlyHeader header = parse_ply_header(bytes, name);
  TriMesh mesh = header.format == PlyFormat::ascii ? parse_ply_ascii(bytes, header, name)
                                                   : parse_ply_binary(bytes, header, name);
  if (mesh.triangles.empty()) {
    throw util::InputError({name, ""}, "the file has no faces", "A surface needs at least one.");
  }
  return mesh;
}

}  // namespace peal::geometry
