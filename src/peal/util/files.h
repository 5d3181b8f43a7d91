#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace peal::util {

/// A regular file open for reading from front to back.
class InputFile {
 public:
  /// Throws InputError if the file is missing, not a regular file, unreadable, or larger than
  /// `limit` bytes.
  explicit InputFile(std::filesystem::path path, std::size_t limit = std::size_t{4} << 30);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::size_t size() const { return size_; }  ///< [byte]
  /// Reads the next `count` bytes; throws InputError if the file was truncated since it was opened.
  void read(char* into, std::size_t count);

 private:
  [[noreturn]] void fail(std::string problem, std::string hint = {}) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

/// A buffer for the bytes of a file; unlike a std::string it is not initialised with zeros.
class FileBytes {
 public:
  explicit FileBytes(std::size_t size)
      : bytes_(std::make_unique_for_overwrite<char[]>(size)), size_(size) {}

  char* data() { return bytes_.get(); }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

/// Reads a whole file. Throws what InputFile throws.
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);

/// The first `count` bytes of a file, or all that it has: what is of another kind may be too large
/// to be read whole. Throws what InputFile throws.
std::string first_bytes(const std::filesystem::path& path, std::size_t count);

/// Reads a whole file without copying or initialising the buffer, for large files.
FileBytes read_bytes(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);

/// The only way Peal writes a file: under a temporary name beside the target, renamed when
/// complete. Readers see the old file or the new one, never part of it; an interruption leaves only
/// the temporary file. Missing parent folders are created.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// Writes a file by a library that needs a path: `write` receives the temporary path.
void write_file(const std::filesystem::path& path,
                const std::function<void(const std::filesystem::path&)>& write);

}  // namespace peal::util
