#include <peal/util/error.h>
#include <peal/util/folder_lock.h>
#include <peal/util/temporary_name.h>

#include <fmt/format.h>

#include <string>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

/// Whether a folder was made; if that fails, so does the lock, which says why.
bool made(const fs::path& folder) {
  std::error_code error;
  return fs::create_directories(folder, error);
}

/// With the lock, no writer is left that temporary files (write_file()) could belong to.
void remove_temporaries(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (is_temporary_name(entry.path()) && entry.is_regular_file(error))
      fs::remove(entry.path(), error);
  }
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder)
    : folder_(folder), is_new_(made(folder)), lock_(FileLock::try_lock(folder / ".lock")) {
  if (!lock_) {
    const auto state = lock_state(folder / ".lock");
    const std::string holder = state && !state->holder.empty() ? " (" + state->holder + ")" : "";
    throw InputError({folder.string(), ""},
                     fmt::format("another render{} is writing to this folder", holder),
                     "Wait until it ends, or choose another folder with -o.");
  }
  if (lock_->is_exclusive()) remove_temporaries(folder);
}

FolderLock::~FolderLock() {
  lock_.reset();
  std::error_code ignored;
  // A render that failed leaves no empty folder behind.
  if (is_new_) fs::remove(folder_, ignored);
}

}  // namespace peal::util
