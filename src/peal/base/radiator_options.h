#pragma once

#include <peal/base/pressure_slice.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace peal::base {

/// Side outputs of a radiator, none of which changes the sound.
struct RadiatorOptions {
  std::optional<std::filesystem::path> cache;  ///< folder of finished chunks
  std::optional<SliceRequest> slices;
  /// Handed every slice in the order of time, by one thread.
  std::function<void(PressureSlice)> take_slice = [](PressureSlice) {};
  /// Told, by one thread, what to beware of that only the work has shown.
  std::function<void(std::string)> take_notice = [](std::string) {};
};

}  // namespace peal::base
