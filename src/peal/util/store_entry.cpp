#include <peal/util/checksum.h>
#include <peal/util/files.h>
#include <peal/util/store_entry.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

using Cause = EntryError::Cause;

/// Format version, increased when the header changes.
constexpr std::uint32_t entry_format = 1;

/// Block that is read, summed and copied while it is in the processor's cache [byte].
constexpr std::size_t at_once = std::size_t{1} << 18;

/// The first bytes of an entry, as in memory.
struct EntryHeader {
  std::array<char, 8> magic = {'P', 'E', 'A', 'L', 'S', 'T', 'O', 'R'};
  std::uint32_t format = entry_format;
  std::uint32_t revision = 0;
  std::array<char, 24> kind{};
  std::array<char, longest_key> key{};
  std::uint64_t size = 0;      ///< length of the payload [byte]
  Checksum::Value checksum{};  ///< checksum of the payload
  Checksum::Value own{};       ///< checksum of the header fields before it

  Checksum::Value expected_own() const {
    return util::checksum(
        std::as_bytes(std::span(this, 1)).first(sizeof(EntryHeader) - sizeof(own)));
  }
};
static_assert(sizeof(EntryHeader) == 120, "the header has no gaps");

template <std::size_t size>
std::array<char, size> padded(std::string_view text) {
  if (text.size() > size) throw std::invalid_argument("a name in the store is too long");
  std::array<char, size> letters{};
  std::ranges::copy(text, letters.begin());
  return letters;
}

EntryHeader header_of(const StoreKind& kind, std::string_view key) {
  EntryHeader header;
  header.revision = kind.revision;
  header.kind = padded<24>(kind.name);
  header.key = padded<longest_key>(key);
  return header;
}

/// Throws EntryError unless the header is that of the entry, and of a file of this size.
void check_header(const EntryHeader& header, std::size_t file_size, const fs::path& file,
                  const StoreKind& kind, std::string_view key) {
  const EntryHeader expected = header_of(kind, key);
  if (header.magic != expected.magic)
    throw EntryError(Cause::foreign, file, "not written by Peal's store");
  if (header.format != expected.format)
    throw EntryError(Cause::foreign, file, "written by another version of Peal");
  if (header.own != header.expected_own())
    throw EntryError(Cause::damaged, file, "wrong checksum of the header");
  if (header.kind != expected.kind)
    throw EntryError(Cause::foreign, file, "an entry of another kind");
  if (header.revision != expected.revision)
    throw EntryError(Cause::foreign, file, "computed by another version of Peal");
  if (header.key != expected.key) throw EntryError(Cause::foreign, file, "an entry of another key");
  if (header.size != file_size - sizeof(EntryHeader))
    throw EntryError(Cause::damaged, file, "cut short, or longer than it was");
}

[[noreturn]] void refuse_sum(const fs::path& file) {
  throw EntryError(Cause::damaged, file, "wrong checksum");
}

[[noreturn]] void refuse_cut(const fs::path& file) {
  throw EntryError(Cause::damaged, file, "cut short");
}

/// Writes the payload after the space for the header, which is written last.
class EntryWriter {
 public:
  explicit EntryWriter(const fs::path& file) : out_(file, std::ios::binary) { put(header_); }

  void payload(std::span<const std::byte> bytes) {
    size_ += bytes.size();
    while (!bytes.empty()) {
      const auto some = bytes.first(std::min(bytes.size(), at_once));
      sum_.add(some);
      out_.write(reinterpret_cast<const char*>(some.data()),
                 static_cast<std::streamsize>(some.size()));
      bytes = bytes.subspan(some.size());
    }
  }
  void finish(EntryHeader header) {
    header.size = size_;
    header.checksum = sum_.value();
    header.own = header.expected_own();
    out_.seekp(0);
    put(header);
    errno = 0;
    out_.close();
    if (!out_) throw InputError({}, errno != 0 ? std::strerror(errno) : "no space");
  }

 private:
  void put(const EntryHeader& header) {
    out_.write(reinterpret_cast<const char*>(&header), sizeof(header));
  }

