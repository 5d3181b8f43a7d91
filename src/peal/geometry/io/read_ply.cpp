#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/read_ply_ascii.h>
#include <peal/geometry/io/read_ply_binary.h>
#include <peal/geometry/io/read_ply_header.h>
#include <peal/geometry/io/read_text.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace peal::geometry {

TriMesh parse_ply(std::string_view bytes, const std::string& name) {
  const PlyHeader header = parse_ply_header(bytes, bytes.size(), name);
  if (header.format == PlyFormat::ascii) return parse_ply_ascii(bytes, header, name);
  ByteStream stream(bytes);
  return parse_ply_binary(stream, header, name);
}

std::vector<double> parse_ply_values(std::string_view bytes, const std::string& property,
                                     const std::string& name) {
  const PlyHeader header = parse_ply_header(bytes, bytes.size(), name);
  const auto vertex = std::ranges::find(header.elements, "vertex", &PlyElement::name);
  const int at = vertex->find(property);
  if (at < 0 || vertex->properties[static_cast<std::size_t>(at)].is_list) {
    std::vector<std::string> known;
    for (const PlyProperty& one : vertex->properties)
      if (!one.is_list) known.push_back(one.name);
    throw util::InputError({name, ""},
                           fmt::format("its vertices have no number {}", in_quotes(property)),
                           util::suggest(property, known));
  }
  PlyValues values{.property = property};
  if (header.format == PlyFormat::ascii) {
    parse_ply_ascii(bytes, header, name, &values);
  } else {
    ByteStream stream(bytes);
    parse_ply_binary(stream, header, name, &values);
  }
  return std::move(values.of_vertex);
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
