#include <peal/farm/plan.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>

#include <string>

namespace peal::farm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Plan small_plan() {
  return {.scene = "/scenes/mug \"blue\"/scene.json",
          .identity = {.version = "0.1.0",
                       .build = "aa",
                       .scene_hash = "bb",
                       .settings = {.tail = 0.1, .without = {"modal"}, .strict = true}},
          .model = "wave",
          .work_unit = "cell updates",
          .memory = 1e9,
          .units = {{"chunk 1 (0 to 0.25 s)", 3e8, "chunks/k1.chunk"},
                    {"chunk 2 (0.25 to 0.5 s)", 1.0 / 3.0, "chunks/k2.chunk"}}};
}

std::string problem_with(const std::string& text) {
  try {
    parse_plan(text, "plan.json");
  } catch (const util::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Plans, AreReadAsTheyWereWritten) {
  const Plan plan = small_plan(), read = parse_plan(plan_text(plan), "plan.json");
  EXPECT_EQ(read.scene, plan.scene);
  EXPECT_EQ(read.identity.hash(), plan.identity.hash());
  EXPECT_EQ(read.identity.settings, plan.identity.settings);
  EXPECT_EQ(read.units[1].file, plan.units[1].file);
  EXPECT_EQ(read.units[0].name, plan.units[0].name);
  EXPECT_THAT(read.work(), ElementsAre(3e8, 1.0 / 3.0));
  EXPECT_EQ(plan_text(read), plan_text(plan));
}

TEST(Plans, OfOtherKindsAreRefused) {
  EXPECT_THAT(problem_with(""), HasSubstr("plan.json"));
  EXPECT_THAT(problem_with("{}"), HasSubstr("peal_plan"));
  EXPECT_THAT(problem_with("[1]"), HasSubstr("the plan of a shared render"));
  std::string text = plan_text(small_plan());
  const std::string half = text.substr(0, text.size() / 2);
  EXPECT_THAT(problem_with(half), HasSubstr("plan.json"));
  std::string later = text;
  later.replace(later.find("\"peal_plan\": 1"), 14, "\"peal_plan\": 2");
  EXPECT_THAT(problem_with(later), HasSubstr("another version"));
  std::string outside = text;
  outside.replace(outside.find("chunks/k1.chunk"), 15, "../../k1.chunk_");
  EXPECT_THAT(problem_with(outside), HasSubstr("outside of the folder"));
  std::string negative = text;
  negative.replace(negative.find("300000000.0"), 11, "-1");
  EXPECT_THAT(problem_with(negative), HasSubstr("units[0].work"));
}

TEST(Plans, AreComparedByProgramSceneAndSettings) {
  const Plan plan = small_plan();
  const auto problem = [&](Identity own) -> std::string {
    try {
      check_identity(plan, own, "DIR/plan.json");
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "";
  };
  Identity own = plan.identity;
  EXPECT_EQ(problem(own), "");
  own.version = "0.2.0";
  EXPECT_THAT(problem(own), HasSubstr("by Peal 0.1.0; this is 0.2.0"));
  own = plan.identity, own.build = "ab";
  EXPECT_THAT(problem(own), HasSubstr("another build"));
  own = plan.identity, own.scene_hash = "bc";
  EXPECT_THAT(problem(own), HasSubstr("another scene"));
  own = plan.identity, own.settings.tail = 2.0;
  EXPECT_THAT(problem(own),
              HasSubstr("with --tail 0.1 --without modal --strict; this one has --tail 2"));
  EXPECT_NE(own.hash(), plan.identity.hash());
}

}  // namespace
}  // namespace peal::farm
