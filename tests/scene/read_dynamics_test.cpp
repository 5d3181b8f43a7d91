#include <peal/scene/body_mass.h>
#include <peal/util/files.h>
#include <peal/util/scratch_folder.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene/scene_text.h"

namespace peal::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string steel_ball =
    R"({"name": "ball", "shape": {"sphere": 0.01}, "material": "steel", "motion": {"rigid": {)";

TEST(ReadDynamics, AFreeBodyStartsWhereAndAsFastAsItSays) {
  const Scene scene = parse(scene_with_objects(
      steel_ball + R"("position": [0, 1, 2], "velocity": [3, 0, 0], "angular_velocity": [0, 4, 0]}},
        "contact": {"friction": 0.2, "restitution": 0.9, "fillet": 0.001}})",
      R"("dynamics": {"gravity": [0, -1.6, 0], "step": 0.001, "min_speed": 0.1, "solver": "bullet"},)"));
  const Object& ball = scene.objects[0];
  ASSERT_NE(ball.rigid(), nullptr);
  EXPECT_EQ(ball.rigid()->velocity, Vec3(3, 0, 0));
  EXPECT_EQ(ball.rigid()->angular_velocity, Vec3(0, 4, 0));
  EXPECT_EQ(ball.path.chain.at(0).translation.values.at(0), Vec3(0, 1, 2));
  EXPECT_EQ(std::get<BallShape>(*ball.collision_shape).radius, 0.01);
  EXPECT_EQ(ball.contact.friction, 0.2);
  EXPECT_EQ(ball.contact.restitution, 0.9);
  EXPECT_EQ(scene.dynamics.gravity, Vec3(0, -1.6, 0));
  EXPECT_EQ(scene.dynamics.step, 0.001);
  EXPECT_EQ(scene.dynamics.solver, Solver::bullet);
}

TEST(ReadDynamics, AFreeBodyHasTheMassBetweenItsSurfaces) {
  // Cubes of 10 and 5 cm that both face inward: a box with a cavity.
  const auto cube = [](double half, int first) {
    std::string text;
    for (int i = 0; i < 8; ++i)
      text += fmt::format("v {} {} {}\n", i & 1 ? half : -half, i & 2 ? half : -half,
                          i & 4 ? half : -half);
    for (const auto& f : {std::array{1, 2, 4, 3},
                          {5, 7, 8, 6},
                          {1, 5, 6, 2},
                          {3, 4, 8, 7},
                          {1, 3, 7, 5},
                          {2, 6, 8, 4}})
      text +=
          fmt::format("f {} {} {} {}\n", f[0] + first, f[1] + first, f[2] + first, f[3] + first);
    return text;
  };
  const util::ScratchFolder folder;
  util::write_file(folder.path() / "hollow.obj", cube(0.05, 0) + cube(0.025, 8));
  const Scene scene = parse_scene(
      scene_with_objects(R"({"mesh": "hollow.obj", "material": "steel", "motion": {"rigid": {}}})"),
      "scene.json", folder.path());
  EXPECT_NEAR(body_mass(scene.objects[0]).mass, 7850.0 * (1e-3 - 1.25e-4), 1e-9);
  EXPECT_FALSE(scene.notices.empty());
}

