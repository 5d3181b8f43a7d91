#include <peal/explore/solve_jobs.h>
#include <peal/util/files.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace peal::explore {

namespace {

using Json = nlohmann::ordered_json;

/// The last whole line that reports progress.
void read_progress(const std::string& lines, SolveJobs::Status& status) {
  std::size_t end = lines.rfind('\n');
  while (end != std::string::npos && end > 0) {
    const std::size_t before = lines.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const Json line = Json::parse(lines.substr(begin, end - begin), nullptr, false);
    if (line.is_object() && line.contains("progress")) {
      status.step = line["progress"].value("step", "");
      status.fraction = line["progress"].value("fraction", 0.0);
      return;
    }
    end = before;
  }
}

/// The problems and hints in the document of a command that failed.
std::string problems_of(const std::string& document) {
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("errors")) return "the modal analysis failed";
  std::string text;
  for (const Json& error : json["errors"]) {
    if (!text.empty()) text += "\n";
    text += error.value("problem", "");
    const std::string hint = error.value("cure", "");
    if (!hint.empty()) text += ". " + hint;
  }
  return text;
}

}  // namespace

SolveJobs::~SolveJobs() {
  for (auto& [number, job] : jobs_) end(job, "");
}

std::filesystem::path SolveJobs::log(int job, const char* kind) const {
  return folder_ / ("job-" + std::to_string(job) + kind);
}

std::optional<int> SolveJobs::start(const std::filesystem::path& program,
                                    const std::vector<std::string>& arguments) {
  const std::scoped_lock lock(mutex_);
  const auto running = std::ranges::count_if(
      jobs_, [](const auto& entry) { return entry.second.status.state == State::running; });
  if (static_cast<std::size_t>(running) >= most) return std::nullopt;
  const int number = static_cast<int>(jobs_.size());
  Job job{.program = {program, arguments, log(number, ".out"), log(number, ".err")},
          .started = Clock::now(),
          .asked = Clock::now()};
  if (!job.program.has_started())
    job.status = {.state = State::failed, .problem = "it could not be started"};
  jobs_.emplace(number, std::move(job));
  return number;
}

std::optional<SolveJobs::Status> SolveJobs::status(int job) {
  const std::scoped_lock lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return std::nullopt;
  found->second.asked = Clock::now();
  update(job, found->second);
  return found->second.status;
}

void SolveJobs::cancel(int job) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = jobs_.find(job); found != jobs_.end()) end(found->second, "cancelled");
}

void SolveJobs::end_abandoned() {
  const std::scoped_lock lock(mutex_);
  for (auto& [number, job] : jobs_) {
    if (job.status.state != State::running) continue;
    update(number, job);
    if (Clock::now() - job.asked > longest_silence) end(job, "the page was closed");
    if (Clock::now() - job.started > longest) end(job, "it took longer than five minutes");
  }
}

void SolveJobs::update(int number, Job& job) {
  if (job.status.state != State::running) return;
  // Its last words are there when it has ended.
  const bool runs = job.program.runs();
  read_progress(util::read_file(log(number, ".err")), job.status);
  if (runs) return;
  job.status.state = job.program.fine() ? State::done : State::failed;
  if (!job.program.fine()) job.status.problem = problems_of(util::read_file(log(number, ".out")));
}

void SolveJobs::end(Job& job, const std::string& problem) {
  if (job.status.state != State::running) return;
  job.program.kill();
  job.status.state = State::failed;
  job.status.problem = problem;
}

}  // namespace peal::explore
