#include <peal/explore/solve_jobs.h>

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <thread>

namespace peal::explore {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class SolveJobsTest : public testing::Test {
 protected:
  SolveJobsTest()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::create_directories(folder_);
  }
  ~SolveJobsTest() override { fs::remove_all(folder_); }

  /// Runs shell commands as a job.
  std::optional<int> start(SolveJobs& jobs, const std::string& commands) const {
    return jobs.start("/bin/sh", {"-c", commands});
  }
  SolveJobs::Status ended(SolveJobs& jobs, int job) const {
    for (;;) {
      const auto status = jobs.status(job);
      if (status->state != SolveJobs::State::running) return *status;
      std::this_thread::sleep_for(5ms);
    }
  }
  /// The process whose number a job wrote down, once it has.
  pid_t written_process() const {
    for (;;) {
      pid_t process = 0;
      if (std::ifstream(folder_ / "pid") >> process) return process;
      std::this_thread::sleep_for(5ms);
    }
  }
  bool is_gone(pid_t process) const {
    for (int i = 0; i < 400 && ::kill(process, 0) == 0; ++i) std::this_thread::sleep_for(5ms);
    return ::kill(process, 0) != 0;
  }

  fs::path folder_;
};

TEST_F(SolveJobsTest, TellsTheLastProgressAndTheProblem) {
  SolveJobs jobs(folder_);
  const int good = *start(
      jobs, R"(echo '{"progress":{"step":"meshing","fraction":0.5}}' >&2; echo '{"note' >&2)");
  SolveJobs::Status status = ended(jobs, good);
  EXPECT_EQ(status.state, SolveJobs::State::done);
  EXPECT_EQ(status.step, "meshing");
  EXPECT_EQ(status.fraction, 0.5);
  const int bad =
      *start(jobs, R"(echo '{"errors":[{"problem":"it has a hole","cure":"Close it."}]}'; exit 3)");
  status = ended(jobs, bad);
  EXPECT_EQ(status.state, SolveJobs::State::failed);
  EXPECT_EQ(status.problem, "it has a hole. Close it.");
  EXPECT_FALSE(jobs.status(17));
}

TEST_F(SolveJobsTest, NoMoreThanTwoRun) {
  SolveJobs jobs(folder_);
  const auto first = start(jobs, "sleep 60"), second = start(jobs, "sleep 60");
  EXPECT_TRUE(first && second);
  EXPECT_FALSE(start(jobs, "sleep 60"));
  jobs.cancel(*first);
  EXPECT_EQ(jobs.status(*first)->problem, "cancelled");
  EXPECT_TRUE(start(jobs, "true"));
}

TEST_F(SolveJobsTest, EndsWithAllItStartedWhenTheObjectGoes) {
  pid_t child = 0;
  {
    SolveJobs jobs(folder_);
    start(jobs, "sleep 60 & echo $! > " + (folder_ / "pid").string() + "; wait");
    child = written_process();
    EXPECT_EQ(::kill(child, 0), 0);
  }
  EXPECT_TRUE(is_gone(child));
}

using SolveJobsTestSlow = SolveJobsTest;

TEST_F(SolveJobsTestSlow, EndsWhenNobodyAsksAnyMore) {
  SolveJobs jobs(folder_);
  const int job = *start(jobs, "exec sleep 60");
  jobs.end_abandoned();
  EXPECT_EQ(jobs.status(job)->state, SolveJobs::State::running);
  std::this_thread::sleep_for(SolveJobs::longest_silence + 50ms);
  jobs.end_abandoned();
  EXPECT_EQ(jobs.status(job)->state, SolveJobs::State::failed);
}

}  // namespace
}  // namespace peal::explore
