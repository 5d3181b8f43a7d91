#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace peal::util {

/// Where results of one kind are kept: $XDG_CACHE_HOME/peal/<kind>, else ~/.cache/peal/<kind>; none
/// if neither is known.
std::optional<std::filesystem::path> cache_folder(const std::string& kind);

}  // namespace peal::util
