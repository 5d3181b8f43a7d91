#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace peal::util {

/// A 128-bit checksum of a stream of bytes that runs at memory bandwidth. Eight words of 64 bits
/// are mixed at once, each in its own lane, and every step is invertible, so that every change
/// within one word is detected. It guards against accidental, not malicious, changes. The value
/// does not depend on how the stream is divided into calls; it depends on byte order.
class Checksum {
 public:
  using Value = std::array<std::uint64_t, 2>;

  void add(std::span<const std::byte> bytes);
  /// The checksum of all bytes so far.
  Value value() const;

 private:
  static constexpr std::size_t lanes = 8, stripe = lanes * sizeof(std::uint64_t);
  using State = std::array<std::uint64_t, lanes>;

  static void mix(State& state, const std::byte* bytes, std::size_t stripes);

  // Digits of pi: any numbers that differ between lanes would do.
  State state_ = {0x243F6A8885A308D3ull, 0x13198A2E03707344ull, 0xA4093822299F31D0ull,
                  0x082EFA98EC4E6C89ull, 0x452821E638D01377ull, 0xBE5466CF34E90C6Cull,
                  0xC0AC29B7C97C50DDull, 0x3F84D5B5B5470917ull};
  std::array<std::byte, stripe> rest_{};  ///< bytes of an incomplete stripe
  std::uint64_t size_ = 0;                ///< [byte]
};

/// The checksum of some bytes.
Checksum::Value checksum(std::span<const std::byte> bytes);

std::string hex(const Checksum::Value& value);  ///< 32 digits

}  // namespace peal::util
