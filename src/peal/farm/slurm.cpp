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
  return {
      {"prepare.sh", batch_head(job, "prepare", job.prepare, "prepare-%j.log") + "\n" +
                         repeated(shell_line(prepare_command(job)), "")},
      {"chunks.sh", batch_head(job, "chunks", job.chunk, "chunk-%a.log") +
                        fmt::format("#SBATCH --array=1-{}\n\n", job.parts) + repeated(chunk, "")},
      {"merge.sh", batch_head(job, "merge", job.merge, "merge-%j.log") + "\n" +
                       repeated(shell_line(merge_command(job)), "")},
      {"submit.sh", fmt::format("#!/bin/sh\n"
                                "# Each stage begins when the one before has succeeded.\n"
                                "set -e\n"
                                "prepare=$(sbatch --parsable {0}/prepare.sh)\n"
                                "chunks=$(sbatch --parsable --kill-on-invalid-dep=yes "
                                "--dependency=afterok:\"${{prepare%%;*}}\" {0}/chunks.sh)\n"
                                "merge=$(sbatch --parsable --kill-on-invalid-dep=yes "
                                "--dependency=afterok:\"${{chunks%%;*}}\" {0}/merge.sh)\n"
                                "echo \"prepare $prepare, chunks $chunks, merge $merge\"\n",
                                jobs)}};
}

}  // namespace peal::farm
