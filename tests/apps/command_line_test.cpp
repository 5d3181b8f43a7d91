#include "apps/command_line.h"

#include <peal/util/audio_file.h>
#include <peal/util/folder_lock.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "source_dir.h"

/// The program as a user meets it: what it prints, writes and returns.
namespace peal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(CommandLine, RenderWritesSoundPictureAndManifestAndPrintsTheirPaths) {
  const Finished run = peal("render " + write("s.json", small_scene) + " -o " + path("out"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("audio-main.wav"));
  EXPECT_THAT(run.out, HasSubstr("spectrogram-main.png"));
  EXPECT_THAT(run.out, HasSubstr("manifest.json"));
  const auto audio = util::read_audio(folder_ / "out/audio-main.wav");
  EXPECT_EQ(audio.rate, 48000);
  EXPECT_EQ(audio.channels.size(), 2u);
  EXPECT_EQ(audio.channels[0].size(), 9600u);
  EXPECT_EQ(util::read_audio(folder_ / "out/audio-desk.wav").channels.size(), 1u);
  const auto manifest = nlohmann::json::parse(read("out/manifest.json"));
  EXPECT_EQ(manifest["radiation"]["model"], "direct");
  EXPECT_EQ(manifest["listeners"].size(), 2u);
}

TEST_F(CommandLine, TheSameSceneGivesTheSameBytesForAnyNumberOfThreads) {
  const std::string scene = write("s.json", small_scene);
  ASSERT_EQ(peal("render " + scene + " -o " + path("a") + " --threads 1").exit_code, 0);
  ASSERT_EQ(peal("render " + scene + " -o " + path("b") + " --threads 2").exit_code, 0);
  for (const char* name :
       {"audio-main.wav", "audio-desk.wav", "manifest.json", "spectrogram-main.png"}) {
    EXPECT_EQ(read(std::string("a/") + name), read(std::string("b/") + name)) << name;
  }
}

TEST_F(CommandLine, AnotherSeedGivesOtherNoise) {
  std::string other = small_scene;
  other.replace(other.find("\"seed\": 5"), 9, "\"seed\": 6");
  peal("render " + write("a.json", small_scene) + " -o " + path("a") + " --no-picture");
  peal("render " + write("b.json", other) + " -o " + path("b") + " --no-picture");
  EXPECT_NE(read("a/audio-main.wav"), read("b/audio-main.wav"));
}

TEST_F(CommandLine, NormalizingScalesToJustBelowFullScaleAndSaysByHowMuch) {
  const std::string scene = write("s.json", small_scene);
  peal("render " + scene + " -o " + path("a") + " --no-picture");
  peal("render " + scene + " -o " + path("b") + " --no-picture --normalize");
  const auto plain = util::read_audio(folder_ / "a/audio-main.wav").channels;
  const auto scaled = util::read_audio(folder_ / "b/audio-main.wav").channels;
  const double factor =
      nlohmann::json::parse(read("b/manifest.json"))["listeners"][0]["pascal_per_unit"];
  float peak = 0.0f;
  for (std::size_t i = 0; i < plain[0].size(); ++i) {
    for (int c : {0, 1}) {
      EXPECT_NEAR(scaled[c][i] * factor, plain[c][i], 1e-6);
      peak = std::max(peak, std::abs(scaled[c][i]));
    }
  }
  EXPECT_NEAR(peak, 0.891f, 1e-4f);
}

TEST_F(CommandLine, FiveMistakesGiveFiveMessagesAndNothingIsWritten) {
  const std::string scene = write("bad.json", R"({
    "peal": 1, "duraton": 2, "duration": 0,
    "objects": [
      { "name": "cup", "mesh": "no-such.obj" },
      { "name": "bell", "material": "stel",
        "sound": [ { "point": { "tone": { "frequency": 90000 } } } ] } ],
    "listeners": [ { "mono": { "position": [0, 0] } } ]
  })");
  const Finished run = peal("render " + scene + " -o " + path("out"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("duraton"));
  EXPECT_THAT(run.err, HasSubstr("\"duration\""));
  EXPECT_THAT(run.err, HasSubstr("no-such.obj"));
  EXPECT_THAT(run.err, HasSubstr("objects[1].material"));
  EXPECT_THAT(run.err, HasSubstr("steel"));
  EXPECT_THAT(run.err, HasSubstr("objects[1].sound[0].point.tone.frequency"));
  EXPECT_THAT(run.err, HasSubstr("listeners[0].mono.position"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(CommandLine, ErrorsAreAJsonDocumentOnRequest) {
  const Finished run = peal("render " + write("bad.json", "{\"peal\": 1}") + " --json");
  EXPECT_EQ(run.exit_code, 3);
  const auto document = nlohmann::json::parse(run.out);
  EXPECT_EQ(document["exit_code"], 3);
  EXPECT_GE(document["errors"].size(), 2u);
  EXPECT_THAT(document["errors"][0]["file"].get<std::string>(), HasSubstr("bad.json"));
}

TEST_F(CommandLine, JsonResultsAndProgressAreMachineReadable) {
  const Finished run =
      peal("render " + write("s.json", small_scene) + " --json --no-picture -o " + path("o"));
  EXPECT_EQ(run.exit_code, 0);
  const auto result = nlohmann::json::parse(run.out);
  EXPECT_EQ(result["files"].size(), 2u);
  EXPECT_GT(result["x_real_time"], 0.0);
  std::istringstream lines(run.err);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(nlohmann::json::accept(line)) << line;
  }
  EXPECT_GT(count, 1);
}

TEST_F(CommandLine, ModesThatARenderNeedsAreStepsOfTheirOwn) {
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.1,
    "objects": [ { "name": "die", "shape": { "box": [0.016, 0.016, 0.016] }, "material": "nylon",
                   "motion": { "rigid": { "position": [0, 0.02, 0] } }, "sound": ["modal"] },
                 { "name": "bar", "shape": { "box": [0.1, 0.01, 0.01] }, "material": "steel",
                   "motion": { "position": [1, 1, 0] }, "sound": ["modal"],
                   "strikes": [ { "t": 0, "at": [0.05, 0, 0], "force": { "impulse": 0.1 } } ] },
                 { "name": "floor", "shape": { "box": [1, 0.1, 1] }, "material": "stone",
                   "motion": { "position": [0, -0.05, 0] }, "sound": [] } ],
    "listeners": [ { "mono": { "position": [0, 0, 0.5] } } ] })");
  const Finished run = peal("render " + scene + " --json --no-picture -o " + path("o"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::istringstream lines(run.err);
  std::vector<std::string> steps;
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    if (!json.contains("progress")) continue;
    const std::string step = json["progress"]["step"];
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  }
  // The simulation goes on when the modes of what it dropped are known.
  EXPECT_THAT(steps, testing::IsSupersetOf({"simulate", "\"die\": modes", "\"bar\": modes"}));
  EXPECT_EQ(std::ranges::count(steps, "simulate"), 2) << testing::PrintToString(steps);
}

TEST_F(CommandLine, ARenderSaysWhatItWillDoAndWarnsBeforeItStarts) {
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.01,
    "radiation": { "model": "wave", "max_frequency": 9000, "cell_size": 0.0124 },
    "objects": [ { "sound": [ { "point": { "tone": 1000 } } ] } ],
    "listeners": [ { "mono": { "position": [0, 0, 0.5] } } ] })");
  const Finished run = peal("render " + scene + " --json --no-picture -o " + path("o"));
  const auto plan = run.err.find("{\"plan\""), warning = run.err.find("too few"),
             work = run.err.find("{\"progress\"");
  ASSERT_NE(work, std::string::npos) << run.err;
  EXPECT_LT(plan, warning) << run.err;
  EXPECT_LT(warning, work) << run.err;
  EXPECT_THAT(run.err, HasSubstr("steps a second"));
}

