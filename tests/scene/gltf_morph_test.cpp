#include <peal/scene/gltf.h>
#include <peal/scene/gltf_scene.h>

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gltf_builder.h"
#include "scene_text.h"

namespace peal::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A square of two triangles that share no vertices. Target 0 lifts the corners of the first
/// triangle, target 1 is sparse and pushes the far corner of the second along Z.
GltfBuilder flap() {
  GltfBuilder b;
  const int position = b.floats({0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1}, "VEC3");
  const int lift = b.floats({0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, "VEC3");
  const int indices = b.accessor<std::uint16_t>({5}, "SCALAR", 5123);
  const int values = b.floats({0, 0, 2}, "VEC3");
  const auto view = [&](int accessor) { return b.json["accessors"][accessor]["bufferView"]; };
  const int push =
      b.push("accessors", {{"componentType", 5126},
                           {"count", 6},
                           {"type", "VEC3"},
                           {"sparse",
                            {{"count", 1},
                             {"indices", {{"bufferView", view(indices)}, {"componentType", 5123}}},
                             {"values", {{"bufferView", view(values)}}}}}});
  nlohmann::json primitive = {{"attributes", {{"POSITION", position}}}};
  primitive["targets"] = {nlohmann::json{{"POSITION", lift}}, nlohmann::json{{"POSITION", push}}};
  b.push("meshes", {{"primitives", {primitive}}});
  b.push("nodes", {{"name", "flap"}, {"mesh", 0}});
  b.push("scenes", {{"nodes", {0}}});
  return b;
}

TEST(GltfMorph, VerticesThatPartAreNotWelded) {
  const GltfFile file = parse(flap());
  // (0, 0, 0) is lifted in one triangle only; (1, 0, 1) moves alike in both.
  EXPECT_EQ(file.meshes[0].vertices.size(), 5u);
  ASSERT_EQ(file.morphs[0].displacements.size(), 2u);
  EXPECT_EQ(file.morphs[0].displacements[0].size(), 5u);
  EXPECT_THAT(file.notices, IsEmpty());
}

TEST(GltfMorph, FixedWeightsShapeTheMeshAndANodesWeightsGoFirst) {
  GltfBuilder b = flap();
  EXPECT_EQ(geometry::bounds(mesh_of(parse(b), 0)).max(), Vec3(1, 0, 1));
  b.json["meshes"][0]["weights"] = {0.5, 1};
  EXPECT_EQ(geometry::bounds(mesh_of(parse(b), 0)).max(), Vec3(1, 0.5, 3));
  b.json["nodes"][0]["weights"] = {2, 0};
  EXPECT_EQ(geometry::bounds(mesh_of(parse(b), 0)).max(), Vec3(1, 2, 1));
  EXPECT_EQ(morph_of(parse(b), 0), nullptr) << "nothing moves";
}

TEST(GltfMorph, KeyedWeightsAreRead) {
  GltfBuilder b = flap();
  b.json["meshes"][0]["weights"] = {0.5, 1};
  b.animate(0, "weights", {1, 2, 3}, {0, 0, 1, 0, 0, 0.25}, "STEP");
  const GltfFile file = parse(b);
  EXPECT_EQ(file.duration, 3.0);
  const auto morph = morph_of(file, 0);
  ASSERT_TRUE(morph);
  EXPECT_EQ(morph->base, file.meshes[0].vertices);
  EXPECT_EQ(morph->weights.interpolation, Interpolation::step);
  EXPECT_THAT(morph->weights.times, ElementsAre(1, 2, 3));
  EXPECT_EQ(morph->weights.values[1], Eigen::Vector2d(1, 0));
  EXPECT_EQ(morph->weights.values[2], Eigen::Vector2d(0, 0.25));
  EXPECT_EQ(geometry::bounds(mesh_of(file, 0)).max(), Vec3(1, 0, 1)) << "as at the first key";
  EXPECT_EQ(shifted(*morph, -1.0).weights.times[0], 0.0);
}

TEST(GltfMorph, ASplineHasTangentsOfAllTargetsBeforeAndAfterTheValues) {
  GltfBuilder b = flap();
  b.animate(0, "weights", {0, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, "CUBICSPLINE");
  const auto morph = morph_of(parse(b), 0);
  ASSERT_TRUE(morph);
  EXPECT_EQ(morph->weights.in_tangents[0], Eigen::Vector2d(1, 2));
  EXPECT_EQ(morph->weights.values[0], Eigen::Vector2d(3, 4));
  EXPECT_EQ(morph->weights.out_tangents[0], Eigen::Vector2d(5, 6));
  EXPECT_EQ(morph->weights.values[1], Eigen::Vector2d(9, 10));
}

TEST(GltfMorph, ATargetWithoutPositionsMovesNothing) {
  GltfBuilder b = flap();
  b.json["meshes"][0]["primitives"][0]["targets"][0] = {{"NORMAL", 1}};
  b.json["meshes"][0]["weights"] = {1, 0};
  EXPECT_EQ(geometry::bounds(mesh_of(parse(b), 0)).max(), Vec3(1, 0, 1));
}

TEST(GltfMorph, WhatDoesNotFitIsAnErrorWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([{"op": "add", "path": "/meshes/0/weights", "value": [1]}])",
       "meshes[0].weights: has 1 weights, but the mesh has 2 morph targets"},
      {R"([{"op": "add", "path": "/nodes/0/weights", "value": [1, 2, 3]}])",
       "nodes[0].weights: has 3 weights"},
      {R"([{"op": "add", "path": "/meshes/0/weights", "value": [1, 1e300]}])",
       "meshes[0].weights[1]: must be between"},
      {R"([{"op": "replace", "path": "/accessors/1/count", "value": 5}])",
       "primitives[0].targets[0].POSITION: moves 5 vertices, but there are 6"},
      {R"([{"op": "add", "path": "/meshes/0/primitives/1",
            "value": {"attributes": {"POSITION": 0}}}])",
       "meshes[0].primitives[1]: has 0 morph targets, but the mesh's first primitive has 2"},
  };
  for (const auto& [patch, message] : cases) {
    GltfBuilder b = flap();
    b.json = b.json.patch(nlohmann::json::parse(patch));
    EXPECT_THAT(complaint(b), HasSubstr(message)) << patch;
  }
  GltfBuilder b = flap();
  b.animate(0, "weights", {0, 1}, {0, 0, 0});
  EXPECT_THAT(complaint(b), HasSubstr("has 3 weights, but 2 keys of 2 morph targets need 4"));
}

