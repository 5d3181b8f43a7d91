#pragma once

#include <peal/util/store_entry.h>

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::util {

/// Results of one kind on disk, found again by their key: a hash of everything that they depend on.
///
/// An entry is one file, KEY.KIND, with a checksum (store_entry.h). One that is damaged, or of
/// another version, kind or key, counts as absent: it is computed again and overwritten, and
/// notices() reports it. Several threads and several processes may share a folder: entries appear
/// whole, may vanish at any time, and the last of two that are written stays.
class Store {
 public:
  /// Without a folder nothing is stored or found.
  Store(const StoreKind& kind, std::optional<std::filesystem::path> folder);
  /// In the user's cache.
  explicit Store(const StoreKind& kind);

  /// The entry, read by `serialize(Archive&, T&)`, which throws InputError for what cannot be.
  template <class T>
  std::optional<T> find(const std::string& key) const {
    std::optional<T> value(std::in_place);
    const bool found = read(key, [&](Archive& archive) { serialize(archive, *value); });
    return found ? std::move(value) : std::nullopt;
  }
  /// The same for what cannot be made without arguments. If it returns false, what was read must
  /// not be used.
  bool read(const std::string& key, const Serialize& serialize) const;
  /// Whether find() would find it. All of it is read.
  bool contains(const std::string& key) const;

  /// Writes an entry by `serialize(Archive&, T&)`, which leaves `value` as it is. False if there is
  /// no folder or it cannot be written, which notices() tells.
  template <class T>
  bool save(const std::string& key, T& value) const {
    return try_write(key, [&](Archive& archive) { serialize(archive, value); });
  }
  /// The same, but throws InputError if it cannot be written.
  template <class T>
  void save_or_throw(const std::string& key, T& value) const {
    if (folder_) {
      write_entry(file(key), kind_, key, [&](Archive& archive) { serialize(archive, value); });
    }
  }

  /// Removes all entries of the kind but these, and what writers that were killed have left.
  void keep_only(std::span<const std::string> keys) const;

  const std::optional<std::filesystem::path>& folder() const { return folder_; }
  std::filesystem::path file(const std::string& key) const;

  /// What the user should know: at most one sentence each for damaged entries, for foreign ones,
  /// and for what could not be written.
  std::vector<std::string> notices() const;

 private:
  bool try_write(const std::string& key, const Serialize& serialize) const;
  /// Does something with an entry; false if there is none that can be used.
  bool attempt(const std::string& key,
               const std::function<bool(const std::filesystem::path&)>& use) const;

  using Problems = std::map<std::filesystem::path, std::string>;  ///< by file

  StoreKind kind_;
  std::optional<std::filesystem::path> folder_;
  mutable std::mutex mutex_;
  mutable Problems damaged_, foreign_, unwritten_;
};

}  // namespace peal::util
