#include <peal/farm/engines.h>
#include <peal/util/files.h>

namespace peal::farm {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> run_script(const fs::path& jobs, const char* name) {
  return {"/bin/sh", (jobs / name).string()};
}

}  // namespace

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all = {
      {"local", local_files, [](const fs::path& jobs) { return run_script(jobs, "local.sh"); }},
      {"slurm", slurm_files, [](const fs::path& jobs) { return run_script(jobs, "submit.sh"); }},
      {"kubernetes", kubernetes_files,
       [](const fs::path& jobs) -> std::vector<std::string> {
         return {"kubectl", "create", "-f", (jobs / "kubernetes.json").string()};
       }},
      {"openjd", openjd_files,
       [](const fs::path& jobs) -> std::vector<std::string> {
         return {"deadline", "bundle", "submit", (jobs / "openjd").string(), "--yes"};
       }},
      {"opencue", opencue_files,
       [](const fs::path& jobs) -> std::vector<std::string> {
         return {"python3", (jobs / "submit.py").string()};
       }},
  };
  return all;
}

std::vector<fs::path> write_job(const Engine& engine, const Job& job, const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const JobFile& file : engine.files(job)) {
    paths.push_back(folder / file.name);
    util::write_file(paths.back(), file.text);
  }
  return paths;
}

}  // namespace peal::farm
