#include <peal/render/cost.h>
#include <peal/render/stages.h>
#include <peal/simulate/rayleigh_damping.h>
#include <peal/util/error.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "render/struck_scene.h"
#include "util/store_damage.h"

/// Deformable bodies from the scene to the ear.
namespace peal::render {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Deformables : public testing::Test {
 protected:
  Deformables() { setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~Deformables() override { std::filesystem::remove_all(cache_); }

  /// A steel bar of 100 x 10 x 10 mm, clamped at one end and struck at the other.
  static json clamped_bar(double duration) {
    return json::parse(R"({"peal": 1, "dynamics": {"gravity": [0, 0, 0]}, "objects": [
        {"name": "bar", "shape": {"box": [0.1, 0.01, 0.01]},
         "material": {"base": "steel", "damping": {"mass": 2, "stiffness": 1e-7}},
         "motion": {"deformable": {"pinned": ["-x"], "divisions": [8, 1, 1]}},
         "strikes": [{"t": 0.001, "at": [0.05, 0.005, 0],
                      "force": {"impulse": 0.01, "contact_time": 0.0002, "direction": [0, -1, 0]}}]}],
        "listeners": [{"mono": {"position": [0, 0.5, 0]}}],
        "radiation": {"model": "rays", "max_frequency": 8000}})")
        .patch({{{"op", "add"}, {"path", "/duration"}, {"value", duration}}});
  }

