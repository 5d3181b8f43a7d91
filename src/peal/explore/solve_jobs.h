#pragma once

#include <peal/util/program.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace peal::explore {

/// Modal analyses that the page asked for, each in a process of its own, so that they can be ended:
/// by the page, when it no longer asks for their progress, or after five minutes. All are ended
/// with this object.
class SolveJobs {
 public:
  static constexpr std::size_t most = 2;                             ///< at a time
  static constexpr std::chrono::seconds longest{300};                ///< [s]
  static constexpr std::chrono::milliseconds longest_silence{2000};  ///< of the page

  enum class State { running, done, failed };
  struct Status {
    State state = State::running;
    double fraction = 0.0;  ///< of the current step
    std::string step;       ///< what it does
    std::string problem;    ///< why it failed, with a hint
  };

  /// Logs go to `folder`.
  explicit SolveJobs(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~SolveJobs();
  SolveJobs(const SolveJobs&) = delete;
  SolveJobs& operator=(const SolveJobs&) = delete;

  /// Starts a program that reports as `peal --json` does. Returns the job's number; none if there
  /// are too many.
  std::optional<int> start(const std::filesystem::path& program,
                           const std::vector<std::string>& arguments);
  /// Empty if there is no such job. The page is known to be there.
  std::optional<Status> status(int job);
  void cancel(int job);
  /// Ends jobs that nobody asks for, or that take too long.
  void end_abandoned();

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    util::BackgroundProgram program;
    Clock::time_point started, asked;
    Status status;
  };

  std::filesystem::path log(int job, const char* kind) const;
  void update(int number, Job& job);
  static void end(Job& job, const std::string& problem);

  std::mutex mutex_;
  std::filesystem::path folder_;
  std::map<int, Job> jobs_;
};

}  // namespace peal::explore
