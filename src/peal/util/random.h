#pragma once

#include <cstdint>

namespace peal::util {

/// Random bits by number, not by turn: the same (seed, stream, index) gives the same bits in any
/// order and on any thread. The finaliser of SplitMix64 (Steele, Lea & Flood 2014) over a Weyl
/// sequence, applied once per word.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// Uniform in [0, 1).
double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace peal::util
