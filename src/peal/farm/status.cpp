#include <peal/farm/status.h>
#include <peal/util/error.h>
#include <peal/util/file_lock.h>
#include <peal/util/files.h>
#include <peal/util/json.h>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <set>

namespace peal::farm {

namespace fs = std::filesystem;

namespace {

constexpr double speed_window = 3600.0;  // [s]

/// When a file was written [s], or nothing.
std::optional<double> time_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return static_cast<double>(status.st_mtim.tv_sec) +
         1e-9 * static_cast<double>(status.st_mtim.tv_nsec);
}

double time_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The names of all files in the folders of the results, so that no file is asked for in vain.
std::set<fs::path> present_files(const Plan& plan, const fs::path& results) {
  std::set<fs::path> folders, files;
  for (const Plan::Unit& unit : plan.units) folders.insert(unit.file.parent_path());
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(results / folder, error))
      files.insert(folder / entry.path().filename());
  }
  return files;
}

fs::path failure_file(const SharedFolder& folder, std::string part) {
  std::ranges::replace(part, '/', '-');
  return folder.errors() / (part + ".json");
}

std::vector<Failure> failures_in(const SharedFolder& folder) {
  std::vector<Failure> failures;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.errors(), error)) {
    try {
      const auto json = util::parse_json(util::read_file(entry.path()), entry.path().string());
      failures.push_back(
          {json.value("chunk", ""), json.value("host", ""), json.value("problem", "")});
    } catch (const std::exception&) {
      continue;  // not written by us
    }
  }
  std::ranges::sort(failures, {}, &Failure::part);
  return failures;
}

/// Adds units that run, or whose process was killed.
void add_locked(const Plan::Unit& unit, const fs::path& lock, Status& status) {
  const auto state = util::lock_state(lock);
  if (!state) return;  // it has just ended
  if (!state->is_held) {
    ++status.interrupted;
    return;
  }
  ++status.running;
  status.work_done += unit.work * std::clamp(std::atof(state->note.c_str()), 0.0, 1.0);
}

}  // namespace

Status status_of(const SharedFolder& folder) {
  Status status;
  if (const auto state = util::lock_state(folder.preparing()); state && state->is_held)
    status.preparing = state->holder.empty() ? "a process" : state->holder;
  status.failures = failures_in(folder);
  const std::optional<Plan> plan = folder.find_plan();
  if (!plan) {
    std::error_code error;
    if (fs::is_directory(folder.results(), error) || fs::is_directory(folder.jobs(), error) ||
        !status.failures.empty())
      return status;
    throw util::InputError({folder.root().string(), ""}, "holds no shared render",
                           "Give the folder of `peal submit` or `peal render --chunk`.");
  }
  status.is_planned = true;
  status.units = plan->units.size();
  status.work_unit = plan->work_unit;
  const double now = time_now(), planned = time_of(folder.plan()).value_or(now);
  const double begin = std::max(planned, now - speed_window);
  const std::set<fs::path> present = present_files(*plan, folder.results());
  double recent = 0.0, last = begin;
  for (const Plan::Unit& unit : plan->units) {
    status.work += unit.work;
    fs::path lock = unit.file;
    lock += ".lock";
    if (present.contains(unit.file)) {
      ++status.done;
      status.work_done += unit.work;
      const double written = time_of(folder.results() / unit.file).value_or(begin);
      if (written >= begin) recent += unit.work;
      last = std::max(last, written);
    } else if (present.contains(lock)) {
      add_locked(unit, folder.results() / lock, status);
    }
  }
  const double elapsed = (status.running > 0 ? now : last) - begin;
  if (elapsed > 0.0) status.speed = recent / elapsed;
  if (status.running > 0 && status.speed > 0.0)
    status.seconds_to_go = (status.work - status.work_done) / status.speed;
  // The manifest is the last file of a merge.
  const auto merged = time_of(folder.root() / "manifest.json");
  status.is_merged = merged && *merged >= planned && status.done == status.units;
  return status;
}

void note_failure(const SharedFolder& folder, const std::string& part,
                  const std::string& problem) try {
  const nlohmann::ordered_json json = {
      {"chunk", part}, {"host", util::host_name()}, {"problem", problem}};
  util::write_file(failure_file(folder, part),
                   json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
} catch (const util::InputError&) {
  // The disk may be full: the process reports its own error.
}

void forget_failure(const SharedFolder& folder, const std::string& part) {
  std::error_code ignored;
  fs::remove(failure_file(folder, part), ignored);
  fs::remove(folder.errors(), ignored);  // if it is empty
}

}  // namespace peal::farm
