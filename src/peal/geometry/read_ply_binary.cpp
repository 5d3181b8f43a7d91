#include <peal/geometry/read_ply_binary.h>
#include <peal/geometry/read_polygon.h>
#include <peal/geometry/read_text.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace peal::geometry {

namespace {

template <class Value>
Value load(const char* p, bool swapped) {
  std::array<char, sizeof(Value)> bytes;
  std::memcpy(bytes.data(), p, sizeof(Value));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<Value>(bytes);
}

/// Every type of PLY fits into a double exactly.
double load(PlyType type, const char* p, bool swapped) {
  switch (type) {
    case PlyType::int8:
      return load<std::int8_t>(p, swapped);
    case PlyType::uint8:
      return load<std::uint8_t>(p, swapped);
    case PlyType::int16:
      return load<std::int16_t>(p, swapped);
    case PlyType::uint16:
      return load<std::uint16_t>(p, swapped);
    case PlyType::int32:
      return load<std::int32_t>(p, swapped);
    case PlyType::uint32:
      return load<std::uint32_t>(p, swapped);
    case PlyType::float32:
      return static_cast<double>(load<float>(p, swapped));
    case PlyType::float64:
      break;
  }
  return load<double>(p, swapped);
}

bool is_whole_32(PlyType type) {
  return type == PlyType::int32 || type == PlyType::uint32;
}

class BinaryReader {
 public:
  BinaryReader(std::string_view bytes, const PlyHeader& header, const std::string& name)
      : header_(header),
        name_(name),
        start_(bytes.data()),
        p_(bytes.data() + header.size),
        end_(bytes.data() + bytes.size()),
        swapped_((header.format == PlyFormat::little_endian) !=
                 (std::endian::native == std::endian::little)) {}

