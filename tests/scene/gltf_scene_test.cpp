#include <peal/scene/gltf_scene.h>

#include <gmock/gmock.h>

#include "gltf_builder.h"
#include "scene_text.h"

namespace peal::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A triangle called "bell", a listener called "ears", and keys on the scene.
GltfBuilder builder(const nlohmann::json& scene, const nlohmann::json& bell,
                    const nlohmann::json& ears) {
  GltfBuilder file;
  const int positions = file.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  file.push("meshes", {{"primitives", {{{"attributes", {{"POSITION", positions}}}}}}});
  file.push("nodes", {{"name", "bell"}, {"mesh", 0}, {"extras", {{"peal", bell}}}});
  file.push("nodes", {{"name", "ears"}, {"translation", {0, 0, 2}}, {"extras", {{"peal", ears}}}});
  file.push("scenes", {{"nodes", {0, 1}}, {"extras", {{"peal", scene}}}});
  file.json["scene"] = 0;
  return file;
}

const nlohmann::json basic = {{"peal", 1}, {"duration", 2}};
const nlohmann::json listener = {{"listener", {{"mono", nlohmann::json::object()}}}};

Scene read(const GltfBuilder& file) {
  return gltf_scene(parse_gltf(file.glb(), "a.glb", ""), data_folder());
}

std::string scene_complaint(const GltfBuilder& file) {
  try {
    read(file);
    return "";
  } catch (const util::InputError& error) {
    return error.what();
  }
}

TEST(GltfScene, NodesBecomeObjectsAndListeners) {
  const Scene scene = read(builder(basic, {{"material", "steel"}}, listener));
  ASSERT_EQ(scene.objects.size(), 1u);
  EXPECT_EQ(scene.objects[0].name, "bell");
  EXPECT_EQ(scene.objects[0].location, "nodes[\"bell\"].extras.peal");
  EXPECT_EQ(scene.objects[0].mesh->triangles.size(), 1u);
  EXPECT_EQ(scene.objects[0].material->name, "steel");
  ASSERT_EQ(scene.listeners.size(), 1u);
  EXPECT_EQ(scene.listeners[0].name, "ears");
  EXPECT_EQ(scene.listeners[0].motion.chain[0].translation.values[0], Vec3(0, 0, 2));
  EXPECT_EQ(scene.duration, 2.0);
}

TEST(GltfScene, ExtrasMayBeJsonInAText) {
  const Scene scene = read(builder(R"({"peal": 1, "duration": 3})", R"({"material": "glass"})",
                                   R"({"listener": {"stereo": {}}})"));
  EXPECT_EQ(scene.duration, 3.0);
  EXPECT_EQ(scene.objects[0].material->name, "glass");
  EXPECT_EQ(scene.listeners[0].kind, Listener::Kind::stereo);
}

TEST(GltfScene, TheAnimationGivesTheDurationAndFrameStartShiftsIt) {
  GltfBuilder file =
      builder({{"peal", 1}, {"fps", 24}, {"frame_start", 1}}, nlohmann::json::object(), listener);
  file.animate(0, "translation", {1.0f / 24.0f, 49.0f / 24.0f}, {0, 0, 0, 1, 0, 0});
  const Scene scene = read(file);
  EXPECT_NEAR(scene.duration, 49.0 / 24.0, 1e-6);
  EXPECT_NEAR(scene.objects[0].path.chain[0].translation.times[0], 0.0, 1e-7);
  EXPECT_THAT(scene.notices, IsEmpty());
}

TEST(GltfScene, SeventyTwoFramesAreThreeSecondsWhereverTheyBegin) {
  const auto duration = [](int first, const nlohmann::json& keys) {
    GltfBuilder file = builder(keys, nlohmann::json::object(), listener);
    std::vector<float> times, values;
    for (int i = first; i < first + 72; ++i) {
      times.push_back(static_cast<float>(i) / 24.0f);
      values.insert(values.end(), {0.01f * static_cast<float>(i), 0.0f, 0.0f});
    }
    file.animate(0, "translation", times, values);
    return read(file).duration;
  };
  EXPECT_EQ(duration(0, {{"peal", 1}}), 3.0);
  EXPECT_EQ(duration(1, {{"peal", 1}}), 3.0);
  EXPECT_EQ(duration(0, {{"peal", 1}, {"fps", 24}}), 3.0);
  EXPECT_EQ(duration(1, {{"peal", 1}, {"fps", 24}, {"frame_start", 1}}), 3.0);
}

