#include <peal/render/stages.h>
#include <peal/simulate/move_scene.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "render/struck_scene.h"

/// What must be heard and seen in the scenes of O'Brien, Cook & Essl 2001, in numbers. Shorter than
/// in the gallery, and some with fewer elements.
namespace peal::render {
namespace {

class MotionGallerySlow : public testing::Test {
 protected:
  MotionGallerySlow() { setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~MotionGallerySlow() override { std::filesystem::remove_all(cache_); }

  static json scene_of(const std::string& name, double duration) {
    json scene = gallery_scene("2001-motion/" + name);
    scene["duration"] = duration;
    scene["radiation"]["max_frequency"] = 3000;
    const json position = scene["listeners"][0]["stereo"]["position"];
    scene["listeners"] = {{{"mono", {{"position", position}}}}};
    return scene;
  }
  static json& body(json& scene) { return scene["objects"][0]["motion"]["deformable"]; }
  static std::vector<double> hear(const json& scene) {
    return listener_audio(scene, "2001-motion");
  }

  static base::MotionResult moved(const json& scene) {
    util::Silent silent;
    std::vector<std::string> notices;
    return simulate::move_scene(scene::parse_scene(scene.dump(), "scene.json", "."), silent,
                                notices);
  }
  /// Heights of the middle of a recorded surface in its own frame, shape by shape [m].
  static std::vector<double> middle_heights(const base::ObjectMotion& sheet, double duration) {
    std::vector<double> heights;
    const auto& vertices = sheet.surface->vertices;
    const auto middle = static_cast<std::size_t>(
        std::ranges::min_element(vertices, {}, [](const auto& v) { return v.norm(); }) -
        vertices.begin());
    std::vector<base::Vec3> now(vertices.size());
    for (double t = 0.0; t <= duration; t += sheet.shape_interval) {
      sheet.deformation->vertices(t, now);
      heights.push_back(now[middle].y() - vertices[middle].y());
    }
    return heights;
  }

  std::filesystem::path cache_ =
      std::filesystem::temp_directory_path() / ("peal-motion-" + std::to_string(::getpid()));
};

TEST_F(MotionGallerySlow, TheClampedBarRingsInItsPartials) {
  const auto sound = hear(scene_of("clamped-bar", 0.3));
  for (const double f : {90.598, 567.77, 1589.8}) {
    const auto ring = std::span(sound).subspan(1920);
    EXPECT_NEAR(util::find_mode(ring, 48000, f, 0.05 * f).frequency, f, 0.02 * f);
  }
}

TEST_F(MotionGallerySlow, APlateStruckInItsCentreLacksTheOddModes) {
  json centre = scene_of("square-plate-center", 0.08),
       off = scene_of("square-plate-off-center", 0.08);
  for (json* scene : {&centre, &off}) body(*scene)["divisions"] = {8, 1, 8};
  const auto in = hear(centre), out = hear(off);
  const auto ring = [](const std::vector<double>& sound) { return std::span(sound).subspan(480); };
  // An eighth of a plate is coarse: its own partial, found where it sounds.
  const double f = util::find_mode(ring(out), 48000, 600.0, 60.0).frequency;
  const double a = util::tone_at(ring(in), 48000, f).amplitude;
  const double b = util::tone_at(ring(out), 48000, f).amplitude;
  EXPECT_LT(20 * std::log10(a / b), -25.0) << f << " Hz, in windows of 70 ms";
  const double lowest = util::find_mode(ring(in), 48000, 291.6, 30.0).frequency;
  EXPECT_NEAR(lowest, 291.6, 0.04 * 291.6);
}

TEST_F(MotionGallerySlow, ASwungBarChangesItsPitchByItsPath) {
  json scene = scene_of("swinging-bar", 0.42);
  scene["objects"][0]["strikes"].erase(1);
  scene["listeners"][0]["mono"]["position"] = {0, 0, 5};
  const auto sound = hear(scene);
  const auto pitch = [&](double t) {
    const auto part = std::span(sound).subspan(static_cast<std::size_t>(t * 48000), 960);
    return util::find_tone(part, 48000, 489.0, 40.0).frequency;
  };
  // Half a turn apart it goes and comes, 5 m and 15 ms away.
  EXPECT_NEAR(pitch(0.172) / pitch(0.338), 1.045, 0.006);
}

TEST_F(MotionGallerySlow, ABentSheetSnapsThroughAndCracks) {
  // Thicker and with fewer elements: when it snaps does not depend on that.
  json scene = scene_of("bent-sheet", 0.46);
  scene["objects"][0]["shape"]["box"][1] = 0.002;
  body(scene)["divisions"] = {8, 1, 2};
  const base::MotionResult motion = moved(scene);
  const auto heights = middle_heights(motion.objects[0], 0.46);
  const auto at = [&](double t) { return heights[static_cast<std::size_t>(t * 48000 / 64)]; };
  EXPECT_GT(at(0.24), 0.012) << "bowed up";
  EXPECT_GT(at(0.37), 0.005) << "and still, though its ends are turned down";
  EXPECT_LT(at(0.45), -0.012) << "until it snaps";
  const auto sound = hear(scene);
  const auto level = [&](double from, double to) {
    return util::rms(std::span(sound).subspan(static_cast<std::size_t>(48000 * from),
                                              static_cast<std::size_t>(48000 * (to - from))));
  };
  EXPECT_GT(level(0.40, 0.46), 100 * level(0.02, 0.36)) << "40 dB over the bending before";
}

TEST_F(MotionGallerySlow, ABowlRingsWhereverItLands) {
  // Let go just above the floor with the speed of its fall, on its side and on its rim, coarser.
  const auto landed = [](double height, double degrees) {
    json scene = scene_of("bowl", 0.04);
    body(scene).update({{"position", {0, height, 0}},
                        {"rotation", {{"axis", {0, 0, 1}}, {"degrees", degrees}}},
                        {"velocity", {0, -1.4, 0}},
                        {"element_size", 0.03}});
    return hear(scene);
  };
  std::vector<double> ratios;
  for (const auto& [height, degrees] : {std::pair(0.021, 35.0), {0.069, 180.0}}) {
    const auto sound = landed(height, degrees);
    const auto ring = std::span(sound).subspan(480);
    const double first = util::find_mode(ring, 48000, 350.0, 60.0).frequency;
    const double second = util::find_mode(ring, 48000, 860.0, 150.0).frequency;
    EXPECT_NEAR(second / first, 2.5, 0.3) << degrees;
    ratios.push_back(util::tone_at(ring, 48000, second).amplitude /
                     util::tone_at(ring, 48000, first).amplitude);
  }
  EXPECT_GT(std::abs(20 * std::log10(ratios[0] / ratios[1])), 3.0) << "in other proportions";
}

TEST_F(MotionGallerySlow, TheVibraphoneBarOfElementsIsTunedInOneFourTen) {
  json scene = scene_of("vibraphone-bar/deformable", 0.14);
  json& strikes = scene["objects"][0]["strikes"];
  strikes = {strikes[1]};
  strikes[0]["t"] = 0.001;
  body(scene)["element_size"] = 0.018;
  const auto sound = hear(scene);
  const auto ring = std::span(sound).subspan(480);
  for (const double ratio : {1.0, 4.0, 10.0}) {
    const double f = 187.0 * ratio;
    EXPECT_NEAR(util::find_mode(ring, 48000, f, 0.06 * f).frequency, f, 0.04 * f) << ratio;
  }
}

TEST_F(MotionGallerySlow, ABallBouncesOffAStiffSheetAndSinksIntoASoftOne) {
  json soft = scene_of("compliant-sheet", 0.35);
  body(soft)["divisions"] = {8, 1, 8};
  const base::MotionResult swings = moved(soft);
  const auto heights = middle_heights(swings.objects[0], 0.35);
  EXPECT_LT(*std::ranges::min_element(heights), -0.02) << "the soft sheet sinks by centimetres";
  EXPECT_LT(swings.objects[1].motion->pose(0.35).position.y(), 0.1) << "and holds the ball";
  EXPECT_GT(swings.objects[1].motion->pose(0.35).position.y(), -0.15);

  json stiff = scene_of("rigid-sheet", 0.26);
  body(stiff)["divisions"] = {8, 1, 8};
  const base::MotionResult bounces = moved(stiff);
  EXPECT_GT(std::ranges::min(middle_heights(bounces.objects[0], 0.26)), -0.005);
  const base::Motion& ball = *bounces.objects[1].motion;
  EXPECT_GT(ball.pose(0.26).position.y(), ball.pose(0.22).position.y() + 0.005) << "it bounces";
}

}  // namespace
}  // namespace peal::render
