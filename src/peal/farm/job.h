#pragma once

#include <peal/farm/plan.h>

#include <filesystem>
#include <string>
#include <vector>

namespace peal::farm {

/// What one process may take of a machine.
struct Resources {
  int threads = 1;
  double memory = 0.0;   ///< [byte]
  double seconds = 0.0;  ///< after which the engine ends it
};

/// A render to be submitted: some processes find modes, one prepares it, `parts` compute it, and
/// one adds up.
struct Job {
  std::string name;               ///< letters, digits and dashes
  std::filesystem::path program;  ///< of Peal, on all machines
  std::filesystem::path scene, folder;
  SceneSettings settings;
  std::vector<std::string> output;  ///< options of the merge: "--normalize"
  std::size_t parts = 1;
  /// Processes that find modes before the preparation; 0: that does it.
  std::size_t mode_tasks = 0;
  Resources prepare, chunk, merge;

  // Kubernetes only:
  std::string image;            ///< of the containers
  std::string claim;            ///< persistent volume claim of the shared folder
  std::filesystem::path mount;  ///< where the containers see it
  // OpenCue only:
  std::string show, shot, user;
  // Slurm only:
  std::vector<std::string> slurm_options;  ///< "--partition=render"
};

/// A part fails for good when it has failed so many times.
inline constexpr int most_attempts = 3;

/// The commands of a job, as words. `part` is its text, "3/8".
std::vector<std::string> modes_command(const Job& job);
std::vector<std::string> prepare_command(const Job& job);
std::vector<std::string> chunk_command(const Job& job, const std::string& part);
std::vector<std::string> merge_command(const Job& job);

/// The words as a line for a shell.
std::string shell_line(const std::vector<std::string>& words);

/// Shell lines that run a command until it succeeds, at most most_attempts times; errors of use and
/// of input (exit codes 2 and 3) are not repeated. `command` is a line for a shell.
std::string repeated(const std::string& command, const std::string& indent);

/// A name of letters, digits and dashes that begins and ends with a letter or digit, as engines
/// want it.
std::string job_name(const std::filesystem::path& scene);

}  // namespace peal::farm
