#include <peal/simulate/keyed_motions.h>
#include <peal/simulate/move_scene.h>
#include <peal/simulate/surface_grip.h>
#include <peal/util/error.h>
#include <peal/util/progress.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "render/struck_scene.h"

/// Sheets in hands, from the scene to their motion.
namespace peal::render {
namespace {

using geometry::Vec3;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class Grips : public testing::Test {
 protected:
  Grips() {
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    std::filesystem::create_directories(folder_);
  }
  ~Grips() override { std::filesystem::remove_all(folder_); }

  /// A strip of 0.1 x 0.02 m with one end pinned.
  json strip(double duration, const json& grip) {
    json scene = json::parse(R"({"peal": 1, "dynamics": {"gravity": [0, 0, 0]}, "objects": [
        {"name": "strip", "shape": {"plane": {"size": [0.1, 0.02], "edge_length": 0.01}}, "thickness": 0.0003,
         "material": {"base": "steel", "damping": {"mass": 4, "stiffness": 1e-8}}, "contact": {"collision": "none"},
         "motion": {"deformable": {"position": [0, 1, 0], "element_size": 0.01,
           "pinned": [{"box": {"min": [-1, -1, -1], "max": [-0.045, 1, 1]}}]}}}],
        "listeners": [{"mono": {"position": [0, 1.5, 0]}}],
        "radiation": {"model": "rays", "max_frequency": 4000}})");
    scene["duration"] = duration;
    scene["objects"][0]["motion"]["deformable"]["grips"] = {grip};
    return scene;
  }

  scene::Scene parsed(const json& scene) const {
    return scene::parse_scene(scene.dump(), "scene.json", folder_);
  }

