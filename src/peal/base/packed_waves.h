#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::base {

/// Coefficients of spherical waves as a string of bits: those of an order are whole multiples of
/// one power of two, as Rice codes (Rice 1979), with a bit for each that marks zeros. Blocks follow
/// each other: each has the harmonics up to an order of one or several sounds.
class WavePacker {
 public:
  void add(int order, std::span<const std::complex<float>> block);
  std::vector<std::uint8_t> bytes() const { return bytes_; }

 private:
  void put(std::uint32_t bits, int count);
  void put_number(std::int32_t number, int parameter);

  std::vector<std::uint8_t> bytes_;
  int free_ = 0;  ///< bits of the last byte that are not used yet
};

/// Reads what WavePacker wrote. Throws util::InputError if the bytes are no such blocks.
class WaveUnpacker {
 public:
  explicit WaveUnpacker(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  void read(int order, std::span<std::complex<float>> block);

 private:
  std::uint32_t take(int count);
  std::int32_t take_number(int parameter);

  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;  ///< bit
};

}  // namespace peal::base
