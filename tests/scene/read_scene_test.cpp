#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/sounds/point.h>

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "scene_text.h"

namespace peal::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const sounds::PointSound& point(const Scene& scene) {
  return *settings_of<sounds::PointSound>(*scene.objects.at(0).sounds.at(0));
}

TEST(ReadScene, TheSmallestSceneGetsItsDefaults) {
  const Scene scene = parse(R"({"peal": 1, "duration": 1.5,
      "objects": [{"sound": [{"point": {"tone": 440}}]}], "listeners": [{"mono": {}}]})");
  EXPECT_EQ(scene.file, "scene.json");
  EXPECT_EQ(scene.duration, 1.5);
  EXPECT_EQ(scene.seed, 0u);
  EXPECT_EQ(scene.rate.hz, 48000);
  EXPECT_EQ(sample_count(scene), 72000);
  EXPECT_EQ(scene.medium.speed_of_sound, 343.2);
  EXPECT_EQ(scene.medium.density, 1.2041);
  EXPECT_EQ(scene.radiation.model, Radiation::Model::direct);
  EXPECT_EQ(scene.objects[0].name, "object-0");
  EXPECT_EQ(scene.objects[0].location, "objects[0]");
  EXPECT_EQ(scene.objects[0].mesh, nullptr);
  EXPECT_FALSE(scene.objects[0].material);
  EXPECT_EQ(scene.listeners[0].name, "listener-0");
  EXPECT_EQ(scene.listeners[0].kind, Listener::Kind::mono);
  EXPECT_EQ(point(scene).pressure_at_1m, 1.0);
  EXPECT_EQ(std::get<ToneSound>(point(scene).signal).frequency, 440.0);
  EXPECT_THAT(scene.notices, IsEmpty());
}