  TriMesh read() {
    for (const PlyElement& element : header_.elements) {
      element_ = &element;
      index_ = 0;
      if (element.name == "vertex") {
        read_vertices();
      } else if (element.name == "face") {
        read_faces();
      } else {
        skip_elements();
      }
    }
    // Some programs end the file with a line feed.
    const auto is_blank = [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\0'; };
    if (!std::all_of(p_, end_, is_blank)) {
      fail(fmt::format("{} bytes are left over after the last element", end_ - p_),
           "Correct the counts in the header or remove them.");
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& cure) const {
    throw util::InputError({name_, fmt::format("byte {}", p_ - start_)}, problem, cure);
  }

  const char* take(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(end_ - p_)) {
      fail(fmt::format("the file ends within {} {} of {}", quoted(element_->name), index_,
                       element_->count),
           "The file is cut short or its header is wrong; export it again.");
    }
    return std::exchange(p_, p_ + size);
  }

  std::uint64_t take_count(const PlyProperty& list) {
    const double count = load(list.count_type, take(size_of(list.count_type)), swapped_);
    if (count < 0.0) {
      p_ -= size_of(list.count_type);
      fail(fmt::format("the list {} has {} entries", quoted(list.name), count),
           "A length cannot be negative.");
    }
    return static_cast<std::uint64_t>(count);
  }

  void skip_property(const PlyProperty& property) {
    take((property.is_list ? take_count(property) : 1) * size_of(property.type));
  }

  void skip_elements() {
    if (!element_->has_lists()) {
      take(element_->count * element_->least_size(header_.format));
      return;
    }
    for (; index_ < element_->count; ++index_) {
      for (const PlyProperty& property : element_->properties) skip_property(property);
    }
  }

  /// Offset of x if x, y, z are neighbours of type float in an element of fixed size, else -1.
  std::ptrdiff_t float_triple_offset() const {
    const int x = element_->find("x");
    if (swapped_ || element_->has_lists() || element_->find("y") != x + 1 ||
        element_->find("z") != x + 2) {
      return -1;
    }
    std::size_t offset = 0;
    for (int k = 0; k < x; ++k) {
      offset += size_of(element_->properties[static_cast<std::size_t>(k)].type);
    }
    for (int k = x; k < x + 3; ++k) {
      if (element_->properties[static_cast<std::size_t>(k)].type != PlyType::float32) return -1;
    }
    return static_cast<std::ptrdiff_t>(offset);
  }

  void read_vertices() {
    mesh_.vertices.reserve(element_->count);
    const std::ptrdiff_t offset = float_triple_offset();
    if (offset >= 0) {
      read_float_triples(offset);
      return;
    }
    for (; index_ < element_->count; ++index_) {
      Vec3 position = Vec3::Zero();
      for (const PlyProperty& property : element_->properties) {
        const char letter = property.name.size() == 1 ? property.name[0] : '\0';
        if (letter >= 'x' && letter <= 'z') {
          position[letter - 'x'] = load(property.type, take(size_of(property.type)), swapped_);
        } else {
          skip_property(property);
        }
      }
      if (!position.allFinite()) not_finite();
      mesh_.vertices.push_back(position);
    }
  }

  void read_float_triples(std::ptrdiff_t offset) {
    const std::size_t stride = element_->least_size(header_.format);
    const char* source = take(element_->count * stride) + offset;
    const char* const first = source;
    mesh_.vertices.resize(element_->count);  // leaves the numbers unset
    float poison = 0.0f;                     // becomes not-a-number with the first bad coordinate
    for (Vec3& position : mesh_.vertices) {
      std::array<float, 3> xyz;
      std::memcpy(xyz.data(), source, sizeof(xyz));
      position = {xyz[0], xyz[1], xyz[2]};
      poison += xyz[0] * 0.0f + xyz[1] * 0.0f + xyz[2] * 0.0f;
      source += stride;
    }
    if (poison == 0.0f) return;
    while (mesh_.vertices[index_].allFinite()) ++index_;
    p_ = first + index_ * stride;
    not_finite();
  }

  [[noreturn]] void not_finite() const {
    fail(fmt::format("vertex {} has a coordinate that is not a finite number", index_),
         "Repair the mesh in the program it comes from.");
  }

  void read_faces() {
    mesh_.triangles.reserve(element_->count);
    const int list = element_->find_corners();
    const PlyProperty& corners = element_->properties[static_cast<std::size_t>(list)];
    const bool plain = element_->properties.size() == 1 && !swapped_ &&
                       size_of(corners.count_type) == 1 && is_whole_32(corners.type);
    while (index_ < element_->count) {
      if (plain) read_plain_triangles();
      if (index_ == element_->count) break;
      for (int k = 0; k < static_cast<int>(element_->properties.size()); ++k) {
        const PlyProperty& property = element_->properties[static_cast<std::size_t>(k)];
        if (k == list) {
          read_corners(property);
        } else {
          skip_property(property);
        }
      }
      ++index_;
    }
  }

  /// As many faces as are plain triangles with good indices; the slow way takes what it refuses.
  void read_plain_triangles() {
    const auto vertex_count = static_cast<std::uint32_t>(mesh_.vertices.size());
    constexpr std::ptrdiff_t size = 1 + sizeof(Triangle);
    for (; index_ < element_->count && end_ - p_ >= size && *p_ == 3; ++index_, p_ += size) {
      Triangle triangle;
      std::memcpy(triangle.data(), p_ + 1, sizeof(Triangle));
      const auto& [a, b, c] = triangle;
      if (std::max({a, b, c}) >= vertex_count) return;
      mesh_.triangles.push_back(triangle);
    }
  }

  void read_corners(const PlyProperty& list) {
    const std::uint64_t count = take_count(list);
    if (count < 3) {
      fail(fmt::format("face {} has {} corners", index_, count), "A face needs at least three.");
    }
    const std::size_t size = size_of(list.type);
    const char* source = take(count * size);
    corners_.clear();
    for (std::uint64_t k = 0; k < count; ++k, source += size) {
      const double index = load(list.type, source, swapped_);
      if (index < 0.0 || index >= static_cast<double>(mesh_.vertices.size())) {
        p_ = source;
        fail(fmt::format("face {} uses vertex {}", index_, index),
             fmt::format("The file has {} vertices, counted from 0.", mesh_.vertices.size()));
      }
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    const std::string_view problem =
        triangulator_.append(corners_, mesh_.vertices, mesh_.triangles);
    if (!problem.empty()) {
      fail(fmt::format("face {} {}", index_, problem), "Export the mesh as triangles.");
    }
  }

  const PlyHeader& header_;
  const std::string& name_;
  const char* const start_;
  const char* p_;
  const char* const end_;
  const bool swapped_;
  TriMesh mesh_;
  PolygonTriangulator triangulator_;
  std::vector<std::uint32_t> corners_;
  const PlyElement* element_ = nullptr;
  std::uint64_t index_ = 0;  ///< of the element being read
};

}  // namespace

TriMesh parse_ply_binary(std::string_view bytes, const PlyHeader& header, const std::string& name) {
  return BinaryReader(bytes, header, name).read();
}

}  // namespace peal::geometry