TEST(ReadDynamics, ShapesCollideAsWhatTheyAre) {
  const Scene scene = parse(scene_with_objects(
      R"({"name": "a", "shape": {"box": [0.1, 0.2, 0.3]}, "contact": {"fillet": 0.002}},
         {"name": "b", "shape": {"rounded_box": {"size": [0.1, 0.2, 0.3], "radius": 0.01}}},
         {"name": "c", "shape": {"cylinder": {"radius": 0.1, "height": 0.02}}, "scale": 2},
         {"name": "d", "shape": {"lathe": {"profile": [[0, 0], [0.05, 0], [0.06, 0.1]], "wall": 0.003}}},
         {"name": "e", "shape": {"plane": [1, 1]}},
         {"name": "f", "shape": {"torus": {"radius": 0.1, "tube_radius": 0.01}}})"));
  EXPECT_EQ(std::get<BoxShape>(*scene.objects[0].collision_shape).fillet, 0.002);
  EXPECT_EQ(std::get<BoxShape>(*scene.objects[1].collision_shape).fillet, 0.01);
  const auto& cylinder = std::get<TurnedShape>(*scene.objects[2].collision_shape);
  EXPECT_EQ(cylinder.section.at(1), Vec2(0.2, -0.02));
  EXPECT_EQ(std::get<TurnedShape>(*scene.objects[3].collision_shape).section.size(), 6u);
  EXPECT_TRUE(std::holds_alternative<FloorShape>(*scene.objects[4].collision_shape));
  EXPECT_TRUE(std::holds_alternative<TurnedShape>(*scene.objects[5].collision_shape));
}

/// What an object of this shape collides as, if the word is given.
CollisionShape collision(const std::string& shape, const std::string& word) {
  return *parse(scene_with_objects(R"({"shape": {)" + shape + R"(}, "contact": {"collision": ")" +
                                   word + R"("}})"))
              .objects[0]
              .collision_shape;
}

TEST(ReadDynamics, MeshesThatAreBallsOrBoxesCollideAsThese) {
  const std::string ball = R"("sphere": 0.02)", box = R"("box": [0.1, 0.2, 0.3])";
  const std::string bar =
      R"("extrude": {"outline": [[0, 0], [0.2, 0], [0.2, 0.1], [0, 0.1]], "height": 0.1})";
  EXPECT_TRUE(std::holds_alternative<MeshShape>(collision(ball, "mesh")));
  EXPECT_NEAR(std::get<BallShape>(collision(ball, "sphere")).radius, 0.02, 1e-9);
  EXPECT_TRUE(std::holds_alternative<MeshShape>(collision(box, "mesh")));
  EXPECT_EQ(std::get<BoxShape>(collision(bar, "automatic")).size.x(), 0.2);
  EXPECT_NEAR(std::get<BoxShape>(collision(bar, "box")).centre.x(), 0.1, 1e-12);
  EXPECT_THAT(complaint(scene_with_objects(R"({"shape": {"box": [0.1, 0.2, 0.3]},
                                               "contact": {"collision": "sphere"}})")),
              HasSubstr("objects[0].contact.collision: its mesh is not a sphere"));
  EXPECT_FALSE(
      parse(scene_with_objects(R"({"shape": {"sphere": 1}, "contact": {"collision": "none"}})"))
          .objects[0]
          .collision_shape);
}

// Whatever their facets enclose.
TEST(BodyMassAnalytic, RoundBodiesWeighWhatTheyAre) {
  const Scene scene = parse(scene_with_objects(
      R"({"material": {"density": 1000, "young_modulus": 1e9, "poisson_ratio": 0.3},
          "shape": {"sphere": {"radius": 0.02, "edge_length": 0.02}}},
         {"material": {"density": 1000, "young_modulus": 1e9, "poisson_ratio": 0.3},
          "shape": {"cylinder": {"radius": 0.03, "height": 0.01, "edge_length": 0.02}}},
         {"material": {"density": 1000, "young_modulus": 1e9, "poisson_ratio": 0.3},
          "shape": {"lathe": {"profile": [[0.01, 0], [0.02, 0], [0.02, 0.04], [0.01, 0.04]],
                              "edge_length": 0.01}}})"));
  const geometry::MassProperties ball = body_mass(scene.objects[0]);
  EXPECT_NEAR(ball.mass, 4000.0 / 3.0 * M_PI * 8e-6, 1e-12);
  EXPECT_NEAR(ball.inertia(1, 1), 0.4 * ball.mass * 4e-4, 1e-15);
  const geometry::MassProperties disc = body_mass(scene.objects[1]);
  EXPECT_NEAR(disc.mass, 1000.0 * M_PI * 9e-4 * 0.01, 1e-12);
  EXPECT_NEAR(disc.inertia(1, 1), 0.5 * disc.mass * 9e-4, 1e-14);
  EXPECT_NEAR(disc.inertia(0, 0), disc.mass * (3.0 * 9e-4 + 1e-4) / 12.0, 1e-14);
  const geometry::MassProperties tube = body_mass(scene.objects[2]);
  EXPECT_NEAR(tube.mass, 1000.0 * M_PI * (4e-4 - 1e-4) * 0.04, 1e-12);
  EXPECT_NEAR(tube.centre.y(), 0.02, 1e-12);
  EXPECT_NEAR(tube.inertia(1, 1), 0.5 * tube.mass * (4e-4 + 1e-4), 1e-14);
  EXPECT_NEAR(tube.inertia(2, 2), tube.mass * (3.0 * (4e-4 + 1e-4) + 16e-4) / 12.0, 1e-14);
}

