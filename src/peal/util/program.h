#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace peal::util {

/// The path of a program in the folders of PATH, if it exists.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// How another program ended.
struct ProgramEnd {
  bool fine = false;       ///< whether it ran and returned 0
  std::string message;     ///< its standard error output, or why it could not be started
  int signal = 0;          ///< signal that terminated it, or 0
  bool timed_out = false;  ///< whether it was killed because it took too long
};

/// Runs a program, without a shell, and waits for it. Its standard input is empty, and its standard
/// output is discarded. It is killed if it takes longer than `limit`, and when this process ends or
/// is killed.
ProgramEnd run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       std::optional<std::chrono::seconds> limit = {});

/// Limits of run_isolated().
struct IsolationLimits {
  std::chrono::seconds time;
  std::size_t memory;  ///< of address space beyond that of this process [byte]
};

/// Runs `work` in a copy of this process and returns its bytes; nothing if it crashes, throws or
/// exceeds its limits. For libraries of others that are not safe against damaged files: what they
/// corrupt is gone with the copy. `work` may allocate, but must not wait for other threads, which
/// the copy does not have.
std::optional<std::string> run_isolated(const std::function<std::string()>& work,
                                        const IsolationLimits& limits);

/// A program that runs beside this one, without a shell, in a process group of its own. Its
/// standard input is empty. It is killed with this object, and what it has started itself with it.
class BackgroundProgram {
 public:
  /// Its standard output and error output go to files, which are overwritten. If it cannot be
  /// started, it has ended at once.
  BackgroundProgram(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& output, const std::filesystem::path& errors);
  ~BackgroundProgram() { kill(); }
  BackgroundProgram(BackgroundProgram&& other) noexcept;
  BackgroundProgram& operator=(BackgroundProgram&&) = delete;

  bool has_started() const { return has_started_; }
  bool runs();                         ///< whether it has not ended yet
  bool fine() const { return fine_; }  ///< whether it ended by itself and returned 0
  void kill();

 private:
  pid_t process_ = 0;  ///< leader of the group; 0: it has ended
  bool has_started_ = false, fine_ = false;
};

}  // namespace peal::util