TEST_F(CommandLine, AGridThatIsTooLongIsRefusedForItsLength) {
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.01,
    "radiation": { "model": "wave", "max_frequency": 2000 },
    "objects": [ { "sound": [ { "point": { "tone": 1000 } } ] },
                 { "motion": { "position": [160, 0, 0] }, "sound": [ { "point": { "tone": 500 } } ] } ],
    "listeners": [ { "mono": { "position": [0, 0, 0.5] } } ] })");
  const Finished run = peal("render " + scene + " -o " + path("o"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("along one axis"));
}

TEST_F(CommandLine, IsQuietWhenPiped) {
  const Finished run = peal("render " + write("s.json", small_scene) + " -o " + path("o"));
  EXPECT_THAT(run.err, Not(HasSubstr("%")));
}

TEST_F(CommandLine, ASupersonicObjectIsNamedWithItsFile) {
  std::string fast = small_scene;
  fast.replace(fast.find("[3, 0, -1]"), 10, "[99, 0, -1]");
  const Finished run = peal("render " + write("fast.json", fast) + " -o " + path("o"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("fast.json: object \"tone\": moves at 510 m/s"));
}

TEST_F(CommandLine, WrongUsageIsExitCodeTwo) {
  EXPECT_EQ(peal("").exit_code, 2);
  EXPECT_EQ(peal("sing").exit_code, 2);
  EXPECT_THAT(peal("rendr x").err, HasSubstr("\"render\""));
  const auto document = nlohmann::json::parse(peal("render a.json --loud --json").out);
  EXPECT_EQ(document["exit_code"], 2);
  EXPECT_EQ(peal("render").exit_code, 2);
  EXPECT_EQ(peal("render a.json --loudness 3").exit_code, 2);
}

TEST_F(CommandLine, ADeviceThatCannotComputeTheSceneIsRefusedByName) {
  // `direct` is refused where there is a device, and the device where there is none.
  const std::string scene = write("s.json", small_scene);
  const auto run = peal("render " + scene + " -o " + path("a") + " --device cuda");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("--device"));
  EXPECT_THAT(run.err, HasSubstr("Leave --device out, or write --device cpu."));
  const auto unknown = peal("render " + scene + " -o " + path("a") + " --device gpu");
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("\"gpu\" is no device"));
  const auto beyond = peal("inspect " + scene + " --device cuda:1000");
  EXPECT_EQ(beyond.exit_code, 3);
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(CommandLine, ARenderSaysWhatComputesItsWaves) {
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.01,
    "objects": [{ "name": "point", "sound": [{"point": {"tone": 500}}] }],
    "listeners": [{"mono": {"position": [0, 0, 1]}}],
    "radiation": { "model": "wave", "max_frequency": 1000 } })");
  const auto by_itself = peal("render " + scene + " -o " + path("a") + " --no-picture");
  ASSERT_EQ(by_itself.exit_code, 0) << by_itself.err;
  EXPECT_THAT(by_itself.err, HasSubstr("waves are computed by "));
  const auto asked = peal("render " + scene + " -o " + path("b") + " --no-picture --device cpu");
  ASSERT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(asked.err, HasSubstr("waves are computed by the processor, as asked by --device"));
  EXPECT_THAT(read("b/manifest.json"), HasSubstr("as asked by --device"));
  EXPECT_EQ(read("a/audio.wav"), read("b/audio.wav"));
}