TEST(ReadDynamics, MeshesThatAreSolidsOfRevolutionCollideAsThese) {
  const auto prism = [](int corners) {
    std::string outline;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2.0 * M_PI * i / corners;
      outline += fmt::format("{}[{}, {}]", i > 0 ? ", " : "", 0.01 + 0.02 * std::cos(angle),
                             0.02 * std::sin(angle));
    }
    return R"("extrude": {"outline": [)" + outline + R"(], "height": 0.005, "edge_length": 0.01})";
  };
  // A round prism about its own axis, not one with edges.
  const auto round = std::get<TurnedShape>(collision(prism(32), "automatic"));
  EXPECT_EQ(round.section.size(), 4u);
  EXPECT_NEAR(round.centre.x(), 0.01, 1e-9);
  const Vec3 axis = round.turn * Vec3::UnitY();
  EXPECT_NEAR(std::max({std::abs(axis.x()), std::abs(axis.y()), std::abs(axis.z())}), 1.0, 1e-9);
  for (const geometry::Vec2& corner : round.section) {
    EXPECT_NEAR(std::abs(corner.y()), 0.0025, 1e-9);
    EXPECT_TRUE(corner.x() == 0.0 || std::abs(corner.x() - 0.02) < 1e-9);
  }
  EXPECT_TRUE(std::holds_alternative<MeshShape>(collision(prism(8), "automatic")));
  // A ring and a cup, meshed by edge length.
  const auto ring = std::get<TurnedShape>(
      collision(R"("torus": {"radius": 0.03, "tube_radius": 0.008})", "lathe"));
  for (const geometry::Vec2& corner : ring.section) {
    EXPECT_NEAR((corner - geometry::Vec2(0.03, 0.0)).norm(), 0.008, 1e-9);
  }
  const auto cup = std::get<TurnedShape>(collision(
      R"("lathe": {"profile": [[0, 0], [0.03, 0], [0.032, 0.06]], "wall": 0.003})", "lathe"));
  EXPECT_NEAR((cup.centre + cup.turn * Vec3::UnitY()).y() - cup.centre.y(), 1.0, 1e-9);
  EXPECT_NEAR(std::get<BoxShape>(
                  collision(R"("rounded_box": {"size": [0.1, 0.2, 0.3], "radius": 0.02})", "box"))
                  .fillet,
              0.02, 1e-6);
  EXPECT_THAT(complaint(scene_with_objects(R"({"shape": {"box": [0.1, 0.2, 0.3]},
                                               "contact": {"collision": "lathe"}})")),
              HasSubstr("its mesh is not a solid of revolution"));
}

