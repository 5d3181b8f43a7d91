#pragma once

#include <peal/util/archive.h>
#include <peal/util/error.h>
#include <peal/util/store_kinds.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace peal::util {

/// The one function that writes an entry's payload or reads it.
using Serialize = std::function<void(Archive&)>;

/// Why a stored entry cannot be used: its bytes were changed or cut, or it is whole but of another
/// version of Peal, another kind or another key.
class EntryError : public InputError {
 public:
  enum class Cause { damaged, foreign };

  EntryError(Cause cause, const std::filesystem::path& file, std::string problem)
      : InputError({file.string(), ""}, std::move(problem)), cause_(cause) {}

  Cause cause() const { return cause_; }

 private:
  Cause cause_;
};

inline constexpr std::size_t longest_key = 40;  ///< [characters]

/// Writes an entry as one file: a header with the format's version, the kind and its revision, the
/// key, and the length and checksum of the payload, then the payload. The file appears whole or not
/// at all. Throws InputError if it cannot be written.
void write_entry(const std::filesystem::path& file, const StoreKind& kind, std::string_view key,
                 const Serialize& serialize);

/// Reads the payload straight into place and checks it on the way; false if there is no such file.
/// Throws EntryError if the entry cannot be used: then what was read must be thrown away.
bool read_entry(const std::filesystem::path& file, const StoreKind& kind, std::string_view key,
                const Serialize& serialize);

/// Checks all of an entry without using it; throws EntryError. False if there is no such file.
bool check_entry(const std::filesystem::path& file, const StoreKind& kind, std::string_view key);

/// The payload of an entry that was read already, after the same checks. Throws EntryError with
/// `file` as its place.
std::string_view parse_entry(std::string_view bytes, const std::filesystem::path& file,
                             const StoreKind& kind, std::string_view key);

}  // namespace peal::util