TEST_F(CommandLine, WhatIsNoNumberIsWrongUsage) {
  for (const std::string option :
       {"--motion-rate", "--view-rate", "--checkpoint-every", "--slices --slice-rate"}) {
    for (const std::string value : {"nan", "inf", "-inf", "-1", "0", "1e300", "often"}) {
      const Finished run = peal("render s.json " + option + " " + value);
      EXPECT_EQ(run.exit_code, 2) << option << " " << value;
      EXPECT_THAT(run.err, HasSubstr("is not a number from")) << option << " " << value;
    }
  }
  EXPECT_EQ(peal("modes a.obj --material steel --accuracy nan").exit_code, 2);
  EXPECT_EQ(peal("modes a.obj --material steel --scale nan").exit_code, 2);
  EXPECT_EQ(peal("strike a.obj --material steel --at 0 nan 0").exit_code, 2);
  EXPECT_EQ(peal("strike a.obj --material steel --at 0 0 0 --duration inf").exit_code, 2);
}

TEST_F(CommandLine, HelpExplainsEveryVerb) {
  for (const char* verb : {"", "render", "inspect", "plot", "validate"}) {
    const Finished run = peal(std::string(verb) + " --help");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, HasSubstr("Usage: peal"));
  }
}

TEST_F(CommandLine, MissingAndUnreadableFilesAreBadInput) {
  for (const char* verb : {"render", "inspect", "plot"}) {
    const Finished run = peal(std::string(verb) + " " + path("nothing.json"));
    EXPECT_EQ(run.exit_code, 3) << verb;
    EXPECT_THAT(run.err, HasSubstr("nothing.json"));
  }
  EXPECT_EQ(peal("plot " + write("noise.wav", "this is no audio")).exit_code, 3);
  EXPECT_EQ(peal("inspect " + write("cube.obj", "v 0 0 0\nf 1 2 3\n")).exit_code, 3);
}

TEST_F(CommandLine, AnOutputThatCannotBeWrittenIsSaid) {
  const std::string scene = write("s.json", small_scene);
  write("file", "in the way");
  const Finished run = peal("render " + scene + " --no-picture -o " + path("file/out"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("cannot write"));
}

TEST_F(CommandLine, RenderingAgainLeavesNoFilesOfTheLastTime) {
  peal("render " + write("s.json", small_scene) + " -o " + path("o"));
  EXPECT_TRUE(fs::exists(folder_ / "o/audio-desk.wav"));
  write("o/mine.txt", "keep");
  std::string one = small_scene;
  const auto desk = one.find(",\n                 { \"name\": \"desk\"");
  ASSERT_NE(desk, std::string::npos);
  one.erase(desk, one.rfind(']') - desk);
  peal("render " + write("one.json", one) + " -o " + path("o"));
  EXPECT_FALSE(fs::exists(folder_ / "o/audio-desk.wav"));
  EXPECT_TRUE(fs::exists(folder_ / "o/audio.wav"));
  EXPECT_TRUE(fs::exists(folder_ / "o/mine.txt"));
}

TEST_F(CommandLine, TwoRendersDoNotWriteIntoOneFolder) {
  const std::string scene = write("s.json", small_scene);
  fs::create_directories(folder_ / "o");
  const util::FolderLock lock(folder_ / "o");
  const Finished run = peal("render " + scene + " --no-picture -o " + path("o"));
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("is writing to this folder"));
  EXPECT_FALSE(fs::exists(folder_ / "o/manifest.json"));
}

