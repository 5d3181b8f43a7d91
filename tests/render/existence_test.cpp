#include <peal/render/render.h>
#include <peal/scene/gltf.h>
#include <peal/scene/read_scene.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/error.h>
#include <peal/util/low_pass.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

/// Objects that begin and end, through every radiator and in the motion file.
namespace peal::render::existence {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr int rate = 48000;                 // [1/s]
constexpr double duration = 0.12;           // [s]
constexpr double begin = 0.04, end = 0.08;  // when something exists [s]
constexpr double crossfade = 0.008;         // of walls, before they begin or end [s]
constexpr double fade = 0.02;  // around an end, and how far sound travels meanwhile [s]

/// A ball that plays a tone, a wall beside its way to a listener.
json scene_with(const std::string& model) {
  json scene = {{"peal", 1}, {"duration", duration}, {"sample_rate", rate}};
  scene["radiation"] = {{"model", model}};
  if (model != "direct") scene["radiation"]["max_frequency"] = 4000;
  if (model == "wave") scene["radiation"]["accuracy"] = 0.1;
  const json tone = {{"tone", {{"frequency", 500}}}, {"acceleration", 10}};
  scene["objects"] = {
      {{"name", "ball"}, {"shape", {{"sphere", 0.04}}}, {"sound", {{{"speaker", tone}}}}},
      {{"name", "wall"},
       {"shape", {{"box", {0.02, 0.2, 0.2}}}},
       {"motion", {{"position", {0.12, 0, 0}}}}}};
  scene["listeners"] = {{{"mono", {{"position", {0.25, 0, 0}}}}}};
  return scene;
}

std::vector<double> listener_audio(const json& scene) {
  util::Silent silent;
  const Sound sound = render(scene::parse_scene(scene.dump(), "scene.json", "."), silent);
  const auto& channel = sound.listeners.at(0).audio.channels.at(0);
  return {channel.begin(), channel.end()};
}

double peak_between(const std::vector<double>& x, double from, double to) {
  double peak = 0.0;
  for (int i = static_cast<int>(from * rate); i < static_cast<int>(to * rate); ++i)
    peak = std::max(peak, std::abs(x.at(static_cast<std::size_t>(i))));
  return peak;
}

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

/// What is above 3 kHz, where neither the tone nor a fade of some milliseconds has anything.
std::vector<double> clicks(const std::vector<double>& x) {
  const util::LowPass filter(rate, 2000, 3000);
  const std::vector<float> samples(x.begin(), x.end());
  const std::vector<float> low = filter.apply(samples);
  std::vector<double> high(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    high[i] = x[i] - static_cast<double>(low[i + static_cast<std::size_t>(filter.reach())]);
  return high;
}

double decibels(double a, double b) {
  return 20.0 * std::log10(a / b);
}

class ExistenceSlow : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, ExistenceSlow, testing::Values("rays", "wave"));

TEST_P(ExistenceSlow, AWallActsOnSoundOnlyWhileItExists) {
  json now_and_then = scene_with(GetParam()), never = now_and_then;
  const auto with = listener_audio(now_and_then);
  never["objects"].erase(1);
  const auto without = listener_audio(never);
  now_and_then["objects"][1]["exists"] = {begin, end};
  const auto sound = listener_audio(now_and_then);
  const double peak = peak_between(without, fade, duration);
  ASSERT_GT(peak_between(difference(with, without), fade, duration), 0.1 * peak)
      << "the wall matters";
  EXPECT_LT(peak_between(difference(sound, without), 0.0, begin - crossfade), 0.01 * peak);
  EXPECT_LT(peak_between(difference(sound, with), begin + fade, end - crossfade), 0.01 * peak);
  // The last samples of a scene are cut.
  EXPECT_LT(peak_between(difference(sound, without), end + fade, duration - 0.005), 0.01 * peak);
  EXPECT_LT(decibels(peak_between(clicks(sound), fade, duration - fade), peak), -60.0);
}

TEST_P(ExistenceSlow, ASpeakerSoundsOnlyWhileItExistsAndDoesNotClick) {
  json scene = scene_with(GetParam());
  scene["objects"].erase(1);
  const auto always = listener_audio(scene);
  scene["objects"][0]["exists"] = {begin, end};
  const auto sound = listener_audio(scene);
  const double peak = peak_between(always, fade, duration);
  EXPECT_LT(decibels(peak_between(sound, 0.0, begin), peak), -60.0);
  EXPECT_LT(peak_between(difference(sound, always), begin + fade, end - 0.005), 0.01 * peak);
  EXPECT_LT(decibels(peak_between(sound, end + fade, duration), peak), -60.0);
  EXPECT_LT(decibels(peak_between(clicks(sound), 0.01, duration - 0.01), peak), -60.0);
}

TEST(Existence, APointSoundsOnlyWhileItExistsAndDoesNotClick) {
  json scene = scene_with("direct");
  scene["objects"] = {{{"sound", {{{"point", {{"tone", {{"frequency", 500}}}}}}}}}};
  const auto always = listener_audio(scene);
  scene["objects"][0]["exists"] = {begin, nullptr};
  const auto sound = listener_audio(scene);
  const double peak = peak_between(always, fade, duration);
  EXPECT_EQ(peak_between(sound, 0.0, begin - 0.001), 0.0);
  EXPECT_LT(peak_between(difference(sound, always), begin + 0.01, duration - 0.01), 0.002 * peak);
  EXPECT_LT(decibels(peak_between(clicks(sound), 0.01, duration - 0.01), peak), -60.0);
}

TEST(Existence, TheMotionFileShowsAnObjectOnlyWhileItExists) {
  json scene = scene_with("direct");
  scene["objects"][1]["exists"] = {begin, end};
  scene["objects"][0].erase("sound");
  util::Silent silent;
  const Sound sound =
      render(scene::parse_scene(scene.dump(), "scene.json", "."), silent, {.motion_rate = 100.0});
  const std::string& bytes = *sound.motion;
  const std::size_t length = *reinterpret_cast<const std::uint32_t*>(bytes.data() + 12);
  const json gltf = json::parse(bytes.substr(20, length));
  EXPECT_FALSE(gltf["nodes"][0].contains("scale")) << "what always exists has no scale";
  EXPECT_EQ(gltf["nodes"][1]["scale"], json({0, 0, 0})) << "for viewers at rest";
  const json& animation = gltf["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 1u);
  EXPECT_EQ(animation["channels"][0]["target"], json({{"node", 1}, {"path", "scale"}}));
  const json& sampler = animation["samplers"][0];
  EXPECT_EQ(sampler["interpolation"], "STEP");
  const auto floats = [&](const json& accessor, std::size_t columns) {
    const json& view = gltf["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const auto* first = reinterpret_cast<const float*>(bytes.data() + 20 + length + 8 +
                                                       view["byteOffset"].get<std::size_t>());
    return std::vector<float>(first, first + accessor["count"].get<std::size_t>() * columns);
  };
  EXPECT_THAT(floats(gltf["accessors"][sampler["input"].get<std::size_t>()], 1),
              testing::ElementsAre(0.0f, 0.04f, 0.08f));
  EXPECT_THAT(floats(gltf["accessors"][sampler["output"].get<std::size_t>()], 3),
              testing::ElementsAre(0, 0, 0, 1, 1, 1, 0, 0, 0));
}

/// A steel ball above a table.
json falling() {
  return json::parse(R"({"peal": 1, "duration": 0.5,
    "objects": [
      {"name": "ball", "shape": {"sphere": 0.02}, "material": "steel",
       "motion": {"rigid": {"position": [0, 0.021, 0]}}, "contact": {"restitution": 0}, "sound": []},
      {"name": "table", "shape": {"box": [1, 0.05, 1]}, "material": "steel",
       "motion": {"position": [0, -0.025, 0]}, "sound": []}],
    "listeners": [{"mono": {"position": [0, 0.5, 1]}}]})");
}

base::MotionResult moved(const json& scene) {
  util::Silent silent;
  std::vector<std::string> notices;
  return simulate::move_scene(scene::parse_scene(scene.dump(), "scene.json", "."), silent, notices);
}

TEST(Existence, AFreeBodyWaitsUntilItBegins) {
  json scene = falling();
  scene["objects"][0]["exists"] = {0.3, nullptr};
  scene["objects"][0]["motion"]["rigid"]["position"] = {0, 1, 0};
  const base::MotionResult result = moved(scene);
  const base::Motion& ball = *result.objects[0].motion;
  EXPECT_EQ(ball.pose(0.29).position.y(), 1.0);
  EXPECT_NEAR(ball.pose(0.4).position.y(), 1.0 - 0.5 * 9.81 * 0.1 * 0.1, 0.002);
}

TEST(Existence, WhatRestsOnATableFallsWhenTheTableEnds) {
  json scene = falling();
  scene["objects"][1]["exists"] = {nullptr, 0.3};
  const base::MotionResult result = moved(scene);
  const base::Motion& ball = *result.objects[0].motion;
  EXPECT_NEAR(ball.pose(0.299).position.y(), 0.02, 1e-4);
  EXPECT_NEAR(ball.pose(0.4).position.y(), 0.02 - 0.5 * 9.81 * 0.1 * 0.1, 0.002);
}

TEST(Existence, ABodyMayNotBeginInsideOfAnother) {
  json scene = falling();
  scene["objects"][1]["exists"] = {0.2, nullptr};  // when the ball has fallen into its place
  scene["objects"][0]["motion"]["rigid"]["position"] = {0, 0.19, 0};
  try {
    moved(scene);
    FAIL() << "it was moved";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"table\" appears at 0.2 s, where it overlaps"));
  }
}

}  // namespace
}  // namespace peal::render::existence
