#include <peal/util/program.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

extern char** environ;

namespace peal::util {

namespace fs = std::filesystem;

namespace {

constexpr int not_started = 127;

/// Ends this process, the child of a fork, with its parent, even if that is killed.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(not_started);  // it has ended already
}

/// Becomes the program, in the child of a fork: only calls that are safe there. Without `output`
/// its standard output is discarded.
[[noreturn]] void become(const char* program, char* const* words, int error_output,
                         std::optional<int> output = {}) {
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 ||
      ::dup2(output.value_or(nothing), STDOUT_FILENO) < 0 ||
      ::dup2(error_output, STDERR_FILENO) < 0)
    ::_exit(not_started);
  if (nothing > STDERR_FILENO) ::close(nothing);
  ::execve(program, words, environ);
  const char* const reason = std::strerror(errno);
  if (::write(STDERR_FILENO, reason, std::strlen(reason)) < 0) ::_exit(not_started);
  ::_exit(not_started);
}

/// The words of a command as execve() takes them; the strings must outlive them.
std::vector<char*> pointers_to(std::string& program, std::vector<std::string>& arguments) {
  std::vector<char*> argv = {program.data()};
  for (std::string& word : arguments) argv.push_back(word.data());
  argv.push_back(nullptr);
  return argv;
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

/// Reads until the other end is closed; kills the process at the deadline, or when it has written
/// more than `most` bytes.
std::string read_all(int descriptor, pid_t process, std::optional<Clock::time_point> deadline,
                     bool& timed_out, std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::string text;
  std::array<char, 65536> part;
  for (;;) {
    if (!wait_for_input(descriptor, deadline)) {
      ::kill(process, SIGKILL);
      timed_out = true;
      deadline.reset();
    }
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    if (static_cast<std::size_t>(got) > most - text.size()) {
      ::kill(process, SIGKILL);
      return {};
    }
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

/// Address space of this process [byte].
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Limits this process, the child of a fork. A core dump of it would be of no use.
void set_limits(const IsolationLimits& limits, std::size_t address_space_before) {
  const auto limit = [](int what, rlim_t value) {
    const rlimit both{value, value};
    if (::setrlimit(static_cast<__rlimit_resource>(what), &both) != 0) ::_exit(not_started);
  };
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(limits.time.count()));
  limit(RLIMIT_AS, address_space_before + limits.memory);
}

/// Does the work in the child of a fork and writes its result.
[[noreturn]] void work_isolated(const std::function<std::string()>& work, int output) try {
  // What a damaged heap or a sanitizer reports is of no use to users.
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing < 0 || ::dup2(nothing, STDERR_FILENO) < 0) ::_exit(not_started);
  for (const int crash : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU})
    ::signal(crash, SIG_DFL);
  const std::string result = work();
  std::size_t done = 0;
  while (done < result.size()) {
    const ssize_t put = ::write(output, result.data() + done, result.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) ::_exit(not_started);
    done += static_cast<std::size_t>(put);
  }
  ::_exit(0);
} catch (...) {
  ::_exit(not_started);
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
  const std::vector<char*> argv = pointers_to(name, words);

  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    end_with(parent);
    become(name.c_str(), argv.data(), error_pipe[1]);
  }
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

std::optional<std::string> run_isolated(const std::function<std::string()>& work,
                                        const IsolationLimits& limits) {
  std::array<int, 2> output_pipe;
  if (::pipe2(output_pipe.data(), O_CLOEXEC) != 0) return std::nullopt;
  const std::size_t before = address_space();
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    end_with(parent);
    set_limits(limits, before);
    work_isolated(work, output_pipe[1]);
  }
  ::close(output_pipe[1]);
  ProgramEnd end;
  std::string result;
  if (process > 0) {
    result =
        read_all(output_pipe[0], process, Clock::now() + limits.time, end.timed_out, limits.memory);
    await_end(process, end);
  }
  ::close(output_pipe[0]);
  return end.fine ? std::optional(std::move(result)) : std::nullopt;
}

BackgroundProgram::BackgroundProgram(const fs::path& program,
                                     const std::vector<std::string>& arguments,
                                     const fs::path& output, const fs::path& errors) {
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const int out = ::open(output.c_str(), flags, 0600);
  const int err = ::open(errors.c_str(), flags, 0600);
  std::string name = program.string();
  std::vector<std::string> words = arguments;
  const std::vector<char*> argv = pointers_to(name, words);
  // It must not end with the thread that starts it, as a signal at the death of its parent would
  // have it.
  const pid_t process = out < 0 || err < 0 || ::access(name.c_str(), X_OK) != 0 ? -1 : ::fork();
  if (process == 0) {
    ::setpgid(0, 0);
    become(name.c_str(), argv.data(), err, out);
  }
  if (out >= 0) ::close(out);
  if (err >= 0) ::close(err);
  if (process < 0) return;
  ::setpgid(process, process);  // whichever of the two is first
  process_ = process;
  has_started_ = true;
}

BackgroundProgram::BackgroundProgram(BackgroundProgram&& other) noexcept
    : process_(std::exchange(other.process_, 0)),
      has_started_(other.has_started_),
      fine_(other.fine_) {}

bool BackgroundProgram::runs() {
  int status = 0;
  if (process_ == 0) return false;
  if (::waitpid(process_, &status, WNOHANG) != process_) return true;
  process_ = 0;
  fine_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return false;
}

void BackgroundProgram::kill() {
  if (process_ == 0) return;
  ::kill(-process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
}

}  // namespace peal::util