TEST(ReadScene, SettingsAreTaken) {
  const Scene scene = parse(scene_with_objects("{}", R"("$schema": "x", "seed": 9007199254740991,
      "sample_rate": 44100, "medium": {"speed_of_sound": 1482, "density": 998},
      "radiation": {"model": "direct"},)"));
  EXPECT_EQ(scene.seed, 9007199254740991u);
  EXPECT_EQ(scene.rate.hz, 44100);
  EXPECT_EQ(scene.medium.speed_of_sound, 1482);
  EXPECT_EQ(scene.medium.density, 998);
}

TEST(ReadScene, ReadsMeshesInTheirUnitsAndOnce) {
  const Scene scene = parse(scene_with_objects(R"({"name": "a", "mesh": "mug.obj", "scale": 0.001},
      {"name": "b", "mesh": "./mug.obj", "scale": 0.001}, {"name": "c", "mesh": "mug.obj"})"));
  const Vec3 size = geometry::bounds(*scene.objects[0].mesh).sizes();
  EXPECT_NEAR(size.y(), 0.1, 1e-12);
  EXPECT_EQ(scene.objects[0].mesh, scene.objects[1].mesh);
  EXPECT_NEAR(geometry::bounds(*scene.objects[2].mesh).sizes().y(), 100.0, 1e-9);
  EXPECT_EQ(scene.objects[0].mesh_source, "mug.obj");
}

TEST(ReadScene, ReadsMeshAndMotionOfAGltfNode) {
  const Scene scene =
      parse(scene_with_objects(R"({"mesh": "robot.glb#arm", "motion": {"gltf": "robot.glb#arm"}})",
                               R"("fps": 24, "frame_start": 1,)"));
  EXPECT_NEAR(geometry::bounds(*scene.objects[0].mesh).sizes().x(), 0.2, 1e-6);
  const auto& track = scene.objects[0].path.chain.back().translation;
  ASSERT_EQ(track.times.size(), 2u);
  EXPECT_NEAR(track.times[0], 0.0, 1e-7);
  EXPECT_NEAR(track.times[1], 1.0, 1e-7);
  EXPECT_THAT(scene.notices, IsEmpty());
}

TEST(ReadScene, RemarksAnAnimationThatBeginsAtFrameOne) {
  const Scene scene = parse(scene_with_motion(R"({"gltf": "robot.glb#arm"})"));
  EXPECT_NEAR(scene.objects[0].path.chain.back().translation.times[0], 1.0 / 24.0, 1e-7);
  ASSERT_EQ(scene.notices.size(), 1u);
  EXPECT_THAT(scene.notices[0], HasSubstr("begins at t = 0.0417 s, frame 1 at 24 frames"));
  EXPECT_THAT(
      parse(scene_with_motion(R"({"gltf": "robot.glb#arm"})", R"("frame_start": 0, "fps": 24,)"))
          .notices,
      IsEmpty());
}

TEST(ReadScene, AMeshSequenceHasATimeForEachFile) {
  const Scene scene = parse(scene_with_objects(
      R"({"mesh_sequence": {"pattern": "cloth.####.ply", "first": 1, "last": 3}, "scale": 2})",
      R"("fps": 24, "frame_start": 1,)"));
  const auto* sequence = scene.objects[0].mesh_sequence();
  ASSERT_TRUE(sequence);
  ASSERT_EQ(sequence->files.size(), 3u);
  EXPECT_EQ(sequence->files[1].filename(), "cloth.0002.ply");
  EXPECT_THAT(sequence->times, ElementsAre(0.0, 1.0 / 24.0, 2.0 / 24.0));
  EXPECT_NEAR(geometry::bounds(*scene.objects[0].mesh).sizes().x(), 2.0, 1e-12);
  EXPECT_EQ(sequence->transform(0, 0), 2.0);

  const Scene own = parse(scene_with_objects(R"({"mesh_sequence":
      {"pattern": "cloth.%04d.ply", "first": 1, "last": 3, "step": 2,
       "fps": 10, "frame_start": 0}})"));
  EXPECT_THAT(own.objects[0].mesh_sequence()->times, ElementsAre(0.1, 0.3));
}

TEST(ReadScene, EveryShapeBecomesAMesh) {
  const std::pair<const char*, Vec3> shapes[] = {
      {R"("box": [0.2, 0.1, 0.3])", {0.2, 0.1, 0.3}},
      {R"("box": {"size": [0.2, 0.1, 0.3], "edge_length": 0.1})", {0.2, 0.1, 0.3}},
      {R"("rounded_box": {"size": [0.2, 0.1, 0.3], "radius": 0.02})", {0.2, 0.1, 0.3}},
      {R"("sphere": 0.05)", {0.1, 0.1, 0.1}},
      {R"("cylinder": {"radius": 0.05, "height": 0.3})", {0.1, 0.3, 0.1}},
      {R"("cone": {"radius": 0.05, "height": 0.3})", {0.1, 0.3, 0.1}},
      {R"("cone": {"radius": 0.05, "top_radius": 0.02, "height": 0.3})", {0.1, 0.3, 0.1}},
      {R"("torus": {"radius": 0.05, "tube_radius": 0.01})", {0.12, 0.02, 0.12}},
      {R"("plane": [4, 3])", {4, 0, 3}},
      {R"("disc": 0.5)", {1, 0, 1}},
      {R"("lathe": {"profile": [[0, 0], [0.05, 0], [0.05, 0.1]], "wall": 0.005})", {0.1, 0.1, 0.1}},
      {R"("lathe": {"profile": [[0, 0], [0.05, 0], [0, 0.1]]})", {0.1, 0.1, 0.1}},
      {R"("extrude": {"outline": [[0, 0], [1, 0], [0, 2]], "height": 0.1})", {1, 0.1, 2}},
  };
  for (const auto& [shape, size] : shapes) {
    const Scene scene = parse(scene_with_objects(fmt::format(R"({{"shape": {{{}}}}})", shape)));
    ASSERT_NE(scene.objects[0].mesh, nullptr) << shape;
    const Vec3 found = geometry::bounds(*scene.objects[0].mesh).sizes();
    EXPECT_LT((found - size).norm(), 0.03 * size.norm()) << shape << found.transpose();
    EXPECT_FALSE(scene.objects[0].mesh_source.empty());
  }
}

TEST(ReadScene, ShapesFollowTheirEdgeLengthAndScale) {
  const auto triangles = [](const char* shape) {
    return parse(scene_with_objects(shape)).objects[0].mesh->triangles.size();
  };
  const auto coarse = triangles(R"({"shape": {"sphere": {"radius": 0.05, "edge_length": 0.02}}})");
  const auto fine = triangles(R"({"shape": {"sphere": {"radius": 0.05, "edge_length": 0.005}}})");
  EXPECT_GT(fine, 10 * coarse);
  const Scene scaled = parse(scene_with_objects(R"({"shape": {"sphere": 50}, "scale": 0.001})"));
  EXPECT_NEAR(geometry::bounds(*scaled.objects[0].mesh).sizes().x(), 0.1, 0.003);
}

TEST(ReadScene, MaterialsByNameNumbersAndBoth) {
  const auto material = [](const char* text) {
    return *parse(scene_with_objects(fmt::format(R"({{"material": {}}})", text)))
                .objects[0]
                .material;
  };
  EXPECT_EQ(material("\"steel\"").density, 7850);
  const Material own = material(R"({"density": 1, "young_modulus": 2e9, "poisson_ratio": 0.3})");
  EXPECT_EQ(own.young_modulus, 2e9);
  const Material both = material(R"({"base": "steel", "density": 7700})");
  EXPECT_EQ(both.density, 7700);
  EXPECT_EQ(both.young_modulus, 200e9);
  EXPECT_EQ(own.damping.decay_rate(1000.0), 0.0);
  EXPECT_EQ(both.damping.internal_friction, 4e-4);
}

TEST(ReadScene, DampingReplacesThatOfTheBase) {
  const auto damping = [](const char* text) {
    return parse(scene_with_objects(
                     fmt::format(R"({{"material": {{"base": "steel", "damping": {}}}}})", text)))
        .objects[0]
        .material->damping;
  };
  EXPECT_EQ(damping("{}").decay_rate(1000.0), 0.0);
  const base::Damping all = damping(R"({"internal_friction": 0.001, "mass": 6, "stiffness": 1e-7,
      "inverse_stiffness": 2e7, "external": 0.5,
      "bands": [{"up_to": 500, "loss_factor": 0.002}, {"up_to": 4000, "loss_factor": 0.001}]})");
  const double w = 2000.0 * std::numbers::pi;
  EXPECT_DOUBLE_EQ(all.decay_rate(1000.0),
                   std::numbers::pi * 1000.0 * 0.002 + 3.0 + 0.5e-7 * w * w + 1e7 / (w * w) + 0.5);
}

TEST(ReadScene, SoundsOfEachKind) {
  const Scene tone = parse(scene_with_point(
      R"("tone": {"frequency": 100, "harmonics": [1, 0, 0.5], "phase_degrees": 90, "fade": 0.1},
         "offset": [1, 2, 3], "pressure_at_1m": 0.5, "start": 0.25, "duration": 1)"));
  const auto& signal = std::get<ToneSound>(point(tone).signal);
  EXPECT_THAT(signal.harmonics, ElementsAre(1, 0, 0.5));
  EXPECT_NEAR(signal.phase, std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(point(tone).offset, Vec3(1, 2, 3));
  EXPECT_EQ(point(tone).start, 0.25);
  EXPECT_EQ(point(tone).duration, 1.0);

  const Scene wav = parse(scene_with_point(R"("wav": "ring.wav")"));
  EXPECT_EQ(std::get<WavSound>(point(wav).signal).file.filename(), "ring.wav");
  const Scene loop =
      parse(scene_with_point(R"("wav": {"file": "ring.wav", "channel": 1, "loop": true})"));
  EXPECT_TRUE(std::get<WavSound>(point(loop).signal).loop);
  EXPECT_EQ(std::get<WavSound>(point(loop).signal).channel, 1);

  const Scene click = parse(scene_with_point(R"("click": {"width": 0.001, "period": 0.5})"));
  EXPECT_EQ(std::get<ClickSound>(point(click).signal).period, 0.5);
  const Scene noise = parse(scene_with_point(R"("noise": "pink")", R"("sample_rate": 16000,)"));
  EXPECT_EQ(std::get<NoiseSound>(point(noise).signal).colour, NoiseSound::Colour::pink);
  EXPECT_EQ(std::get<NoiseSound>(point(noise).signal).high, 8000.0) << "no higher than Nyquist";
}

TEST(ReadScene, ListenersStandLookAndMove) {
  const Scene scene = parse(scene_with_listener(
      R"({"name": "a", "stereo": {"position": [0, 1, 2], "look_at": [1, 1, 2],
                                "ear_distance": 0.2}},
         {"name": "b", "mono": {"motion": {"keyframes": [{"t": 0, "position": [0, 0, 1]}]}}})"));
  EXPECT_EQ(scene.listeners[0].kind, Listener::Kind::stereo);
  EXPECT_EQ(scene.listeners[0].ear_distance, 0.2);
  const geometry::Quat head(scene.listeners[0].motion.chain[0].rotation.values[0]);
  EXPECT_LT((head * -Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_EQ(scene.listeners[1].motion.chain[0].translation.values[0], Vec3(0, 0, 1));
}

TEST(ReadScene, FilesAreRelativeToTheSceneFile) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "peal_read_scene_test";
  std::filesystem::create_directories(folder / "assets");
  std::filesystem::copy_file(data_folder() / "mug.obj", folder / "assets" / "mug.obj",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "scene.json") << scene_with_objects(R"({"mesh": "assets/mug.obj"})");
  EXPECT_NE(read_scene(folder / "scene.json").objects[0].mesh, nullptr);
  std::filesystem::remove_all(folder);
}

TEST(ReadScene, WithoutAFolderFilesAreRefused) {
  try {
    parse_scene(scene_with_objects(R"({"mesh": "mug.obj"})"), "scene.json", "");
    FAIL() << "accepted";
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("this scene has no folder"));
  }
}

TEST(ReadScene, AnObjectMayBeginAndEnd) {
  const Scene scene = parse(scene_with_objects(
      R"({}, {"exists": [0.5, null]}, {"exists": [null, 0.75]}, {"exists": [0.25, 0.5]})"));
  EXPECT_FALSE(scene.objects[0].exists);
  EXPECT_TRUE(scene.objects[1].exists->contains(0.5)) << "the begin belongs to it";
  EXPECT_FALSE(scene.objects[1].exists->contains(0.4999));
  EXPECT_TRUE(scene.objects[1].exists->contains(1e9));
  EXPECT_TRUE(scene.objects[2].exists->contains(-1e9));
  EXPECT_FALSE(scene.objects[2].exists->contains(0.75)) << "the end does not";
  EXPECT_EQ(scene.objects[3].exists, (base::TimeRange{0.25, 0.5}));
}

}  // namespace
}  // namespace peal::scene