  static scene::Scene parsed(const json& scene) {
    return scene::parse_scene(scene.dump(), "scene.json", ".");
  }
  static Sound rendered(const json& scene, const RenderOptions& options = {}) {
    util::Silent silent;
    return render(parsed(scene), silent, options);
  }
  static std::vector<double> channel(const Sound& sound) {
    return util::as_double(sound.listeners.at(0).audio.channels.at(0));
  }
  static std::string complaint(const json& scene) {
    try {
      rendered(scene);
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "";
  }
  std::size_t cached_files() const {
    const auto folder = cache_ / "peal" / "deformed";
    if (!std::filesystem::exists(folder)) return 0;
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }

  std::filesystem::path cache_ =
      std::filesystem::temp_directory_path() / ("peal-deformed-" + std::to_string(::getpid()));
};

TEST_F(Deformables, AStruckBarRingsInItsFirstMode) {
  const auto sound = channel(rendered(clamped_bar(0.15)));
  const std::span<const double> ringing = std::span(sound).subspan(960);
  // Euler and Bernoulli: 1.8751^2 / (2 pi L^2) sqrt(E I / (rho A)), less 0.4 % for its shear.
  const double f = 3.51602 / (2 * M_PI * 0.01) * std::sqrt(200e9 / 7850 * 1e-4 / 12);
  EXPECT_NEAR(util::find_mode(ringing, 48000, f, 0.1 * f).frequency, f, 0.02 * f);
}

TEST_F(Deformables, ALowerBandSoundsTheSameWithinItAndNothingAbove) {
  json scene = clamped_bar(0.1);
  scene["objects"][0]["motion"]["deformable"]["step"] = 6e-7;
  const auto hear = [&](double max_frequency) {
    scene["radiation"]["max_frequency"] = max_frequency;
    return channel(rendered(scene));
  };
  const auto wide = hear(16000), half = hear(6000), quarter = hear(4000);
  EXPECT_EQ(cached_files(), 3u);
  const auto ring = [](const std::vector<double>& sound) {
    return std::span(sound).subspan(960, 3600);
  };
  const double f = util::find_mode(ring(wide), 48000, 820.0, 80.0).frequency;
  const auto right = util::tone_at(ring(wide), 48000, f);
  // Places are fewer, too, and with them the air on them differs a little.
  for (const auto* sound : {&half, &quarter}) {
    const auto tone = util::tone_at(ring(*sound), 48000, f);
    EXPECT_NEAR(20 * std::log10(tone.amplitude / right.amplitude), 0.0, 0.5);
    EXPECT_NEAR((tone.phase - right.phase) / (2 * M_PI * f), 0.0, 1e-5) << "seconds";
  }
  // Its second mode.
  const double second = util::find_mode(ring(wide), 48000, 5000.0, 500.0).frequency;
  const auto level = [&](const std::vector<double>& sound) {
    return 20 * std::log10(util::tone_at(ring(sound), 48000, second).amplitude);
  };
  EXPECT_NEAR(level(half), level(wide), 0.1);
  EXPECT_LT(level(quarter), level(wide) - 60.0);
  // A little more is told by the same record.
  hear(5500);
  EXPECT_EQ(cached_files(), 3u);
}

TEST_F(Deformables, AnotherListenerFindsTheSameMotion) {
  json scene = clamped_bar(0.02);
  const auto first = channel(rendered(scene));
  EXPECT_EQ(cached_files(), 1u);
  EXPECT_EQ(channel(rendered(scene)), first);
  scene["listeners"][0]["mono"]["position"] = {0, 1.0, 0};
  EXPECT_LT(util::rms(channel(rendered(scene))), util::rms(first));
  EXPECT_EQ(cached_files(), 1u);
  scene["objects"][0]["strikes"][0]["force"]["impulse"] = 0.02;
  rendered(scene);
  EXPECT_EQ(cached_files(), 2u);
}

TEST_F(Deformables, ADamagedRecordIsToldOfOnceAndSimulatedAgain) {
  const json scene = clamped_bar(0.002);
  const Sound first = rendered(scene);
  const auto is_reported = HasSubstr("it is recomputed");
  const auto files = util::files_with_ending(cache_, ".recording");
  ASSERT_EQ(files.size(), 1u);
  for (const double part : {0.0, 0.3, 1.0}) {
    util::flip_byte(files[0], part);
    // A preview must not take a damaged record for a known one.
    const auto notices = Preview(parsed(scene)).notices();
    EXPECT_THAT(
        notices,
        AllOf(Contains(is_reported).Times(1),
              Contains(HasSubstr("deformation is simulated (and cached) on first render"))));
    const Sound again = rendered(scene);
    EXPECT_EQ(channel(again), channel(first));
    EXPECT_THAT(again.notices, Contains(is_reported).Times(1)) << part;
    EXPECT_THAT(rendered(scene).notices, Not(Contains(is_reported))) << "it is whole again";
  }
}

TEST_F(Deformables, WhateverChangesTheMotionMakesAnother) {
  json scene = clamped_bar(0.002);
  json other = scene["objects"][0];
  other["name"] = "other";
  other["motion"]["deformable"]["position"] = {0, 0.1, 0};
  other.erase("strikes");
  scene["objects"].push_back(other);
  scene["objects"].push_back(json::parse(R"({"name": "die", "shape": {"box": [0.01, 0.01, 0.01]},
      "material": "steel", "motion": {"rigid": {"position": [0, 0.3, 0]}}, "sound": []})"));
  const json strikes = scene["objects"][0]["strikes"];
  const std::vector<json> changes = {
      json::array(),
      {{{"op", "add"},
        {"path", "/objects/2/motion/rigid/rotation"},
        {"value", {{"axis", {0, 0, 1}}, {"degrees", 60}}}}},
      {{{"op", "remove"}, {"path", "/objects/0/strikes"}},
       {{"op", "add"}, {"path", "/objects/1/strikes"}, {"value", strikes}}},
      {{{"op", "remove"}, {"path", "/objects/0/motion/deformable/pinned"}}},
      {{{"op", "remove"}, {"path", "/objects/1/motion/deformable/pinned"}}},
      {{{"op", "replace"}, {"path", "/objects/2/material"}, {"value", "aluminium"}}}};
  std::size_t kept = 0;
  for (const json& change : changes) {
    rendered(scene.patch(change));
    EXPECT_EQ(cached_files(), ++kept) << change;
  }
}

TEST_F(Deformables, ABodyThatTremblesIsStillAndOneThatMovesIsNot) {
  json scene = clamped_bar(0.02);
  std::vector<std::string> notices;
  EXPECT_FALSE(make_world(parsed(scene), notices).bodies.at(0).deformation);
  scene["objects"][0]["motion"]["deformable"] = {{"velocity", {0, 1, 0}}};
  const base::World world = make_world(parsed(scene), notices);
  ASSERT_TRUE(world.bodies.at(0).deformation);
  std::vector<geometry::Vec3> shape(world.bodies[0].mesh.vertices.size());
  world.bodies[0].deformation->vertices(0.01, shape);
  // 1 m/s for 10 ms, and what the impact of 0.01 N s gives 79 g in 9 ms.
  const double way = 0.01 - 0.009 * 0.01 / 0.0785;
  double mean = 0.0;
  for (const geometry::Vec3& vertex : shape) mean += vertex.y() / static_cast<double>(shape.size());
  EXPECT_NEAR(mean, way, 2e-4);
}

TEST_F(Deformables, ASheetIsCaughtByAPinThatIsNarrowerThanItsElements) {
  json scene = clamped_bar(0.12);
  scene["dynamics"]["gravity"] = {0, -9.81, 0};
  scene["objects"] = json::parse(R"([
      {"name": "sheet", "shape": {"box": [0.2, 0.004, 0.2]},
       "material": {"density": 1000, "young_modulus": 1e7, "poisson_ratio": 0.3,
                    "damping": {"mass": 1, "stiffness": 1e-5}},
       "motion": {"deformable": {"position": [0, 0.06, 0], "divisions": [5, 1, 5]}}},
      {"name": "pin", "shape": {"cylinder": {"radius": 0.002, "height": 0.05}},
       "motion": {"position": [0.003, 0.025, 0.004]}}])");
  std::vector<std::string> notices;
  const base::World world = make_world(parsed(scene), notices);
  std::vector<geometry::Vec3> shape(world.bodies.at(0).mesh.vertices.size());
  world.bodies[0].deformation->vertices(0.12, shape);
  double mean = 0.0;
  for (const geometry::Vec3& vertex : shape) mean += vertex.y() / static_cast<double>(shape.size());
  // It lies 10 mm lower and its sides hang; without the pin it would have fallen 71 mm.
  EXPECT_GT(mean, -0.03);
}