TEST_F(CommandLine, AnInterruptedRenderSaysWhatIsKeptAndLeavesTheFolderToTheNext) {
  const std::string slow = write("slow.json", R"({ "peal": 1, "duration": 60,
      "objects": [ { "shape": { "sphere": 0.05 }, "sound": [ { "speaker": { "noise": "pink" } } ] } ],
      "listeners": [ { "mono": { "position": [0, 0, 0.3] } } ],
      "radiation": { "model": "wave", "max_frequency": 8000 } })");
  const std::string command =
      "'" PEAL_PROGRAM "' render " + slow + " --threads 1 -o " + path("o") + " >" +
      path("run.out") + " 2>" + path("run.err") + " & render=$!; tries=0; until [ -e " +
      path("o/.lock") +
      " ]; do tries=$((tries + 1)); [ $tries -lt 500 ] || exit 1; sleep 0.02; done; sleep 0.3; "
      "kill -TERM $render; wait $render; [ $? -eq 143 ]";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(read("run.err"), AllOf(HasSubstr("peal: interrupted. Finished parts are stored in"),
                                     HasSubstr("run the same command again")));
  EXPECT_EQ(
      peal("render " + write("s.json", small_scene) + " --no-picture -o " + path("o")).exit_code,
      0);
  EXPECT_FALSE(fs::exists(folder_ / "o/.lock"));
}

TEST_F(CommandLine, TheTailGoesOnAfterTheEnd) {
  const std::string scene = write("s.json", small_scene);
  EXPECT_THAT(peal("render " + scene + " --no-picture -o " + path("a")).err,
              HasSubstr("\"main\" still sounds at the end"));
  ASSERT_EQ(peal("render " + scene + " --no-picture --tail 0.3 -o " + path("b")).exit_code, 0);
  EXPECT_EQ(util::read_audio(folder_ / "b/audio-main.wav").channels[0].size(), 24000u);
}

TEST_F(CommandLine, TheCacheIsShownLimitedAndCleared) {
  util::write_file(folder_ / ".cache/peal/chunks/some.chunk", std::string(3000000, 'x'));
  EXPECT_THAT(peal("cache --size").out, HasSubstr("0.003 GB in 1 files, of at most 20 GB"));
  const auto json = nlohmann::json::parse(peal("cache --limit 0.002 --json").out);
  EXPECT_EQ(json["removed_bytes"], 3000000);
  EXPECT_EQ(json["limit_bytes"], 2000000);
  util::write_file(folder_ / ".cache/peal/chunks/some.chunk", "x");
  EXPECT_THAT(peal("cache --clear").out, HasSubstr("in 1 files"));
  EXPECT_FALSE(fs::exists(folder_ / ".cache/peal/chunks/some.chunk"));
}

TEST_F(CommandLine, InspectTellsVolumeMassAndProblemsOfAMesh) {
  // A unit cube without its last face.
  const std::string cube =
      write("open.obj",
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
            "v 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n");
  const Finished text = peal("inspect " + cube);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("not watertight"));
  EXPECT_THAT(text.out, HasSubstr("1 hole"));

  util::write_file(folder_ / "closed.obj", read("open.obj") + "f 4 1 5 8\n");
  const auto json =
      nlohmann::json::parse(peal("inspect " + path("closed.obj") + " --material steel --json").out);
  EXPECT_EQ(json["watertight"], true);
  EXPECT_NEAR(json["volume_m3"], 1.0, 1e-12);
  EXPECT_NEAR(json["mass"]["mass_kg"], 7850.0, 1e-6);
  EXPECT_NEAR(json["mass"]["centre_of_mass_m"][0], 0.5, 1e-12);
  EXPECT_NEAR(json["mass"]["principal_moments_kg_m2"][0], 7850.0 / 6.0, 1e-6);
  EXPECT_TRUE(json["problems"].empty()) << json["problems"];
}

TEST_F(CommandLine, InspectTellsWhatASceneIsAndCosts) {
  const std::string scene = write("s.json", small_scene);
  const auto json = nlohmann::json::parse(peal("inspect " + scene + " --json").out);
  EXPECT_EQ(json["objects"][0]["name"], "tone");
  EXPECT_EQ(json["objects"][0]["motion"]["moves"], true);
  EXPECT_EQ(json["objects"][0]["sounds"].size(), 2u);
  EXPECT_EQ(json["listeners"][1]["kind"], "mono");
  const auto& cost = json["cost"];
  EXPECT_GT(cost["output_s"], 0.01);  // a picture
  EXPECT_NEAR(cost["seconds"],
              cost["preparation_s"].get<double>() + cost["radiation_s"].get<double>() +
                  cost["output_s"].get<double>(),
              1e-9);
  EXPECT_EQ(json["cost"]["work"], 2 * 3 * 9600);
  EXPECT_EQ(json["choices"].size(), 1u);
}

