#include <peal/util/program.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Program, WhatCannotBeStartedIsNoException) {
  const ProgramEnd end = run_program("/no/such/program", {});
  EXPECT_FALSE(end.fine);
  EXPECT_FALSE(end.message.empty());
}

}  // namespace
}  // namespace peal::util