TEST_F(Deformables, AMotionFileHasTheMovedSurface) {
  json scene = clamped_bar(0.01);
  scene["objects"][0]["motion"]["deformable"] = {{"velocity", {0, 1, 0}}};
  const Sound sound = rendered(scene, {.motion_rate = 200});
  ASSERT_TRUE(sound.motion);
  EXPECT_THAT(*sound.motion, HasSubstr("targets"));
  EXPECT_THAT(sound.notices, Not(Contains(HasSubstr("frames requested"))));
  EXPECT_THAT(
      rendered(scene, {.motion_rate = 2000}).notices,
      Contains(HasSubstr("stored 750 times a second, fewer than the 2000 frames requested")));
}

TEST_F(Deformables, AGripThatSharesNodesWithAPinIsMentioned) {
  json scene = clamped_bar(0.002);
  json& body = scene["objects"][0]["motion"]["deformable"];
  body["pinned"] = {"-x", "-y"};  // they share an edge, and agree
  std::vector<std::string> notices;
  make_world(parsed(scene), notices);
  EXPECT_THAT(notices, Not(Contains(HasSubstr("shares"))));
  body["grips"] =
      json::parse(R"([{"region": {"box": {"min": [-1, -1, -1], "max": [0, 1, 1]}}, "motion": {
      "keyframes": [{"t": 0, "position": [0, 0, 0]}, {"t": 1, "position": [0, 0.001, 0]}]}}])");
  make_world(parsed(scene), notices);
  EXPECT_THAT(notices, Contains(HasSubstr("grips[0] shares 12 nodes of \"bar\"")));
}

TEST_F(Deformables, WhatCannotBeIsToldByPlace) {
  json scene = clamped_bar(0.01);
  json& body = scene["objects"][0]["motion"]["deformable"];
  body["step"] = 1e-5;
  EXPECT_THAT(complaint(scene), HasSubstr("objects[0].motion.deformable"));
  body.erase("step");
  body["pinned"] = {{{"box", {{"min", {1, 1, 1}}, {"max", {2, 2, 2}}}}}};
  EXPECT_THAT(complaint(scene), HasSubstr("objects[0].motion.deformable.pinned[0]"));
  body.erase("pinned");
  scene["objects"].push_back({{"name", "floor"}, {"shape", {{"plane", {1, 1}}}}});
  EXPECT_THAT(complaint(scene), HasSubstr("inside \"floor\""));
  body["position"] = {0, 0.0052, 0};
  EXPECT_EQ(complaint(scene), "");
}

TEST_F(Deformables, BarsThatStartInEachOtherAreRefusedAlsoIfTheirSidesAreFlush) {
  json scene = clamped_bar(0.005);
  json other = scene["objects"][0];
  other["name"] = "other";
  other["motion"]["deformable"]["position"] = {0.02, 0.004, 0};
  scene["objects"].push_back(other);
  EXPECT_THAT(complaint(scene), HasSubstr("starts inside"));
  scene["objects"][1]["motion"]["deformable"]["position"] = {0, 0, 0};
  EXPECT_THAT(complaint(scene), HasSubstr("starts inside"));
  scene["objects"][1]["motion"]["deformable"]["position"] = {0.02, 0.0101, 0};
  EXPECT_EQ(complaint(scene), "");
}

TEST_F(Deformables, WeightThatComesSlowlyMakesNoJerk) {
  json scene = clamped_bar(0.05);
  scene["dynamics"]["gravity"] = {0, -10, 0};
  scene["objects"][0].erase("strikes");
  json& bar = scene["objects"][0];
  bar["motion"]["deformable"]["divisions"] = {4, 1, 1};
  const auto sagged = channel(rendered(scene));
  bar["motion"]["deformable"]["settle"] = 1e-6;
  const auto at_once = channel(rendered(scene));
  bar["motion"]["deformable"]["settle"] = 0.03;
  const auto slowly = channel(rendered(scene));
  // Over 25 periods of the bar's first mode.
  EXPECT_LT(util::rms(slowly), 0.01 * util::rms(at_once));
  EXPECT_LT(util::rms(sagged), 0.01 * util::rms(at_once));
}

