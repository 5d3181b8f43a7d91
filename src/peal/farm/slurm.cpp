#include <peal/farm/engines.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace peal::farm {

namespace {

constexpr double megabyte = 1024.0 * 1024.0;  // of Slurm's --mem [byte]

/// The head of a batch script. `log` is the name of its log with Slurm's %-fields.
std::string batch_head(const Job& job, const std::string& stage, const Resources& resources,
                       const std::string& log) {
  std::string head = fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name={}-{}\n"
      "#SBATCH --output=\"{}\"\n"
      "#SBATCH --cpus-per-task={}\n"
      "#SBATCH --mem={}M\n"
      "#SBATCH --time={}\n"
      "#SBATCH --requeue\n",
      job.name, stage, (job.folder / "jobs" / log).string(), resources.threads,
      static_cast<long>(std::ceil(resources.memory / megabyte)),
      std::max(1L, static_cast<long>(std::ceil(resources.seconds / 60.0))));
  for (const std::string& option : job.slurm_options) head += "#SBATCH " + option + "\n";
  return head;
}

}  // namespace

std::vector<JobFile> slurm_files(const Job& job) {
  const std::string jobs = shell_line({(job.folder / "jobs").string()});
  std::vector<std::string> words = chunk_command(job, "");
  words.pop_back();
  const std::string chunk =
      fmt::format("{} \"$SLURM_ARRAY_TASK_ID/{}\"", shell_line(words), job.parts);
  std::vector<JobFile> files;
  const bool has_modes = job.mode_tasks > 0;
  if (has_modes) {
    files.push_back({"modes.sh", batch_head(job, "modes", job.prepare, "modes-%a.log") +
                                     fmt::format("#SBATCH --array=1-{}\n\n", job.mode_tasks) +
                                     repeated(shell_line(modes_command(job)), "")});
  }
  files.push_back({"prepare.sh", batch_head(job, "prepare", job.prepare, "prepare-%j.log") + "\n" +
                                     repeated(shell_line(prepare_command(job)), "")});
  files.push_back({"chunks.sh", batch_head(job, "chunks", job.chunk, "chunk-%a.log") +
                                    fmt::format("#SBATCH --array=1-{}\n\n", job.parts) +
                                    repeated(chunk, "")});
  files.push_back({"merge.sh", batch_head(job, "merge", job.merge, "merge-%j.log") + "\n" +
                                   repeated(shell_line(merge_command(job)), "")});
  const auto after = [](const char* stage) {
    return fmt::format("--kill-on-invalid-dep=yes --dependency=afterok:\"${{{}%%;*}}\" ", stage);
  };
  files.push_back(
      {"submit.sh",
       fmt::format("#!/bin/sh\n"
                   "# Each stage begins when the one before has succeeded.\n"
                   "set -e\n"
                   "{1}"
                   "prepare=$(sbatch --parsable {2}{0}/prepare.sh)\n"
                   "chunks=$(sbatch --parsable {3}{0}/chunks.sh)\n"
                   "merge=$(sbatch --parsable {4}{0}/merge.sh)\n"
                   "echo \"prepare $prepare, chunks $chunks, merge $merge\"\n",
                   jobs,
                   has_modes ? fmt::format("modes=$(sbatch --parsable {}/modes.sh)\n", jobs) : "",
                   has_modes ? after("modes") : "", after("prepare"), after("chunks"))});
  return files;
}

}  // namespace peal::farm
