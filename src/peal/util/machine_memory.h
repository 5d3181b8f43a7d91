#pragma once

namespace peal::util {

/// Of this machine [bytes].
double machine_memory();

/// Part of it that a render may take.
constexpr double memory_share = 0.8;

}  // namespace peal::util