TEST_F(Deformables, GripsThatCannotBeAreToldByPlace) {
  json scene = clamped_bar(0.01);
  json& body = scene["objects"][0]["motion"]["deformable"];
  const json still = {{{"t", 0}, {"position", {0, 0, 0}}}, {{"t", 0.01}, {"position", {0, 0, 0}}}};
  body["grips"] = {{{"region", "-x"}, {"motion", {{"keyframes", still}}}}};
  EXPECT_THAT(complaint(scene), HasSubstr("another region fixes already"));
  json jumping = still;
  jumping[1]["position"] = {0, 0.01, 0};
  body["grips"] = {
      {{"region", "+x"}, {"motion", {{"keyframes", jumping}, {"interpolation", "step"}}}}};
  EXPECT_THAT(complaint(scene), HasSubstr("jumps at 0.01 s"));
}

TEST_F(Deformables, ElementsThatNobodyCanWaitForAreRefused) {
  for (const std::string elements : {"automatic", "tetrahedra"}) {
    json scene = clamped_bar(0.01);
    json& body = scene["objects"][0]["motion"]["deformable"];
    body.erase("divisions");
    body["elements"] = elements;
    body["element_size"] = 1e-5;
    EXPECT_THAT(complaint(scene), HasSubstr("elements of 1e-05 m; 2e+06 are the most"));
    // A layer of them would do, all layers do not.
    scene["objects"][0]["shape"] = {{"box", {0.2, 0.006, 0.02}}};
    body["element_size"] = 1e-4;
    EXPECT_THAT(complaint(scene), HasSubstr("elements of 0.0001 m; 2e+06 are the most"));
    scene["objects"][0].erase("strikes");
    scene["objects"][0]["shape"] =
        json::parse(R"({"lathe": {"profile": [[0.02, 0], [0.05, 0.05]], "wall": 0.002}})");
    EXPECT_THAT(complaint(scene), HasSubstr("elements of 0.0001 m; 2e+06 are the most"));
  }
}

TEST_F(Deformables, CoarseElementsLeaveOutNothingOfABody) {
  json scene = clamped_bar(0.001);
  json& ball = scene["objects"][0];
  ball["shape"] = {{"sphere", 0.02}};
  ball["motion"]["deformable"] = {{"element_size", 0.02}};
  ball.erase("strikes");
  EXPECT_THAT(rendered(scene).notices, Not(Contains(HasSubstr("% of its volume"))));
  ball["shape"] = {{"box", {0.04, 0.04, 0.04}}};
  ball["motion"]["deformable"] = {{"element_size", 0.02}, {"elements", "tetrahedra"}};
  EXPECT_THAT(rendered(scene).notices, Not(Contains(HasSubstr("% of its volume"))));
}

TEST_F(Deformables, WhatIsTooLargeToBeHeardIsToldBeforeItIsSimulated) {
  json scene = clamped_bar(0.001);
  scene["objects"][0]["shape"] = json::parse(R"({"box": [1000, 1000, 1000]})");
  scene["objects"][0].erase("strikes");
  scene["radiation"]["max_frequency"] = 16000;
  const auto is_reported = AllOf(HasSubstr("object \"bar\""), HasSubstr("is 1e+03 m large"),
                                 HasSubstr("sample points"), HasSubstr("\"scale\""));
  EXPECT_THAT(complaint(scene), is_reported);
  EXPECT_EQ(cached_files(), 0u);
  try {
    Preview preview(parsed(scene));
    FAIL() << "was not told";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), is_reported);
  }
}

TEST_F(Deformables, WhatRaysCostIsToldOnceItIsKnownWhatMoves) {
  const scene::Scene scene = parsed(clamped_bar(0.01));
  const CostEstimate before = Preview(scene).cost().value();
  EXPECT_FALSE(before.radiation.has_value());
  EXPECT_GT(before.simulation, 0.0);
  EXPECT_THAT(before.choices, Not(Contains(HasSubstr("sample points"))));
  util::Silent silent;
  render(scene, silent);
  const CostEstimate after = Preview(scene).cost().value();
  EXPECT_GT(after.radiation.value().work, 0.0);
  EXPECT_EQ(after.simulation, 0.0);
  EXPECT_THAT(after.choices, Contains(HasSubstr("sample points")));
}

