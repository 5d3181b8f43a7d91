#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene_text.h"

namespace peal::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> kinds(const Object& object) {
  std::vector<std::string> result;
  for (const auto& sound : object.sounds) result.push_back(sound->key());
  return result;
}

const std::string falling =
    R"({"name": "cup", "shape": {"box": [0.1, 0.1, 0.1]}, "material": "ceramic",
        "motion": {"rigid": {"position": [0, 1, 0]}}})";

TEST(DefaultSounds, WhatMovesRingsAndClicksAndWhatItCanHitRings) {
  const Scene scene = parse(scene_with_objects(
      falling + R"(, {"name": "table", "shape": {"box": [1, 0.1, 1]}, "material": "wood"},
                     {"name": "wall", "shape": {"box": [1, 1, 0.1]}})"));
  EXPECT_THAT(kinds(scene.objects[0]), ElementsAre("modal", "acceleration_noise"));
  EXPECT_THAT(kinds(scene.objects[1]), ElementsAre("modal"));
  EXPECT_THAT(kinds(scene.objects[2]), IsEmpty());
}

TEST(DefaultSounds, KeyedMotionCountsIfItChangesSomething) {
  const auto keyed = [](const std::string& end) {
    return parse(scene_with_objects(R"({"shape": {"sphere": 0.1}, "material": "steel",
        "motion": {"keyframes": [{"t": 0, "position": [0, 0, 0]}, {"t": 1, "position": )" +
                                    end + "}]}}"));
  };
  EXPECT_THAT(kinds(keyed("[0, 1, 0]").objects[0]), ElementsAre("modal", "acceleration_noise"));
  EXPECT_THAT(kinds(keyed("[0, 0, 0]").objects[0]), IsEmpty());
}

TEST(DefaultSounds, WhatIsStruckRings) {
  const Scene scene = parse(scene_with_objects(
      R"({"shape": {"sphere": 0.1}, "material": "steel",
          "strikes": [{"t": 0, "at": [0, 0.1, 0], "force": {"impulse": 1}}]})"));
  EXPECT_THAT(kinds(scene.objects[0]), ElementsAre("modal"));
}

TEST(DefaultSounds, AnEmptyListIsSilence) {
  std::string silent = falling;
  silent.insert(silent.size() - 1, R"(, "sound": [])");
  EXPECT_THAT(kinds(parse(scene_with_objects(silent)).objects[0]), IsEmpty());
  EXPECT_EQ(complaint(scene_with_objects(
                R"({"shape": {"sphere": 0.1}, "material": "steel", "sound": [],
                    "strikes": [{"t": 0, "at": [0, 0.1, 0], "force": {"impulse": 1}}]})")),
            "");
}

TEST(DefaultSounds, NothingAtRestAndNoOpenSurfaceSounds) {
  EXPECT_THAT(kinds(parse(scene_with_objects(R"({"shape": {"box": [1, 1, 1]}, "material": "oak"})"))
                        .objects[0]),
              IsEmpty());
  const Scene scene =
      parse(scene_with_objects(falling + R"(, {"shape": {"plane": [1, 1]}, "material": "oak"})"));
  EXPECT_THAT(kinds(scene.objects[1]), IsEmpty());
}

TEST(DefaultSounds, TheirModesEndWhereTheRadiationEnds) {
  const Scene scene = parse(
      scene_with_objects(falling, R"("radiation": {"model": "wave", "max_frequency": 5000},)"));
  EXPECT_THAT(scene.objects[0].sounds[0]->describe(), HasSubstr("up to 5000 Hz"));
}

}  // namespace
}  // namespace peal::scene