TEST(GltfScene, KeysThatPeopleSetEndWithTheLast) {
  GltfBuilder file = builder({{"peal", 1}}, nlohmann::json::object(), listener);
  file.animate(0, "translation", {0.0f, 0.5f, 2.0f}, {0, 0, 0, 1, 0, 0, 0, 0, 0});
  EXPECT_EQ(read(file).duration, 2.0);
}

TEST(GltfScene, AFirstKeyOnFrameOneIsRemarked) {
  GltfBuilder file = builder(basic, nlohmann::json::object(), listener);
  file.animate(0, "translation", {1.0f / 24.0f, 1.0f}, {0, 0, 0, 1, 0, 0});
  EXPECT_THAT(read(file).notices, ElementsAre(HasSubstr("frame 1 at 24 frames per second")));
}

TEST(GltfScene, TheScaleOfANodeGoesIntoItsMesh) {
  GltfBuilder file = builder(basic, nlohmann::json::object(), listener);
  file.json["nodes"][0]["scale"] = {2, 3, 1};
  const Scene scene = read(file);
  const Vec3 size = geometry::bounds(*scene.objects[0].mesh).sizes();
  EXPECT_LT((size - Vec3(2, 3, 0)).norm(), 1e-6);
}

TEST(GltfScene, AnAnimatedScaleIsRefused) {
  GltfBuilder file = builder(basic, nlohmann::json::object(), listener);
  file.animate(0, "scale", {0, 1}, {1, 1, 1, 2, 2, 2});
  EXPECT_THAT(scene_complaint(file),
              HasSubstr("nodes[\"bell\"].extras.peal: the object cannot move"));
}

TEST(GltfScene, AnObjectMayHaveAnotherShapeThanItsNode) {
  const Scene scene = read(builder(basic, {{"shape", {{"sphere", 0.5}}}}, listener));
  EXPECT_GT(scene.objects[0].mesh->triangles.size(), 100u);
}

TEST(GltfScene, MistakesAreNamedWithTheNode) {
  EXPECT_THAT(scene_complaint(builder(basic, {{"materal", "steel"}}, listener)),
              HasSubstr("a.glb: nodes[\"bell\"].extras.peal.materal: unknown key"));
  EXPECT_THAT(scene_complaint(builder(basic, {{"motion", "fixed"}}, listener)),
              HasSubstr("extras.peal.motion: the glTF node already says where it is"));
  EXPECT_THAT(scene_complaint(builder(basic, "{material}", listener)),
              HasSubstr("nodes[\"bell\"].extras.peal: line 1, column 2: a key was expected"));
  EXPECT_THAT(scene_complaint(builder({{"duration", 2}}, nlohmann::json::object(), listener)),
              HasSubstr("scene.extras.peal: \"peal\" is missing"));
  EXPECT_THAT(scene_complaint(builder(nullptr, nlohmann::json::object(), listener)),
              HasSubstr("the glTF scene has no extras.peal"));
  EXPECT_THAT(scene_complaint(builder(basic, nlohmann::json::object(), nullptr)),
              HasSubstr("no node is a listener"));
  EXPECT_THAT(scene_complaint(builder(basic, nlohmann::json::object(),
                                      {{"listener", {{"mono", {{"position", {0, 0, 0}}}}}}})),
              HasSubstr("nodes[\"ears\"].extras.peal.listener.mono.position: the glTF node"));
}

TEST(GltfScene, MeshesWithoutKeysAreTold) {
  GltfBuilder file = builder(basic, nlohmann::json::object(), listener);
  file.push("nodes", {{"name", "wall"}, {"mesh", 0}});
  file.json["scenes"][0]["nodes"] = {0, 1, 2};
  EXPECT_THAT(read(file).notices, ElementsAre(HasSubstr("left out: wall")));
}

TEST(GltfScene, AGlbFileIsASceneByItself) {
  const Scene scene = read_scene(data_folder() / "robot.glb");
  EXPECT_EQ(scene.objects[0].name, "arm");
  EXPECT_EQ(scene.listeners[0].name, "ears");
  EXPECT_NEAR(scene.duration, 25.0 / 24.0, 1e-6);
}

}  // namespace
}  // namespace peal::scene