/// A strip that is fixed at one end, struck so hard that it folds through itself.
const std::string torn_strip = R"({ "peal": 1, "duration": 0.03, "objects": [
      { "name": "strip", "shape": { "box": [0.2, 0.001, 0.05] },
        "material": { "base": "pet", "damping": { "mass": 20, "stiffness": 2e-7 } },
        "motion": { "deformable": { "divisions": [12, 1, 3], "pinned": ["-x"] } },
        "strikes": [{ "t": 0.005, "at": [0.1, 0.0005, 0],
          "force": { "impulse": 0.2, "contact_time": 0.0001, "direction": [0, -1, 0] } }] }],
      "listeners": [{ "mono": { "position": [0, 0.5, 0.5] } }],
      "dynamics": { "gravity": [0, 0, 0] }, "radiation": { "model": "rays", "max_frequency": 8000 } })";

TEST_F(CommandLine, NumbersThatGoWrongAreToldWithTheirFile) {
  const Variable cache("XDG_CACHE_HOME", folder_.string());
  const Finished run = peal("render " + write("strip.json", torn_strip) + " -o " + path("out"));
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, AllOf(HasSubstr("strip.json: \"strip\" is turned inside out"),
                             HasSubstr("element ")));
}

TEST_F(CommandLine, InspectShowsTheMeshOfABodyThatCannotDeform) {
  // Two octahedra across each other.
  std::string mesh;
  for (const std::string x : {"0", "0.03"}) {
    const double a = std::stod(x);
    for (const double along : {0.06, -0.06})
      mesh += "v " + std::to_string(a + along) + " " + std::to_string(a / 6) + " 0\n";
    for (const double up : {0.02, -0.02})
      mesh += "v " + x + " " + std::to_string(a / 6 + up) + " 0\n";
    for (const double side : {0.04, -0.04})
      mesh += "v " + x + " " + std::to_string(a / 6) + " " + std::to_string(side) + "\n";
  }
  for (const int o : {0, 6}) {
    for (const auto& [i, j, k] : {std::array{1, 3, 5},
                                  {3, 2, 5},
                                  {2, 4, 5},
                                  {4, 1, 5},
                                  {3, 1, 6},
                                  {2, 3, 6},
                                  {4, 2, 6},
                                  {1, 4, 6}})
      mesh += "f " + std::to_string(o + i) + " " + std::to_string(o + j) + " " +
              std::to_string(o + k) + "\n";
  }
  write("two.obj", mesh);
  const std::string scene = write("two.json", R"({ "peal": 1, "duration": 0.02, "objects": [
      { "name": "two", "mesh": "two.obj", "material": "glass", "motion": { "deformable": {} } }],
      "listeners": [{ "mono": { "position": [0, 0.5, 0.5] } }], "radiation": { "model": "rays" } })");
  const Finished run = peal("inspect " + scene);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, HasSubstr("pairs of faces cross each other"));
  EXPECT_THAT(run.err, AllOf(HasSubstr("two.json: objects[0].motion.deformable: \"two\""),
                             HasSubstr("faces cross"), HasSubstr("nearly flat")));
}

TEST_F(CommandLine, InspectSimulatesFreeBodiesOnlyWhenAsked) {
  const auto falling = [&](double height) {
    return write("ball.json", R"({ "peal": 1, "duration": 0.3, "objects": [
      { "name": "ball", "shape": { "sphere": { "radius": 0.01 } }, "material": "steel",
        "motion": { "rigid": { "position": [0, )" +
                                  std::to_string(height) + R"(, 0] } },
        "sound": ["acceleration_noise"] },
      { "name": "floor", "shape": { "box": { "size": [1, 0.1, 1], "edge_length": 1 } },
        "motion": { "position": [0, -0.05, 0] } }],
      "listeners": [{ "mono": { "position": [0, 0.1, 1] } }] })");
  };
  const Finished quick = peal("inspect --json " + falling(0.1));
  EXPECT_EQ(quick.exit_code, 0) << quick.out;
  const auto json = nlohmann::json::parse(quick.out);
  EXPECT_FALSE(json.contains("cost")) << json;
  EXPECT_THAT(json["notices"].dump(), HasSubstr("not known until they are simulated"));
  const auto whole = nlohmann::json::parse(peal("inspect --simulate --json " + falling(0.1)).out);
  EXPECT_GE(whole["cost"]["work"], 0.0) << whole;
  // What cannot begin is found without it.
  const Finished overlap = peal("inspect " + falling(0.005));
  EXPECT_EQ(overlap.exit_code, 3);
  EXPECT_THAT(overlap.err, HasSubstr("overlap"));
}

