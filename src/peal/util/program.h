#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace peal::util {

/// The program of that name in the folders of PATH, if there is one.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// How another program ended.
struct ProgramEnd {
  bool fine = false;       ///< it ran and returned 0
  std::string message;     ///< what it wrote to its standard error, or why it could not be started
  int signal = 0;          ///< what ended it, if it did not end by itself
  bool timed_out = false;  ///< it was killed because it took too long
};

/// Runs a program, without a shell, and waits for it. It reads nothing, and what it prints on its
/// standard output is dropped. If it takes longer than `limit`, it is killed.
ProgramEnd run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments,
                       std::optional<std::chrono::seconds> limit = {});

}  // namespace peal::util
