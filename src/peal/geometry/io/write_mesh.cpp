#include <peal/geometry/io/write_mesh.h>
#include <peal/util/error.h>
#include <peal/util/files.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <iterator>

namespace peal::geometry {

namespace {

void append_number(std::string& out, double value) {
  std::array<char, 32> digits;
  const auto result = std::to_chars(digits.begin(), digits.end(), value);
  out.append(digits.begin(), result.ptr);
}

/// The name as OBJ can hold it: no control characters, no blank or backslash at its ends.
std::string writable(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20) c = '_';
  }
  const auto mend = [](char& c) {
    if (c == ' ' || c == '\\' || c == '#') c = '_';
  };
  if (!name.empty()) {
    mend(name.front());
    mend(name.back());
  }
  return name;
}

template <class Value>
void append_little_endian(std::string& out, Value value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  out.append(bytes.data(), bytes.size());
}

}  // namespace

std::string to_obj(const TriMesh& mesh) {
  std::string out;
  for (const Vec3& vertex : mesh.vertices) {
    out += 'v';
    for (const double coordinate : vertex) {
      out += ' ';
      append_number(out, coordinate);
    }
    out += '\n';
  }
  // "g" takes several names with blanks between them, "o" one name with blanks in it.
  const bool has_blanks =
      std::any_of(mesh.groups.begin(), mesh.groups.end(),
                  [](const std::string& name) { return name.find(' ') != std::string::npos; });
  std::uint32_t current = static_cast<std::uint32_t>(mesh.groups.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!mesh.triangle_group.empty() && mesh.triangle_group[t] != current) {
      current = mesh.triangle_group[t];
      out += fmt::format("{} {}\n", has_blanks ? 'o' : 'g', writable(mesh.groups[current]));
    }
    const auto& [a, b, c] = mesh.triangles[t];
    fmt::format_to(std::back_inserter(out), "f {} {} {}\n", std::uint64_t{a} + 1,
                   std::uint64_t{b} + 1, std::uint64_t{c} + 1);
  }
  return out;
}

std::string to_ply(const TriMesh& mesh, PlyPrecision precision) {
  const bool single = precision == PlyPrecision::single_precision;
  std::string out = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {0}\nproperty {1} x\nproperty {1} y\n"
      "property {1} z\nelement face {2}\nproperty list uchar uint vertex_indices\nend_header\n",
      mesh.vertices.size(), single ? "float" : "double", mesh.triangles.size());
  out.reserve(out.size() + mesh.vertices.size() * (single ? 12 : 24) + mesh.triangles.size() * 13);
  for (const Vec3& vertex : mesh.vertices) {
    for (const double coordinate : vertex) {
      if (single) {
        append_little_endian(out, static_cast<float>(coordinate));
      } else {
        append_little_endian(out, coordinate);
      }
    }
  }
  for (const Triangle& triangle : mesh.triangles) {
    out += '\3';
    for (const std::uint32_t index : triangle) append_little_endian(out, index);
  }
  return out;
}

void write_mesh(const std::filesystem::path& path, const TriMesh& mesh, PlyPrecision precision) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".obj") {
    util::write_file(path, to_obj(mesh));
  } else if (ending == ".ply") {
    util::write_file(path, to_ply(mesh, precision));
  } else {
    throw util::InputError(
        {path.string(), ""},
        fmt::format("writing meshes with the ending \"{}\" is not supported", ending),
        "Known: .obj, .ply.");
  }
}

}  // namespace peal::geometry
