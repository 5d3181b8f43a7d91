#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/folder_lock.h>
#include <peal/util/scratch_folder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace peal::util {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Folders : public testing::Test {
 protected:
  Folders() { fs::create_directories(folder_); }
  ~Folders() override { fs::remove_all(folder_); }

  const fs::path folder_ =
      fs::temp_directory_path() / ("peal-folders-" + std::to_string(::getpid()));
};

TEST_F(Folders, ALockedFolderIsRefusedToOthersUntilItIsReleased) {
  const fs::path out = folder_ / "out";
  std::optional<FolderLock> first(out);
  try {
    const FolderLock second(out);
    ADD_FAILURE() << "two locks of one folder";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("another render (process " + std::to_string(::getpid()) +
                                        ") is writing to this folder"));
  }
  const FolderLock elsewhere(folder_ / "other");
  first.reset();
  EXPECT_FALSE(fs::exists(out)) << "it was made for the lock, and nothing was written";
  const FolderLock again(out);
}

TEST_F(Folders, ALockRemovesTemporariesOfKilledWritersOnly) {
  write_file(folder_ / "audio.wav.12-0123abcd-0.tmp.wav", "half");
  write_file(folder_ / "song.tmp.wav", "mine");
  { const FolderLock lock(folder_); }
  EXPECT_FALSE(fs::exists(folder_ / "audio.wav.12-0123abcd-0.tmp.wav"));
  EXPECT_TRUE(fs::exists(folder_ / "song.tmp.wav"));
  EXPECT_FALSE(fs::exists(folder_ / ".lock"));
}

TEST_F(Folders, AScratchFolderIsPrivateAndRemoved) {
  fs::path path;
  {
    const ScratchFolder scratch, another;
    path = scratch.path();
    EXPECT_NE(path, another.path());
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
    write_file(path / "file", "text");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Folders, AScratchFolderWithoutTmpdirIsBadInput) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", (folder_ / "missing").c_str(), 1);
  std::string problem;
  try {
    const ScratchFolder scratch;
  } catch (const InputError& error) {
    problem = error.what();
  }
  if (before != nullptr) {
    ::setenv("TMPDIR", kept.c_str(), 1);
  } else {
    ::unsetenv("TMPDIR");
  }
  EXPECT_THAT(problem, HasSubstr("the folder for temporary files does not exist"));
  EXPECT_THAT(problem, HasSubstr("missing"));
}

TEST_F(Folders, AScratchFolderOfAKilledProcessIsRemovedByTheNext) {
  const fs::path left = fs::temp_directory_path() / "peal-scratch-Killed";
  fs::create_directories(left);
  write_file(left / "file", "text");
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(1));
  { const ScratchFolder scratch; }
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace peal::util
