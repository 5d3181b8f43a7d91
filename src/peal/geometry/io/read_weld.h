#pragma once

#include <peal/geometry/mesh/vector.h>

#include <cstdint>
#include <vector>

namespace peal::geometry {

/// Assigns the same index to vertices at exactly the same position (0 and -0 are equal). Indices
/// increase in the order of first use.
class VertexWelder {
 public:
  /// New vertices are appended to `vertices`, which must outlive the welder and be empty.
  explicit VertexWelder(std::vector<Vec3>& vertices);

  std::uint32_t operator()(const Vec3& position);

 private:
  void grow();
  /// The slot of the position, or the free slot where it belongs.
  std::size_t slot_of(const Vec3& position) const;

  std::vector<Vec3>& vertices_;
  /// Hash table with open addressing: indices into vertices, or `free`.
  std::vector<std::uint32_t> slots_;
};

}  // namespace peal::geometry
