#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/read_ply_ascii.h>
#include <peal/geometry/io/read_ply_binary.h>
#include <peal/geometry/io/read_ply_header.h>
#include <peal/util/files.h>

namespace peal::geometry {

TriMesh parse_ply(std::string_view bytes, const std::string& name) {
  const PlyHeader header = parse_ply_header(bytes, bytes.size(), name);
  if (header.format == PlyFormat::ascii) return parse_ply_ascii(bytes, header, name);
  ByteStream stream(bytes);
  return parse_ply_binary(stream, header, name);
}

std::optional<TriMesh> read_binary_ply(const std::filesystem::path& path) {
  constexpr std::size_t usual_header = 16 << 10;
  util::InputFile file(path);
  ByteStream stream(file);
  const std::string_view start = stream.peek(usual_header).substr(0, usual_header);
  const std::size_t end = start.find("\nend_header");
  if (!start.starts_with("ply") || end > usual_header - 64) return std::nullopt;
  const PlyHeader header = parse_ply_header(start, file.size(), path.string());
  if (header.format == PlyFormat::ascii) return std::nullopt;
  return parse_ply_binary(stream, header, path.string());
}

}  // namespace peal::geometry
