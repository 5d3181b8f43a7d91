#include <peal/util/cache_folder.h>
#include <peal/util/store.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <utility>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

std::string ending_of(const StoreKind& kind) {
  return "." + std::string(kind.name);
}

/// What is in use is not the oldest (cache.h). The time of access is set here, since many systems
/// do not keep it.
void note_use(const fs::path& path) {
  const std::array<timespec, 2> times = {{{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}}};
  if (::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) != 0) {
    // It is not ours, or has just been removed.
  }
}

/// One sentence about all problems, with the first as an example.
std::string sentence(const std::map<fs::path, std::string>& problems, const std::string& one,
                     const std::string& several) {
  const auto& [file, problem] = *problems.begin();
  if (problems.size() == 1)
    return fmt::format(fmt::runtime("{}the stored result {} " + one), cache_notice, file.string(),
                       problem);
  return fmt::format(fmt::runtime("{}{} stored results in {} " + several), cache_notice,
                     problems.size(), file.parent_path().string(), file.filename().string(),
                     problem);
}

}  // namespace

Store::Store(const StoreKind& kind, std::optional<fs::path> folder)
    : kind_(kind), folder_(std::move(folder)) {}

Store::Store(const StoreKind& kind) : Store(kind, cache_folder(std::string(kind.folder))) {}

fs::path Store::file(const std::string& key) const {
  return folder_.value_or(fs::path()) / (key + ending_of(kind_));
}

bool Store::attempt(const std::string& key, const std::function<bool(const fs::path&)>& use) const {
  if (!folder_) return false;
  const fs::path path = file(key);
  try {
    return use(path);
  } catch (const EntryError& error) {
    const std::lock_guard lock(mutex_);
    auto& problems = error.cause() == EntryError::Cause::damaged ? damaged_ : foreign_;
    problems.emplace(path, error.problem());
    return false;
  }
}

bool Store::read(const std::string& key, const Serialize& serialize) const {
  return attempt(key, [&](const fs::path& path) {
    if (!read_entry(path, kind_, key, serialize)) return false;
    note_use(path);
    return true;
  });
}

bool Store::contains(const std::string& key) const {
  return attempt(key, [&](const fs::path& path) { return check_entry(path, kind_, key); });
}

bool Store::try_write(const std::string& key, const Serialize& serialize) const {
  if (!folder_) return false;
  try {
    write_entry(file(key), kind_, key, serialize);
    return true;
  } catch (const InputError& error) {
    const std::lock_guard lock(mutex_);
    unwritten_.emplace(file(key), error.problem());
    return false;
  }
}

std::vector<std::string> Store::notices() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  if (!damaged_.empty()) {
    all.push_back(sentence(damaged_, "is damaged ({}): it is recomputed",
                           "are damaged, such as {} ({}): they are recomputed"));
  }
  if (!foreign_.empty()) {
    all.push_back(sentence(foreign_, "cannot be used ({}): it is recomputed",
                           "cannot be used, such as {} ({}): they are recomputed"));
  }
  if (!unwritten_.empty()) {
    all.push_back(
        sentence(unwritten_, "could not be written ({})", "could not be written, such as {} ({})"));
  }
  return all;
}

}  // namespace peal::util
