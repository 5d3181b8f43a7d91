#include <peal/util/program.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace peal::util {
namespace {

TEST(Program, AProgramOnThePathIsFound) {
  EXPECT_TRUE(find_program("sh").has_value());
  EXPECT_FALSE(find_program("no-such-program-anywhere").has_value());
}

TEST(Program, ItsEndAndItsErrorsAreTold) {
  const auto shell = find_program("sh").value();
  EXPECT_TRUE(run_program(shell, {"-c", "exit 0"}).fine);
  const ProgramEnd failed = run_program(shell, {"-c", "echo \"$1\" >&2; exit 3", "-", "it's *"});
  EXPECT_FALSE(failed.fine);
  EXPECT_EQ(failed.message, "it's *\n");
}

TEST(Program, OneThatTakesTooLongIsKilled) {
  const auto shell = find_program("sh").value();
  const ProgramEnd end = run_program(shell, {"-c", "exec sleep 60"}, std::chrono::seconds(0));
  EXPECT_FALSE(end.fine);
  EXPECT_TRUE(end.timed_out);
  EXPECT_NE(end.signal, 0);
}

TEST(Program, TheSignalThatEndedItIsTold) {
  const ProgramEnd end = run_program(find_program("sh").value(), {"-c", "kill -SEGV $$"});
  EXPECT_FALSE(end.fine);
  EXPECT_FALSE(end.timed_out);
  EXPECT_NE(end.signal, 0);
}

TEST(Program, ItEndsWithTheProcessThatStartedIt) {
  const auto shell = find_program("sh").value();
  // What the program is: its number, in a file.
  const std::string number_file = testing::TempDir() + "/peal-child-" + std::to_string(::getpid());
  std::remove(number_file.c_str());
  const pid_t child = ::fork();
  if (child == 0) {
    run_program(shell, {"-c", "echo $$ >\"$1\"; exec sleep 60", "-", number_file});
    ::_exit(0);
  }
  long number = 0;
  for (int turn = 0; turn < 500 && number == 0; ++turn) {
    std::ifstream(number_file) >> number;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GT(number, 0);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  // It may be a zombie until the process that adopts it waits for it.
  const auto is_running = [&] {
    std::ifstream stat("/proc/" + std::to_string(number) + "/stat");
    std::string id, name, state;
    return bool(stat >> id >> name >> state) && state != "Z";
  };
  for (int turn = 0; turn < 500 && is_running(); ++turn)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(is_running());
  std::remove(number_file.c_str());
}

TEST(Program, WhatCannotBeStartedIsNoException) {
  const ProgramEnd end = run_program("/no/such/program", {});
  EXPECT_FALSE(end.fine);
  EXPECT_FALSE(end.message.empty());
}

TEST(RunIsolated, ReturnsWhatTheWorkReturns) {
  const IsolationLimits limits{std::chrono::seconds(20), std::size_t{1} << 30};
  const std::string bytes(300000, 'x');
  EXPECT_EQ(run_isolated([&] { return bytes; }, limits), bytes);
  EXPECT_EQ(run_isolated([] { return std::string(); }, limits), "");
}

TEST(RunIsolated, CrashesExceptionsAndEndlessWorkLeaveThisProcessAsItIs) {
  const IsolationLimits limits{std::chrono::seconds(1), std::size_t{1} << 28};
  EXPECT_FALSE(run_isolated(
      []() -> std::string {
        ::raise(SIGSEGV);
        return {};
      },
      limits));
  EXPECT_FALSE(run_isolated([]() -> std::string { throw std::runtime_error("no"); }, limits));
  EXPECT_FALSE(run_isolated(
      []() -> std::string {
        std::this_thread::sleep_for(std::chrono::hours(1));
        return {};
      },
      limits));
  EXPECT_FALSE(run_isolated([] { return std::string(std::size_t{1} << 30, 'x'); }, limits));
}

}  // namespace
}  // namespace peal::util
