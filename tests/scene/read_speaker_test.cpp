#include <peal/sounds/speaker.h>

#include <gmock/gmock.h>

#include "scene_text.h"

namespace peal::scene {
namespace {

using sounds::SpeakerSound;

using testing::ElementsAre;
using testing::HasSubstr;

std::string with_speaker(const std::string& keys, const std::string& shape) {
  return scene_with_objects("{" + shape + R"("sound": [{"speaker": {)" + keys + "}}]}",
                            R"("fps": 24,)");
}

const std::string phone = R"("mesh": "phone.obj", "scale": 0.001, )";
const std::string cube = R"("shape": {"box": {"size": [1, 1, 1], "edge_length": 2}}, )";
const std::string cloth =
    R"("mesh_sequence": {"pattern": "cloth.####.ply", "first": 1, "last": 3}, )";

SpeakerSound speaker(const std::string& keys, const std::string& shape) {
  return *settings_of<SpeakerSound>(*parse(with_speaker(keys, shape)).objects.at(0).sounds.at(0));
}

TEST(ReadSpeaker, PlaysWhatAPointCanPlay) {
  const SpeakerSound ring = speaker(
      R"("wav": "ring.wav", "faces": "grille", "acceleration": 40, "start": 0.5, "duration": 1)",
      phone);
  EXPECT_EQ(std::get<WavSound>(ring.signal).file.filename(), "ring.wav");
  EXPECT_EQ(std::get<std::string>(ring.faces), "grille");
  EXPECT_EQ(ring.acceleration, 40.0);
  EXPECT_EQ(ring.start, 0.5);
  EXPECT_EQ(ring.duration, 1.0);
  const SpeakerSound hum = speaker(R"("tone": 100)", cube);
  EXPECT_EQ(std::get<ToneSound>(hum.signal).frequency, 100.0);
  EXPECT_TRUE(std::holds_alternative<WholeSurface>(hum.faces));
  EXPECT_EQ(hum.acceleration, 1.0);
}

TEST(ReadSpeaker, FacesByNumberAndByBox) {
  EXPECT_THAT(std::get<std::vector<std::uint32_t>>(
                  speaker(R"("noise": "pink", "faces": [0, 11])", cube).faces),
              ElementsAre(0u, 11u));
  const auto box = std::get<geometry::Box>(
      speaker(R"("click": {}, "faces": {"box": {"min": [0, 0, 0.4], "max": [0.1, 0.2, 0.6]}})",
              cube)
          .faces);
  EXPECT_EQ(box.max(), Vec3(0.1, 0.2, 0.6));
}

TEST(ReadSpeaker, ABoxIsInTheObjectsFrameAfterItsScale) {
  const std::string box = R"("tone": 100, "faces": {"box": {"min": [-0.01, 0.05, 0],
                             "max": [0.01, 0.06, 0.01]}})";
  EXPECT_EQ(complaint(with_speaker(box, phone)), "");
  EXPECT_THAT(complaint(with_speaker(box, R"("mesh": "phone.obj", )")),
              HasSubstr("contains no part of the surface"));
}

TEST(ReadSpeaker, ADeformingSurfaceTakesNumbers) {
  EXPECT_EQ(complaint(with_speaker(R"("tone": 100, "faces": [1])", cloth)), "");
}

TEST(ReadSpeaker, SeveralMayShareAnObject) {
  const Scene scene = parse(scene_with_objects("{" + cube + R"("sound": [
      {"speaker": {"tone": 100}}, {"point": {"tone": 200}}, {"speaker": {"tone": 300, "faces": [0]}}
      ]})"));
  EXPECT_EQ(scene.objects[0].sounds.size(), 3u);
}

TEST(ReadSpeaker, EachMistakeNamesItsPlaceAndACure) {
  struct Case {
    std::string keys, shape;
    std::vector<std::string> parts;
  };
  const Case cases[] = {
      {R"("tone": 100)",
       "",
       {"objects[0].sound[0].speaker: a speaker needs a surface, and this object has none",
        "Give the object a \"mesh\" or a \"shape\"."}},
      {R"("faces": [0])", cube, {"speaker: one of wav, tone, click, noise is missing"}},
      {R"("tone": 100, "faces": "grile")",
       phone,
       {"speaker.faces: the mesh has no group called \"grile\"", "Did you mean \"grille\"?",
        "Known: body, grille."}},
      {R"("tone": 100, "faces": "grille")", cube, {"the mesh has no groups", "by a box"}},
      {R"("tone": 100, "faces": [3, 12])",
       cube,
       {"speaker.faces[1]: there is no face 12: the mesh has 12 triangles", "the last one is 11"}},
      {R"("tone": 100, "faces": [])", cube, {"speaker.faces: the list is empty"}},
      {R"("tone": 100, "faces": [0.5])", cube, {"speaker.faces[0]: must be a whole number"}},
      {R"("tone": 100, "faces": {"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}})",
       cube,
       {"speaker.faces: the box contains no part of the surface",
        "from (-0.5, -0.5, -0.5) to (0.5, 0.5, 0.5) m"}},
      {R"("tone": 100, "faces": {"box": {"min": [0, 0, 0], "max": [0, 1, 1]}})",
       cube,
       {"speaker.faces.box: the box is empty"}},
      {R"("tone": 100, "faces": {"sphere": 1})", cube, {"faces.sphere: unknown key"}},
      {R"("tone": 100, "faces": 3)", cube, {"speaker.faces: must be a group, a list of face"}},
      {R"("tone": 100, "faces": {"box": {"min": [0, -1, 0], "max": [1, 1, 1]}})",
       cloth,
       {"faces of a deforming surface cannot", "group or their numbers"}},
      {R"("tone": 100, "acceleration": -1)", cube, {"acceleration: -1 m/s^2 is too small"}},
      {R"("tone": 100, "pressure_at_1m": 1)", cube, {"pressure_at_1m: unknown key"}},
  };
  for (const Case& one : cases) {
    const std::string message = complaint(with_speaker(one.keys, one.shape));
    for (const std::string& part : one.parts) EXPECT_THAT(message, HasSubstr(part)) << one.keys;
  }
}

TEST(ReadSpeaker, AMeshThatIsMissingIsToldOnce) {
  const std::string message =
      complaint(with_speaker(R"("tone": 100, "faces": "x")", R"("mesh": "none.obj", )"));
  EXPECT_THAT(message, HasSubstr("no such file"));
  EXPECT_THAT(message, testing::Not(HasSubstr("problems")));
}

}  // namespace
}  // namespace peal::scene
