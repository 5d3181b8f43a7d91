#include <peal/util/program.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
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

/// Becomes the program, in the child of a fork: only calls that are safe there. It ends with its
/// parent, even if that is killed.
[[noreturn]] void become(const char* program, char* const* words, int error_output, pid_t parent) {
  constexpr int not_started = 127;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);  // it has ended already
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(nothing, STDOUT_FILENO) < 0 ||
      ::dup2(error_output, STDERR_FILENO) < 0)
    ::_exit(not_started);
  if (nothing > STDERR_FILENO) ::close(nothing);
  ::execve(program, words, environ);
  const char* const reason = std::strerror(errno);
  if (::write(STDERR_FILENO, reason, std::strlen(reason)) < 0) ::_exit(not_started);
  ::_exit(not_started);
}

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

  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) become(name.c_str(), argv.data(), error_pipe[1], parent);
  const int problem = errno;
  ::close(error_pipe[1]);
  if (process > 0) {
    end.message = read_all(error_pipe[0], process, deadline, end.timed_out);
    await_end(process, end);
  } else {
    end.message = std::strerror(problem);
  }
  ::close(error_pipe[0]);
  return end;
}

}  // namespace peal::util
