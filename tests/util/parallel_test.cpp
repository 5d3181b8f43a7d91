#include <peal/util/parallel.h>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace peal::util {
namespace {

TEST(Parallel, RunsEveryTaskOnce) {
  std::vector<std::atomic<int>> runs(1000);
  parallel_for(1000, [&](std::int64_t i) { ++runs[i]; });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

TEST(Parallel, PassesOnWhatATaskThrows) {
  EXPECT_THROW(parallel_for(10,
                            [](std::int64_t i) {
                              if (i == 7) throw std::domain_error("7");
                            }),
               std::domain_error);
}

TEST(Parallel, AThreadLimitHoldsWhileItLives) {
  const int all = thread_count();
  {
    const ThreadLimit limit(1);
    EXPECT_EQ(thread_count(), 1);
  }
  EXPECT_EQ(thread_count(), all);
}

}  // namespace
}  // namespace peal::util
