#include <peal/geometry/io/read_ply_header.h>
#include <peal/geometry/io/read_text.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

namespace peal::geometry {

namespace {

constexpr std::size_t most_names = 256;  // elements, and properties of each: bounds the search

const std::map<std::string_view, PlyType>& types() {
  static const std::map<std::string_view, PlyType> known = {
      {"char", PlyType::int8},      {"int8", PlyType::int8},       {"uchar", PlyType::uint8},
      {"uint8", PlyType::uint8},    {"short", PlyType::int16},     {"int16", PlyType::int16},
      {"ushort", PlyType::uint16},  {"uint16", PlyType::uint16},   {"int", PlyType::int32},
      {"int32", PlyType::int32},    {"uint", PlyType::uint32},     {"uint32", PlyType::uint32},
      {"float", PlyType::float32},  {"float32", PlyType::float32}, {"double", PlyType::float64},
      {"float64", PlyType::float64}};
  return known;
}

bool is_floating(PlyType type) {
  return type == PlyType::float32 || type == PlyType::float64;
}

/// The bytes up to the line `end_header`, with its line feed. Found first, so that the lines
/// are read as text and never run into binary data.
std::string_view header_text(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with("ply\n") && !bytes.starts_with("ply\r\n")) {
    throw util::InputError({name, "line 1"}, "the file does not begin with a line \"ply\"",
                           "Check that it is a PLY file with Unix or Windows line ends.");
  }
  const std::size_t mark = bytes.find("\nend_header");
  const std::size_t feed = mark == std::string_view::npos ? mark : bytes.find('\n', mark + 1);
  if (feed == std::string_view::npos) {
    throw util::InputError({name, ""}, "the header has no line \"end_header\"",
                           "The file may be cut short; export it again.");
  }
  return bytes.substr(0, feed + 1);
}

class HeaderReader {
 public:
  HeaderReader(std::string_view header, const std::string& name) : text_(header, name) {}

  PlyHeader read(std::size_t size) {
    header_.size = size;
    text_.next_line();  // "ply"
    for (; !text_.at_end(); text_.next_line()) {
      const std::string_view keyword = text_.word();
      if (keyword == "end_header") break;
      if (!keyword.empty()) read_line(keyword);
    }
    expect_line_end();
    if (!has_format_) text_.fail("the header has no line \"format\"", format_hint);
    header_.lines = text_.line();
    return std::move(header_);
  }

 private:
  static constexpr const char* format_hint =
      "Write \"format ascii 1.0\", \"format binary_little_endian 1.0\" or \"format "
      "binary_big_endian 1.0\".";

  void read_line(std::string_view keyword) {
    if (keyword == "comment" || keyword == "obj_info") return;
    if (keyword == "format") {
      read_format();
    } else if (keyword == "element") {
      read_element();
    } else if (keyword == "property") {
      read_property();
    } else {
      static const std::vector<std::string> known = {"comment",  "element",    "property",
                                                     "obj_info", "end_header", "format"};
      text_.fail(fmt::format("unknown header line {}", in_quotes(keyword)),
                 util::suggest(keyword, known));
    }
    expect_line_end();
  }

  void expect_line_end() {
    const std::string_view extra = text_.word();
    if (extra.empty()) return;
    text_.fail(fmt::format("unexpected {} at the end of the header line", in_quotes(extra)),
               "Remove it.");
  }

  void read_format() {
    const std::string_view format = text_.word();
    const std::string_view version = text_.word();
    if (format == "ascii") {
      header_.format = PlyFormat::ascii;
    } else if (format == "binary_little_endian") {
      header_.format = PlyFormat::little_endian;
    } else if (format == "binary_big_endian") {
      header_.format = PlyFormat::big_endian;
    } else {
      text_.fail(fmt::format("unknown format {}", in_quotes(format)), format_hint);
    }
    if (version != "1.0") {
      text_.fail(fmt::format("unknown version {} of PLY", in_quotes(version)), format_hint);
    }
    if (has_format_) text_.fail("a second line \"format\"", "Keep one.");
    has_format_ = true;
  }

  void read_element() {
    PlyElement element;
    element.name = text_.word();
    const std::string_view count = text_.word();
    const auto [end, error] = std::from_chars(count.begin(), count.end(), element.count);
    if (count.empty() || error != std::errc{} || end != count.end()) {
      text_.fail(
          fmt::format("the count of element {} is {}", in_quotes(element.name), in_quotes(count)),
          "Give a whole number that is not negative, such as \"element vertex 8\".");
    }
    for (const PlyElement& other : header_.elements) {
      if (other.name == element.name) {
        text_.fail(fmt::format("a second element {}", in_quotes(element.name)),
                   "Each element may be declared once.");
      }
    }
    if (header_.elements.size() == most_names) {
      text_.fail("the header has more than 256 elements", "Leave out what is not geometry.");
    }
    header_.elements.push_back(std::move(element));
  }

