#include <peal/geometry/io/read_ply_binary.h>
#include <peal/geometry/io/read_polygon.h>
#include <peal/geometry/io/read_text.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

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
  BinaryReader(ByteStream& stream, const PlyHeader& header, const std::string& name,
               PlyValues* values)
      : stream_(stream),
        header_(header),
        name_(name),
        values_(values),
        swapped_((header.format == PlyFormat::little_endian) !=
                 (std::endian::native == std::endian::little)) {
    stream_.skip(header.size);
  }

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
    expect_end();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail_at(std::size_t byte, const std::string& problem,
                            const std::string& hint) const {
    throw util::InputError({name_, fmt::format("byte {}", byte)}, problem, hint);
  }

  /// Some programs end the file with a line feed.
  void expect_end() {
    const std::size_t left = stream_.left();
    const std::size_t at = stream_.position();
    const std::string_view rest = stream_.peek(std::min<std::size_t>(left, 16));
    const auto is_blank = [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\0'; };
    if (left <= 16 && std::all_of(rest.begin(), rest.end(), is_blank)) return;
    fail_at(at, fmt::format("{} bytes are left over after the last element", left),
            "Correct the counts in the header or remove them.");
  }

  void require(std::uint64_t size) const {
    if (size <= stream_.left()) return;
    fail_at(stream_.position(),
            fmt::format("the file ends within {} {} of {}", in_quotes(element_->name), index_,
                        element_->count),
            "The file is cut short or its header is wrong; export it again.");
  }

  /// The next bytes, valid until more are taken.
  const char* take(std::uint64_t size) {
    require(size);
    const char* const bytes = stream_.peek(size).data();
    stream_.skip(size);
    return bytes;
  }

  std::uint64_t take_count(const PlyProperty& list) {
    const std::size_t at = stream_.position();
    const double count = load(list.count_type, take(size_of(list.count_type)), swapped_);
    if (count < 0.0) {
      fail_at(at, fmt::format("the list {} has {} entries", in_quotes(list.name), count),
              "A length cannot be negative.");
    }
    return static_cast<std::uint64_t>(count);
  }

  void skip(std::uint64_t size) {
    require(size);
    stream_.skip(size);
  }

  void skip_property(const PlyProperty& property) {
    skip((property.is_list ? take_count(property) : 1) * size_of(property.type));
  }

  void skip_elements() {
    if (!element_->has_lists()) {
      skip(element_->count * element_->least_size(header_.format));
      return;
    }
    for (; index_ < element_->count; ++index_) {
      for (const PlyProperty& property : element_->properties) skip_property(property);
    }
  }

  /// Offset of x if x, y, z are neighbours of type float in an element of fixed size, else -1.
  std::ptrdiff_t float_triple_offset() const {
    const int x = element_->find("x");
    if (values_ != nullptr || swapped_ || element_->has_lists() || element_->find("y") != x + 1 ||
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
      const std::size_t at = stream_.position();
      Vec3 position = Vec3::Zero();
      for (const PlyProperty& property : element_->properties) {
        const char letter = property.name.size() == 1 ? property.name[0] : '\0';
        if (letter >= 'x' && letter <= 'z') {
          position[letter - 'x'] = load(property.type, take(size_of(property.type)), swapped_);
          if (is_wanted(property)) keep_value(position[letter - 'x'], at);
        } else if (is_wanted(property)) {
          keep_value(load(property.type, take(size_of(property.type)), swapped_), at);
        } else {
          skip_property(property);
        }
      }
      if (!position.allFinite()) not_finite(at);
      mesh_.vertices.push_back(position);
    }
  }

  bool is_wanted(const PlyProperty& property) const {
    return values_ != nullptr && !property.is_list && property.name == values_->property;
  }

  void keep_value(double value, std::size_t at) {
    if (!std::isfinite(value)) {
      fail_at(at,
              fmt::format("{} of vertex {} is not a finite number", in_quotes(values_->property),
                          index_),
              "Repair the mesh in the program it comes from.");
    }
    values_->of_vertex.push_back(value);
  }

  void read_float_triples(std::ptrdiff_t offset) {
    const std::size_t stride = element_->least_size(header_.format);
    require(element_->count * stride);
    mesh_.vertices.resize(element_->count);  // leaves the numbers unset
    while (index_ < element_->count) {
      const std::string_view bytes = stream_.peek(stride);
      const std::size_t count = std::min(bytes.size() / stride, element_->count - index_);
      convert_float_triples(bytes.data() + offset, stride, {&mesh_.vertices[index_], count});
      index_ += count;
      stream_.skip(count * stride);
    }
  }

  void convert_float_triples(const char* source, std::size_t stride, std::span<Vec3> positions) {
    float poison = 0.0f;  // becomes not-a-number with the first bad coordinate
    for (Vec3& position : positions) {
      std::array<float, 3> xyz;
      std::memcpy(xyz.data(), source, sizeof(xyz));
      position = {xyz[0], xyz[1], xyz[2]};
      poison += xyz[0] * 0.0f + xyz[1] * 0.0f + xyz[2] * 0.0f;
      source += stride;
    }
    if (poison == 0.0f) return;
    std::size_t bad = 0;
    while (positions[bad].allFinite()) ++bad;
    index_ += bad;
    not_finite(stream_.position() + bad * stride);
  }

  [[noreturn]] void not_finite(std::size_t at) const {
    fail_at(at, fmt::format("vertex {} has a coordinate that is not a finite number", index_),
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
    constexpr std::size_t size = 1 + sizeof(Triangle);
    std::size_t done = 1;
    while (done > 0) {
      const std::string_view bytes = stream_.peek(size);
      const std::size_t count =
          std::min<std::size_t>(bytes.size() / size, element_->count - index_);
      done = copy_plain_triangles(bytes.data(), count);
      index_ += done;
      stream_.skip(done * size);
    }
  }

  /// Returns how many of them are plain triangles.
  std::size_t copy_plain_triangles(const char* source, std::size_t count) {
    const auto vertex_count = static_cast<std::uint32_t>(mesh_.vertices.size());
    std::array<Triangle, 256> block;  // appended as a whole, which is faster than one by one
    std::size_t done = 0;
    bool good = true;
    while (good && done < count) {
      const std::size_t end = std::min(block.size(), count - done);
      std::size_t k = 0;
      for (; k < end; ++k, source += 1 + sizeof(Triangle)) {
        std::memcpy(block[k].data(), source + 1, sizeof(Triangle));
        const auto& [a, b, c] = block[k];
        if (*source != 3 || std::max({a, b, c}) >= vertex_count) break;
      }
      good = k == end;
      done += k;
      mesh_.triangles.insert(mesh_.triangles.end(), block.begin(),
                             block.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return done;
  }

  void read_corners(const PlyProperty& list) {
    const std::size_t at = stream_.position();
    const std::uint64_t count = take_count(list);
    if (count < 3) {
      fail_at(at, fmt::format("face {} has {} corners", index_, count),
              "A face needs at least three.");
    }
    const std::size_t size = size_of(list.type);
    const std::size_t first = stream_.position();
    const char* const source = take(count * size);
    corners_.clear();
    for (std::uint64_t k = 0; k < count; ++k) {
      const double index = load(list.type, source + k * size, swapped_);
      if (index < 0.0 || index >= static_cast<double>(mesh_.vertices.size())) {
        fail_at(first + k * size, fmt::format("face {} uses vertex {}", index_, index),
                fmt::format("The file has {} vertices, counted from 0.", mesh_.vertices.size()));
      }
      corners_.push_back(static_cast<std::uint32_t>(index));
    }
    const std::string_view problem =
        triangulator_.append(corners_, mesh_.vertices, mesh_.triangles);
    if (!problem.empty()) {
      fail_at(at, fmt::format("face {} {}", index_, problem), "Export the mesh as triangles.");
    }
  }

  ByteStream& stream_;
  const PlyHeader& header_;
  const std::string& name_;
  PlyValues* values_;
  const bool swapped_;
  TriMesh mesh_;
  PolygonTriangulator triangulator_;
  std::vector<std::uint32_t> corners_;
  const PlyElement* element_ = nullptr;
  std::uint64_t index_ = 0;  ///< of the element being read
};

}  // namespace

TriMesh parse_ply_binary(ByteStream& stream, const PlyHeader& header, const std::string& name,
                         PlyValues* values) {
  return BinaryReader(stream, header, name, values).read();
}

}  // namespace peal::geometry
