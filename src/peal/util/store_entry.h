#pragma once

#include <peal/util/archive.h>
#include <peal/util/error.h>
#include <peal/util/store_kinds.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace peal::util {

/// The function that writes or reads an entry's payload.
using Serialize = std::function<void(Archive&)>;

/// The reason why a stored entry is unusable: it is damaged or truncated, or it is complete but of
/// another version of Peal, another kind or another key.
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
/// key, and the length and checksum of the payload, then the payload. The file appears complete or
/// not at all. Throws InputError if it cannot be written.
void write_entry(const std::filesystem::path& file, const StoreKind& kind, std::string_view key,
                 const Serialize& serialize);

/// Reads the payload directly into its destination and checks it; false if there is no such file.
/// Throws EntryError if the entry is unusable; what was read must then be discarded.
bool read_entry(const std::filesystem::path& file, const StoreKind& kind, std::string_view key,
                const Serialize& serialize);

/// Checks a whole entry without using it; throws EntryError. Returns false if there is no such
/// file.
bool check_entry(const std::filesystem::path& file, const StoreKind& kind, std::string_view key);

/// The payload of an entry in memory, after the same checks. Throws EntryError located in `file`.
std::string_view parse_entry(std::string_view bytes, const std::filesystem::path& file,
                             const StoreKind& kind, std::string_view key);

}  // namespace peal::util
