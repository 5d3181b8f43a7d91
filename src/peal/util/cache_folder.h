#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace peal::util {

/// The folder of cached results of one kind: $XDG_CACHE_HOME/peal/<kind>, else
/// ~/.cache/peal/<kind>; nullopt if neither is known.
std::optional<std::filesystem::path> cache_folder(const std::string& kind);

}  // namespace peal::util
