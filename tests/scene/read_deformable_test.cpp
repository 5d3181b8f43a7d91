#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scene/scene_text.h"

namespace peal::scene {
namespace {

using testing::HasSubstr;

const std::string rays = R"("radiation": {"model": "rays"},)";

std::string bar(const std::string& deformable, const std::string& more = "") {
  return scene_with_objects(R"({"name": "bar", "shape": {"box": [0.3, 0.01, 0.02]},
                                "material": "steel", "motion": {"deformable": {)" +
                                deformable + "}}" + more + "}",
                            rays);
}

TEST(ReadDeformable, ABodyIsCutHeldAndStartedAsItSays) {
  const Scene scene = parse(bar(R"("position": [0, 1, 0], "velocity": [1, 2, 3],
      "angular_velocity": [0, 4, 0], "elements": "hexahedra", "divisions": [15, 1, 2],
      "step": 1e-6, "self_contact": true, "settle": 0.2,
      "pinned": ["-x", {"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}}],
      "grips": [{"region": "+x", "motion": {"keyframes": [{"t": 0, "position": [0, 0, 0]},
                                                          {"t": 1, "position": [0, 0.1, 0]}]}}])"));
  const Object& object = scene.objects[0];
  ASSERT_NE(object.deformable(), nullptr);
  const Deformable& body = *object.deformable();
  EXPECT_EQ(object.path.chain.at(0).translation.values.at(0), Vec3(0, 1, 0));
  EXPECT_EQ(body.velocity, Vec3(1, 2, 3));
  EXPECT_EQ(body.angular_velocity, Vec3(0, 4, 0));
  EXPECT_EQ(body.elements, Deformable::Elements::hexahedra);
  EXPECT_EQ(body.divisions->at(0), 15);
  EXPECT_EQ(body.step, 1e-6);
  EXPECT_TRUE(body.self_contact);
  EXPECT_EQ(body.settle, 0.2);
  ASSERT_EQ(body.held.size(), 3u);
  EXPECT_TRUE(body.held[0].box.contains(Vec3(-0.15, 0.005, -0.01)));
  EXPECT_FALSE(body.held[0].box.contains(Vec3(-0.14, 0, 0)));
  EXPECT_EQ(body.held[1].box.max(), Vec3(0.1, 0.1, 0.1));
  EXPECT_FALSE(body.held[1].motion);
  EXPECT_TRUE(body.held[2].box.contains(Vec3(0.15, 0.005, -0.01)));
  EXPECT_EQ(body.held[2].motion->chain.at(0).translation.values.at(1), Vec3(0, 0.1, 0));
  EXPECT_FALSE(object.collision_shape) << "other bodies meet its elements, not a rigid shape";
}

TEST(ReadDeformable, AMeshThatIsABoxIsCutAsOneWhereItLies) {
  const auto object = [](const char* keys) {
    return parse(scene_with_objects(std::string(keys) + R"(, "material": "steel",
                                    "motion": {"deformable": {}}})",
                                    rays))
        .objects[0];
  };
  const Object block = object(R"({"mesh": "mug.obj", "scale": 0.001)");  // 80 x 100 x 80 mm
  ASSERT_TRUE(block.hexahedra);
  const auto& box = std::get<geometry::HexBoxShape>(*block.hexahedra);
  EXPECT_NEAR((box.size - Vec3(0.08, 0.1, 0.08)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((box.centre - Vec3(0, 0.05, 0)).norm(), 0.0, 1e-12);
  const geometry::Box bounds = geometry::bounds(*block.mesh);
  for (const Vec3& node : geometry::hexes_of(box, 0.02).vertices) {
    EXPECT_LT(bounds.exteriorDistance(node), 1e-12);
  }
  EXPECT_FALSE(object(R"({"shape": {"sphere": 0.05})").hexahedra);
}

TEST(ReadDeformable, StrikesNeedNoOtherSound) {
  const std::string strike = R"(, "strikes": [{"t": 0, "at": [0.15, 0, 0], "force": {)";
  EXPECT_EQ(parse(bar("", strike + R"("impulse": 0.1}}])")).objects[0].strikes.size(), 1u);
  EXPECT_THAT(complaint(bar("", strike + R"("energy": 0.1}}])")),
              HasSubstr("\"impulse\" at a point"));
}

std::string wall(const std::string& deformable, const std::string& more = "") {
  return scene_with_objects(R"({"name": "sheet", "shape": {"plane": [0.3, 0.2]}, "thickness": 0.001,
                                "material": "steel", "motion": {"deformable": {)" +
                                deformable + "}}" + more + "}",
                            rays);
}

TEST(ReadDeformable, AThinWallLiesOnFeltAndIsStruckByHammers) {
  const std::string hammer =
      R"(, "strikes": [{"t": 0, "at": [0.1, 0, 0], "hammer": {"speed": 2, "mass": 0.03,
          "radius": 0.01, "material": "oak"}}])";
  const Scene scene = parse(wall(R"("elements": "shells", "air_loss": false,
      "supports": [{"region": {"box": {"min": [-0.1, -1, -0.1], "max": [0.1, 1, 0.1]}},
                    "stiffness": 2000, "damping": 3}])",
                                 hammer));
  const Object& object = scene.objects[0];
  ASSERT_TRUE(object.shell);
  const Deformable& body = *object.deformable();
  EXPECT_EQ(body.elements, Deformable::Elements::shells);
  EXPECT_FALSE(body.air_loss);
  ASSERT_EQ(body.supports.size(), 1u);
  EXPECT_EQ(body.supports[0].box.max(), Vec3(0.1, 1.0, 0.1));
  EXPECT_EQ(body.supports[0].stiffness, 2000.0);
  EXPECT_EQ(body.supports[0].damping, 3.0);
  EXPECT_EQ(object.strikes.at(0).hammer->mass, 0.03);
  EXPECT_THAT(complaint(bar("", hammer)), HasSubstr("hammers for that and for shells"));
  EXPECT_THAT(complaint(wall(R"("supports": [{"region": "-x", "stiffness": -1}])")),
              HasSubstr("objects[0].motion.deformable.supports[0].stiffness"));
  EXPECT_THAT(complaint(wall(R"("supports": [{"region": "-x"}])")), HasSubstr("stiffness"));
}

TEST(ReadDeformable, NoRegionsAreAsGoodAsNone) {
  const Scene scene = parse(bar(R"("pinned": [], "grips": [])"));
  EXPECT_TRUE(scene.objects[0].deformable()->held.empty());
}

TEST(ReadDeformable, WhatIsMissingOrDoubleIsTold) {
  const auto says = [](const std::string& scene, const char* words) {
    EXPECT_THAT(complaint(scene), HasSubstr(words));
  };
  const auto object = [](const std::string& keys) {
    return scene_with_objects("{" + keys + R"(, "motion": {"deformable": {}}})", rays);
  };
  says(object(R"("shape": {"box": [1, 1, 1]})"), "needs a material");
  says(object(R"("shape": {"plane": [1, 1]}, "material": "oak")"), "without an inside");
  says(object(R"("material": "oak")"), "needs a shape");
  says(bar("", R"(, "sound": ["modal"])"), "makes sound by its own motion");
  says(bar(R"("pinned": ["left"])"), "objects[0].motion.deformable.pinned[0]");
  says(bar(R"("grips": [{"region": "-x"}])"), "motion");
  says(bar(R"("divisions": [1, 2])"), "objects[0].motion.deformable.divisions");
  says(bar(R"("divisions": [1, 2, 3], "element_size": 0.1)"), "element_size");
  says(bar(R"("step": 1)"), "objects[0].motion.deformable.step");
  says(scene_with_objects(R"({"shape": {"box": [1, 1, 1]}, "material": "oak",
                              "motion": {"deformable": {}}})"),
       "radiation.model");
  says(scene_with_objects(R"({"shape": {"box": [1, 1, 1]}, "motion": {"deformable": {}},
                              "material": {"base": "rubber", "poisson_ratio": 0.5}})",
                          rays),
       "objects[0].material.poisson_ratio");
}

}  // namespace
}  // namespace peal::scene