TEST_F(CommandLine, InspectTellsWhichPartOfASurfaceIsASpeaker) {
  const std::string scene = write("radio.json", R"({ "peal": 1, "duration": 0.1, "objects": [{
      "shape": { "box": { "size": [0.3, 0.2, 0.1], "edge_length": 1 } }, "sound": [{ "speaker": {
        "tone": 300, "acceleration": 20,
        "faces": { "box": { "min": [0, 0, 0], "max": [0.03, 0.02, 1] } } } }] }],
      "listeners": [{ "mono": { "position": [0, 0, 1] } }] })");
  const Finished text = peal("inspect --no-cost " + scene);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("sound: tone of 300 Hz, 20 m/s^2 of the faces in a box"));
  EXPECT_THAT(text.out, HasSubstr("faces, 6 cm2"));
  const auto json = nlohmann::json::parse(peal("inspect --no-cost --json " + scene).out);
  EXPECT_NEAR(json["objects"][0]["speakers"][0]["area_cm2"], 6.0, 1e-9);
}

TEST_F(CommandLine, PlotDrawsSpectrogramAndSpectrumBesideTheSound) {
  peal("render " + write("s.json", small_scene) + " --no-picture -o " + path("o"));
  const Finished run = peal("plot " + path("o/audio-main.wav"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read("o/audio-main-spectrogram.png").substr(1, 3), "PNG");
  EXPECT_EQ(read("o/audio-main-spectrum.png").substr(1, 3), "PNG");
}

TEST_F(CommandLine, ValidateWritesAReportWithVerdicts) {
  const Finished run = peal("validate effective-mass -o " + path("v"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(read("v/REPORT-effective-mass.md"), HasSubstr("| agrees |"));
  const Finished unknown = peal("validate efective-mass -o " + path("w"));
  EXPECT_EQ(unknown.exit_code, 3);
  EXPECT_THAT(unknown.err, HasSubstr("effective-mass"));
}

const std::string small_bar = R"('{"bar": {"length": 0.3, "width": 0.02, "thickness": 0.005}}')";

TEST_F(CommandLine, ModesOfAnIdealShapeAreThoseOfTheFormula) {
  const Finished run = peal("modes --shape " + small_bar + " --material steel --count 3 --json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto result = nlohmann::json::parse(run.out);
  ASSERT_EQ(result["modes"].size(), 3u);
  const double first = 22.3732854 / (2 * M_PI * 0.09) * 0.005 * std::sqrt(200e9 / (12 * 7850.0));
  EXPECT_NEAR(result["modes"][0]["frequency_hz"].get<double>(), first, 1e-6 * first);
  EXPECT_NEAR(result["modes"][1]["frequency_hz"].get<double>(), 2.7565385 * first, 1e-6 * first);
  EXPECT_NEAR(result["mass_kg"].get<double>(), 0.3 * 0.02 * 0.005 * 7850, 1e-9);
}

TEST_F(CommandLine, ShapesMaterialsAndModesMayComeFromFiles) {
  const std::string shape = write("bar.json", small_bar.substr(1, small_bar.size() - 2));
  const Finished modes = peal(
      "modes --shape " + shape + R"( --material '{"base": "steel", "damping": {"external": 4}}')" +
      " --max-frequency 3000 -o " + path("bar.modes") + " --picture " + path("bar.png") +
      " --sound-map " + path("map.json") + " --sound-map " + path("map.png"));
  ASSERT_EQ(modes.exit_code, 0) << modes.err;
  EXPECT_THAT(modes.out, HasSubstr("bar.modes"));
  EXPECT_THAT(read("bar.png"), testing::StartsWith("\x89PNG"));
  EXPECT_THAT(read("map.png"), testing::StartsWith("\x89PNG"));
  const auto map = nlohmann::json::parse(read("map.json"));
  EXPECT_GT(map["points"].size(), 1u);
  EXPECT_EQ(map["points"][0]["gains"].size(), map["modes"].size());
  EXPECT_EQ(map["nearest"].size(), map["surface"]["vertices_m"].size());
  EXPECT_NEAR(map["modes"][0]["decay_rate_per_s"].get<double>(), 4.0, 1e-9);

  const Finished again = peal("modes " + path("bar.modes") + " --count 2");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  // A file does not say that it came from an ideal shape: it also tells how its modes radiate.
  for (const char* mode : {"   1          288.25       0.25         0.25  ",
                           "   2          794.57       0.25         0.25  "}) {
    EXPECT_THAT(modes.out, HasSubstr(mode));
    EXPECT_THAT(again.out, HasSubstr(mode));
  }

  const Finished strike =
      peal("strike " + path("bar.modes") + " --at 0.1 0.0025 0 --duration 0.1 --no-picture -o " +
           path("out") + " --json");
  ASSERT_EQ(strike.exit_code, 0) << strike.err;
  EXPECT_GT(util::read_audio(folder_ / "out" / "audio.wav").channels.at(0).size(), 4000u);
}

TEST_F(CommandLine, AnIdealShapeIsStruck) {
  const Finished run =
      peal("strike --shape " + small_bar + " --material steel --at 0.1 0.0025 0 --duration 0.1 " +
           "--no-picture -o " + path("out") + " --json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_GT(nlohmann::json::parse(run.out)["modes"].get<int>(), 5);
  EXPECT_TRUE(fs::exists(folder_ / "out" / "audio.wav"));
}

/// A cube of this side in OBJ.
std::string box_obj(double side) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += fmt::format("v {} {} {}\n", i & 1 ? side : 0, i & 2 ? side : 0, i & 4 ? side : 0);
  return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

TEST_F(CommandLine, AMeshInMillimetresIsQuestionedAtOnceEverywhere) {
  const std::string box = write("box.obj", box_obj(80.0));
  const Finished modes = peal("modes " + box + " --material porcelain");
  EXPECT_EQ(modes.exit_code, 3);
  EXPECT_THAT(modes.err, AllOf(HasSubstr("millimetres"), HasSubstr("--scale 0.001")));
  const Finished strike =
      peal("strike " + box + " --material porcelain --at 0 0 0 -o " + path("out"));
  EXPECT_EQ(strike.exit_code, 3);
  EXPECT_THAT(strike.err, HasSubstr("--scale 0.001"));
  EXPECT_THAT(peal("inspect " + box + " --material porcelain").out, HasSubstr("millimetres"));
  EXPECT_EQ(peal("modes " + box + " --material porcelain --scale 0.001 --count 1").exit_code, 0);
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.01,
    "objects": [ { "name": "box", "mesh": "box.obj", "material": "porcelain", "sound": ["modal"] } ],
    "listeners": [ { "mono": { "position": [0, 0, 0.5] } } ] })");
  EXPECT_THAT(peal("inspect --no-cost " + scene).err, HasSubstr("millimetres"));
  EXPECT_THAT(peal("render " + scene + " -o " + path("out")).err,
              AllOf(HasSubstr("millimetres"), HasSubstr("\"scale\": 0.001")));
}

TEST_F(CommandLine, ABodyThatCannotRingDoesNotStopTheSceneUnlessStrict) {
  write("open.obj", "v 0 0 0\nv 0.1 0 0\nv 0.1 0 0.1\nv 0 0 0.1\nf 1 3 2\nf 1 4 3\n");
  const std::string scene = write("s.json", R"({ "peal": 1, "duration": 0.01,
    "objects": [ { "name": "tray", "mesh": "open.obj", "material": "steel",
                   "sound": [ "modal", { "point": { "tone": 1000 } } ],
                   "strikes": [ { "t": 0, "at": [0.05, 0, 0.05], "force": { "impulse": 0.1 } } ] } ],
    "listeners": [ { "mono": { "position": [0, 0, 0.5] } } ] })");
  const std::string to = " --no-picture -o " + path("o");
  const Finished fine = peal("render " + scene + to);
  EXPECT_EQ(fine.exit_code, 0) << fine.err;
  EXPECT_THAT(fine.err, AllOf(HasSubstr("\"tray\" has no modes"), HasSubstr("does not ring")));
  EXPECT_EQ(peal("render --strict " + scene + to).exit_code, 3);
  EXPECT_THAT(peal("inspect --no-cost " + scene).err, HasSubstr("will not ring"));
}

TEST_F(CommandLine, NamesThatAreNotUtf8AreReadOrRefused) {
  const std::string scene = write("sc\xe9ne.json", small_scene);
  const Finished run = peal("render '" + scene + "' --no-picture -o '" + path("o\xe9") + "'");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(read("o\xe9/manifest.json"))["radiation"]["model"], "direct");
  const Finished modes =
      peal("modes '" + write("b\xe9.obj", box_obj(0.1)) + "' --material steel --count 1");
  EXPECT_EQ(modes.exit_code, 3);
  EXPECT_THAT(modes.err, HasSubstr("not UTF-8"));
}

TEST_F(CommandLine, WhatIsTrueOfManyObjectsIsOneLine) {
  std::string objects;
  for (int i = 0; i < 9; ++i)
    objects +=
        fmt::format(R"({{ "name": "ball{0}", "shape": {{ "sphere": 0.01 }}, "material": "steel",
      "motion": {{ "position": [{0}, 0, 0] }},
      "strikes": [ {{ "t": 0, "at": [0, 0.01, 0], "force": {{ "impulse": 0.01 }} }} ] }},)",
                    i);
  objects.pop_back();
  const std::string scene =
      write("s.json", R"({ "peal": 1, "duration": 0.01, "objects": [)" + objects +
                          R"(], "listeners": [ { "mono": { "position": [0, 0, 0.5] } } ] })");
  const Finished run = peal("render " + scene + " --no-picture -o " + path("o"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err,
              HasSubstr("\"ball0\", \"ball1\", \"ball2\" and 6 others: all modes are above"));
  EXPECT_THAT(run.err, HasSubstr("\"ball4\" and 4 others"));
  EXPECT_THAT(run.err, Not(HasSubstr("\"ball8\"")));
}

