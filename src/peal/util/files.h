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
  /// The next `count` bytes; throws InputError if the file was cut since it was opened.
  void read(char* into, std::size_t count);

 private:
  [[noreturn]] void fail(std::string problem, std::string hint = {}) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
};

/// The bytes of a file, owned; unlike a std::string they are not filled with zeros first.
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

/// The bytes of a whole file. Throws what InputFile throws.
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);

/// The same without a copy or a fill, for large files.
FileBytes read_bytes(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);

/// The only way Peal writes a file: under a temporary name beside the target, renamed when whole.
/// A reader sees the old file or the new one, never half of either; a kill leaves only the
/// temporary name. Missing parent folders are made.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The same for a library that wants a path: `write` is handed the temporary path.
void write_file(const std::filesystem::path& path,
                const std::function<void(const std::filesystem::path&)>& write);

}  // namespace peal::util