TEST(GltfMorph, TwoAnimationsThatDisagreeAreToldToWhoNeedsThem) {
  GltfBuilder b = flap();
  b.animate(0, "weights", {0, 1}, {0, 0, 1, 1});
  b.animate(0, "weights", {0, 1}, {0, 0, 1, 2});
  const GltfFile file = parse(b);
  EXPECT_THROW(morph_of(file, 0), util::InputError);
}

/// The flap as a scene by itself: twice as large, from frame 1 at 24 frames per second.
GltfBuilder flap_scene(const nlohmann::json& keys) {
  GltfBuilder b = flap();
  b.animate(0, "weights", {1 / 24.0f, 25 / 24.0f}, {0, 0, 1, 0});
  b.json["nodes"][0]["scale"] = {2, 2, -2};
  b.json["nodes"][0]["extras"]["peal"] = keys;
  b.json["scenes"][0]["extras"]["peal"] = nlohmann::json::parse(
      R"({"peal": 1, "fps": 24, "frame_start": 1, "listeners": [{"mono": {}}]})");
  return b;
}

TEST(GltfMorph, ASceneTakesShapesAtItsScaleAndOnItsClock) {
  const Scene scene = gltf_scene(parse(flap_scene(nlohmann::json::object())), "");
  EXPECT_NEAR(scene.duration, 25.0 / 24.0, 1e-6);
  const auto& morph = scene.objects.at(0).morphed()->targets;
  ASSERT_TRUE(morph);
  EXPECT_NEAR(morph->weights.times[0], 0.0, 1e-6);
  EXPECT_EQ(morph->base, scene.objects[0].mesh->vertices);
  EXPECT_EQ(morph->displacements[0][0], Vec3(0, 2, 0));
}

TEST(GltfMorph, ASpeakerOnAMorphedSurfaceTakesNumbersButNoBox) {
  const auto speaker = [](const std::string& faces) {
    return nlohmann::json::parse(R"({"sound": [{"speaker": {"tone": 100, "faces": )" + faces +
                                 "}}]}");
  };
  EXPECT_NO_THROW(gltf_scene(parse(flap_scene(speaker("[1]"))), ""));
  try {
    gltf_scene(parse(flap_scene(speaker(R"({"box": {"min": [-9, -9, -9], "max": [9, 9, 9]}})"))),
               "");
    ADD_FAILURE();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a deforming surface"));
  }
}

class GltfMorphFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("peal-morph-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(GltfMorphFile, AMeshOfAJsonSceneBringsItsKeyedShapes) {
  GltfBuilder b = flap();
  b.animate(0, "weights", {0, 1}, {0, 0, 1, 0});
  std::ofstream(folder_ / "flap.glb") << b.glb();
  const Scene scene = parse_scene(
      scene_with_objects(
          R"({"mesh": "flap.glb#flap", "scale": 3, "motion": {"gltf": "flap.glb#flap"}})"),
      "scene.json", folder_);
  const auto& morph = scene.objects.at(0).morphed()->targets;
  ASSERT_TRUE(morph);
  EXPECT_EQ(morph->base, scene.objects[0].mesh->vertices);
  EXPECT_EQ(morph->displacements[0][0], Vec3(0, 3, 0));
}

TEST_F(GltfMorphFile, FacesAreNamedByMaterialWhateverTheScales) {
  GltfBuilder b;
  const int left = b.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  const int right = b.floats({0, 0, 0, 0, 1, 0, -1, 0, 0}, "VEC3");
  b.json["materials"] = {nlohmann::json{{"name", "wood"}}, nlohmann::json{{"name", "cone"}}};
  b.push("meshes", {{"primitives",
                     {nlohmann::json{{"attributes", {{"POSITION", left}}}, {"material", 0}},
                      nlohmann::json{{"attributes", {{"POSITION", right}}}, {"material", 1}}}}});
  b.push("nodes", {{"name", "box"}, {"mesh", 0}, {"scale", {-2, 3, 4}}});
  std::ofstream(folder_ / "box.glb") << b.glb();
  const auto scene_with = [](const std::string& faces) {
    return scene_with_objects(
        R"({"mesh": "box.glb", "scale": 0.5, "motion": {"gltf": "box.glb#box"},
        "sound": [{"speaker": {"tone": 100, "faces": ")" +
        faces + R"("}}]})");
  };
  const Scene scene = parse_scene(scene_with("cone"), "scene.json", folder_);
  const geometry::TriMesh& mesh = *scene.objects[0].mesh;
  EXPECT_EQ(mesh.groups, (std::vector<std::string>{"wood", "cone"}));
  EXPECT_EQ(mesh.triangle_group, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_NEAR(geometry::area_vector(mesh, 1).norm(), 0.5 * 1 * 1.5, 1e-12);
  try {
    parse_scene(scene_with("come"), "scene.json", folder_);
    ADD_FAILURE();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Did you mean \"cone\"? Known: wood, cone."));
  }
}

}  // namespace
}  // namespace peal::scene