TEST_F(CommandLine, AnOpenSheetRingsWithAThickness) {
  const std::string sheet =
      write("open.obj", "v 0 0 0\nv 0.1 0 0\nv 0.1 0 0.1\nv 0 0 0.1\nf 1 3 2\nf 1 4 3\n");
  EXPECT_EQ(peal("modes " + sheet + " --material steel --count 1").exit_code, 3);
  const Finished thick =
      peal("modes " + sheet + " --material steel --count 1 --thickness 0.004 --json");
  ASSERT_EQ(thick.exit_code, 0) << thick.err;
  EXPECT_NEAR(nlohmann::json::parse(thick.out)["mass_kg"].get<double>(), 7850 * 0.1 * 0.1 * 0.004,
              0.01);
  EXPECT_THAT(peal("inspect " + sheet + " --material steel --thickness 0.004").out,
              HasSubstr("mass"));
  // A hollow box whose walls would cross inside.
  EXPECT_THAT(peal("modes " + write("box.obj", box_obj(0.1)) +
                   " --material steel --count 1 --thickness 0.3")
                  .err,
              HasSubstr("--thickness: a sheet of 300 mm would cross itself"));
  const Finished thin =
      peal("modes " + sheet + " --material steel --count 3 --thickness 0.001 --json");
  ASSERT_EQ(thin.exit_code, 0) << thin.err;
  const auto shell = nlohmann::json::parse(thin.out);
  EXPECT_GT(shell["shell_triangles"].get<int>(), 10);
  // Free square plates, nu = 0.3 (S15): 13.468 of sqrt(D / (rho t)) / (2 pi a^2).
  const double unit = std::sqrt(200e9 / (12.0 * 7850 * (1.0 - 0.09))) * 0.001 / (2.0 * M_PI * 0.01);
  EXPECT_NEAR(shell["modes"][0]["frequency_hz"].get<double>(), 13.468 * unit, 0.01 * 13.468 * unit);
}

