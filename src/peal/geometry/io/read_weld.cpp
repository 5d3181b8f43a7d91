#include <peal/geometry/io/read_weld.h>

#include <bit>
#include <limits>
#include <stdexcept>

namespace peal::geometry {

namespace {

constexpr std::uint32_t free_slot = std::numeric_limits<std::uint32_t>::max();

/// Multiplies and folds so that every bit of the coordinates reaches the low bits (the constants
/// are odd numbers near 2^64 divided by the golden ratio and by the square root of two).
std::uint64_t hash_of(const Vec3& position) {
  std::uint64_t hash = 0;
  for (const double coordinate : position) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(coordinate + 0.0)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  hash *= 0xB504F333F9DE6485u;
  return hash ^ (hash >> 29);
}

}  // namespace

VertexWelder::VertexWelder(std::vector<Vec3>& vertices)
    : vertices_(vertices), slots_(64, free_slot) {}

std::size_t VertexWelder::slot_of(const Vec3& position) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(position) & mask;
  while (slots_[slot] != free_slot && vertices_[slots_[slot]] != position) slot = (slot + 1) & mask;
  return slot;
}

std::uint32_t VertexWelder::operator()(const Vec3& position) {
  const std::size_t slot = slot_of(position);
  if (slots_[slot] != free_slot) return slots_[slot];
  if (vertices_.size() == free_slot) throw std::length_error("more than 4294967295 vertices");
  const auto index = static_cast<std::uint32_t>(vertices_.size());
  vertices_.push_back(position);
  slots_[slot] = index;
  if (2 * vertices_.size() > slots_.size()) grow();
  return index;
}

void VertexWelder::grow() {
  slots_.assign(2 * slots_.size(), free_slot);
  for (std::uint32_t index = 0; index < vertices_.size(); ++index) {
    slots_[slot_of(vertices_[index])] = index;
  }
}

}  // namespace peal::geometry