/// A file of vertices and faces that outlives no test.
std::filesystem::path written_mesh(const std::filesystem::path& folder, const std::string& text) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "body.obj") << text;
  return folder / "body.obj";
}

// A brick with three of its six faces inside out bounds no volume before they are turned.
TEST_F(Deformables, ABodyOfTurnedFacesIsComparedWithItselfMended) {
  json scene = clamped_bar(0.0005);
  json& brick = scene["objects"][0];
  brick.erase("shape");
  brick.erase("strikes");
  brick["mesh"] = written_mesh(cache_, R"(
      v -0.05 -0.02 -0.03
      v -0.05 -0.02 0.03
      v -0.05 0.02 -0.03
      v -0.05 0.02 0.03
      v 0.05 -0.02 -0.03
      v 0.05 -0.02 0.03
      v 0.05 0.02 -0.03
      v 0.05 0.02 0.03
      f 1 2 4 3
      f 5 7 8 6
      f 1 5 6 2
      f 7 8 4 3
      f 5 7 3 1
      f 4 8 6 2)");
  brick["motion"]["deformable"] = {{"element_size", 0.03}};
  EXPECT_THAT(rendered(scene).notices, Not(Contains(HasSubstr("% of its volume"))));
}

/// The corners of a bar, which is turned around z and has some of its faces inside out.
std::string bar_mesh(double degrees, bool all_inside_out, bool one_inside_out) {
  std::string text;
  const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
  for (int k = 0; k < 8; ++k) {
    const double x = k & 1 ? 0.05 : -0.05, y = k & 2 ? 0.003 : -0.003;
    text += fmt::format("v {} {} {}\n", c * x - s * y, s * x + c * y, k & 4 ? 0.01 : -0.01);
  }
  const int faces[6][4] = {{1, 3, 4, 2}, {5, 6, 8, 7}, {1, 2, 6, 5},
                           {3, 7, 8, 4}, {1, 5, 7, 3}, {2, 4, 8, 6}};
  for (int f = 0; f < 6; ++f) {
    const auto& [a, b, c4, d] = faces[f];
    const bool turned = all_inside_out || (one_inside_out && f == 0);
    text += turned ? fmt::format("f {} {} {}\nf {} {} {}\n", a, c4, b, a, d, c4)
                   : fmt::format("f {} {} {}\nf {} {} {}\n", a, b, c4, a, c4, d);
  }
  return text;
}

// Tetrahedra between its long facets would take a hundred times as long.
TEST_F(Deformables, ABoxIsCutAsOneHoweverItsFileTurnsIt) {
  json scene = clamped_bar(0.0005);
  json& bar = scene["objects"][0];
  bar.erase("shape");
  bar.erase("strikes");
  bar["motion"]["deformable"] = json::object();
  const auto cells = [&](double degrees, bool all, bool one) {
    bar["mesh"] = written_mesh(cache_, bar_mesh(degrees, all, one));
    const scene::Scene read = parsed(scene);
    const bool is_turned = !read.notices.empty();
    EXPECT_EQ(is_turned, all || one);
    const auto notices = rendered(scene).notices;
    for (const std::string& notice : notices) {
      if (notice.starts_with("\"bar\": ") && notice.find(" elements, ") != std::string::npos)
        return notice;
    }
    return std::string();
  };
  const std::string straight = cells(0.0, false, false);
  EXPECT_THAT(straight, HasSubstr("\"bar\": 72 elements"));
  EXPECT_EQ(cells(0.0, true, false), straight);
  EXPECT_EQ(cells(0.0, false, true), straight);
  EXPECT_EQ(cells(29.0, false, false), straight);
  EXPECT_EQ(cells(71.0, true, false), straight);
}

TEST_F(Deformables, ABarFarAwaySoundsAsItDoesNearby) {
  json scene = clamped_bar(0.01);
  const std::vector<double> near = channel(rendered(scene));
  scene["objects"][0]["motion"]["deformable"]["position"] = {1000, -300, 0};
  scene["listeners"][0]["mono"]["position"] = {1000, -299.5, 0};
  const std::vector<double> far = channel(rendered(scene));
  ASSERT_EQ(near.size(), far.size());
  double loudest = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    loudest = std::max(loudest, std::abs(near[i]));
    apart = std::max(apart, std::abs(near[i] - far[i]));
  }
  EXPECT_GT(loudest, 0.0);
  EXPECT_LT(apart, 1e-4 * loudest);
}

