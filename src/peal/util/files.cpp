#include <peal/util/error.h>
#include <peal/util/files.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

/// Removes the temporary file unless it was renamed into place.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) {
    static std::atomic<unsigned> serial{0};
    path_ = target;
    path_ += fmt::format(".{}-{}.tmp", ::getpid(), serial++);
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

/// Bytes are on disk before the name appears, so that a power cut leaves no empty file.
void flush_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t limit) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw InputError({path.string(), ""}, "no such file",
                     "Paths inside a scene are relative to the scene file.");
  }
  if (!fs::is_regular_file(status)) {
    throw InputError({path.string(), ""}, "is not a regular file");
  }
  std::ifstream in(path, std::ios::binary);
  const auto size = fs::file_size(path, error);
  if (!in || error) {
    throw InputError({path.string(), ""}, "cannot be read", "Check the file's permissions.");
  }
  if (size > limit) {
    throw InputError({path.string(), ""},
                     fmt::format("is {} bytes long; at most {} are read", size, limit));
  }
  std::string bytes(size, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (in.gcount() != static_cast<std::streamsize>(size)) {
    throw InputError({path.string(), ""}, "changed or failed while it was read");
  }
  return bytes;
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
