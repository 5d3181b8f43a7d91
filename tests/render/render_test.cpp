#include <peal/render/cost.h>
#include <peal/render/output.h>
#include <peal/render/render.h>
#include <peal/render/stages.h>
#include <peal/scene/read_scene.h>
#include <peal/sounds/point.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace peal::render {
namespace {

scene::Scene scene_of(const std::string& objects, const std::string& listener = R"({"mono": {}})") {
  return scene::parse_scene(R"({"peal": 1, "duration": 0.5, "objects": [)" + objects +
                                R"(], "listeners": [)" + listener + "]}",
                            "test", "");
}

std::vector<double> hear(const scene::Scene& scene) {
  util::Silent silent;
  return util::as_double(render(scene, silent).listeners.at(0).audio.channels.at(0));
}

std::string tone(const std::string& name, double frequency, double x) {
  return R"({"name": ")" + name + R"(", "motion": {"position": [)" + std::to_string(x) +
         R"(, 0, 0]}, "sound": [{"point": {"tone": {"frequency": )" + std::to_string(frequency) +
         "}}}]}";
}

TEST(Render, AToneAtTwoMetresIsHalfAsLoudAsAtOne) {
  const auto listener_audio = hear(scene_of(tone("a", 1000, 2)));
  EXPECT_NEAR(util::tone_at(std::span(listener_audio).subspan(4800), 48000, 1000).amplitude, 0.5,
              1e-4);
}

TEST(Render, SourcesAdd) {
  const auto a = hear(scene_of(tone("a", 500, 1))), b = hear(scene_of(tone("b", 900, 3)));
  const auto both = hear(scene_of(tone("a", 500, 1) + "," + tone("b", 900, 3)));
  for (std::size_t i = 0; i < both.size(); ++i) ASSERT_NEAR(both[i], a[i] + b[i], 1e-6);
}

TEST(Render, SourceAndListenerMayChangePlaces) {
  const auto there = hear(scene_of(tone("a", 700, 4)));
  const auto back = hear(scene_of(tone("a", 700, 0), R"({"mono": {"position": [4, 0, 0]}})"));
  EXPECT_EQ(there, back);
}

TEST(Render, AShiftOfTheWholeSceneChangesNothing) {
  const auto here = hear(scene_of(tone("a", 700, 1)));
  const auto shifted = hear(scene_of(tone("a", 700, 9), R"({"mono": {"position": [8, 0, 0]}})"));
  EXPECT_EQ(here, shifted);
}

TEST(Render, TheNearerEarHearsEarlier) {
  const auto scene = scene_of(
      R"({"motion": {"position": [5, 0, 0]}, "sound": [{"point": {"click": {"width": 0.001}}}]})",
      R"({"stereo": {"ear_distance": 0.3432}})");
  util::Silent silent;
  const auto audio = render(scene, silent).listeners.at(0).audio;
  const auto loudest = [](const std::vector<float>& channel) {
    return std::ranges::max_element(channel) - channel.begin();
  };
  EXPECT_EQ(audio.channel_names, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(loudest(audio.channels[0]) - loudest(audio.channels[1]), 48);  // 1 ms
}

TEST(Render, OneProcessGivesTheSameSoundAgain) {
  const auto scene = scene_of(R"({"sound": [{"point": {"noise": {}, "offset": [1, 0, 0]}}]})");
  EXPECT_EQ(hear(scene), hear(scene));
}

TEST(Render, ShapesThatDirectSoundIgnoresAreMentioned) {
  util::Silent silent;
  const Sound sound = render(
      scene_of(tone("a", 500, 1) + R"(,{"name": "wall", "shape": {"box": [1, 1, 1]}})"), silent);
  EXPECT_THAT(sound.notices, testing::Contains(testing::HasSubstr("wall")));
}

const std::string radio =
    R"({"name": "radio", "shape": {"box": {"size": [1, 1, 1], "edge_length": 2}},
    "sound": [{"speaker": {"tone": 100, "acceleration": 3,
                           "faces": {"box": {"min": [-0.1, -0.1, 0.4], "max": [0.1, 0.1, 0.6]}}}},
              {"point": {"tone": 300}},
              {"speaker": {"tone": 100, "acceleration": 4}}]})";

