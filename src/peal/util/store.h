#pragma once

#include <peal/util/store_entry.h>

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace peal::util {

/// Results of one kind on disk, identified by a key: a hash of everything on which they depend.
///
/// An entry is one file, KEY.KIND, with a checksum (store_entry.h). An entry that is damaged, or of
/// another version, kind or key, counts as absent: it is recomputed and overwritten, and notices()
/// reports it. Several threads and processes may share a folder: entries appear complete, may
/// disappear at any time, and the last of two writers wins.
class Store {
 public:
  /// Without a folder nothing is stored or found.
  Store(const StoreKind& kind, std::optional<std::filesystem::path> folder);
  /// A store in the user's cache folder.
  explicit Store(const StoreKind& kind);

  /// Reads an entry by `serialize(Archive&, T&)`, which throws InputError for invalid data.
  template <class T>
  std::optional<T> find(const std::string& key) const {
    std::optional<T> value(std::in_place);
    const bool found = read(key, [&](Archive& archive) { serialize(archive, *value); });
    return found ? std::move(value) : std::nullopt;
  }
  /// Reads an entry into an object that has no default constructor. If it returns false, the object
  /// must not be used.
  bool read(const std::string& key, const Serialize& serialize) const;
  /// Whether find() would succeed. The whole entry is read.
  bool contains(const std::string& key) const;

  /// Writes an entry by `serialize(Archive&, T&)`, which does not change `value`. Returns false if
  /// there is no folder or writing fails; notices() reports the latter.
  template <class T>
  bool save(const std::string& key, T& value) const {
    return try_write(key, [&](Archive& archive) { serialize(archive, value); });
  }
  /// Writes an entry; throws InputError if it cannot be written.
  template <class T>
  void save_or_throw(const std::string& key, T& value) const {
    if (folder_) {
      write_entry(file(key), kind_, key, [&](Archive& archive) { serialize(archive, value); });
    }
  }

  const std::optional<std::filesystem::path>& folder() const { return folder_; }
  std::filesystem::path file(const std::string& key) const;

  /// Messages for the user: at most one sentence each for damaged entries, for foreign ones, and
  /// for failed writes. They are about the cache, not about the results (is_about_cache()).
  std::vector<std::string> notices() const;

 private:
  bool try_write(const std::string& key, const Serialize& serialize) const;
  /// Applies `use` to an entry; false if there is no usable entry.
  bool attempt(const std::string& key,
               const std::function<bool(const std::filesystem::path&)>& use) const;

  using Problems = std::map<std::filesystem::path, std::string>;  ///< by file

  StoreKind kind_;
  std::optional<std::filesystem::path> folder_;
  mutable std::mutex mutex_;
  mutable Problems damaged_, foreign_, unwritten_;
};

/// What messages about the cache begin with.
inline constexpr std::string_view cache_notice = "cache: ";

/// Whether a message is about the cache. Such a message is shown, but it is no part of a result:
/// the same scene gives the same files.
inline bool is_about_cache(std::string_view notice) {
  return notice.starts_with(cache_notice);
}

}  // namespace peal::util
