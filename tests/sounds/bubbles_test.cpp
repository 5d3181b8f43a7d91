#include <peal/base/world.h>
#include <peal/bubbles/play.h>
#include <peal/bubbles/pulsation.h>
#include <peal/render/stages.h>
#include <peal/scene/read_scene.h>
#include <peal/sounds/bubbles.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

namespace peal::sounds {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::filesystem::path folder() {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "bubbles_sound";
  std::filesystem::create_directories(path);
  return path;
}

scene::Scene scene_with(const std::string& bubbles, double duration = 0.2) {
  const std::string text =
      "{\"peal\": 1, \"duration\": " + std::to_string(duration) +
      ", \"objects\": [{\"name\": \"pool\", \"sound\": [{\"bubbles\": " + bubbles +
      "}]}], \"listeners\": [{\"mono\": {\"position\": [0, 0.5, 0]}}]}";
  return scene::parse_scene(text, "scene.json", folder());
}

base::World world_of(const scene::Scene& scene, std::vector<std::string>& notices) {
  return render::make_world(scene, notices);
}

std::string table(double radius, double depth) {
  return "id,time,x,y,z,radius\n1,0.01,0," + std::to_string(-depth) + ",0," +
         std::to_string(radius) + "\n";
}

TEST(BubblesSound, OneBubbleHasTheLevelOfItsVolumeAcceleration) {
  util::write_file(folder() / "one.csv", table(1e-3, 0.05));
  const scene::Scene scene = scene_with("{\"tracks\": \"one.csv\"}");
  std::vector<std::string> notices;
  const base::World world = world_of(scene, notices);
  ASSERT_EQ(world.sources.size(), 1u);
  EXPECT_NEAR(world.sources[0].offset.y(), 0.0, 1e-12) << "it is heard at the surface";
  const base::Signal signal = world.sources[0].shader->strength({48000}, {0, 9600});
  float peak = 0.0f;
  for (const float x : signal.samples) peak = std::max(peak, std::abs(x));
  // 42 dB at half a metre above a half space, for a neck of middle steepness; those between 0.4
  // and 1.5 are up to 7 dB weaker and 6 dB stronger.
  const double level = 20.0 * std::log10(static_cast<double>(peak) / 0.5 / std::sqrt(2.0) / 2e-5);
  EXPECT_NEAR(level, 42.0, 7.5);
}

TEST(BubblesSound, IsTheSameAtTheRateOfASolver) {
  util::write_file(folder() / "one.csv", table(2e-3, 0.05));
  std::vector<std::string> notices;
  const base::World world = world_of(scene_with("{\"tracks\": \"one.csv\"}"), notices);
  const auto& shader = *world.sources.at(0).shader;
  const base::Signal own = shader.strength({48000}, {0, 9600});
  const base::Signal fast = shader.strength({144000}, {0, 28800});
  for (std::int64_t n = 600; n < 2000; n += 7) {
    const float expected = own.samples[static_cast<std::size_t>(n - own.start)];
    EXPECT_NEAR(fast.samples[static_cast<std::size_t>(3 * n - fast.start)], expected, 2e-6f) << n;
  }
}

TEST(BubblesSound, DropsPlinkAtTheFrequencyOfTheirBubbles) {
  const scene::Scene scene = scene_with(
      "{\"drops\": {\"times\": [0.05], \"diameter\": 0.0046, \"height\": 0.085, \"jitter\": 0}}");
  std::vector<std::string> notices;
  const base::World world = world_of(scene, notices);
  ASSERT_EQ(world.sources.size(), 1u);
  const base::Signal signal = world.sources[0].shader->strength({48000}, {0, 9600});
  const auto bubble =
      bubbles::bubble_of_drop(0.0046, bubbles::falling_speed(0.0046, 0.085, 9.81), base::Liquid{});
  EXPECT_NEAR(static_cast<double>(signal.start) / 48000.0, 0.05 + bubble->delay, 1e-3);
  const auto samples = util::as_double(signal.samples);
  const double expected = bubbles::pulsation(bubble->radius, base::Liquid{}).frequency();
  const auto ringing = std::span(samples).subspan(60, 200);
  EXPECT_NEAR(util::find_tone(ringing, 48000.0).frequency / expected, 1.0, 0.1);
}

TEST(BubblesSound, ManyBubblesInOnePlaceAreOnePoint) {
  std::vector<std::string> notices;
  const base::World world = world_of(
      scene_with("{\"jet\": {\"flow\": 5e-5, \"diameter\": 0.008, \"height\": 0.2}}"), notices);
  EXPECT_GT(world.sources.size(), 2u);
  EXPECT_LT(world.sources.size(), 100u);
  EXPECT_THAT(notices, Contains(HasSubstr("the jet meets the surface at")));
}

TEST(BubblesSound, SaysWhatIsSilentAndWhy) {
  std::vector<std::string> notices;
  world_of(scene_with("{\"drops\": {\"diameter\": 0.005, \"height\": 0.5}}"), notices);
  EXPECT_THAT(notices, Contains(HasSubstr("entrains a bubble")));
  notices.clear();
  world_of(scene_with("{\"jet\": {\"flow\": 1e-6, \"height\": 0.01}}"), notices);
  EXPECT_THAT(notices, Contains(HasSubstr("takes no air")));
  notices.clear();
  util::write_file(folder() / "tiny.csv", table(1e-4, 0.05));
  world_of(scene_with("{\"tracks\": \"tiny.csv\"}"), notices);
  EXPECT_THAT(notices, Contains(HasSubstr("above 18000 Hz")));
}

TEST(BubblesSound, RefusesWhatCannotBeHeard) {
  util::write_file(folder() / "one.csv", table(1e-3, 0.05));
  std::vector<std::string> notices;
  const scene::Scene above = scene_with("{\"tracks\": \"one.csv\", \"level\": -1}");
  EXPECT_THROW(world_of(above, notices), util::InputError);
  const scene::Scene nowhere = scene_with("{}");
  EXPECT_THROW(world_of(nowhere, notices), util::InputError);
  EXPECT_THROW(scene_with("{\"tracks\": \"none.csv\"}"), util::InputError);
  EXPECT_THROW(scene_with("{\"drops\": {}, \"rain\": {}}"), util::InputError);
  EXPECT_THROW(scene_with("{\"drops\": {\"diameter\": -1}}"), util::InputError);
  util::write_file(folder() / "bad.csv", table(-1e-3, 0.05));
  EXPECT_THROW(scene_with("{\"tracks\": \"bad.csv\"}"), util::InputError);
}

}  // namespace
}  // namespace peal::sounds
