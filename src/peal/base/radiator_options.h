#pragma once

#include <peal/base/pressure_slice.h>

#include <filesystem>
#include <functional>
#include <optional>

namespace peal::base {

/// What a radiator may do beside the sound; none of it changes the sound.
struct RadiatorOptions {
  std::optional<std::filesystem::path> cache;  ///< folder in which finished work is kept
  std::optional<SliceRequest> slices;
  /// Handed every slice in the order of time, by one thread.
  std::function<void(PressureSlice)> take_slice = [](PressureSlice) {};
};

}  // namespace peal::base
