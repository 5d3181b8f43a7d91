#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace peal::util {

/// Files in the user's cache.
struct CacheUse {
  std::uintmax_t bytes = 0;
  std::size_t files = 0;
};

/// The folder of all cached results: $PEAL_CACHE, else $XDG_CACHE_HOME/peal, else ~/.cache/peal.
std::optional<std::filesystem::path> whole_cache_folder();

/// What Peal's results take in the cache. Other files there count neither here nor below.
CacheUse cache_use();

/// Removes all results and temporary files. Returns what they took.
CacheUse clear_cache();

inline constexpr std::uintmax_t default_cache_limit = 20'000'000'000;  ///< [byte]

/// The limit that trim_cache() keeps [byte]: that of set_cache_limit(), or the default.
std::uintmax_t cache_limit();
/// Remembers a limit in the cache itself. Throws InputError if it cannot be written.
void set_cache_limit(std::uintmax_t bytes);

/// Removes temporary files that no writer has touched for an hour, and the results that were not
/// used for longest until the others are within the limit. Other processes may use the cache at the
/// same time: for them, a result that was removed is absent. Returns what was removed.
CacheUse trim_cache();

}  // namespace peal::util