TEST(Render, SpeakersThatDirectSoundIgnoresAreMentioned) {
  util::Silent silent;
  EXPECT_THAT(
      render(scene_of(radio, R"({"mono": {"position": [0, 0, 2]}})"), silent).notices,
      testing::Contains(
          "the radiation model \"direct\" leaves out the speakers of \"radio\"; use \"wave\""));
}

TEST(Render, SpeakersOfABodyAddAndHaveTheirPartsOfItsSurface) {
  std::vector<std::string> notices;
  const base::World world = make_world(scene_of(radio), notices);
  ASSERT_EQ(world.bodies.size(), 1u);
  EXPECT_EQ(world.sources.size(), 1u);
  const base::Body& body = world.bodies[0];
  ASSERT_EQ(body.sources.size(), 2u);
  ASSERT_EQ(body.triangle_part.size(), body.mesh.triangles.size());
  double patch = 0.0;
  for (std::uint32_t t = 0; t < body.mesh.triangles.size(); ++t) {
    const base::SurfacePoint point{.triangle = t};
    base::SourceEvaluator sources(body.sources);
    sources.set_points({&point, 1});
    const float a = sources.accelerations({480 + 120, world.rate})[0];
    EXPECT_NEAR(a, body.triangle_part[t] == body.triangle_part[0] ? 4.0f : 7.0f, 1e-4f);
    if (a > 5.0f) patch += geometry::area_vector(body.mesh, t).norm();
  }
  EXPECT_NEAR(patch, 0.04, 1e-12);
  EXPECT_FALSE(body.is_sheet);
  EXPECT_TRUE(make_world(scene_of(R"({"shape": {"disc": 1}})"), notices).bodies[0].is_sheet);
}

TEST(Render, ASoundTooLoudForNumbersIsAnErrorNotANan) {
  util::Silent silent;
  auto scene = scene_of(tone("a", 500, 1));
  scene.objects[0].sounds = {
      sounds::make_sound(sounds::PointSound{.signal = scene::ToneSound{}, .pressure_at_1m = 1e39})};
  EXPECT_THROW(render(scene, silent), util::NumericsError);
}

TEST(Render, TheManifestExplainsWhatIsHeard) {
  util::Silent silent;
  const auto scene = scene_of(tone("bell", 500, 2));
  const auto record = manifest(scene, render(scene, silent), {});
  EXPECT_EQ(record["objects"][0]["name"], "bell");
  EXPECT_THAT(record["radiation"]["findings"][0].get<std::string>(), testing::HasSubstr("2 m"));
  EXPECT_NEAR(record["listeners"][0]["channels"][0]["peak_pa"], 0.5, 1e-3);
  EXPECT_NEAR(record["listeners"][0]["channels"][0]["level_db_spl"], 84.9, 0.3);
}

TEST(Render, TheStateOfTheCacheIsNoPartOfTheManifest) {
  util::Silent silent;
  const auto scene = scene_of(tone("bell", 500, 2));
  Sound sound = render(scene, silent);
  const std::string before = manifest(scene, sound, {}).dump();
  sound.notices.push_back(
      "cache: the stored result a.modes is damaged (cut short): it is recomputed");
  EXPECT_EQ(manifest(scene, sound, {}).dump(), before);
  sound.notices.push_back("another notice");
  EXPECT_NE(manifest(scene, sound, {}).dump(), before);
}

TEST(Render, CostIsEstimatedForTheWholeScene) {
  const RadiationCost cost = Preview(scene_of(tone("a", 500, 1))).cost()->radiation.value();
  EXPECT_EQ(cost.work, 24000.0);
  EXPECT_GT(cost.seconds, 0.0);
  EXPECT_LT(cost.seconds, 5.0);
}

}  // namespace
}  // namespace peal::render
