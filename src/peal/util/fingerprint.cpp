#include <peal/util/checksum.h>
#include <peal/util/fingerprint.h>

#include <fmt/format.h>

namespace peal::util {

namespace {

/// Size from which the checksum is faster than hashing byte by byte [byte].
constexpr std::size_t long_list = 256;

/// Every bit of the result depends on every bit of x (finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

}  // namespace

void Fingerprint::add_bytes(std::span<const std::byte> bytes) {
  constexpr std::uint64_t prime = 0x100000001B3ull;
  for (const std::byte byte : bytes) {
    a_ = (a_ ^ static_cast<std::uint64_t>(byte)) * prime;
    b_ = (b_ * prime) ^ static_cast<std::uint64_t>(byte);
  }
}

void Fingerprint::add_items(std::span<const std::byte> bytes) {
  if (bytes.size() < long_list) return add_bytes(bytes);
  const Checksum::Value sum = checksum(bytes);
  add_bytes(std::as_bytes(std::span(sum)));
}

void Fingerprint::add(std::string_view text) {
  add(text.size());
  add_bytes(std::as_bytes(std::span(text)));
}

std::string Fingerprint::hex() const {
  return fmt::format("{:016x}{:016x}", mixed(a_), mixed(b_));
}

}  // namespace peal::util