  std::ofstream out_;
  EntryHeader header_;
  Checksum sum_;
  std::uint64_t size_ = 0;
};

/// An entry that is read sequentially with a running checksum.
class EntryReader {
 public:
  EntryReader(const fs::path& path, const StoreKind& kind, std::string_view key)
      : path_(path), file_(path, std::numeric_limits<std::size_t>::max()) {
    if (file_.size() < sizeof(header_)) refuse_cut(path);
    file_.read(reinterpret_cast<char*>(&header_), sizeof(header_));
    check_header(header_, file_.size(), path, kind, key);
    left_ = header_.size;
  }

  std::size_t left() const { return left_; }  ///< length of the payload [byte]
  void read(std::span<std::byte> into) {
    if (into.size() > left_) refuse_cut(path_);
    left_ -= into.size();
    while (!into.empty()) {
      const auto some = into.first(std::min(into.size(), at_once));
      file_.read(reinterpret_cast<char*>(some.data()), some.size());
      sum_.add(some);
      into = into.subspan(some.size());
    }
  }
  /// Checks the entry after the last byte.
  void check_sum() const {
    if (sum_.value() != header_.checksum) refuse_sum(path_);
  }

 private:
  fs::path path_;
  InputFile file_;
  EntryHeader header_;
  Checksum sum_;
  std::size_t left_ = 0;
};

/// Reads an entry if there is one. Any defect is reported as an EntryError.
template <class Use>
bool with_entry(const fs::path& file, const StoreKind& kind, std::string_view key, const Use& use) {
  constexpr int attempts = 10;  // other processes may remove and replace it in between
  for (int attempt = 1;; ++attempt) {
    std::error_code error;
    if (!fs::exists(file, error)) return false;
    try {
      EntryReader reader(file, kind, key);
      use(reader);
      reader.check_sum();
      return true;
    } catch (const EntryError&) {
      throw;
    } catch (const InputError& problem) {
      if (attempt == attempts && fs::exists(file, error))
        throw EntryError(Cause::damaged, file, problem.problem());
      if (attempt == attempts) return false;
    }
  }
}

}  // namespace

void write_entry(const fs::path& file, const StoreKind& kind, std::string_view key,
                 const Serialize& serialize) {
  const EntryHeader header = header_of(kind, key);
  write_file(file, [&](const fs::path& temporary) {
    EntryWriter writer(temporary);
    Archive archive([&](std::span<const std::byte> bytes) { writer.payload(bytes); });
    serialize(archive);
    try {
      writer.finish(header);
    } catch (const InputError& error) {
      throw InputError({file.string(), ""}, "cannot write: " + error.problem());
    }
  });
}

bool read_entry(const fs::path& file, const StoreKind& kind, std::string_view key,
                const Serialize& serialize) {
  return with_entry(file, kind, key, [&](EntryReader& reader) {
    Archive archive([&](std::span<std::byte> into) { reader.read(into); }, reader.left());
    serialize(archive);
    if (reader.left() > 0) throw EntryError(Cause::damaged, file, "longer than its content");
  });
}

bool check_entry(const fs::path& file, const StoreKind& kind, std::string_view key) {
  return with_entry(file, kind, key, [&](EntryReader& reader) {
    std::vector<std::byte> some(std::min(reader.left(), at_once));
    while (reader.left() > 0) {
      reader.read(std::span(some).first(std::min(some.size(), reader.left())));
    }
  });
}

std::string_view parse_entry(std::string_view bytes, const fs::path& file, const StoreKind& kind,
                             std::string_view key) {
  EntryHeader header;
  if (bytes.size() < sizeof(header)) refuse_cut(file);
  std::memcpy(&header, bytes.data(), sizeof(header));
  check_header(header, bytes.size(), file, kind, key);
  const std::string_view payload = bytes.substr(sizeof(header));
  if (checksum(std::as_bytes(std::span(payload))) != header.checksum) refuse_sum(file);
  return payload;
}

}  // namespace peal::util
