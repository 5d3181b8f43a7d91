#include <peal/scene/keyframes.h>

#include <gmock/gmock.h>

#include "scene_text.h"

namespace peal::scene {
namespace {

using geometry::Quat;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

MotionPath motion(const std::string& text, const std::string& more = "") {
  return parse(scene_with_motion(text, more)).objects[0].path;
}

std::string motion_complaint(const std::string& text, const std::string& more = "") {
  return complaint(scene_with_motion(text, more));
}

TEST(ReadMotion, FixedAndAbsentStayAtTheOrigin) {
  EXPECT_TRUE(motion("\"fixed\"").chain.empty());
  EXPECT_TRUE(parse(scene_with_objects("{}")).objects[0].path.chain.empty());
}

TEST(ReadMotion, AStaticPoseIsOneKeyOfEach) {
  const MotionPath path =
      motion(R"({"position": [1, 2, 3], "rotation": {"axis": [0, 2, 0], "degrees": 90}})");
  ASSERT_EQ(path.chain.size(), 1u);
  EXPECT_TRUE(path.chain[0].translation.is_constant());
  EXPECT_EQ(path.chain[0].translation.values[0], Vec3(1, 2, 3));
  const Quat turned(path.chain[0].rotation.values[0]);
  EXPECT_LT((turned * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_TRUE(path.chain[0].scale.empty());
}

TEST(ReadMotion, QuaternionsAreXyzwAndNormalised) {
  const MotionPath path = motion(R"({"rotation": [0, 0.7071, 0, 0.7071]})");
  const Quat turned(path.chain[0].rotation.values[0]);
  EXPECT_NEAR(turned.norm(), 1.0, 1e-15);
  EXPECT_LT((turned * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-4);
}

TEST(ReadMotion, KeyframesBySecondsAndByFrames) {
  const MotionPath seconds = motion(
      R"({"keyframes": [{"t": 0.5, "position": [0, 0, 0]}, {"t": 2, "position": [3, 0, 0]}]})");
  EXPECT_EQ(seconds.chain[0].translation.interpolation, Interpolation::linear);
  EXPECT_THAT(seconds.chain[0].translation.times, ElementsAre(0.5, 2.0));
  const MotionPath frames = motion(
      R"({"keyframes": [{"frame": 1, "position": [0, 0, 0]},
                        {"frame": 25, "position": [3, 0, 0]}]})",
      R"("fps": 24, "frame_start": 1,)");
  EXPECT_THAT(frames.chain[0].translation.times, ElementsAre(0.0, 1.0));
}

TEST(ReadMotion, PositionAndRotationMayHaveKeysOfTheirOwn) {
  const MotionPath path = motion(R"({"keyframes": [
      {"t": 0, "position": [0, 0, 0]},
      {"t": 1, "rotation": {"axis": [0, 1, 0], "degrees": 0}},
      {"t": 2, "position": [1, 0, 0], "rotation": {"axis": [0, 1, 0], "degrees": 80}}]})");
  EXPECT_THAT(path.chain[0].translation.times, ElementsAre(0.0, 2.0));
  EXPECT_THAT(path.chain[0].rotation.times, ElementsAre(1.0, 2.0));
}

TEST(ReadMotion, InterpolationsBecomeThoseOfGltf) {
  const auto kind = [](const std::string& word) {
    return motion(R"({"interpolation": ")" + word + R"(", "keyframes": [
        {"t": 0, "position": [0, 0, 0]}, {"t": 1, "position": [1, 0, 0]}]})")
        .chain[0]
        .translation;
  };
  EXPECT_EQ(kind("step").interpolation, Interpolation::step);
  EXPECT_EQ(kind("linear").interpolation, Interpolation::linear);
  EXPECT_EQ(kind("smooth").interpolation, Interpolation::cubic_spline);
  EXPECT_EQ(kind("smooth").in_tangents.size(), 2u);
}

