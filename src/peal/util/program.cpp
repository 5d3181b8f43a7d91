#include <peal/util/program.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace peal::util {

namespace fs = std::filesystem;

namespace {

/// The targets of the program's three standard streams.
class Streams {
 public:
  explicit Streams(const std::array<int, 2>& error_pipe) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, error_pipe[1], STDERR_FILENO);
  }
  ~Streams() { ::posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

using Clock = std::chrono::steady_clock;

/// Waits until data can be read; false if `deadline` passes first.
bool wait_for_input(int descriptor, std::optional<Clock::time_point> deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
      milliseconds = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    pollfd wanted{descriptor, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, milliseconds);
    if (ready < 0 && errno == EINTR) continue;
    return ready != 0;
  }
}

/// Reads until the other end is closed; kills the process at the deadline.
std::string read_all(int descriptor, pid_t process, std::optional<Clock::time_point> deadline,
                     bool& timed_out) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    if (!wait_for_input(descriptor, deadline)) {
      ::kill(process, SIGKILL);
      timed_out = true;
      deadline.reset();
    }
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

void await_end(pid_t process, ProgramEnd& end) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return;
  }
  end.fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "";
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const fs::path file = fs::path(folders.substr(begin, end - begin)) / name;
    std::error_code ignored;
    if (end > begin && fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) {
      return file;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

ProgramEnd run_program(const fs::path& program, const std::vector<std::string>& arguments,
                       std::optional<std::chrono::seconds> limit) {
  std::optional<Clock::time_point> deadline;
  if (limit) deadline = Clock::now() + *limit;
  ProgramEnd end;
  std::array<int, 2> error_pipe;
  if (::pipe2(error_pipe.data(), O_CLOEXEC) != 0) {
    end.message = std::strerror(errno);
    return end;
  }
  std::string name = program.string();
  std::vector<std::string> words = arguments;
  std::vector<char*> argv = {name.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  pid_t process = 0;
  const Streams streams(error_pipe);
  const int problem =
      ::posix_spawn(&process, name.c_str(), streams.actions(), nullptr, argv.data(), environ);
  ::close(error_pipe[1]);
  if (problem == 0) {
    end.message = read_all(error_pipe[0], process, deadline, end.timed_out);
    await_end(process, end);
  } else {
    end.message = std::strerror(problem);
  }
  ::close(error_pipe[0]);
  return end;
}

}  // namespace peal::util
