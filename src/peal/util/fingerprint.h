#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace peal::util {

/// A hash of 128 bits that identifies data: two independent FNV-1a sums, each finished by a mixer.
/// Long lists of numbers enter by their checksum, at memory bandwidth. It guards against
/// accidental, not malicious, collisions.
class Fingerprint {
 public:
  void add_bytes(std::span<const std::byte> bytes);
  void add(std::string_view text);
  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void add(Number number) { add_bytes(std::as_bytes(std::span(&number, 1))); }
  template <class Item>
  requires std::is_arithmetic_v<Item>
  void add(std::span<const Item> items) {
    add(items.size());
    add_items(std::as_bytes(items));
  }

  std::string hex() const;  ///< 32 digits

 private:
  void add_items(std::span<const std::byte> bytes);

  std::uint64_t a_ = 0xCBF29CE484222325ull, b_ = 0x6C62272E07BB0142ull;
};

}  // namespace peal::util
