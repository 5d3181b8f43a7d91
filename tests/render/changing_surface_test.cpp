#include <peal/geometry/shapes/shapes.h>
#include <peal/render/render.h>
#include <peal/scene/gltf.h>
#include <peal/scene/read_scene.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

/// Surfaces that change their triangles from frame to frame, through every radiator and in the
/// motion file.
namespace peal::render::changing_surfaces {
namespace {

using geometry::TriMesh;
using geometry::Vec3;
using nlohmann::json;
using testing::HasSubstr;

constexpr double kBallRadius = 0.05;  // [m]

class FrameFolder {
 public:
  FrameFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("peal-changing-surface-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~FrameFolder() { std::filesystem::remove_all(path_); }
  FrameFolder(const FrameFolder&) = delete;
  FrameFolder& operator=(const FrameFolder&) = delete;

  void write(const std::string& name, const TriMesh& mesh) const {
    std::ofstream file(path_ / name);
    file.precision(12);
    for (const Vec3& v : mesh.vertices)
      file << "v " << v.x() << ' ' << v.y() << ' ' << v.z() << '\n';
    for (const geometry::Triangle& t : mesh.triangles)
      file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The same sphere with other triangles in each frame: turned, and with edges cut into `cuts`
/// parts, one or two more.
TriMesh ball_of_frame(int frame, int cuts) {
  const double edge = 1.0515 * kBallRadius;  // of an icosahedron
  const Eigen::AngleAxisd turn(0.7 * frame, Vec3(1, 2, 3).normalized());
  return geometry::transformed(geometry::sphere_mesh(kBallRadius, edge / (cuts + frame % 3 - 0.5)),
                               geometry::Affine(turn));
}

/// An object of numbered frames that only scatters sound.
json sequence_of(const std::string& name, int frames, double fps) {
  const json files = {
      {"pattern", name + ".#.obj"}, {"first", 0}, {"last", frames - 1}, {"fps", fps}};
  return {{"mesh_sequence", files}, {"deformation_sounds", false}};
}

std::string frame_file(const std::string& name, int frame) {
  return name + "." + std::to_string(frame) + ".obj";
}

/// A small loudspeaker, a ball that is in its way in part, and a listener.
json scene_around(json ball, const std::string& model, double duration) {
  json scene = {{"peal", 1}, {"duration", duration}};
  scene["radiation"] = {{"model", model}, {"max_frequency", 4000}};
  const json noise = {{"noise", {{"colour", "white"}, {"low", 300}, {"high", 3500}}},
                      {"acceleration", 10}};
  scene["objects"] = {{{"name", "speaker"},
                       {"shape", {{"sphere", 0.02}}},
                       {"motion", {{"position", {-0.12, 0.05, 0}}}},
                       {"sound", {{{"speaker", noise}}}}}};
  ball["name"] = "ball";
  scene["objects"].push_back(std::move(ball));
  scene["listeners"] = {{{"mono", {{"position", {0.2, 0.055, 0}}}}}};
  return scene;
}

Sound sound_of(const json& scene, const FrameFolder& folder, const RenderOptions& options = {}) {
  util::Silent silent;
  return render(scene::parse_scene(scene.dump(), "scene.json", folder.path()), silent, options);
}

std::vector<double> listener_audio(const json& scene, const FrameFolder& folder) {
  return util::as_double(sound_of(scene, folder).listeners.at(0).audio.channels.at(0));
}

/// The largest difference over the largest value of the sound around [dB].
double difference(const std::vector<double>& a, const std::vector<double>& b,
                  const std::vector<double>& around) {
  std::vector<double> apart(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) apart[i] = a[i] - b[i];
  const double level = 20.0 * std::log10(util::peak(apart) / util::peak(around));
  testing::Test::RecordProperty("difference_db", std::to_string(level));
  return level;
}

class ChangingSurfaceSlow : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int kFrames = 26, kFps = 1000;
  static constexpr double kDuration = 0.022;  // [s]: the frames go on beyond it

  /// How much the ball of these frames is heard to differ from the one of frames "kept", which have
  /// one set of triangles [dB].
  double change_of(const std::string& name) const {
    const auto sound = [&](const std::string& frames) {
      return listener_audio(scene_around(sequence_of(frames, kFrames, kFps), GetParam(), kDuration),
                            folder);
    };
    json empty = scene_around({}, GetParam(), kDuration);
    empty["objects"].erase(1);
    const std::vector<double> around = listener_audio(empty, folder), kept = sound("kept");
    EXPECT_GT(difference(kept, around, around), -15.0) << "the ball matters";
    return difference(sound(name), kept, around);
  }

  FrameFolder folder;
};
INSTANTIATE_TEST_SUITE_P(Models, ChangingSurfaceSlow, testing::Values("rays", "wave"));

TEST_P(ChangingSurfaceSlow, ABallAtRestWithOtherTrianglesInEachFrameScattersLikeOneThatKeepsThem) {
  for (int i = 0; i < kFrames; ++i) {
    folder.write(frame_file("ball", i), ball_of_frame(i, 14));
    folder.write(frame_file("kept", i), ball_of_frame(0, 14));
  }
  EXPECT_LT(change_of("ball"), -60.0);
}

TEST_P(ChangingSurfaceSlow, ABoxAtRestWithOtherTrianglesInEachFrameScattersExactlyAlike) {
  const auto box = [](int i) {
    return geometry::box_mesh({0.06, 0.1, 0.06}, 0.01 + 0.003 * (i % 4));
  };
  for (int i = 0; i < kFrames; ++i) {
    folder.write(frame_file("box", i), box(i));
    folder.write(frame_file("kept", i), box(0));
  }
  EXPECT_LT(change_of("box"), -100.0);
}

/// The ball grows by a sixth while it passes through the way.
TEST_P(ChangingSurfaceSlow, ABallThatMovesAndGrowsScattersAlikeWithAnyTriangles) {
  const auto write = [&](const std::string& name, int frame, TriMesh mesh) {
    for (Vec3& v : mesh.vertices) v = (1.0 + 0.006 * frame) * v + Vec3(0, 0.02 - 0.001 * frame, 0);
    folder.write(frame_file(name, frame), mesh);
  };
  for (int i = 0; i < kFrames; ++i) {
    write("ball", i, ball_of_frame(i, 14));
    write("kept", i, ball_of_frame(0, 14));
  }
  EXPECT_LT(change_of("ball"), -60.0);
}

TEST_P(ChangingSurfaceSlow, AWholeSurfaceThatPlaysGoesOnThroughChangesOfItsTriangles) {
  for (int i = 0; i < kFrames; ++i) {
    folder.write(frame_file("ball", i), ball_of_frame(i, 10));
    folder.write(frame_file("kept", i), ball_of_frame(0, 10));
  }
  const auto playing = [&](const std::string& name) {
    json ball = sequence_of(name, kFrames, kFps);
    ball["sound"] = {{{"speaker", {{"tone", {{"frequency", 1000}}}, {"acceleration", 10}}}}};
    json scene = scene_around(std::move(ball), GetParam(), kDuration);
    scene["objects"].erase(0);
    return listener_audio(scene, folder);
  };
  const std::vector<double> kept = playing("kept");
  // By what their facets cut off, the balls differ by 0.1 % in area.
  EXPECT_LT(difference(playing("ball"), kept, kept), -55.0);
}

TEST(ChangingSurface, NoticesSayWhatIsAssumed) {
  const FrameFolder folder;
  for (int i = 0; i < 3; ++i) folder.write(frame_file("ball", i), ball_of_frame(i, 3));
  json scene = scene_around(sequence_of("ball", 3, 25), "rays", 0.01);
  EXPECT_THAT(sound_of(scene, folder).notices,
              testing::Contains(HasSubstr("\"ball\": its mesh sequence has 3 surfaces with "
                                          "different triangles")));
}

TEST(ChangingSurface, ASpeakerOnFacesThatDoNotStayIsRefused) {
  const FrameFolder folder;
  for (int i = 0; i < 3; ++i) folder.write(frame_file("ball", i), ball_of_frame(i, 3));
  json scene = scene_around(sequence_of("ball", 3, 25), "rays", 0.01);
  scene["objects"][1]["sound"] = {
      {{"speaker", {{"tone", {{"frequency", 1000}}}, {"faces", {0, 1}}}}}};
  try {
    sound_of(scene, folder);
    FAIL() << "it was rendered";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("changes its triangles"));
  }
}

TEST(ChangingSurface, AFrameWithAHoleIsNamedByItsFile) {
  const FrameFolder folder;
  for (int i = 0; i < 3; ++i) {
    TriMesh mesh = ball_of_frame(i, 3);
    if (i == 1) mesh.triangles.pop_back();
    folder.write(frame_file("ball", i), mesh);
  }
  const json scene = scene_around(sequence_of("ball", 3, 25), "rays", 0.01);
  try {
    sound_of(scene, folder);
    FAIL() << "it was rendered";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("ball.1.obj"));
    EXPECT_THAT(error.what(), HasSubstr("Close the surface in this frame"));
  }
}

TEST(ChangingSurface, TheMotionFileHasANodeForEachMeshWhileItIsShown) {
  const FrameFolder folder;
  for (int i = 0; i < 5; ++i)  // frames 1 and 2 share their triangles
    folder.write(frame_file("ball", i), ball_of_frame(i == 2 ? 1 : i, 3));
  json scene = scene_around(sequence_of("ball", 5, 50), "direct", 0.08);
  scene["radiation"] = {{"model", "direct"}};
  scene["objects"].erase(0);
  scene["objects"][0]["motion"] = {{"position", {1, 2, 3}}};
  const Sound sound = sound_of(scene, folder, {.motion_rate = 50.0});
  const auto file = scene::parse_gltf(*sound.motion, "motion.glb", "");
  EXPECT_TRUE(file.notices.empty());
  ASSERT_EQ(file.nodes.size(), 5u);  // the object, and its four meshes
  ASSERT_EQ(file.meshes.size(), 4u);
  EXPECT_EQ(file.meshes[0].triangles.size(), ball_of_frame(0, 3).triangles.size());
  EXPECT_EQ(file.meshes[3].triangles.size(), ball_of_frame(4, 3).triangles.size());
  EXPECT_EQ(file.morphs[1].displacements.size(), 1u) << "frame 2 is a shape of frame 1's mesh";
  const std::string& bytes = *sound.motion;
  const std::size_t length = *reinterpret_cast<const std::uint32_t*>(bytes.data() + 12);
  const json gltf = json::parse(bytes.substr(20, length));
  EXPECT_EQ(gltf["scenes"][0]["nodes"], json({0}));
  EXPECT_EQ(gltf["nodes"][0]["children"], json({1, 2, 3, 4}));
  EXPECT_EQ(gltf["nodes"][0]["translation"], json({1, 2, 3}));
  EXPECT_EQ(gltf["nodes"][1]["scale"], json({1, 1, 1}));
  for (int k = 2; k < 5; ++k) EXPECT_EQ(gltf["nodes"][k]["scale"], json({0, 0, 0}));
  int steps = 0;
  for (const json& channel : gltf["animations"][0]["channels"]) {
    if (channel["target"]["path"] != "scale") continue;
    const json& sampler = gltf["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
    EXPECT_EQ(sampler["interpolation"], "STEP");
    ++steps;
  }
  EXPECT_EQ(steps, 4);
}

}  // namespace
}  // namespace peal::render::changing_surfaces
