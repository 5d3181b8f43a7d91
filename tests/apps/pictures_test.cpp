#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "apps/command_line.h"

/// Pictures of the field and of what moves, as the program writes them.
namespace peal {
namespace {

using testing::HasSubstr;

/// A click beside a box, in air that is computed.
const std::string wave_scene = R"({
  "peal": 1, "duration": 0.01, "sample_rate": 16000,
  "objects": [
    { "name": "click", "sound": [ { "point": { "click": { "width": 0.001 }, "pressure_at_1m": 0.1 } } ] },
    { "name": "box", "shape": { "box": [0.1, 0.1, 0.1] }, "motion": { "position": [0.2, 0, 0] } } ],
  "listeners": [ { "mono": { "position": [0, 0, 1.4] } } ],
  "radiation": { "model": "wave", "max_frequency": 1500, "cell_size": 0.03, "chunk": 0.005 }
})";

TEST_F(CommandLine, SlicesArePicturesAndGridsAndTheManifestTellsOfThem) {
  const std::string scene = write("s.json", wave_scene);
  const std::string slices = " --no-picture --slices y=0.01 --slice-rate 500 ";
  const Finished run = peal("render " + scene + slices + "--threads 1 -o " + path("a"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  ASSERT_EQ(peal("render " + scene + slices + "--threads 2 -o " + path("b")).exit_code, 0);
  const auto manifest = nlohmann::json::parse(read("a/manifest.json"));
  EXPECT_EQ(manifest["slices"]["frames"], 5);
  EXPECT_EQ(manifest["slices"]["axis"], "y");
  for (const char* name : {"slices/frame-00000.png", "slices/frame-00004.png",
                           "slices/slice-00004.vti", "manifest.json"}) {
    EXPECT_EQ(read(std::string("a/") + name), read(std::string("b/") + name)) << name;
  }
  EXPECT_THAT(read("a/slices/frame-00004.png"), testing::StartsWith("\x89PNG"));
  EXPECT_FALSE(fs::exists(folder_ / "a/slices/frame-00005.png"));
  const bool movie = manifest["slices"]["movie"].is_string();
  EXPECT_EQ(fs::exists(folder_ / "a/slices.mp4"), movie);
  // The scene is cut while it sounds, which is told as well.
  const std::size_t about_movies =
      std::ranges::count_if(manifest["notices"], [](const auto& notice) {
        return notice.template get<std::string>().starts_with("no slices.mp4");
      });
  EXPECT_EQ(about_movies, movie ? 0u : 1u) << manifest["notices"];

  // A render without slices takes the old ones away, and only them.
  write("a/slices/mine.txt", "mine");
  ASSERT_EQ(peal("render " + scene + " --no-picture -o " + path("a")).exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "a/slices/frame-00000.png"));
  EXPECT_FALSE(fs::exists(folder_ / "a/slices.mp4"));
  EXPECT_TRUE(fs::exists(folder_ / "a/slices/mine.txt"));
}

TEST_F(CommandLine, WithoutFfmpegThereIsANoticeInsteadOfAMovie) {
  const Variable no_programs("PATH", folder_.string());
  const Finished run =
      peal("render " + write("s.json", wave_scene) +
           " --no-picture --slices --slice-range 0.004:0.005 --slice-rate 1000 -o " + path("o"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("ffmpeg"));
  EXPECT_TRUE(fs::exists(folder_ / "o/slices/slice-00001.vti"));
  EXPECT_FALSE(fs::exists(folder_ / "o/slices.mp4"));
}

TEST_F(CommandLine, TheSceneMayFollowSlicesWithOrWithoutAPlane) {
  const std::string scene = write("s.json", wave_scene);
  const std::string few = "--slice-range 0.004:0.005 --slice-rate 1000 --no-picture";
  for (const std::string& words : {"--slices " + scene, "--slices y=0.01 " + scene}) {
    const Finished run = peal("render " + words + " " + few + " -o " + path("o"));
    EXPECT_EQ(run.exit_code, 0) << words << run.err;
    const auto manifest = nlohmann::json::parse(read("o/manifest.json"));
    EXPECT_EQ(manifest["slices"]["axis"], words.find("y=") == std::string::npos ? "z" : "y");
  }
  const Finished two = peal("render --slices other.json " + scene + " -o " + path("p"));
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_THAT(two.err, HasSubstr("\"other.json\" is not a plane"));
}

TEST_F(CommandLine, WrongSliceOptionsAreAnsweredWithTheRightForm) {
  const std::string scene = write("s.json", wave_scene);
  const auto refusal = [&](const std::string& options) {
    const Finished run = peal("render " + scene + " -o " + path("o") + " " + options);
    EXPECT_EQ(run.exit_code, 2) << options;
    return run.err;
  };
  EXPECT_THAT(refusal("--slices w=0.1"), HasSubstr("such as y=0.1"));
  EXPECT_THAT(refusal("--slices y=far"), HasSubstr("such as y=0.1"));
  EXPECT_THAT(refusal("--slices y"), HasSubstr("such as y=0.1"));
  EXPECT_THAT(refusal("--slices --slice-range 2"), HasSubstr("such as 0.1:0.25"));
  EXPECT_THAT(refusal("--slices --slice-range 2:1"), HasSubstr("such as 0.1:0.25"));
  EXPECT_THAT(refusal("--slices --slice-rate 0"), HasSubstr("--slice-rate"));
  EXPECT_THAT(refusal("--slice-rate 100"), HasSubstr("--slices"));
  EXPECT_FALSE(fs::exists(folder_ / "o"));
}

TEST_F(CommandLine, AViewIsPicturesOfWhatMovesWhateverTheThreads) {
  const std::string scene = write("s.json", R"({
    "peal": 1, "duration": 0.1,
    "objects": [
      { "name": "bee", "shape": { "sphere": 0.05 }, "sound": [ { "point": { "tone": { "frequency": 200 } } } ],
        "motion": { "keyframes": [ { "t": 0, "position": [-1, 0.2, 0] }, { "t": 0.1, "position": [1, 0.2, 0] } ] } },
      { "name": "floor", "shape": { "plane": [50, 50] } } ],
    "listeners": [ { "mono": { "position": [0, 1, 1] } } ] })");
  const std::string view = " --no-picture --view-rate 50 ";
  const Finished run = peal("render " + scene + view + "--threads 1 -o " + path("a"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a/view"));
  ASSERT_EQ(peal("render " + scene + view + "--threads 2 -o " + path("b")).exit_code, 0);
  const auto manifest = nlohmann::json::parse(read("a/manifest.json"));
  EXPECT_EQ(manifest["view"]["frames"], 5);
  EXPECT_EQ(read("a/view/frame-00003.png"), read("b/view/frame-00003.png"));
  EXPECT_NE(read("a/view/frame-00003.png"), read("a/view/frame-00002.png")) << "it moves";
  EXPECT_FALSE(fs::exists(folder_ / "a/view/frame-00005.png"));
  EXPECT_EQ(fs::exists(folder_ / "a/view.mp4"), manifest["view"]["movie"].is_string());

  // A render without a view takes the old one away, and only it.
  write("a/view/mine.txt", "mine");
  ASSERT_EQ(peal("render " + scene + " --no-picture -o " + path("a")).exit_code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "a/view/frame-00000.png"));
  EXPECT_FALSE(fs::exists(folder_ / "a/view.mp4"));
  EXPECT_TRUE(fs::exists(folder_ / "a/view/mine.txt"));
}

TEST_F(CommandLine, AViewOfNothingOrOfTooManyPicturesIsRefused) {
  const std::string scene = write("s.json", small_scene);
  const Finished nothing = peal("render " + scene + " --view-rate 30 -o " + path("o"));
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_THAT(nothing.err, HasSubstr("leave out --view-rate"));
  const Finished zero = peal("render " + scene + " --view-rate 0 -o " + path("o"));
  EXPECT_EQ(zero.exit_code, 2);
  auto longer = nlohmann::json::parse(wave_scene);
  longer["duration"] = 3600;
  const Finished many =
      peal("render " + write("l.json", longer.dump()) + " --view-rate 60 -o " + path("o"));
  EXPECT_EQ(many.exit_code, 3);
  EXPECT_THAT(many.err, HasSubstr("Choose at most 5.56"));
  EXPECT_FALSE(fs::exists(folder_ / "o"));
}

TEST_F(CommandLine, SlicesOfAModelWithoutAFieldAreRefused) {
  const Finished run = peal("render " + write("s.json", small_scene) + " --slices -o " + path("o"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("radiation.model"));
  EXPECT_THAT(run.err, HasSubstr("\"model\": \"wave\""));
}

}  // namespace
}  // namespace peal