TEST_F(Deformables, WhatRingsForEverAndWhatNeverSettlesIsMentioned) {
  json scene = clamped_bar(0.002);
  scene["objects"][0]["material"]["damping"] = {{"mass", 0}, {"stiffness", 0}};
  scene["objects"][0]["motion"]["deformable"]["settle"] = 0.1;
  EXPECT_THAT(rendered(scene).notices, AllOf(Contains(HasSubstr("never decays")),
                                             Contains(HasSubstr("longer than the scene"))));
  EXPECT_THAT(rendered(clamped_bar(0.002)).notices, Not(Contains(HasSubstr("never decays"))));
}

// A prism of 12 sides is taken for a cylinder, an octahedron for itself.
TEST_F(Deformables, RoundnessThatAddsMassIsToldAndDoesNotAddMuch) {
  json scene = clamped_bar(0.0005);
  json& body = scene["objects"][0];
  body.erase("shape");
  body.erase("strikes");
  body["motion"]["deformable"] = {{"element_size", 0.01}};
  std::string prism, low = "f", high = "f";
  for (int k = 0; k < 12; ++k) {
    const double x = 0.02 * std::cos(M_PI / 6 * k), y = 0.02 * std::sin(M_PI / 6 * k);
    prism += fmt::format("v {} {} 0\nv {} {} 0.02\n", x, y, x, y);
    low += fmt::format(" {}", 23 - 2 * k);
    high += fmt::format(" {}", 2 * k + 2);
  }
  for (int k = 0; k < 12; ++k) {
    const int a = 2 * k + 1, b = 2 * ((k + 1) % 12) + 1;
    prism += fmt::format("f {} {} {} {}\n", a, b, b + 1, a + 1);
  }
  body["mesh"] = written_mesh(cache_, prism + low + "\n" + high + "\n");
  EXPECT_THAT(rendered(scene).notices, Contains(HasSubstr("% of the volume of its mesh")));
  body["mesh"] = written_mesh(cache_, R"(
      v 0.06 0 0
      v -0.06 0 0
      v 0 0.02 0
      v 0 -0.02 0
      v 0 0 0.04
      v 0 0 -0.04
      f 1 3 5
      f 3 2 5
      f 2 4 5
      f 4 1 5
      f 3 1 6
      f 2 3 6
      f 4 2 6
      f 1 4 6)");
  EXPECT_THAT(rendered(scene).notices, Not(Contains(HasSubstr("volume"))));
}

TEST_F(Deformables, MoreDivisionsThanCanBeAreToldAsSuch) {
  json scene = clamped_bar(0.01);
  scene["objects"][0]["motion"]["deformable"]["divisions"] = {10000, 1000, 1000};
  EXPECT_THAT(complaint(scene), HasSubstr("other \"divisions\""));
}

TEST_F(Deformables, PinsOnALineAreAHingeAndAreTold) {
  json scene = clamped_bar(0.005);
  scene["objects"][0]["motion"]["deformable"]["pinned"] = {
      {{"box", {{"min", {-0.051, 0.004, -1}}, {"max", {-0.049, 0.006, 1}}}}}};
  EXPECT_THAT(rendered(scene).notices, Contains(HasSubstr("along a line")));
}

/// A clamped bar, and far away from it a ball that falls by 5 mm on a block.
json bar_and_ball(double duration, double restitution) {
  return json::parse(R"({"peal": 1, "objects": [
      {"name": "bar", "shape": {"box": [0.1, 0.01, 0.01]},
       "material": {"density": 1000, "young_modulus": 1e8, "poisson_ratio": 0.3},
       "motion": {"deformable": {"position": [1, 0, 0], "pinned": ["-x"], "divisions": [4, 1, 1]}}},
      {"name": "ball", "shape": {"sphere": 0.002}, "material": "steel", "sound": ["acceleration_noise"],
       "motion": {"rigid": {"position": [0, 0.007, 0]}}},
      {"name": "block", "shape": {"box": [0.1, 0.02, 0.1]}, "material": "steel",
       "motion": {"position": [0, -0.01, 0]}, "sound": []}],
      "listeners": [{"mono": {"position": [0, 0.1, 0]}}],
      "radiation": {"model": "rays", "max_frequency": 8000}})")
      .patch({{{"op", "add"}, {"path", "/duration"}, {"value", duration}},
              {{"op", "add"},
               {"path", "/objects/1/contact"},
               {"value", {{"restitution", restitution}}}},
              {{"op", "add"},
               {"path", "/objects/2/contact"},
               {"value", {{"restitution", restitution}}}}});
}