  std::string complaint(const json& scene) {
    util::Silent silent;
    try {
      simulate::move_scene(parsed(scene), silent, notices_);
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "";
  }

  /// Frames of a square "hand" of 40 mm under the free end, at a height that changes as a sine.
  json hand(int frames, double frame_rate, double height) {
    for (int k = 0; k <= frames; ++k) {
      const double y = height * lift(k, frames);
      util::write_file(folder_ / fmt::format("hand.{:02}.obj", k),
                       fmt::format("v 0.03 {0:.9f} -0.02\nv 0.07 {0:.9f} -0.02\nv 0.03 {0:.9f} "
                                   "0.02\nv 0.07 {0:.9f} 0.02\nf 1 3 2\nf 2 3 4\n",
                                   y));
    }
    json sequence = {{"pattern", "hand.##.obj"},
                     {"first", 0},
                     {"last", frames},
                     {"fps", frame_rate},
                     {"frame_start", 0}};
    return {{"name", "hand"},
            {"mesh_sequence", sequence},
            {"deformation_sounds", false},
            {"motion", {{"position", {0, 1, 0}}}}};
  }
  static double lift(double k, int frames) {
    return 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * k / frames);
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("peal-grips-" + std::to_string(::getpid()));
  std::vector<std::string> notices_;
};

const json free_end = {{"box", {{"min", {0.045, -1, -1}}, {"max", {1, 1, 1}}}}};

TEST_F(Grips, ASheetFollowsTheAnimatedSurfaceThatHoldsIt) {
  constexpr int frames = 8;
  constexpr double frame_rate = 200.0, height = 0.002;
  json scene = strip(frames / frame_rate, {{"region", free_end}, {"surface", "hand"}});
  scene["objects"].push_back(hand(frames, frame_rate, height));
  util::Silent silent;
  const base::MotionResult moved = simulate::move_scene(parsed(scene), silent, notices_);
  const base::ObjectMotion& sheet = moved.objects.at(0);
  std::vector<Vec3> rest = sheet.surface->vertices, now(rest.size());
  std::size_t end = 0;
  for (std::size_t v = 0; v < rest.size(); ++v)
    if (rest[v].x() > rest[end].x()) end = v;
  ASSERT_NEAR(rest[end].x(), 0.05, 1e-9);
  for (int i = 0; i <= 4 * frames; ++i) {
    const double k = i / 4.0;
    sheet.deformation->vertices(k / frame_rate, now);
    // The record has means over a millisecond.
    EXPECT_NEAR(now[end].y() - rest[end].y(), height * lift(k, frames), 0.04 * height) << k;
  }
}

/// At the frames a point is where they say; between, on a curve without kinks.
TEST_F(Grips, PointsOfAnAnimatedSurfaceMoveOnASmoothCurveThroughItsFrames) {
  constexpr int frames = 8, parts = 64;
  constexpr double frame_rate = 200.0, height = 0.002;
  json description = strip(frames / frame_rate, {{"region", free_end}, {"surface", "hand"}});
  description["objects"].push_back(hand(frames, frame_rate, height));
  const scene::Scene scene = parsed(description);
  const simulate::AnimatedSurface surface(scene.objects[1], simulate::keyed_motions(scene)[1]);
  const std::vector<Vec3> start = {{0.05, 1.0, 0.01}, {0.045, 1.00015, -0.01}};
  util::Fingerprint fingerprint;
  const elastic::GripMotion grip =
      simulate::fastened_to(surface, start, frames / frame_rate, fingerprint);
  double fastest = 0.0;
  std::array<double, 3> last{};
  for (int i = 0; i <= parts * frames; ++i) {
    const double k = static_cast<double>(i) / parts;
    std::vector<Vec3> points(2);
    grip(k / frame_rate, points);
    for (std::size_t n = 0; n < points.size(); ++n) {
      const Vec3 moved = points[n] - start[n];
      EXPECT_NEAR(moved.x(), 0.0, 1e-9);
      EXPECT_NEAR(moved.y(), height * lift(k, frames), i % parts == 0 ? 2e-9 : 0.03 * height) << k;
    }
    last = {last[1], last[2], points[0].y()};
    if (i >= 2) {
      const double second = (last[0] - 2.0 * last[1] + last[2]) * std::pow(parts * frame_rate, 2);
      fastest = std::max(fastest, std::abs(second));
    }
  }
  // That of the sine is h w^2 / 2. On straight lines it would be 50 times as much at each frame.
  const double w = 2.0 * std::numbers::pi * frame_rate / frames;
  EXPECT_LT(fastest, 1.5 * 0.5 * height * w * w);
}

TEST_F(Grips, ASurfaceThatCannotBeFollowedIsNamed) {
  json scene = strip(0.01, {{"region", free_end}, {"surface", "hant"}});
  scene["objects"].push_back(hand(2, 100.0, 0.001));
  EXPECT_THAT(complaint(scene),
              AllOf(HasSubstr("grips[0].surface"), HasSubstr("\"hant\""), HasSubstr("\"hand\"")));
  scene["objects"][0]["motion"]["deformable"]["grips"][0]["surface"] = "strip";
  EXPECT_THAT(complaint(scene), HasSubstr("whose motion is prescribed"));
  scene["objects"][0]["motion"]["deformable"]["grips"][0]["motion"] = "fixed";
  EXPECT_THROW(parsed(scene), util::InputError) << "one of the two";
}

/// A grip whose path turns about the origin of the world, far from the sheet, tears it.
TEST_F(Grips, ThoseThatTearTheSheetAreNamedBeforeTheRun) {
  const json turn = json::parse(R"({"interpolation": "smooth", "keyframes": [
      {"t": 0, "position": [0, 0, 0], "rotation": {"axis": [0, 0, 1], "degrees": 0}},
      {"t": 0.01, "position": [0, 0, 0], "rotation": {"axis": [0, 0, 1], "degrees": -20}}]})");
  json scene = strip(0.01, {{"region", free_end}, {"motion", turn}});
  EXPECT_THAT(complaint(scene),
              AllOf(HasSubstr("deformable.grips[0]"), HasSubstr("tears"), HasSubstr("at 0.01 s")));
  // About the end that it holds, it bends.
  for (json& key : scene["objects"][0]["motion"]["deformable"]["grips"][0]["motion"]["keyframes"])
    key["position"] = {0.05, 1, 0};
  EXPECT_EQ(complaint(scene), "");
  // Rubber is stretched by as much as steel is torn by.
  json& grip = scene["objects"][0]["motion"]["deformable"]["grips"][0];
  grip["motion"] = json::parse(R"({"interpolation": "smooth", "keyframes": [
      {"t": 0, "position": [0, 0, 0]}, {"t": 0.01, "position": [0.03, 0, 0]}]})");
  EXPECT_THAT(complaint(scene), HasSubstr("is stretched by 3"));
  scene["objects"][0]["material"] = "rubber";
  EXPECT_EQ(complaint(scene), "");
  // Metal yields at a hundredth.
  scene["objects"][0]["material"] = "steel";
  grip["motion"]["keyframes"][1]["position"] = {0.002, 0, 0};
  EXPECT_EQ(complaint(scene), "");
  EXPECT_THAT(notices_, Contains(HasSubstr("most materials yield")));
}

}  // namespace
}  // namespace peal::render