  void read_property() {
    if (header_.elements.empty()) {
      text_.fail("a property before any element",
                 "Begin with a line such as \"element vertex 8\".");
    }
    PlyProperty property;
    const std::string_view first = text_.word();
    property.is_list = first == "list";
    if (property.is_list) {
      property.count_type = type_of(text_.word());
      if (is_floating(property.count_type)) {
        text_.fail("the length of a list is not a whole number type", "Use uchar or int.");
      }
      property.type = type_of(text_.word());
    } else {
      property.type = type_of(first);
    }
    property.name = text_.word();
    if (property.name.empty()) {
      text_.fail("the property has no name", "Write for example \"property float x\".");
    }
    PlyElement& element = header_.elements.back();
    if (element.find(property.name) >= 0) {
      text_.fail(fmt::format("a second property {} of element {}", in_quotes(property.name),
                             in_quotes(element.name)),
                 "Rename or remove one.");
    }
    if (element.properties.size() == most_names) {
      text_.fail(fmt::format("element {} has more than 256 properties", in_quotes(element.name)),
                 "Leave out what is not geometry.");
    }
    element.properties.push_back(std::move(property));
  }

  PlyType type_of(std::string_view word) {
    const auto found = types().find(word);
    if (found != types().end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [type, value] : types()) known.emplace_back(type);
    text_.fail(fmt::format("unknown type {}", in_quotes(word)), util::suggest(word, known));
  }

  TextCursor text_;
  PlyHeader header_;
  bool has_format_ = false;
};

/// The elements and properties of a surface are there, with types that make sense.
void check_surface(const PlyHeader& header, const util::Location& place) {
  const auto element = [&](std::string_view name) -> const PlyElement* {
    const auto found = std::find_if(header.elements.begin(), header.elements.end(),
                                    [&](const PlyElement& e) { return e.name == name; });
    return found == header.elements.end() ? nullptr : &*found;
  };
  if (element("tristrips") != nullptr) {
    throw util::InputError(place, "triangle strips (element tristrips) are not read",
                           "Export the mesh with faces (element face).");
  }
  const PlyElement* const vertex = element("vertex");
  const PlyElement* const face = element("face");
  if (vertex == nullptr) {
    throw util::InputError(place, "there is no element vertex", "Export the mesh again.");
  }
  if (face == nullptr || face->count == 0) {
    throw util::InputError(place, "there are no faces: this is a point cloud",
                           "A surface needs an element face; make a mesh of the points first.");
  }
  for (const char* const coordinate : {"x", "y", "z"}) {
    const int index = vertex->find(coordinate);
    if (index < 0 || vertex->properties[static_cast<std::size_t>(index)].is_list) {
      throw util::InputError(
          place, fmt::format("element vertex has no number {}", coordinate),
          fmt::format("Declare it, for example \"property float {}\".", coordinate));
    }
  }
  if (vertex->count > std::numeric_limits<std::uint32_t>::max()) {
    throw util::InputError(place, fmt::format("there are {} vertices", vertex->count),
                           "At most 4294967295 are read; split the mesh.");
  }
  if (face < vertex) {
    throw util::InputError(place, "element face comes before element vertex",
                           "Declare and write the vertices first.");
  }
  const int list = face->find_corners();
  if (list < 0 || !face->properties[static_cast<std::size_t>(list)].is_list ||
      is_floating(face->properties[static_cast<std::size_t>(list)].type)) {
    throw util::InputError(place, "element face has no list of whole numbers vertex_indices",
                           "Declare it as \"property list uchar int vertex_indices\".");
  }
}

/// Counts that the file cannot hold are found before memory is taken for them.
void check_counts(const PlyHeader& header, std::size_t file_size, const util::Location& place) {
  // The last line of an ascii file may lack its line feed.
  std::size_t left = file_size - header.size + (header.format == PlyFormat::ascii ? 1 : 0);
  for (const PlyElement& element : header.elements) {
    if (element.count == 0) continue;
    const std::size_t least = element.least_size(header.format);
    if (least == 0) {
      throw util::InputError(place,
                             fmt::format("element {} has no properties", in_quotes(element.name)),
                             "Declare its properties or remove it.");
    }
    if (element.count > left / least) {
      throw util::InputError(
          place,
          fmt::format("the header promises {} of element {}, but the file has only {} bytes of "
                      "data left for them",
                      element.count, in_quotes(element.name), left),
          "The file is cut short or its header is wrong; export it again.");
    }
    left -= element.count * least;
  }
}

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32:
      return 4;
    case PlyType::float64:
      break;
  }
  return 8;
}

bool PlyElement::has_lists() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const PlyProperty& property) { return property.is_list; });
}

std::size_t PlyElement::least_size(PlyFormat format) const {
  std::size_t size = 0;
  for (const PlyProperty& property : properties) {
    if (format == PlyFormat::ascii) {
      size += 2;  // a digit and a blank
    } else {
      size += size_of(property.is_list ? property.count_type : property.type);
    }
  }
  return size;
}

int PlyElement::find(std::string_view property) const {
  for (std::size_t k = 0; k < properties.size(); ++k) {
    if (properties[k].name == property) return static_cast<int>(k);
  }
  return -1;
}

int PlyElement::find_corners() const {
  const int usual = find("vertex_indices");
  return usual >= 0 ? usual : find("vertex_index");
}

PlyHeader parse_ply_header(std::string_view bytes, std::size_t file_size, const std::string& name) {
  const std::string_view text = header_text(bytes, name);
  PlyHeader header = HeaderReader(text, name).read(text.size());
  const util::Location place{name, "header"};
  check_surface(header, place);
  check_counts(header, file_size, place);
  return header;
}

}  // namespace peal::geometry
