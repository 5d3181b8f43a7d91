#include <peal/farm/part.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <numeric>
#include <string>

namespace peal::farm {
namespace {

using testing::HasSubstr;

/// Variables of an engine, without those of others.
class Parts : public testing::Test {
 protected:
  ~Parts() override { set({}); }
  static void set(const std::map<std::string, std::string>& variables) {
    for (const char* name :
         {"PEAL_CHUNK", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP",
          "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX", "CUE_IFRAME", "CUE_RANGE"})
      ::unsetenv(name);
    for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  }
  template <class Call>
  static std::string problem_of(const Call& call) {
    try {
      call();
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Parts, AreNumberedFromOneToTheirCount) {
  EXPECT_EQ(parse_part("3/8", ""), (Part{3, 8}));
  EXPECT_EQ(parse_part("8/8", ""), (Part{8, 8}));
  for (const char* wrong : {"0/8", "9/8", "-1/8", "1/0", "1/99999999999"})
    EXPECT_THAT(problem_of([&] { parse_part(wrong, "--chunk"); }), HasSubstr("there is no chunk"))
        << wrong;
  for (const char* wrong : {"", "3", "3/", "/8", "a/8", "3/8/1", "3.5/8", "99999999999999999999/8"})
    EXPECT_THAT(problem_of([&] { parse_part(wrong, "--chunk"); }), HasSubstr("is not a chunk"))
        << wrong;
}

TEST_F(Parts, AreToldByTheEnginesVariables) {
  set({{"PEAL_CHUNK", "2/5"}, {"SLURM_ARRAY_TASK_ID", "9"}});
  EXPECT_EQ(part_from_environment({}), (Part{2, 5}));
  set({{"SLURM_ARRAY_TASK_ID", "3"},
       {"SLURM_ARRAY_TASK_MIN", "0"},
       {"SLURM_ARRAY_TASK_COUNT", "4"}});
  EXPECT_EQ(part_from_environment({}), (Part{4, 4}));
  set({{"SLURM_ARRAY_TASK_ID", "21"},
       {"SLURM_ARRAY_TASK_MIN", "1"},
       {"SLURM_ARRAY_TASK_STEP", "10"},
       {"SLURM_ARRAY_TASK_COUNT", "5"}});
  EXPECT_EQ(part_from_environment({}), (Part{3, 5}));
  // Two tasks of eight are submitted again.
  set({{"SLURM_ARRAY_TASK_ID", "7"},
       {"SLURM_ARRAY_TASK_MIN", "1"},
       {"SLURM_ARRAY_TASK_COUNT", "2"}});
  EXPECT_EQ(part_from_environment(8), (Part{7, 8}));
  set({{"JOB_COMPLETION_INDEX", "0"}});
  EXPECT_EQ(part_from_environment(3), (Part{1, 3}));
  set({{"CUE_IFRAME", "12"}, {"CUE_RANGE", "11-20"}});
  EXPECT_EQ(part_from_environment({}), (Part{2, 10}));
}

TEST_F(Parts, AreRefusedIfTheEnvironmentDoesNotTellThem) {
  const auto problem = [](std::optional<std::size_t> count) {
    return problem_of([&] { part_from_environment(count); });
  };
  set({});
  EXPECT_THAT(problem({}), HasSubstr("does not tell which chunk"));
  set({{"JOB_COMPLETION_INDEX", "0"}});
  EXPECT_THAT(problem({}), HasSubstr("--chunk /8"));
  EXPECT_EQ(problem(1), "");
  set({{"JOB_COMPLETION_INDEX", "3"}});
  EXPECT_THAT(problem(3), HasSubstr("there is no chunk 4 of 3"));
  set({{"SLURM_ARRAY_TASK_ID", "many"}});
  EXPECT_THAT(problem({}), HasSubstr("SLURM_ARRAY_TASK_ID"));
  set({{"CUE_IFRAME", "12"}, {"CUE_RANGE", "1,2,7"}});
  EXPECT_THAT(problem({}), HasSubstr("CUE_RANGE"));
}

TEST_F(Parts, TakeEachUnitOnceAndAboutTheSameWork) {
  // Longest units first: at most 4/3 of the best division (Graham 1969).
  std::vector<double> work;
  for (int i = 0; i < 1000; ++i) work.push_back(1.0 + (i * 7919) % 13);
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  for (const std::size_t parts : {1u, 3u, 16u, 999u, 2000u}) {
    const auto divided = divide(work, parts);
    ASSERT_EQ(divided.size(), parts);
    std::vector<int> count(work.size());
    for (const auto& part : divided) {
      double sum = 0.0;
      for (const std::size_t unit : part) ++count.at(unit), sum += work[unit];
      EXPECT_LE(sum, std::max(14.0, all / static_cast<double>(parts) * 4.0 / 3.0));
    }
    EXPECT_EQ(std::ranges::count(count, 1), 1000);
    EXPECT_EQ(divided, divide(work, parts));
  }
}

}  // namespace
}  // namespace peal::farm
