#include <peal/util/error.h>
#include <peal/util/files.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "fuzzing/memory_limit.h"
#include "fuzzing/mutations.h"
#include "fuzzing/reader_under_test.h"
#include "source_dir.h"

namespace peal::fuzzing {
namespace {

namespace fs = std::filesystem;

constexpr double time_limit = 2.0;  // [s] of the processor, for one input

std::size_t memory_limit(std::size_t file_size) {
  return (64u << 20) + 200 * file_size;
}

struct Seed {
  std::string name, bytes;
};

std::vector<Seed> seeds_of(const ReaderUnderTest& reader) {
  std::vector<Seed> seeds;
  for (const auto& entry :
       fs::directory_iterator(fs::path(PEAL_SOURCE_DIR) / "tests/fuzzing/corpus" / reader.name)) {
    seeds.push_back({entry.path().filename().string(), util::read_file(entry.path())});
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.name < b.name; });
  return seeds;
}

class ReaderFuzz : public testing::TestWithParam<ReaderUnderTest> {
 protected:
  /// Reads one input within the limits of time and memory.
  void try_input(const std::string& seed, const std::string& what, const std::string& bytes) {
    const std::clock_t start = std::clock();
    std::string problem;
    {
      const MemoryLimit limit(memory_limit(bytes.size()));
      problem = failure(GetParam(), bytes);
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    ++count_;
    EXPECT_EQ(problem, "") << seed << ": " << what;
    EXPECT_LT(seconds, time_limit) << seed << ": " << what;
  }

  void for_each_seed(void (*mutate)(const std::string&, const Visit&)) {
    for (const Seed& seed : seeds_) {
      mutate(seed.bytes, [&](const std::string& what, const std::string& bytes) {
        if (!HasFailure()) try_input(seed.name, what, bytes);
      });
    }
    EXPECT_GT(count_, 0u);
    RecordProperty("inputs", std::to_string(count_));
  }

  const std::vector<Seed> seeds_ = seeds_of(GetParam());
  std::size_t count_ = 0;
};

TEST_P(ReaderFuzz, ReadsEverySeed) {
  ASSERT_FALSE(seeds_.empty());
  for (const Seed& seed : seeds_) EXPECT_NO_THROW(GetParam().read(seed.bytes)) << seed.name;
}

TEST_P(ReaderFuzz, SurvivesTruncation) {
  for_each_seed(truncate);
}
TEST_P(ReaderFuzz, SurvivesHostileBytes) {
  for_each_seed(replace_bytes);
}
TEST_P(ReaderFuzz, SurvivesHostileNumbers) {
  for_each_seed(replace_numbers);
}
TEST_P(ReaderFuzz, SurvivesHostileWords) {
  for_each_seed(replace_words);
}
TEST_P(ReaderFuzz, SurvivesChangedLines) {
  for_each_seed(change_lines);
}

TEST_P(ReaderFuzz, SurvivesSplices) {
  std::vector<std::string> all;
  for (const Seed& seed : seeds_) all.push_back(seed.bytes);
  splice(all, 20000, [&](const std::string& what, const std::string& bytes) {
    if (!HasFailure()) try_input("all seeds", what, bytes);
  });
}

INSTANTIATE_TEST_SUITE_P(Every, ReaderFuzz, testing::ValuesIn(readers_under_test()),
                         [](const auto& test) { return test.param.name; });

// The guards themselves must be able to fail.

TEST(GuardFuzz, SeesMemoryAndForeignExceptions) {
  const ReaderUnderTest greedy = {"greedy", [](std::string_view) {
                                    std::vector<char> memory(100u << 20);
                                    if (memory[5] != 0) throw std::logic_error("not zero");
                                  }};
  const ReaderUnderTest rude = {"rude", [](std::string_view) { throw std::logic_error("oops"); }};
  const ReaderUnderTest polite = {"polite", [](std::string_view) {
                                    throw util::InputError({"file", "line 1"}, "no", "yes");
                                  }};
  EXPECT_EQ(failure(greedy, ""), "");
  const MemoryLimit limit(memory_limit(0));
  EXPECT_NE(failure(greedy, ""), "");
  EXPECT_NE(failure(rude, ""), "");
  EXPECT_EQ(failure(polite, ""), "");
}

}  // namespace
}  // namespace peal::fuzzing
