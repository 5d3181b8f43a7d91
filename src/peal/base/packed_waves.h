#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::base {

/// The last two blocks of a string of blocks, from which coefficients of the next are predicted:
/// the spectra of short responses are smooth.
class WavePredictor {
 public:
  /// What is expected in place of a coefficient: nothing, that of the block before, or what lies on
  /// a straight line with those of the two before.
  enum Kind : std::uint32_t { nothing, constant, linear };
  static constexpr std::uint32_t kinds = 3;

  /// The number expected for a real or imaginary part (`part` 0 or 1) of a harmonic of a sound, in
  /// units of 2^exponent.
  std::int32_t expected(Kind kind, std::size_t sound, std::size_t harmonic, int part,
                        int exponent) const;
  /// Whether a coefficient of the block before is zero.
  bool was_zero(std::size_t sound, std::size_t harmonic) const;
  /// Takes the next block.
  void take(int order, std::span<const std::complex<float>> block);

 private:
  struct Block {
    std::size_t harmonics = 0;  ///< of each sound
    std::vector<std::complex<float>> values;

    std::complex<float> at(std::size_t sound, std::size_t harmonic) const;
  };
  Block last_, one_before_;
};

/// Coefficients of spherical waves as a string of bits: those of an order are whole multiples of
/// one power of two, as Rice codes (Rice 1979) of their differences from what WavePredictor
/// expects, and zeros are marked by a bit for each unless they are where they were in the block
/// before. Blocks follow each other: each has the harmonics up to an order of one or several
/// sounds.
class WavePacker {
 public:
  void add(int order, std::span<const std::complex<float>> block);
  std::vector<std::uint8_t> bytes() const { return bytes_; }

 private:
  void put(std::uint32_t bits, int count);
  void put_number(std::int32_t number, int parameter);
  void put_order(int order, int l, std::span<std::complex<float>> block);

  WavePredictor predictor_;
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
  void read_order(int order, int l, std::span<std::complex<float>> block);

  WavePredictor predictor_;
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;  ///< bit
};

}  // namespace peal::base
