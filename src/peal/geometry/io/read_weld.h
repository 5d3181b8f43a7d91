#pragma once

#include <peal/geometry/mesh/vector.h>

#include <cstdint>
#include <vector>

namespace peal::geometry {

/// Gives vertices at exactly the same position the same index (0 and -0 are the same). Indices
/// count up in the order of first use.
class VertexWelder {
 public:
  /// New vertices are appended to `vertices`, which must outlive this and be empty.
  explicit VertexWelder(std::vector<Vec3>& vertices);

  std::uint32_t operator()(const Vec3& position);

 private:
  void grow();
  /// The slot that holds the position, or the free one where it belongs.
  std::size_t slot_of(const Vec3& position) const;

  std::vector<Vec3>& vertices_;
  std::vector<std::uint32_t> slots_;  ///< open addressing: an index into vertices or `free`
};

}  // namespace peal::geometry
