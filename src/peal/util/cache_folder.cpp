#include <peal/util/cache_folder.h>

#include <cstdlib>

namespace peal::util {

namespace fs = std::filesystem;

std::optional<fs::path> cache_folder(const std::string& kind) {
  if (const char* whole = std::getenv(cache_variable); whole != nullptr && *whole != '\0')
    return fs::path(whole) / kind;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "peal" / kind;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return fs::path(home) / ".cache" / "peal" / kind;
  return std::nullopt;
}

}  // namespace peal::util
