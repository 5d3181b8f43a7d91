#pragma once

namespace peal::util {

/// The memory of this machine [bytes].
double machine_memory();

/// Fraction of the memory that a render may use.
constexpr double memory_share = 0.8;

}  // namespace peal::util
