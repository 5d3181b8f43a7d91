#pragma once

#include <cstdint>

namespace peal::util {

/// Counter-based random bits: the same (seed, stream, index) gives the same bits in any order and
/// on any thread. The generator is the finaliser of SplitMix64 (Steele, Lea & Flood 2014) over a
/// Weyl sequence, applied once per word.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// A random number, uniform in [0, 1).
double random_uniform(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace peal::util