TEST_F(Deformables, RigidBodiesBesideThemDoAsTheyDoAlone) {
  json scene = bar_and_ball(0.09, 0.7);
  const auto impacts_of = [&] {
    const Sound sound = rendered(scene);
    return sound.contacts ? sound.contacts->events.impacts : std::vector<base::Impact>();
  };
  const auto beside = impacts_of();
  const auto again = impacts_of();  // from the cache
  scene["objects"].erase(0);
  const auto alone = impacts_of();
  ASSERT_EQ(beside.size(), 2u);
  ASSERT_EQ(alone.size(), 2u);
  ASSERT_EQ(again.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(beside[i].time, alone[i].time, 5e-6);
    EXPECT_NEAR(beside[i].speed, alone[i].speed, 1e-3 * alone[i].speed);
    EXPECT_EQ(again[i].time, beside[i].time);
    EXPECT_EQ(again[i].impulse, beside[i].impulse);
  }
}

TEST_F(Deformables, RigidBodiesThatStartInsideOfOthersAreRefused) {
  json scene = bar_and_ball(0.01, 0.5);
  json& at = scene["objects"][1]["motion"]["rigid"]["position"];
  at = {0, 0.001, 0};
  EXPECT_THAT(complaint(scene), HasSubstr("\"ball\" and \"block\" overlap"));
  at = {1.01, 0, 0};
  EXPECT_THAT(complaint(scene), HasSubstr("contains \"ball\" at the start"));
}

TEST_F(Deformables, ARodHoldsABodyBesideThem) {
  json scene = bar_and_ball(0.05, 0.5);
  scene["objects"][1]["motion"]["rigid"]["joints"] = {{{"to", {0, 0.1, 0}}}};
  EXPECT_TRUE(rendered(scene).contacts->events.impacts.empty());
}

TEST_F(Deformables, ASurfaceThatTheyFallThroughIsNamed) {
  json scene = clamped_bar(0.002);
  std::vector<std::string> notices;
  scene["objects"].push_back(
      {{"name", "disc"}, {"shape", {{"disc", 0.2}}}, {"motion", {{"position", {0, -0.1, 0}}}}});
  make_world(parsed(scene), notices);
  EXPECT_THAT(notices, Contains(HasSubstr("bodies pass through \"disc\"")));
}

TEST(RayleighDamping, ItIsTheNearestToALossFactorAndExactWhereItCanBe) {
  const auto loss = [](double f) { return M_PI * f * 1e-3; };
  const simulate::RayleighDamping near = simulate::fitted_damping(loss, 100.0, 16000.0);
  for (double f = 100.0; f <= 16000.0; f *= 1.2)
    EXPECT_LT(std::abs(std::log(near.rate(f) / loss(f))), std::log(3.0)) << f;
  const auto exact = [](double f) { return 0.3 + 1e-8 * f * f; };
  const simulate::RayleighDamping same = simulate::fitted_damping(exact, 100.0, 16000.0);
  for (const double f : {20.0, 1000.0, 20000.0}) EXPECT_NEAR(same.rate(f) / exact(f), 1.0, 1e-6);
}

TEST(RayleighDamping, WallsLoseMostToTheAirAboveCoincidence) {
  const auto sheet = [](double t) {
    return geometry::ShellMesh{
        {{{0, 0, 0}, {0.4, 0, 0}, {0, 0, 0.4}, {0.4, 0, 0.4}}, {{0, 3, 1}, {0, 2, 3}}},
        {t, t, t, t}};
  };
  const base::Material steel{.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3};
  const auto rate = [&](double t, double f) {
    return simulate::air_decay_rate(sheet(t), steel, {}, f);
  };
  // Above coincidence, at 12 kHz / (t / mm), a plate radiates as a piston: rho c / (rho_s t).
  EXPECT_NEAR(rate(0.002, 16000.0), 1.2041 * 343.2 / (7850.0 * 0.002), 0.01);
  // Far below, some thousandths of that, and more and more.
  const double piston = 1.2041 * 343.2 / (7850.0 * 0.0004);
  EXPECT_LT(rate(0.0004, 1000.0), 0.02 * piston);
  EXPECT_GT(rate(0.0004, 1000.0), 0.0005 * piston);
  EXPECT_GT(rate(0.0004, 8000.0), 2.0 * rate(0.0004, 1000.0));
}

/// A free plate of steel, 100 x 1 x 100 mm, struck at a corner: hexahedra or a thin wall.
json free_plate(bool is_wall) {
  json scene = json::parse(R"({"peal": 1, "duration": 0.06, "dynamics": {"gravity": [0, 0, 0]},
      "objects": [{"name": "plate", "material": {"base": "steel", "damping": {"mass": 2,
        "stiffness": 1e-8}}, "motion": {"deformable": {}},
        "strikes": [{"t": 0.001, "at": [0.045, 0, 0.045],
          "force": {"impulse": 0.002, "contact_time": 0.0003, "direction": [0, -1, 0]}}]}],
      "listeners": [{"mono": {"position": [0.05, 0.5, 0.1]}}],
      "radiation": {"model": "rays", "max_frequency": 4000}})");
  json& plate = scene["objects"][0];
  if (is_wall) {
    plate["shape"]["plane"] = {{"size", {0.1, 0.1}}, {"edge_length", 0.01}};
    plate["thickness"] = 0.001;
    plate["motion"]["deformable"]["air_loss"] = false;
  } else {
    plate["shape"]["box"] = {0.1, 0.001, 0.1};
    plate["motion"]["deformable"]["divisions"] = {12, 1, 12};
  }
  return scene;
}

