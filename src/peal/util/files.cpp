#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/temporary_name.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

/// Removes the temporary file unless it was renamed into place.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) {
    static std::atomic<unsigned> serial{0};
    // In containers that share a folder, processes may have the same number.
    static const unsigned number = std::random_device()();
    path_ = target;
    path_ += fmt::format(".{}-{:08x}-{}.tmp", ::getpid(), number, serial++);
    path_ += target.extension();  // libraries choose the format by the ending
  }
  ~Temporary() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

[[noreturn]] void cannot_write(const fs::path& path, const std::string& reason) {
  throw InputError({path.string(), ""}, "cannot write: " + reason,
                   "Choose a folder that exists, has space and may be written to.");
}

/// Writes the bytes to disk before the name appears, so that a power failure leaves no empty file.
void flush_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

InputFile::InputFile(fs::path path, std::size_t limit) : path_(std::move(path)) {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (!fs::exists(status)) {
    fail("no such file", "Check its path; paths inside a scene are relative to the scene file.");
  }
  if (!fs::is_regular_file(status)) fail("is not a regular file");
  size_ = fs::file_size(path_, error);
  if (error) fail("cannot be read", "Check the file's permissions.");
  if (size_ > limit) fail(fmt::format("is {} bytes long; at most {} are read", size_, limit));
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be read", "Check the file's permissions.");
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

void InputFile::read(char* into, std::size_t count) {
  while (count > 0) {
    const ::ssize_t got = ::read(descriptor_, into, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("changed or failed while it was read");
    into += got;
    count -= static_cast<std::size_t>(got);
  }
}

void InputFile::fail(std::string problem, std::string hint) const {
  throw InputError({path_.string(), ""}, std::move(problem), std::move(hint));
}

std::string read_file(const fs::path& path, std::size_t limit) {
  InputFile file(path, limit);
  std::string bytes(file.size(), '\0');
  file.read(bytes.data(), bytes.size());
  return bytes;
}

std::string first_bytes(const fs::path& path, std::size_t count) {
  InputFile file(path);
  std::string bytes(std::min(file.size(), count), '\0');
  file.read(bytes.data(), bytes.size());
  return bytes;
}

FileBytes read_bytes(const fs::path& path, std::size_t limit) {
  InputFile file(path, limit);
  FileBytes bytes(file.size());
  file.read(bytes.data(), file.size());
  return bytes;
}

bool is_temporary_name(const fs::path& path) {
  const fs::path name = path.filename();
  // The target may have no ending.
  const fs::path stem = name.extension() == ".tmp" ? name : name.stem();
  if (stem.extension() != ".tmp") return false;
  const std::string numbers = stem.stem().extension().string();
  return numbers.size() > 10 && std::ranges::count(numbers, '-') == 2 &&
         numbers.find_first_not_of(".-0123456789abcdef") == std::string::npos;
}

void write_file(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) cannot_write(path, error.message());

  const Temporary temporary(path);
  write(temporary.path());
  flush_to_disk(temporary.path());
  fs::rename(temporary.path(), path, error);
  if (error) cannot_write(path, error.message());
}

void write_file(const fs::path& path, std::string_view bytes) {
  write_file(path, [&](const fs::path& temporary) {
    std::ofstream out(temporary, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) cannot_write(path, std::strerror(errno));
  });
}

}  // namespace peal::util
