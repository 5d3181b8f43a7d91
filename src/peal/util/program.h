#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace peal::util {

/// The program of that name in the folders of PATH, if there is one.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// How another program ended.
struct ProgramEnd {
  bool fine = false;    ///< it ran and returned 0
  std::string message;  ///< what it wrote to its standard error, or why it could not be started
};

/// Runs a program, without a shell, and waits for it. It reads nothing, and what it prints on its
/// standard output is dropped.
ProgramEnd run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments);

}  // namespace peal::util