TEST_F(CommandLine, WhatIsWrongWithABodyIsToldOfItsOption) {
  const auto problem = [&](const std::string& arguments) { return peal("modes " + arguments).err; };
  EXPECT_EQ(peal("modes --material steel").exit_code, 2);
  EXPECT_EQ(peal("modes --shape " + small_bar).exit_code, 3);
  EXPECT_THAT(problem("--shape " + small_bar), HasSubstr("--material"));
  EXPECT_THAT(problem("--shape " + small_bar + " --material stel"), HasSubstr("steel"));
  EXPECT_THAT(problem("--shape '{\"bar\": {\"lenght\": 1}}' --material steel"),
              HasSubstr("--shape.bar"));
  EXPECT_THAT(problem("--shape '{\"bar\"' --material steel"), HasSubstr("--shape"));
  EXPECT_THAT(problem("--shape " + small_bar + " --material steel --density -1"),
              HasSubstr("--density"));
  EXPECT_THAT(problem("--shape " + small_bar + " --material steel --clamp 0 0 0 1 1 1"),
              HasSubstr("--clamp"));
  EXPECT_THAT(problem(path("none.obj") + " --material steel"), HasSubstr("none.obj"));
  EXPECT_THAT(peal("strike --shape " + small_bar + " --material steel --at 9 9 9").err,
              HasSubstr("--at"));
  EXPECT_EQ(peal("modes x.obj --material steel --sound-map map.txt").exit_code, 2);
}

using CommandLineSlow = CommandLine;

TEST_F(CommandLineSlow, EveryExampleSceneRenders) {
  int scenes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PEAL_SOURCE_DIR) / "scenes")) {
    if (entry.path().stem() != "scene") continue;
    const std::string scene = entry.path().string();
    const fs::path folder = entry.path().parent_path();
    EXPECT_TRUE(fs::exists(folder / "README.md") || fs::exists(folder.parent_path() / "README.md"))
        << scene;
    // Solids are heard in tests of their own, which ask for fewer modes.
    const bool has_solids = scene.find("1998-shapes") == std::string::npos &&
                            util::read_file(scene).find("\"modal\"") != std::string::npos;
    if (has_solids) continue;
    // Scenes of the papers take minutes; short forms of them have tests of their own.
    const bool is_short = scene.find("basics") != std::string::npos;
    const Finished run = is_short ? peal("render '" + scene + "' --no-picture -o " + path("o"))
                                  : peal("inspect '" + scene + "'");
    EXPECT_EQ(run.exit_code, 0) << scene << "\n" << run.err;
    ++scenes;
  }
  EXPECT_GE(scenes, 7);
}

}  // namespace
}  // namespace peal
