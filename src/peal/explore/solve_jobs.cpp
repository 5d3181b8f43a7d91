#include <peal/explore/solve_jobs.h>
#include <peal/util/files.h>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

extern char** environ;

namespace peal::explore {

namespace {

using Json = nlohmann::ordered_json;

/// A process group of its own, with its streams in files; 0 if it could not be started.
pid_t spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            const std::filesystem::path& out, const std::filesystem::path& err) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  const int error =
      ::posix_spawn(&process, program.c_str(), &actions, &attributes, pointers.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : 0;
}

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
  Job job{.started = Clock::now(), .asked = Clock::now()};
  job.process = spawn(program, arguments, log(number, ".out"), log(number, ".err"));
  if (job.process == 0) job.status = {.state = State::failed, .problem = "it could not be started"};
  jobs_.emplace(number, job);
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
    if (job.process == 0) continue;
    update(number, job);
    if (Clock::now() - job.asked > longest_silence) end(job, "the page was closed");
    if (Clock::now() - job.started > longest) end(job, "it took longer than five minutes");
  }
}

void SolveJobs::update(int number, Job& job) {
  if (job.process == 0) return;
  read_progress(util::read_file(log(number, ".err")), job.status);
  int how = 0;
  if (::waitpid(job.process, &how, WNOHANG) != job.process) return;
  job.process = 0;
  const bool fine = WIFEXITED(how) && WEXITSTATUS(how) == 0;
  job.status.state = fine ? State::done : State::failed;
  if (!fine) job.status.problem = problems_of(util::read_file(log(number, ".out")));
}

void SolveJobs::end(Job& job, const std::string& problem) {
  if (job.process == 0) return;
  // Also what it has started itself.
  ::kill(-job.process, SIGKILL);
  ::waitpid(job.process, nullptr, 0);
  job.process = 0;
  job.status.state = State::failed;
  job.status.problem = problem;
}

}  // namespace peal::explore
