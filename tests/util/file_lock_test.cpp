#include <peal/util/error.h>
#include <peal/util/file_lock.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

namespace peal::util {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FileLocks : public testing::Test {
 protected:
  FileLocks() { fs::create_directories(folder_); }
  ~FileLocks() override { fs::remove_all(folder_); }

  const fs::path folder_ = fs::temp_directory_path() / ("peal-locks-" + std::to_string(::getpid()));
  const fs::path file_ = folder_ / "some/unit.lock";
};

TEST_F(FileLocks, AreHeldByOneUntilTheyAreReleased) {
  EXPECT_FALSE(lock_state(file_));
  std::optional<FileLock> first(FileLock::try_lock(file_));
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->is_exclusive());
  EXPECT_FALSE(FileLock::try_lock(file_));
  first->note("0.5");
  const auto state = lock_state(file_);
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->is_held);
  EXPECT_EQ(state->holder, "process " + std::to_string(::getpid()));
  EXPECT_EQ(state->note, "0.5");
  first.reset();
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_TRUE(FileLock::try_lock(file_));
}

TEST_F(FileLocks, AreWaitedFor) {
  std::optional<FileLock> first(FileLock::try_lock(file_));
  std::string holder;
  std::thread other([&] {
    const FileLock second =
        FileLock::wait_for(file_, [&](const std::string& who) { holder = who; });
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  first.reset();
  other.join();
  EXPECT_THAT(holder, HasSubstr("process"));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(FileLocks, OfKilledProcessesAreFree) {
  const pid_t process = ::fork();
  if (process == 0) {
    const auto lock = FileLock::try_lock(file_);
    write_file(folder_ / "locked", "");
    ::pause();
    ::_exit(lock ? 0 : 1);
  }
  for (int i = 0; i < 1000 && !fs::exists(folder_ / "locked"); ++i) ::usleep(10'000);
  EXPECT_FALSE(FileLock::try_lock(file_));
  ::kill(process, SIGKILL);
  ASSERT_EQ(::waitpid(process, nullptr, 0), process);
  const auto state = lock_state(file_);
  ASSERT_TRUE(state) << "the file stays";
  EXPECT_FALSE(state->is_held);
  EXPECT_EQ(state->holder, "process " + std::to_string(process));
  EXPECT_TRUE(FileLock::try_lock(file_));
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(FileLocks, OfOtherMachinesAreTakenForHeldWhileTheyAreNoted) {
  write_file(file_, "12\nanother-machine\n0.25\n");
  const auto state = lock_state(file_);
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->is_held);
  EXPECT_EQ(state->holder, "process 12 on another-machine");
  using namespace std::chrono_literals;
  fs::last_write_time(file_, fs::file_time_type::clock::now() - 2min);
  EXPECT_FALSE(lock_state(file_)->is_held);
}

TEST_F(FileLocks, ThatCannotBeMadeAreErrors) {
  write_file(folder_ / "file", "");
  EXPECT_THROW(FileLock::try_lock(folder_ / "file/unit.lock"), InputError);
}

}  // namespace
}  // namespace peal::util
