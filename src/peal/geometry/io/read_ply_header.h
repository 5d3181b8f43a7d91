#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace peal::geometry {

enum class PlyFormat { ascii, little_endian, big_endian };
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type);  ///< [byte]

struct PlyProperty {
  std::string name;
  PlyType type;  ///< type of the value, or of each entry of a list
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< lists only
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  bool has_lists() const;
  /// Least number of bytes of one element: exact without lists; otherwise for empty lists.
  std::size_t least_size(PlyFormat format) const;
  /// Index of the property, or -1.
  int find(std::string_view property) const;
  /// Index of the list of corners (vertex_indices or vertex_index), or -1.
  int find_corners() const;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::size_t size = 0;   ///< bytes up to the data
  std::size_t lines = 0;  ///< lines up to the data
};

/// A property of the vertices that is wanted besides their positions.
struct PlyValues {
  std::string property;
  std::vector<double> of_vertex = {};  ///< finite
};

/// Reads the header and checks that it is valid, that it describes a surface, and that the file is
/// long enough for its counts. `bytes` is the file or its beginning. Throws InputError.
PlyHeader parse_ply_header(std::string_view bytes, std::size_t file_size, const std::string& name);

}  // namespace peal::geometry
