#include <peal/farm/engines.h>

#include <fmt/format.h>

namespace peal::farm {

std::vector<JobFile> local_files(const Job& job) {
  const std::string logs = shell_line({(job.folder / "jobs").string()});
  // The number of the part is a variable of the script.
  std::vector<std::string> words = chunk_command(job, "");
  words.pop_back();
  // What fails here, the preparation repeats and reports.
  std::string modes;
  if (job.mode_tasks > 0) {
    modes = fmt::format("for i in $(seq 1 {0}); do {1} >{2}/modes-$i.log 2>&1 & done\nwait\n",
                        job.mode_tasks, shell_line(modes_command(job)), logs);
  }
  return {{"local.sh",
           fmt::format("#!/bin/sh\n"
                       "# Prepares the render, computes its chunks in {0} processes, and merges.\n"
                       "{5}"
                       "{1} || exit\n"
                       "chunk() {{\n"
                       "{2}"
                       "}}\n"
                       "processes=\n"
                       "for i in $(seq 1 {0}); do\n"
                       "  (chunk \"$i\") >{3}/chunk-$i.log 2>&1 &\n"
                       "  processes=\"$processes $!\"\n"
                       "done\n"
                       "failed=0\n"
                       "for process in $processes; do wait \"$process\" || failed=1; done\n"
                       "if [ $failed -ne 0 ]; then\n"
                       "  echo \"chunks failed: peal status shows which, {3} has their logs\" >&2\n"
                       "  exit 1\n"
                       "fi\n"
                       "exec {4}\n",
                       job.parts, shell_line(prepare_command(job)),
                       repeated(fmt::format("{} \"$1/{}\"", shell_line(words), job.parts), "  "),
                       logs, shell_line(merge_command(job)), modes)}};
}

}  // namespace peal::farm
