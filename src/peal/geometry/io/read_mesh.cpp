#include <peal/geometry/io/inflate.h>
#include <peal/geometry/io/read_bobj.h>
#include <peal/geometry/io/read_mesh.h>
#include <peal/geometry/io/read_obj.h>
#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/io/read_stl.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

namespace peal::geometry {

namespace {

struct Format {
  std::string ending;
  TriMesh (*parse)(std::string_view, const std::string&);
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {{".obj", parse_obj},
                                          {".ply", parse_ply},
                                          {".stl", parse_stl},
                                          {".bobj.gz", parse_bobj},
                                          {".bobj", parse_bobj}};
  return all;
}

/// The ending that the content asks for, where it can be recognised; "" otherwise.
std::string ending_of(std::string_view bytes, std::uint64_t size) {
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r\n")) return ".ply";
  if (bytes.starts_with("glTF")) return ".glb";
  if (is_gzip(bytes)) return ".bobj.gz";
  if (bytes.starts_with("v ") || bytes.starts_with("mtllib ")) return ".obj";
  if (bytes.starts_with("solid ") || is_binary_stl(bytes, size)) return ".stl";
  return {};
}

}  // namespace

namespace {

/// Volumes and products of areas of what is larger are not finite.
constexpr double largest_coordinate = 1e15;  // [m]

TriMesh read_any_mesh(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  if (ending == ".gz") ending = path.stem().extension().string() + ending;
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto format = std::find_if(formats().begin(), formats().end(),
                                   [&](const Format& f) { return f.ending == ending; });
  if (format == formats().end()) {
    std::vector<std::string> known;
    for (const Format& f : formats()) known.push_back(f.ending);
    known.insert(known.end(), {".gltf", ".glb"});  // which other code reads
    throw util::InputError({path.string(), ""},
                           fmt::format("meshes with the ending \"{}\" are not supported", ending),
                           util::suggest(ending, known));
  }

  if (ending == ".ply") {
    if (std::optional<TriMesh> mesh = read_binary_ply(path)) return *std::move(mesh);
  }
  // What is no mesh may be large.
  const std::string first = util::first_bytes(path, 4096);
  const std::uint64_t size = std::filesystem::file_size(path);
  const std::string content = ending_of(first, size);
  if (!content.empty() && content != ending) {
    throw util::InputError(
        {path.string(), ""},
        fmt::format("is named {} but its content is that of a {} file", ending, content),
        fmt::format("Rename it to end in {} if that is what it is.", content));
  }
  if (ending == ".stl") check_stl(first, size, path.string());
  if (ending == ".obj" && first.find('\0') != std::string::npos) {
    throw util::InputError({path.string(), ""}, "is not an OBJ file: it is not text",
                           "The file may be of another format; export it again.");
  }
  return format->parse(util::read_bytes(path).view(), path.string());
}

}  // namespace

TriMesh read_mesh(const std::filesystem::path& path) {
  TriMesh mesh = read_any_mesh(path);
  for (const Vec3& v : mesh.vertices) {
    if (v.cwiseAbs().maxCoeff() <= largest_coordinate) continue;
    throw util::InputError(
        {path.string(), ""},
        fmt::format("a vertex is at ({:.3g}, {:.3g}, {:.3g})", v.x(), v.y(), v.z()),
        fmt::format("Coordinates reach up to {:g}; export the mesh again.", largest_coordinate));
  }
  return mesh;
}

}  // namespace peal::geometry