TEST(ReadDynamics, AFreeBodyMayHaveJoints) {
  const Scene scene = parse(scene_with_objects(
      steel_ball + R"("joints": [{"at": [0, 0.01, 0], "to": [0, 1, 0], "string": true},
                               {"to": [1, 0, 0], "by": "hook"}]}}})"));
  const std::vector<JointSettings>& joints = scene.objects[0].rigid()->joints;
  ASSERT_EQ(joints.size(), 2u);
  EXPECT_EQ(joints[0].at, Vec3(0, 0.01, 0));
  EXPECT_TRUE(joints[0].is_string);
  EXPECT_EQ(joints[1].by, "hook");
  EXPECT_EQ(joints[1].location, "objects[0].motion.rigid.joints[1]");
  EXPECT_THAT(complaint(scene_with_objects(steel_ball + R"("joints": [{"at": [0, 0, 0]}]}}})")),
              HasSubstr("objects[0].motion.rigid.joints[0]"));
}

TEST(ReadDynamics, TheFormerNameOfJointsIsReadWithOneNotice) {
  const std::string held = steel_ball + R"("held": [{"to": [0, 1, 0]}]}}})";
  std::string other = held;
  other.replace(other.find("ball"), 4, "other");
  const Scene scene = parse(scene_with_objects(held + ", " + other));
  ASSERT_EQ(scene.objects.size(), 2u);
  EXPECT_EQ(scene.objects[1].rigid()->joints.size(), 1u);
  EXPECT_THAT(scene.notices, ElementsAre(HasSubstr("is now called \"joints\"")));
  EXPECT_THAT(complaint(scene_with_objects(
                  steel_ball + R"("joints": [{"to": [0, 1, 0]}], "held": [{"to": [1, 0, 0]}]}}})")),
              HasSubstr("rigid.held: is the old name of \"joints\""));
}

TEST(ReadDynamics, SaysWhatAFreeBodyNeeds) {
  EXPECT_EQ(complaint(scene_with_objects(steel_ball + "}}}")), "");
  EXPECT_THAT(complaint(scene_with_objects(R"({"shape": {"sphere": 1}, "motion": {"rigid": {}}})")),
              HasSubstr("objects[0].motion: a free body needs a material"));
  EXPECT_THAT(complaint(scene_with_objects(
                  R"({"shape": {"plane": [1, 1]}, "material": "oak", "motion": {"rigid": {}}})")),
              HasSubstr("a free body of this shape cannot collide"));
  EXPECT_THAT(complaint(scene_with_objects(R"({"material": "oak", "motion": {"rigid": {}}})")),
              HasSubstr("a free body needs a shape"));
  EXPECT_THAT(complaint(scene_with_objects(steel_ball + R"("velocity": [0, 1]}}})")),
              HasSubstr("objects[0].motion.rigid.velocity"));
  EXPECT_THAT(complaint(scene_with_objects(steel_ball + R"("spin": 1}}})")),
              HasSubstr("objects[0].motion.rigid.spin"));
  EXPECT_THAT(
      complaint(scene_with_objects(R"({"shape": {"sphere": 1}, "contact": {"restitution": 1.5}})")),
      HasSubstr("objects[0].contact.restitution"));
  EXPECT_THAT(
      complaint(scene_with_objects(steel_ball + "}}}", R"("dynamics": {"contacts": "ring.wav"},)")),
      HasSubstr("the contacts come from a log"));
  EXPECT_THAT(complaint(scene_with_objects("{}", R"("dynamics": {"contacts": "none.jsonl"},)")),
              HasSubstr("dynamics.contacts"));
  EXPECT_THAT(complaint(scene_with_objects("{}", R"("dynamics": {"solver": "bulet"},)")),
              HasSubstr("bullet"));
  EXPECT_THAT(complaint(scene_with_objects(
                  steel_ball + R"(}}}, {"name": "bar", "shape": {"box": [0.3, 0.01, 0.02]},
                                  "material": "steel", "motion": {"deformable": {}}})",
                  R"("dynamics": {"solver": "bullet"}, "radiation": {"model": "rays"},)")),
              HasSubstr("dynamics.solver: \"bullet\" cannot simulate free bodies together"));
  EXPECT_THAT(complaint(scene_with_objects(R"({"sound": ["acceleration_noise"]})")),
              HasSubstr("acceleration noise needs a rigid body"));
}

}  // namespace
}  // namespace peal::scene
