#include <peal/geometry/io/read_stl.h>
#include <peal/geometry/io/read_text.h>
#include <peal/geometry/io/read_weld.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <unordered_map>

namespace peal::geometry {

namespace {

constexpr std::size_t header_size = 84;    // a comment of 80 bytes and the count
constexpr std::size_t triangle_size = 50;  // normal, three vertices, two attribute bytes

std::uint32_t little_endian_32(const char* p) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(p[k]);
  return value;
}

float little_endian_float(const char* p) {
  return std::bit_cast<float>(little_endian_32(p));
}

TriMesh parse_binary(std::string_view bytes, const std::string& name) {
  const std::size_t count = (bytes.size() - header_size) / triangle_size;
  if (count == 0) {
    throw util::InputError({name, "byte 80"}, "the file has no triangles",
                           "A surface needs at least one.");
  }
  TriMesh mesh;
  mesh.triangles.reserve(count);
  mesh.vertices.reserve(count / 2 + 2);
  VertexWelder weld(mesh.vertices);
  for (std::size_t t = 0; t < count; ++t) {
    Triangle triangle;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = header_size + t * triangle_size + 12 * (corner + 1);
      const char* const p = bytes.data() + at;
      const Vec3 position(little_endian_float(p), little_endian_float(p + 4),
                          little_endian_float(p + 8));
      if (!position.allFinite()) {
        throw util::InputError(
            {name, fmt::format("byte {}", at)},
            fmt::format("a corner of triangle {} has a coordinate that is not a finite number", t),
            "Repair the mesh in the program it comes from.");
      }
      triangle[corner] = weld(position);
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

class AsciiStlReader {
 public:
  AsciiStlReader(std::string_view bytes, const std::string& name)
      : text_(bytes, name), weld_(mesh_.vertices) {}

  TriMesh read() {
    for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
      if (!same_word(word, "solid")) unexpected(word, "solid");
      read_solid();
    }
    if (mesh_.triangles.empty()) {
      text_.fail("the file has no facets", "A surface needs at least one triangle.");
    }
    if (mesh_.groups.size() == 1 && mesh_.groups[0].empty()) {
      mesh_.groups.clear();
      mesh_.triangle_group.clear();
    }
    return std::move(mesh_);
  }

 private:
  /// The next word on this line or a later one, empty at the end of the file.
  std::string_view next_word() {
    for (; !text_.at_end(); text_.next_line()) {
      if (const std::string_view word = text_.word(); !word.empty()) return word;
    }
    return {};
  }

  [[noreturn]] void unexpected(std::string_view word, std::string_view wanted) const {
    text_.fail(word.empty() ? "the file ends too early" : fmt::format("found {}", in_quotes(word)),
               fmt::format("Expected \"{}\" here.", wanted));
  }

  void expect(std::string_view wanted) {
    const std::string_view word = next_word();
    if (!same_word(word, wanted)) unexpected(word, wanted);
  }

  void read_solid() {
    std::string name(text_.rest_of_line());
    const auto [entry, is_new] =
        group_index_.try_emplace(name, static_cast<std::uint32_t>(mesh_.groups.size()));
    if (is_new) mesh_.groups.push_back(std::move(name));
    while (true) {
      const std::string_view word = next_word();
      if (same_word(word, "endsolid")) break;
      if (!same_word(word, "facet")) unexpected(word, "facet\" or \"endsolid");
      read_facet();
      mesh_.triangle_group.push_back(entry->second);
    }
    text_.next_line();  // the name again
  }

  void read_facet() {
    expect("normal");
    for (int k = 0; k < 3; ++k) {  // ignored: some programs write "nan" here
      if (text_.word().empty()) text_.fail("the normal has fewer than three values", "Give three.");
    }
    expect("outer");
    expect("loop");
    Triangle triangle;
    for (std::uint32_t& corner : triangle) {
      expect("vertex");
      const double x = text_.number("the x coordinate");
      const double y = text_.number("the y coordinate");
      const double z = text_.number("the z coordinate");
      corner = weld_(Vec3(x, y, z));
    }
    expect("endloop");
    expect("endfacet");
    mesh_.triangles.push_back(triangle);
  }

  TextCursor text_;
  TriMesh mesh_;
  VertexWelder weld_;
  std::unordered_map<std::string, std::uint32_t> group_index_;
};

bool looks_like_text(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  return std::none_of(start.begin(), start.end(), [](unsigned char c) {
    return c < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
}

bool begins_with_solid(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && same_word(bytes.substr(start, 5), "solid");
}

[[noreturn]] void neither(std::string_view bytes, std::uint64_t size, const std::string& name) {
  std::string problem = fmt::format(
      "is not an STL file: it does not begin with \"solid\" and its {} bytes are too few for a "
      "binary one",
      size);
  if (bytes.size() >= header_size) {
    const std::uint32_t count = little_endian_32(bytes.data() + 80);
    problem = fmt::format(
        "is not an STL file: not ascii, and a binary one of {} triangles would have {} bytes, not "
        "{}",
        count, header_size + triangle_size * static_cast<std::uint64_t>(count), size);
  }
  throw util::InputError({name, ""}, problem,
                         "The file may be cut short or of another format; export it again.");
}

}  // namespace

bool is_binary_stl(std::string_view first, std::uint64_t size) {
  if (first.size() < header_size) return false;
  const std::uint64_t count = little_endian_32(first.data() + 80);
  return size == header_size + triangle_size * count;
}

void check_stl(std::string_view first, std::uint64_t size, const std::string& name) {
  if (is_binary_stl(first, size)) return;
  if (!begins_with_solid(first) || !looks_like_text(first)) neither(first, size, name);
}

TriMesh parse_stl(std::string_view bytes, const std::string& name) {
  if (is_binary_stl(bytes, bytes.size())) return parse_binary(bytes, name);
  check_stl(bytes, bytes.size(), name);
  return AsciiStlReader(bytes, name).read();
}

}  // namespace peal::geometry
