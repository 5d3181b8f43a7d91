#pragma once

#include <peal/farm/job.h>

#include <filesystem>
#include <string>
#include <vector>

namespace peal::farm {

/// A file that an engine reads, in the folder of jobs.
struct JobFile {
  std::string name;
  std::string text;
};

/// A render manager, or this machine. Peal writes what it reads, and has no scheduler of its own.
struct Engine {
  std::string name;  ///< "slurm"
  std::vector<JobFile> (*files)(const Job& job);
  /// The command that submits the files, as words.
  std::vector<std::string> (*submit)(const std::filesystem::path& jobs);
};

const std::vector<Engine>& engines();

/// Writes the files of a job and returns their paths.
std::vector<std::filesystem::path> write_job(const Engine& engine, const Job& job,
                                             const std::filesystem::path& folder);

std::vector<JobFile> local_files(const Job& job);
std::vector<JobFile> slurm_files(const Job& job);
std::vector<JobFile> kubernetes_files(const Job& job);
std::vector<JobFile> openjd_files(const Job& job);
std::vector<JobFile> opencue_files(const Job& job);

}  // namespace peal::farm
