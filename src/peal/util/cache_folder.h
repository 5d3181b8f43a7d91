#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace peal::util {

/// The variable that names the folder of all cached results.
inline constexpr const char* cache_variable = "PEAL_CACHE";

/// The folder of cached results of one kind: $PEAL_CACHE/<kind>, else $XDG_CACHE_HOME/peal/<kind>,
/// else ~/.cache/peal/<kind>; nullopt if none is known.
std::optional<std::filesystem::path> cache_folder(const std::string& kind);

}  // namespace peal::util
