#include <peal/util/cache.h>
#include <peal/util/cache_folder.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/store_kinds.h>
#include <peal/util/temporary_name.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <string>
#include <vector>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

/// Age from which a temporary file, or a lock, has no writer any more, since no writer takes so
/// long and holders of locks write notes.
constexpr std::int64_t oldest_temporary = 3600;  // [s]

struct CachedFile {
  fs::path path;
  std::uintmax_t bytes = 0;
  std::int64_t used = 0;  ///< when it was last read or written [s]
  bool is_temporary = false;
};

/// State and parts of an unfinished simulation (Checkpoint), or an entry of a kind.
bool is_result(const fs::path& path) {
  if (path.parent_path().extension() == ".unfinished") return true;
  const std::string ending = path.extension().string();
  return std::ranges::any_of(
      stored::all, [&](const StoreKind& kind) { return ending == "." + std::string(kind.name); });
}

std::vector<CachedFile> cached_files() {
  std::vector<CachedFile> files;
  const auto cache = whole_cache_folder();
  if (!cache) return files;
  std::vector<std::string_view> folders;
  for (const StoreKind& kind : stored::all) folders.push_back(kind.folder);
  std::ranges::sort(folders);
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  for (const std::string_view folder : folders) {
    std::error_code error;
    fs::recursive_directory_iterator it(*cache / folder, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      std::error_code gone;
      if (it->is_symlink(gone) || !it->is_regular_file(gone) || gone) continue;
      CachedFile file{
          .path = it->path(),
          .is_temporary = is_temporary_name(it->path()) || it->path().extension() == ".lock"};
      if (!file.is_temporary && !is_result(file.path)) continue;
      struct stat status {};
      if (::stat(file.path.c_str(), &status) != 0) continue;
      file.bytes = static_cast<std::uintmax_t>(status.st_size);
      file.used = std::max<std::int64_t>(status.st_atim.tv_sec, status.st_mtim.tv_sec);
      files.push_back(std::move(file));
    }
  }
  return files;
}

/// Removes a file and, if it was the last in the folder of an unfinished simulation, the folder.
void remove(const CachedFile& file, CacheUse& removed) {
  std::error_code error;
  if (!fs::remove(file.path, error)) return;
  removed.bytes += file.bytes;
  ++removed.files;
  const fs::path folder = file.path.parent_path();
  if (folder.extension() == ".unfinished") fs::remove(folder, error);
}

std::optional<fs::path> limit_file() {
  const auto cache = whole_cache_folder();
  return cache ? std::optional(*cache / "limit") : std::nullopt;
}

}  // namespace

std::optional<fs::path> whole_cache_folder() {
  const auto folder = cache_folder("");
  return folder ? std::optional(folder->parent_path()) : std::nullopt;
}

CacheUse cache_use() {
  CacheUse use;
  for (const CachedFile& file : cached_files()) {
    use.bytes += file.bytes;
    ++use.files;
  }
  return use;
}

CacheUse clear_cache() {
  CacheUse removed;
  for (const CachedFile& file : cached_files()) remove(file, removed);
  return removed;
}

std::uintmax_t cache_limit() {
  const auto file = limit_file();
  std::error_code error;
  if (!file || !fs::is_regular_file(*file, error)) return default_cache_limit;
  try {
    const std::string text = read_file(*file, 100);
    std::uintmax_t bytes = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    return problem == std::errc() ? bytes : default_cache_limit;
  } catch (const InputError&) {
    return default_cache_limit;
  }
}

void set_cache_limit(std::uintmax_t bytes) {
  const auto file = limit_file();
  if (!file) {
    throw InputError({},
                     "there is no cache folder: PEAL_CACHE, XDG_CACHE_HOME and HOME are not set",
                     "Set one of them.");
  }
  write_file(*file, fmt::format("{}\n", bytes));
}

CacheUse trim_cache() {
  CacheUse removed;
  const std::int64_t now = ::time(nullptr);
  std::vector<CachedFile> files = cached_files();
  std::erase_if(files, [&](const CachedFile& file) {
    if (!file.is_temporary) return false;
    if (now - file.used > oldest_temporary) remove(file, removed);
    return true;
  });
  std::ranges::sort(files, {}, [](const CachedFile& file) { return file.used; });
  std::uintmax_t bytes = 0;
  for (const CachedFile& file : files) bytes += file.bytes;
  const std::uintmax_t limit = cache_limit();
  for (const CachedFile& file : files) {
    if (bytes <= limit) break;
    remove(file, removed);
    bytes -= file.bytes;
  }
  return removed;
}

}  // namespace peal::util