TEST_F(Deformables, AThinWallSoundsLikeTheSolidThatItStandsFor) {
  const auto heard = [&](bool is_wall) {
    json scene = free_plate(is_wall);
    scene["radiation"] = {{"model", "wave"}, {"max_frequency", 3000}};
    scene["listeners"][0]["mono"]["position"] = {0.05, 0.3, 0.1};
    return channel(rendered(scene));
  };
  const auto wall = heard(true), solid = heard(false);
  const auto ring = [](const std::vector<double>& sound) { return std::span(sound).subspan(480); };
  // The third and the eighth mode, which radiate best: w a^2 sqrt(m / D) of a free square plate.
  const double unit = 0.001 * std::sqrt(200e9 / (12.0 * 0.91 * 7850.0)) / (2 * M_PI * 0.01);
  for (const double lambda : {24.270, 63.687}) {
    const double f = unit * lambda;
    const auto one = util::find_mode(ring(wall), 48000, f, 0.02 * f);
    const auto other = util::find_mode(ring(solid), 48000, f, 0.02 * f);
    EXPECT_NEAR(one.frequency, f, 0.015 * f);  // ten cells a side
    EXPECT_NEAR(20 * std::log10(util::tone_at(ring(wall), 48000, one.frequency).amplitude /
                                util::tone_at(ring(solid), 48000, other.frequency).amplitude),
                0.0, 1.0);
  }
}

TEST_F(Deformables, AThinWallIsStruckByAHammerOnItsFelt) {
  json scene = free_plate(true);
  json& plate = scene["objects"][0];
  plate["motion"]["deformable"]["supports"] = json::parse(
      R"([{"region": {"box": {"min": [-0.02, -1, -0.02], "max": [0.02, 1, 0.02]}},
           "stiffness": 500, "damping": 0.3}])");
  const auto struck_at = [&](double speed) {
    plate["strikes"][0] = json::parse(R"({"t": 0.001, "at": [0.045, 0.0005, 0.045], "hammer":
        {"mass": 0.005, "radius": 0.005, "material": "oak", "restitution": 1}})");
    plate["strikes"][0]["hammer"]["speed"] = speed;
    return channel(rendered(scene));
  };
  const double soft = util::rms(struck_at(0.2)), hard = util::rms(struck_at(0.4));
  EXPECT_GT(soft, 0.0);
  EXPECT_GT(hard, 1.8 * soft);
  json other = scene;
  other["objects"][0]["motion"]["deformable"]["elements"] = "quadratic_tetrahedra";
  other["objects"][0]["thickness"] = 0.02;
  EXPECT_THAT(complaint(other), HasSubstr("a hammer strikes shell elements only"));
  plate["motion"]["deformable"]["supports"][0]["region"]["box"]["min"] = {1, 1, 1};
  plate["motion"]["deformable"]["supports"][0]["region"]["box"]["max"] = {2, 2, 2};
  EXPECT_THAT(complaint(scene), HasSubstr("objects[0].motion.deformable.supports[0]"));
}

TEST_F(Deformables, AThinWallFallsOnTheFloorAndStaysAboveIt) {
  json scene = free_plate(true);
  scene.erase("dynamics");
  scene["duration"] = 0.05;
  json& plate = scene["objects"][0];
  plate.erase("strikes");
  plate["motion"]["deformable"] = json::parse(
      R"({"position": [0, 0.009, 0], "rotation": {"axis": [1, 0, 0], "degrees": 8},
          "velocity": [0, -0.4, 0]})");
  scene["objects"].push_back(json::parse(
      R"({"name": "floor", "shape": {"box": [0.4, 0.02, 0.4]}, "material": "oak", "sound": [],
          "motion": {"position": [0, -0.01, 0]}})"));
  const Sound sound = rendered(scene);
  EXPECT_GT(util::rms(channel(sound)), 0.0);
  EXPECT_THAT(sound.notices, Not(Contains(HasSubstr("through"))));
  EXPECT_THAT(sound.notices, Not(Contains(HasSubstr("times its volume"))));
}

}  // namespace
}  // namespace peal::render
