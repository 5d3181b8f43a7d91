#include <peal/dynamics/morph_targets.h>
#include <peal/scene/gltf_scene.h>

#include <gmock/gmock.h>

#include <numbers>

#include "../scene/gltf_builder.h"

namespace peal::dynamics {
namespace {

using base::Vec3;
using scene::GltfBuilder;
using scene::GltfFile;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kQuarterTurn = std::numbers::pi / 2.0;
/// A tenth of the 0.1 mm that a viewer may differ, for vertices within 3 m.
constexpr double kTolerance = 1e-5;  // [m]
constexpr float kThickness = 0.25f;  // of the arm below [m]

/// An arm along X from 0 to 2 m whose elbow is at 1 m: node 0 is the mesh, 1 the shoulder, 2 the
/// elbow. The vertices at 0 m follow the shoulder, those at 2 m the elbow and those at 1 m both.
/// The mesh's node stands elsewhere, which a skinned mesh must ignore.
GltfBuilder arm() {
  const float h = kThickness;
  GltfBuilder b;
  const int position = b.floats({0, 0, 0, 0, h, 0, 1, 0, 0, 1, h, 0, 2, 0, 0, 2, h, 0}, "VEC3");
  const int joints = b.accessor<std::uint8_t>(
      {0, 9, 9, 9, 0, 9, 9, 9, 0, 1, 9, 9, 0, 1, 9, 9, 1, 0, 9, 9, 1, 0, 9, 9}, "VEC4", 5121);
  const int weights = b.floats(
      {1, 0, 0, 0, 1, 0, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
  const int indices =
      b.accessor<std::uint16_t>({0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5}, "SCALAR", 5123);
  const int bind = b.floats({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1,   //
                             1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1},  //
                            "MAT4");
  nlohmann::json attributes = {{"POSITION", position}, {"JOINTS_0", joints}};
  attributes["WEIGHTS_0"] = weights;
  b.push("meshes", {{"primitives", {{{"attributes", attributes}, {"indices", indices}}}}});
  b.push("skins", {{"joints", {1, 2}}, {"inverseBindMatrices", bind}});
  b.push("nodes", {{"name", "arm"}, {"mesh", 0}, {"skin", 0}, {"translation", {7, 8, 9}}});
  b.push("nodes", {{"name", "shoulder"}, {"children", {2}}});
  b.push("nodes", {{"name", "elbow"}, {"translation", {1, 0, 0}}});
  b.push("scenes", {{"nodes", {0, 1}}});
  return b;
}

/// The elbow turns about Z from 0 to a right angle between t = 0 and 1 s.
void bend(GltfBuilder& b, const char* interpolation = "LINEAR") {
  const float r = std::sqrt(0.5f);
  b.animate(2, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, r, r}, interpolation);
}

/// The vertices in the order of arm(), whatever the reader's order.
std::vector<Vec3> positions(const GltfFile& file, double t) {
  const auto& rest = file.meshes.at(0).vertices;
  std::vector<Vec3> moved = scene::mesh_of(file, 0).vertices;
  if (const auto morph = scene::morph_of(file, 0)) MorphTargetDeformation(morph).vertices(t, moved);
  std::vector<Vec3> ordered(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto place = 2 * std::lround(rest[i].x()) + std::lround(rest[i].y() / kThickness);
    ordered.at(static_cast<std::size_t>(place)) = moved[i];
  }
  return ordered;
}

void expect_near(const std::vector<Vec3>& found, const std::vector<Vec3>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT((found[i] - expected[i]).norm(), kTolerance) << "vertex " << i << ": " << found[i];
}

Vec3 turned(double angle, const Vec3& v) {
  return {std::cos(angle) * v.x() - std::sin(angle) * v.y(),
          std::sin(angle) * v.x() + std::cos(angle) * v.y(), v.z()};
}

/// Where the arm's vertices are by hand, its elbow bent by `angle`.
std::vector<Vec3> bent_arm(double angle) {
  const double h = kThickness;
  const Vec3 elbow(1, 0, 0);
  const auto fore = [&](double x, double y) -> Vec3 {
    return elbow + turned(angle, {x - 1.0, y, 0});
  };
  const auto both = [&](double y) -> Vec3 { return 0.5 * Vec3(1, y, 0) + 0.5 * fore(1, y); };
  return {{0, 0, 0}, {0, h, 0}, both(0), both(h), fore(2, 0), fore(2, h)};
}

TEST(Skin, ATwoBoneArmBendsAsByHandAtAnyTime) {
  GltfBuilder b = arm();
  bend(b);
  for (const GltfFile& file : {scene::parse(b), scene::parse_gltf(b.glb(), "arm.glb", "")}) {
    EXPECT_THAT(file.notices, IsEmpty());
    for (const double t : {-1.0, 0.0, 0.1, 1.0 / 3.0, 0.77, 1.0, 5.0}) {
      SCOPED_TRACE(t);
      expect_near(positions(file, t), bent_arm(kQuarterTurn * std::clamp(t, 0.0, 1.0)));
    }
    EXPECT_THAT(scene::motion_of(file, 0).chain, IsEmpty()) << "joints alone place the mesh";
  }
}

TEST(Skin, JointsMoveByStepsAndSplines) {
  GltfBuilder steps = arm();
  bend(steps, "STEP");
  expect_near(positions(scene::parse(steps), 0.999), bent_arm(0.0));
  expect_near(positions(scene::parse(steps), 1.0), bent_arm(kQuarterTurn));

  // The shoulder rises by 3 f^2 - 2 f^3 and the whole arm with it.
  GltfBuilder spline = arm();
  const std::vector<float> keys = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
  spline.animate(1, "translation", {0, 2}, keys, "CUBICSPLINE");
  for (const double t : {0.3, 1.0, 1.9}) {
    const double f = t / 2.0;
    std::vector<Vec3> expected = bent_arm(0.0);
    for (Vec3& v : expected) v.y() += 3 * f * f - 2 * f * f * f;
    expect_near(positions(scene::parse(spline), t), expected);
  }
}

TEST(Skin, AncestorsOfAJointMoveItAndUnevenScalesShear) {
  // The armature doubles X, stands at Z = 3 and is not a joint itself.
  GltfBuilder b = arm();
  bend(b);
  b.push("nodes", {{"children", {1}}, {"translation", {0, 0, 3}}, {"scale", {2, 1, 1}}});
  b.json["scenes"][0]["nodes"] = {0, 3};
  for (const double t : {0.25, 0.6}) {
    std::vector<Vec3> expected = bent_arm(kQuarterTurn * t);
    for (Vec3& v : expected) v = {2.0 * v.x(), v.y(), v.z() + 3.0};
    expect_near(positions(scene::parse(b), t), expected);
  }
}

TEST(Skin, MorphTargetsActBeforeTheJoints) {
  // The target lifts the end of the arm by 0.5 m along Y of the mesh.
  GltfBuilder b = arm();
  bend(b);
  const int lift = b.floats({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .5f, 0, 0, .5f, 0}, "VEC3");
  b.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", lift}}};
  const auto lifted = [](double angle, double weight) {
    std::vector<Vec3> expected = bent_arm(angle);
    for (const int i : {4, 5}) expected[i] += turned(angle, {0, 0.5 * weight, 0});
    return expected;
  };
  b.json["meshes"][0]["weights"] = {2};
  expect_near(positions(scene::parse(b), 1.0), lifted(kQuarterTurn, 2.0));
  b.animate(0, "weights", {0, 2}, {0, 1});
  expect_near(positions(scene::parse(b), 0.5), lifted(0.5 * kQuarterTurn, 0.25));
}

TEST(Skin, WeightsOfAnySizeAndAnyNumberOfSetsAreScaledToOne) {
  GltfBuilder b = arm();
  bend(b);
  nlohmann::json& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["WEIGHTS_0"] =
      b.accessor<std::uint8_t>({200, 0, 0, 0, 255, 0, 0, 0, 127, 127, 0, 0,  //
                                9,   9, 0, 0, 255, 0, 0, 0, 255, 0,   0, 0},
                               "VEC4", 5121, true);
  expect_near(positions(scene::parse(b), 0.4), bent_arm(0.4 * kQuarterTurn));

  // The shoulder in the fourth place of set 0, the elbow in set 1; a third for the elbow's
  // vertices.
  const std::uint16_t one = 65535, third = 21845;
  attributes["JOINTS_0"] =
      b.accessor<std::uint16_t>(std::vector<std::uint16_t>(24, 0), "VEC4", 5123);
  attributes["JOINTS_1"] =
      b.accessor<std::uint16_t>(std::vector<std::uint16_t>(24, 1), "VEC4", 5123);
  std::vector<std::uint16_t> upper(24, 0), fore(24, 0);
  upper[3] = upper[7] = one;
  upper[11] = upper[15] = 2 * third;
  fore[8] = fore[12] = third;
  fore[17] = fore[22] = one;
  attributes["WEIGHTS_0"] = b.accessor(upper, "VEC4", 5123, true);
  attributes["WEIGHTS_1"] = b.accessor(fore, "VEC4", 5123, true);
  std::vector<Vec3> expected = bent_arm(kQuarterTurn);
  expected[3] = 2.0 / 3.0 * Vec3(1, kThickness, 0) + 1.0 / 3.0 * Vec3(1.0 - kThickness, 0, 0);
  expect_near(positions(scene::parse(b), 1.0), expected);
}

TEST(Skin, ASkeletonThatRestsPosesTheMeshOnce) {
  GltfBuilder b = arm();
  const float r = std::sqrt(0.5f);
  b.json["nodes"][2]["rotation"] = {0, 0, r, r};
  const GltfFile file = scene::parse(b);
  EXPECT_EQ(scene::morph_of(file, 0), nullptr);
  expect_near(positions(file, 0.0), bent_arm(kQuarterTurn));
  // Without inverse bind matrices a joint's frame is that of the mesh.
  b.json["skins"][0].erase("inverseBindMatrices");
  EXPECT_LT((positions(scene::parse(b), 0.0)[4] - Vec3(1, 2, 0)).norm(), kTolerance);
}

TEST(Skin, ASceneTakesTheCharacterOnItsClock) {
  GltfBuilder b = arm();
  const float r = std::sqrt(0.5f);
  b.animate(2, "rotation", {1 / 24.0f, 25 / 24.0f}, {0, 0, 0, 1, 0, 0, r, r});
  b.json["nodes"][0]["extras"]["peal"] = nlohmann::json::object();
  b.json["scenes"][0]["extras"]["peal"] = nlohmann::json::parse(
      R"({"peal": 1, "fps": 24, "frame_start": 1, "listeners": [{"mono": {}}]})");
  const scene::Scene found = scene::gltf_scene(scene::parse(b), "");
  const auto* const morphed = found.objects.at(0).morphed();
  ASSERT_NE(morphed, nullptr);
  EXPECT_THAT(found.objects[0].path.chain, IsEmpty());
  std::vector<Vec3> moved(6);
  MorphTargetDeformation(morphed->targets).vertices(0.5, moved);
  double highest = 0.0;
  for (const Vec3& v : moved) highest = std::max(highest, v.y());
  EXPECT_NEAR(highest, std::sqrt(0.5) * (1.0 + kThickness), kTolerance);
  // A scaled object scales what the joints made.
  const auto twice = std::make_shared<scene::MorphTargets>(
      scene::transformed(*morphed->targets, 2.0 * geometry::Mat3::Identity()));
  std::vector<Vec3> larger(6);
  MorphTargetDeformation(twice).vertices(0.5, larger);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_LT((larger[i] - 2.0 * moved[i]).norm(), 1e-12);
}

TEST(Skin, WhatIsWrongIsAnErrorWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([{"op": "replace", "path": "/nodes/0/skin", "value": 1}])",
       "nodes[0].skin: is 1, but the file has 1 skins"},
      {R"([{"op": "replace", "path": "/skins/0/joints", "value": []}])",
       "skins[0].joints: a skin needs at least one joint"},
      {R"([{"op": "replace", "path": "/skins/0/joints/1", "value": 8}])",
       "skins[0].joints[1]: is 8, but the file has 3 nodes"},
      {R"([{"op": "replace", "path": "/skins/0/joints", "value": [1]}])",
       "nodes[0].skin: meshes[0] names joint 1, but the skin has 1"},
      {R"([{"op": "add", "path": "/skins/0/skeleton", "value": 3}])", "skins[0].skeleton: is 3"},
      {R"([{"op": "replace", "path": "/skins/0/joints", "value": [1, 2, 2]}])",
       "inverseBindMatrices: has 2 matrices, but the skin has 3 joints"},
      {R"([{"op": "remove", "path": "/meshes/0/primitives/0/attributes/WEIGHTS_0"}])",
       "attributes: lacks \"WEIGHTS_0\""},
      {R"([{"op": "remove", "path": "/meshes/0/primitives/0/attributes/JOINTS_0"}])",
       "attributes: lacks \"JOINTS_0\""},
      {R"([{"op": "replace", "path": "/accessors/1/count", "value": 5}])",
       "JOINTS_0: is for 5 vertices, but there are 6"},
      {R"([{"op": "replace", "path": "/accessors/1/componentType", "value": 5126}])",
       "must be 5121 or 5123"},
      {R"([{"op": "add", "path": "/nodes/2/children", "value": [1]}])", "cycle"},
  };
  for (const auto& [patch, message] : cases) {
    GltfBuilder b = arm();
    b.json = b.json.patch(nlohmann::json::parse(patch));
    EXPECT_THAT(complaint(b), HasSubstr(message)) << patch;
  }
  const auto complaint_with = [](int accessor, const std::vector<float>& numbers) {
    GltfBuilder b = arm();
    const std::size_t offset =
        b.json["bufferViews"][static_cast<std::size_t>(accessor)]["byteOffset"];
    std::memcpy(b.binary.data() + offset, numbers.data(), numbers.size() * sizeof(float));
    return complaint(b);
  };
  EXPECT_THAT(complaint_with(2, {0, 0, 0, 0}), HasSubstr("nodes[0].skin: the vertex of meshes[0] "
                                                         "at (0, 0, 0) follows no joint"));
  EXPECT_THAT(complaint_with(2, {1.5f, -0.5f}), HasSubstr("a weight of vertex 0 is negative"));
  EXPECT_THAT(complaint_with(2, {NAN}), HasSubstr("element 0 is not a finite number"));
  EXPECT_THAT(complaint_with(4, {1, 0, 0, 0.5f}),
              HasSubstr("the last row of matrix 0 is not 0 0 0 1"));
}

TEST(Skin, JointsThatLeadAwayForEverAreRefused) {
  GltfBuilder b = arm();
  b.json["nodes"][2]["translation"] = {1e300, 0, 0};
  const GltfFile file = scene::parse(b);
  EXPECT_THROW(scene::mesh_of(file, 0), util::InputError);
  GltfBuilder two = arm();
  bend(two);
  two.animate(2, "rotation", {0, 1}, {0, 0, 0, 1, 1, 0, 0, 0});
  const GltfFile conflict = scene::parse(two);
  EXPECT_THROW(scene::morph_of(conflict, 0), util::InputError) << "two animations disagree";
}

}  // namespace
}  // namespace peal::dynamics
