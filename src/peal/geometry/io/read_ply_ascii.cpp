#include <peal/geometry/io/read_ply_ascii.h>
#include <peal/geometry/io/read_polygon.h>
#include <peal/geometry/io/read_text.h>

#include <fmt/format.h>

#include <cmath>

namespace peal::geometry {

namespace {

class AsciiReader {
 public:
  AsciiReader(std::string_view bytes, const PlyHeader& header, const std::string& name,
              PlyValues* values)
      : header_(header), text_(bytes, name), values_(values) {
    while (!text_.at_end() && text_.line() <= header.lines) text_.next_line();
  }

  TriMesh read() {
    for (const PlyElement& element : header_.elements) {
      element_ = &element;
      if (element.name == "vertex") {
        mesh_.vertices.reserve(element.count);
        for_each_line([&] { read_vertex(); });
      } else if (element.name == "face") {
        mesh_.triangles.reserve(element.count);
        for_each_line([&] { read_face(); });
      } else {
        for_each_line([&] { skip_line(); });
      }
    }
    for (; !text_.at_end(); text_.next_line()) {
      if (const std::string_view extra = text_.word(); !extra.empty()) {
        text_.fail(fmt::format("unexpected {} after the last element", in_quotes(extra)),
                   "Correct the counts in the header or remove what is left over.");
      }
    }
    return std::move(mesh_);
  }

 private:
  template <class ReadLine>
  void for_each_line(const ReadLine& read_line) {
    for (index_ = 0; index_ < element_->count; ++index_) {
      skip_empty_lines();
      read_line();
      if (const std::string_view extra = text_.word(); !extra.empty()) {
        text_.fail(fmt::format("unexpected {} behind the values of {} {}", in_quotes(extra),
                               in_quotes(element_->name), index_),
                   "Give the values that the header declares, one element a line.");
      }
      text_.next_line();
    }
  }

  void skip_empty_lines() {
    for (; !text_.at_end(); text_.next_line()) {
      text_.skip_blanks();
      if (*text_.position() != '\n') return;
    }
    text_.fail(fmt::format("the file ends before {} {} of {}", in_quotes(element_->name), index_,
                           element_->count),
               "The file is cut short or its header is wrong; export it again.");
  }

  void read_vertex() {
    Vec3 position = Vec3::Zero();
    for (const PlyProperty& property : element_->properties) {
      const char letter = property.name.size() == 1 ? property.name[0] : '\0';
      if (letter >= 'x' && letter <= 'z') {
        position[letter - 'x'] = text_.number("a coordinate");
        if (is_wanted(property)) values_->of_vertex.push_back(position[letter - 'x']);
      } else if (is_wanted(property)) {
        values_->of_vertex.push_back(text_.number("a property of a vertex"));
      } else {
        skip_property(property);
      }
    }
    mesh_.vertices.push_back(position);
  }

  bool is_wanted(const PlyProperty& property) const {
    return values_ != nullptr && !property.is_list && property.name == values_->property;
  }

  void read_face() {
    const int list = element_->find_corners();
    for (int k = 0; k < static_cast<int>(element_->properties.size()); ++k) {
      if (k == list) {
        read_corners();
      } else {
        skip_property(element_->properties[static_cast<std::size_t>(k)]);
      }
    }
  }

  void read_corners() {
    const std::uint64_t count = whole_number("the number of corners");
    if (count < 3) {
      text_.fail(fmt::format("the face has {} corners", count), "Give at least three.");
    }
    corners_.clear();
    for (std::uint64_t k = 0; k < count; ++k) {
      const std::uint64_t index = whole_number("the index of a vertex");
      if (index >= mesh_.vertices.size()) {
        text_.fail(fmt::format("a face uses vertex {}", index),
                   fmt::format("The file has {} vertices, counted from 0.", mesh_.vertices.size()));
      }
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    const std::string_view problem =
        triangulator_.append(corners_, mesh_.vertices, mesh_.triangles);
    if (!problem.empty()) {
      text_.fail(fmt::format("the face {}", problem), "Export the mesh as triangles.");
    }
  }

  std::uint64_t whole_number(const char* what) {
    const double value = text_.number(what);
    if (value < 0.0 || value > 1e15 || value != std::floor(value)) {
      text_.fail(fmt::format("{} is {}", what, value), "Give a whole number that is not negative.");
    }
    return static_cast<std::uint64_t>(value);
  }

  void skip_property(const PlyProperty& property) {
    std::uint64_t count = property.is_list ? whole_number("the length of a list") : 1;
    for (; count > 0; --count) {
      if (text_.word().empty()) {
        text_.fail(fmt::format("property {} of {} {} is missing", in_quotes(property.name),
                               in_quotes(element_->name), index_),
                   "Give the values that the header declares, one element a line.");
      }
    }
  }

  void skip_line() {
    for (const PlyProperty& property : element_->properties) skip_property(property);
  }

  const PlyHeader& header_;
  TextCursor text_;
  PlyValues* values_;
  TriMesh mesh_;
  PolygonTriangulator triangulator_;
  std::vector<std::uint32_t> corners_;
  const PlyElement* element_ = nullptr;
  std::uint64_t index_ = 0;  ///< of the element being read
};

}  // namespace

TriMesh parse_ply_ascii(std::string_view bytes, const PlyHeader& header, const std::string& name,
                        PlyValues* values) {
  return AsciiReader(bytes, header, name, values).read();
}

}  // namespace peal::geometry
