#pragma once

#include <chrono>
#include <filesystem>
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

}  // namespace peal::util
