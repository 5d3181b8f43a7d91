#pragma once

#include <peal/base/pressure_slice.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace peal::base {

/// Additional tasks of a radiator, and what it should know of a world beside its bodies.
struct RadiatorOptions {
  std::optional<std::filesystem::path> cache;  ///< folder for cached results
  std::optional<SliceRequest> slices;
  /// Names of bodies that are pieces of others, many of them small: tables need not be exact.
  std::set<std::string> fragments = {};
  /// Receives every slice in order of time, from one thread.
  std::function<void(PressureSlice)> take_slice = [](PressureSlice) {};
  /// Receives, from one thread, notices that arise only during the computation.
  std::function<void(std::string)> take_notice = [](std::string) {};
};

}  // namespace peal::base
