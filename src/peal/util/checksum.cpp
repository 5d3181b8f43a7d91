#include <peal/util/checksum.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace peal::util {

namespace {

/// Every bit of the result depends on every bit of x (finaliser of SplitMix64).
std::uint64_t finished(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

}  // namespace

void Checksum::mix(State& state, const std::byte* bytes, std::size_t stripes) {
  State local = state;  // in registers: the bytes might alias the state
  for (std::size_t i = 0; i < stripes; ++i, bytes += stripe) {
    for (std::size_t k = 0; k < lanes; ++k) {
      std::uint64_t word;
      std::memcpy(&word, bytes + k * sizeof(word), sizeof(word));
      local[k] = (local[k] ^ word) * 0x9E3779B97F4A7C15ull;
      local[k] ^= local[k] >> 32;
    }
  }
  state = local;
}

void Checksum::add(std::span<const std::byte> bytes) {
  const std::size_t filled = size_ % stripe;
  size_ += bytes.size();
  if (filled > 0) {
    const std::size_t count = std::min(stripe - filled, bytes.size());
    std::ranges::copy(bytes.first(count), rest_.begin() + filled);
    bytes = bytes.subspan(count);
    if (filled + count < stripe) return;
    mix(state_, rest_.data(), 1);
  }
  const std::size_t whole = bytes.size() / stripe;
  mix(state_, bytes.data(), whole);
  std::ranges::copy(bytes.subspan(whole * stripe), rest_.begin());
}

Checksum::Value Checksum::value() const {
  State state = state_;
  std::array<std::byte, stripe> last{};
  std::ranges::copy(std::span(rest_).first(size_ % stripe), last.begin());
  mix(state, last.data(), 1);
  Value value = {finished(size_), finished(~size_)};
  for (const std::uint64_t lane : state) {
    value[0] = finished(value[0] ^ lane);
    value[1] = finished(std::rotl(value[1], 17) + lane);
  }
  return value;
}

Checksum::Value checksum(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

std::string hex(const Checksum::Value& value) {
  return fmt::format("{:016x}{:016x}", value[0], value[1]);
}

}  // namespace peal::util