TEST(ReadMotion, LookAtInAKeyframeLooksFromItsPosition) {
  const MotionPath path =
      motion(R"({"keyframes": [{"t": 0, "position": [0, 0, 5], "look_at": [5, 0, 5]}]})");
  const Quat head(path.chain[0].rotation.values[0]);
  EXPECT_LT((head * -Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-12);
}

TEST(ReadMotion, MistakesInKeyframesAreNamed) {
  EXPECT_THAT(motion_complaint(R"({"keyframes": []})"),
              StartsWith("scene.json: objects[0].motion.keyframes: the list is empty"));
  EXPECT_THAT(motion_complaint(R"({"keyframes": [{"t": 1, "position": [0,0,0]},
                                                 {"t": 1, "position": [1,0,0]}]})"),
              StartsWith("scene.json: objects[0].motion.keyframes[1]: its time 1 s is not after"));
  EXPECT_THAT(motion_complaint(R"({"keyframes": [{"t": 1}]})"),
              HasSubstr("keyframes[0]: the keyframe has neither a position nor a rotation"));
  EXPECT_THAT(motion_complaint(R"({"keyframes": [{"position": [0,0,0]}]})"),
              HasSubstr("keyframes[0]: one of t, frame is missing"));
  EXPECT_THAT(motion_complaint(R"({"keyframes": [{"frame": 1, "position": [0,0,0]}]})"),
              HasSubstr("keyframes[0].frame: frames need the scene's frame rate"));
  EXPECT_THAT(motion_complaint(R"({"keyframes": [{"t": 0, "position": [0,0]}]})"),
              HasSubstr("must be a position [x, y, z] in metres, not a list of 2 values"));
  EXPECT_THAT(motion_complaint(
                  R"({"interpolation": "cubic", "keyframes": [{"t": 0, "position": [0,0,0]}]})"),
              HasSubstr("motion.interpolation: the text \"cubic\" is not known here"));
  EXPECT_THAT(motion_complaint(R"({"interpolation": "smooth", "keyframes": [
                  {"t": 0, "rotation": {"axis": [0,1,0], "degrees": 0}},
                  {"t": 1, "rotation": {"axis": [0,1,0], "degrees": 720}}]})"),
              HasSubstr("a turn of more than 180 degrees before t = 1 s"));
  EXPECT_THAT(motion_complaint(R"({"keyframes": [
                  {"t": 0, "rotation": {"axis": [1,0,0], "degrees": 10}},
                  {"t": 1, "rotation": {"axis": [0,1,0], "degrees": 720}}]})"),
              HasSubstr("whole turns about another axis before t = 1 s"));
}

TEST(ReadMotion, MistakesInRotationsAreNamed) {
  EXPECT_THAT(motion_complaint(R"({"rotation": [0, 0, 0, 0]})"),
              HasSubstr("the quaternion has length 0"));
  EXPECT_THAT(motion_complaint(R"({"rotation": {"axis": [0, 0, 0], "degrees": 5}})"),
              HasSubstr("rotation.axis: has no direction"));
  EXPECT_THAT(motion_complaint(R"({"rotation": {"axis": [0, 1, 0], "angle": 5}})"),
              HasSubstr("rotation.angle: unknown key"));
  EXPECT_THAT(motion_complaint(R"({"position": [1, 1, 1], "look_at": [1, 1, 1]})"),
              HasSubstr("the point to look at is the position itself"));
  EXPECT_THAT(motion_complaint(R"({"rotation": [0,0,0,1], "look_at": [1, 1, 1]})"),
              HasSubstr("\"rotation\" is already given"));
}

TEST(ReadMotion, TurnsAreBoundedInNumber) {
  EXPECT_THAT(motion_complaint(R"({"circle": {"radius": 1, "revolutions_per_second": 10000}})",
                               R"("seed": 1,)"),
              "");
  EXPECT_THAT(complaint(R"({"peal": 1, "duration": 3600, "listeners": [{"mono": {}}], "objects": [
      {"motion": {"circle": {"radius": 1, "revolutions_per_second": 10000}}}]})"),
              HasSubstr("turns too often for the length of the scene"));
}

TEST(ReadMotion, OneKindOfMotionOnly) {
  EXPECT_THAT(motion_complaint(R"({"circle": {"radius": 1, "revolutions_per_second": 1},
                                   "keyframes": [{"t": 0, "position": [0,0,0]}]})"),
              HasSubstr("\"keyframes\" is already given"));
  EXPECT_THAT(motion_complaint(R"({"circle": {"radius": 1, "revolutions_per_second": 1},
                                   "position": [0,0,0]})"),
              HasSubstr("motion.position: unknown key"));
  EXPECT_THAT(motion_complaint("\"fixd\""), HasSubstr("Did you mean \"fixed\"?"));
  EXPECT_THAT(motion_complaint("3"), HasSubstr("must be \"fixed\", or a motion: { ... }, not 3"));
}

}  // namespace
}  // namespace peal::scene
