#include <gmock/gmock.h>

#include "scene_text.h"

namespace peal::scene {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(ReadSceneErrors, FiveMistakesGiveFiveMessages) {
  EXPECT_EQ(
      complaint(R"({
      "peal": 1,
      "duraton": 5,
      "objects": [
        { "name": "bell", "mesh": "mugg.obj", "material": "steal",
          "sound": [{ "point": { "tone": { "frequency": 30000 } } }] },
        { "name": "bell", "motion": "fixed" }
      ],
      "listeners": [{ "stereo": { "position": [0, 1.7] } }]
    })"),
      "scene.json: 6 problems\n"
      "  1. objects[0].mesh: no such file: " +
          (data_folder() / "mugg.obj").string() +
          "\n"
          "     Did you mean \"mug.obj\"?\n"
          "  2. objects[0].material: no material is called \"steal\"\n"
          "     Did you mean \"steel\"?\n"
          "  3. objects[0].sound[0].point.tone.frequency: 30000 Hz is too large\n"
          "     Give a number of at least 0.1 and below 24000 Hz (half the sample rate).\n"
          "  4. listeners[0].stereo.position: must be a position [x, y, z] in metres, not a "
          "list of 2 values\n"
          "  5. duraton: unknown key\n"
          "     Did you mean \"duration\"? Known: $schema, peal, duration, seed, sample_rate, "
          "medium, radiation, dynamics, fps, frame_start, objects, listeners.\n"
          "  6. objects[1].name: \"bell\" is already the name of objects[0]\n"
          "     Give each its own name.");
}

TEST(ReadSceneErrors, GiveAHintThatSeveralProblemsShareOnce) {
  const std::string said = complaint(scene_with_objects(R"({"name": "a", "material": "unobtainium"},
                                      {"name": "b", "material": "unobtainium"},
                                      {"name": "c", "material": "kryptonite"})"));
  EXPECT_THAT(said, HasSubstr("3 problems"));
  EXPECT_EQ(said.find("Known: abs"), said.rfind("Known: abs"));
  EXPECT_THAT(said, HasSubstr("objects[2].material: no material is called \"kryptonite\""));
}

TEST(ReadSceneErrors, AWrongRateOrLengthIsNotBlamedOnWhatDependsOnIt) {
  EXPECT_EQ(complaint(R"({"peal": 1, "sample_rate": "48000", "duration": -1,
      "objects": [{"sound": [{"point": {"tone": 20000, "start": 3}}]}],
      "listeners": [{"mono": {}}]})"),
            "scene.json: 2 problems\n"
            "  1. duration: -1 s is too small\n"
            "     Give a number above 0 and up to 3600 s.\n"
            "  2. sample_rate: must be a whole number from 8000 to 192000, not the text \"48000\"\n"
            "     Remove the quotes: 48000.");
}

TEST(ReadSceneErrors, EachMistakeNamesItsPlaceAndACure) {
  const std::pair<std::string, std::vector<std::string>> cases[] = {
      // The whole scene.
      {"[]", {"scene.json: must be a scene: { ... }, not a list of 0 values"}},
      {R"({"peal": 2, "duration": 1, "objects": [{}], "listeners": [{"mono": {}}]})",
       {"scene.json: peal: version 2 of the scene format is not supported",
        "This Peal reads version 1."}},
      {R"({"duration": 1, "objects": [{}], "listeners": [{"mono": {}}]})",
       {"scene.json: \"peal\" is missing", "For example: \"peal\": 1"}},
      {R"({"peal": 1, "duration": 0, "objects": [{}], "listeners": [{"mono": {}}]})",
       {"scene.json: duration: 0 s is too small", "a number above 0 and up to 3600 s"}},
      {R"({"peal": 1, "duration": 1, "objects": [], "listeners": [{"mono": {}}]})",
       {"scene.json: objects: the list is empty"}},
      {R"({"peal": 1, "duration": 1, "objects": [{}], "listeners": []})",
       {"scene.json: listeners: the list is empty"}},
      {R"({"peal": 1, "duration": 1, "objects": [{}]})", {"scene.json: \"listeners\" is missing"}},
      {scene_with_objects("{}", R"("sample_rate": 44100.5,)"),
       {"sample_rate: must be a whole number from 8000 to 192000, not 44100.5"}},
      {scene_with_objects("{}", R"("seed": -1,)"), {"seed: -1 is too small"}},
      {scene_with_objects("{}", R"("medium": {"speed_of_sound": 0},)"),
       {"medium.speed_of_sound: 0 m/s is too small"}},
      {scene_with_objects("{}", R"("radiation": {"model": "wawe"},)"),
       {"radiation.model: the text \"wawe\" is not known here",
        "Known: direct, rays, wave, precomputed."}},
      // Objects.
      {scene_with_objects("3"), {"objects[0]: must be an object: { ... }, not 3"}},
      {scene_with_objects(R"({"name": ""})"), {"objects[0].name: is empty"}},
      {scene_with_objects(R"({"exists": [0.5, 0.5]})"),
       {"objects[0].exists: ends at 0.5 s, not after it begins at 0.5 s",
        "the earlier time first"}},
      {scene_with_objects(R"({"exists": [0, "end"]})"), {"objects[0].exists[1]"}},
      {scene_with_objects(R"({"exists": [0, 1, 2]})"), {"objects[0].exists", "[0.5, null]"}},
      {scene_with_objects(R"({"shape": {"box": [1, 1, 1]}, "exists": [0, 1]})",
                          R"("dynamics": {"solver": "bullet"},)"),
       {"objects[0].exists: only the solver", "\"collision\": \"none\""}},
      {scene_with_objects(R"({"name": "../x"})"), {"cannot be part of a file name"}},
      {scene_with_objects(R"({"mesh": "mug.obj", "shape": {"sphere": 1}})"),
       {"objects[0].shape: \"mesh\" is already given",
        "Keep one of: mesh, mesh_sequence, shape, liquid."}},
      {scene_with_objects(R"({"mesh": "."})"), {"objects[0].mesh: \".\" is not a file"}},
      {scene_with_objects(R"({"mesh": "mug\u0000.obj"})"), {"contains a control character"}},
      {scene_with_objects(R"({"mesh": "ring.wav"})"), {"objects[0].mesh: ", "ring.wav"}},
      {scene_with_objects(R"({"mesh": "robot.glb#leg"})"), {"objects[0].mesh: ", "leg", "arm"}},
      {scene_with_objects(R"({"scale": 2})"), {"objects[0].scale: there is nothing to scale"}},
      {scene_with_objects(R"({"shape": {"spere": 1}})"), {"Did you mean \"sphere\"?"}},
      {scene_with_objects(R"({"shape": {"sphere": {"radius": 1, "edge_length": 1e-5}}})"),
       {"objects[0].shape.sphere: an edge length of 1e-05 m would give about 3.8e+11 triangles"}},
      {scene_with_objects(R"({"shape": {"rounded_box": {"size": [1, 1, 1], "radius": 0.6}}})"),
       {"objects[0].shape.rounded_box: "}},
      {scene_with_objects(R"({"shape": {"lathe": {"profile": [[-1, 0], [1, 0], [1, 1]]}}})"),
       {"profile[0]: -1 m is left of the axis"}},
      {scene_with_objects(
           R"({"shape": {"extrude": {"outline": [[0,0],[1,1],[1,0],[0,1]], "height": 1}}})"),
       {"objects[0].shape.extrude: "}},
      {scene_with_objects(R"({"mesh_sequence": {"pattern": "cloth.ply", "first": 1, "last": 2}})",
                          R"("fps": 24,)"),
       {"objects[0].mesh_sequence.pattern: needs one placeholder for the frame number"}},
      {scene_with_objects(
           R"({"mesh_sequence": {"pattern": "cloth.####.ply", "first": 1, "last": 9}})",
           R"("fps": 24,)"),
       {"mesh_sequence.pattern: 6 of 9 files are missing: cloth.0004.ply, cloth.0005.ply,"}},
      {scene_with_objects(
           R"({"mesh_sequence": {"pattern": "cloth.####.ply", "first": 3, "last": 1}})",
           R"("fps": 24,)"),
       {"the last frame, 1, is before the first, 3"}},
      {scene_with_objects(
           R"({"mesh_sequence": {"pattern": "cloth.####.ply", "first": 1, "last": 3}})"),
       {"mesh_sequence: frames need the scene's frame rate", "\"fps\": 24"}},
      {scene_with_objects(R"({"material": {"density": 1000}})"),
       {"objects[0].material: \"young_modulus\" is missing", "\"poisson_ratio\" is missing"}},
      {scene_with_objects(R"({"material": {"base": "steel", "grain": [1, 0, 0]}})"),
       {"material.grain: the constants of \"steel\" along and across the grain are not known"}},
      {scene_with_objects(R"({"material": {"base": "oak", "radial": [1, 0, 0]}})"),
       {"material.radial: the direction of the grain is missing"}},
      {scene_with_objects(R"({"material": {"base": "oak", "grain": [1, 0, 0],
          "radial": [2, 0, 0]}})"),
       {"material.radial: the radial direction runs along the grain"}},
      {scene_with_objects(R"({"material": {"base": "oak", "grain": [1, 0, 0], "orthotropic": {
          "young_moduli": [1e10, 1e9, 1e9], "shear_moduli": [1e9, 1e9, 1e8],
          "poisson_ratios": [0.3, 0.3, 1.5]}}})"),
       {"material.orthotropic: no stable material has these constants"}},
      {scene_with_objects(R"({"shape": {"plate": {"radius": 1, "thickness": 0.01}},
          "material": {"base": "oak", "grain": [1, 0, 0]}})"),
       {"material: an ideal plate cannot have a grain"}},
      {scene_with_objects(R"({"material": {"base": "steel", "poisson_ratio": 0.5}})"),
       {"material.poisson_ratio: 0.5 is too large"}},
      {scene_with_objects(R"({"material": {"base": "steel", "damping": 0.1}})"),
       {"material.damping: must be the damping of a material: { ... }, not 0.1"}},
      {scene_with_objects(R"({"material": {"base": "steel", "damping": {"stiffness": -1}}})"),
       {"material.damping.stiffness: -1 s is too small"}},
      {scene_with_objects(R"({"material": {"base": "steel", "damping": {"tan_phi": 0.1}}})"),
       {"material.damping.tan_phi: unknown key", "internal_friction"}},
      {scene_with_objects(
           R"({"material": {"base": "steel", "damping": {"bands": [{"up_to": 9}]}}})"),
       {"material.damping.bands[0]: \"loss_factor\" is missing"}},
      {scene_with_objects(R"({"material": {"base": "steel", "damping": {"bands": [
           {"up_to": 900, "loss_factor": 0.1}, {"up_to": 900, "loss_factor": 0.1}]}}})"),
       {"bands[1]: the band ends at 900 Hz, not above the one before it", "from low to high"}},
      {scene_with_objects(R"({"sound": [{"humming": {}}]})"),
       {"objects[0].sound[0].humming: unknown key",
        "one of point, speaker, modal, acceleration_noise, bubbles is missing"}},
      // Points.
      {scene_with_point(R"("start": 1)"),
       {"objects[0].sound[0].point: one of wav, tone, click, noise is missing"}},
      {scene_with_point(R"("tone": 440, "noise": "pink")"), {"\"tone\" is already given"}},
      {scene_with_point(R"("tone": 24000)"), {"point.tone: 24000 Hz is too large"}},
      {scene_with_point(R"("tone": {"frequency": 9000, "harmonics": [1, 1, 1]})"),
       {"tone.harmonics: harmonic 3 is at 27000 Hz, above half the sample rate (24000 Hz)",
        "Give at most 2 harmonics of 9000 Hz."}},
      {scene_with_point(R"("tone": {"frequency": 900, "harmonics": [0, 0]})"), {"silent"}},
      {scene_with_point(R"("tone": 440, "duration": -1)"), {"point.duration: -1 s is too small"}},
      {scene_with_point(R"("tone": 440, "start": 2)"),
       {"point.start: 2 s is too large", "below 2 s (the end of the scene)"}},
      {scene_with_point(R"("noise": {"low": 500, "high": 100})"),
       {"point.noise: the band from 500 to 100 Hz is empty"}},
      {scene_with_point(R"("noise": "brown")"), {"Known: white, pink."}},
      {scene_with_point(R"("click": {"width": 0})"), {"click.width: 0 s is too small"}},
      {scene_with_point(R"("wav": "rang.wav")"), {"point.wav: ", "Did you mean \"ring.wav\"?"}},
      {scene_with_point(R"("wav": {"channel": 0})"), {"point.wav: \"file\" is missing"}},
      {scene_with_point(R"("tone": {"frequency": "440"})"),
       {"must be a number [Hz], not the text \"440\"", "Remove the quotes: 440."}},
      // Listeners.
      {scene_with_listener("{}"),
       {"listeners[0]: one of mono, stereo, binaural, ambisonic is missing"}},
      {scene_with_listener(R"({"mono": {"ear_distance": 1}})"), {"ear_distance: unknown key"}},
      {scene_with_listener(R"({"mono": {"position": [0, 0, 0], "motion": "fixed"}})"),
       {"listeners[0].mono.position: \"motion\" is given as well"}},
      {scene_with_listener(R"({"mono": {"position": [0, 0, 1e7]}})"),
       {"listeners[0].mono.position[2]: 10000000.0 m is too large"}},
      {scene_with_motion(R"({"gltf": "robot.glb"})"), {"motion.gltf: the node is missing"}},
      {scene_with_motion(R"({"gltf": "mug.obj#x"})"), {"is not a glTF file"}},
  };
  for (const auto& [text, parts] : cases) {
    const std::string message = complaint(text);
    EXPECT_THAT(message, StartsWith("scene.json: ")) << text;
    for (const std::string& part : parts) EXPECT_THAT(message, HasSubstr(part)) << text;
  }
}

TEST(ReadSceneErrorsSlow, ASmallFileCannotAskForMuchMemory) {
  std::string spheres;
  for (int i = 0; i < 40; ++i) {
    spheres +=
        fmt::format(R"({}{{"shape": {{"box": {{"size": [1, 1, 1], "edge_length": 0.002}}}}}})",
                    i == 0 ? "" : ",");
  }
  EXPECT_THAT(complaint(scene_with_objects(spheres)), HasSubstr("may still have"));
}

TEST(ReadSceneErrors, AnUnknownSoundIsOneProblem) {
  const std::string message = complaint(scene_with_objects(R"({"sound": ["ring"]})"));
  EXPECT_THAT(message, HasSubstr("the text \"ring\" is not known here"));
  EXPECT_THAT(message, testing::Not(HasSubstr("modal sound needs")));
}

TEST(ReadSceneErrors, AMeshInMillimetresIsQuestionedBeforeAnythingMoves) {
  for (const std::string& use :
       {std::string(R"("motion": {"rigid": {"position": [0, 60, 0]}})"),
        std::string(R"("strikes": [{"t": 0, "at": [0, 100, 0], "force": {"impulse": 1}}])")}) {
    const std::string object = R"({"mesh": "mug.obj", "material": "ceramic", )" + use;
    EXPECT_THAT(complaint(scene_with_objects(object + "}")),
                HasSubstr("is the mesh in millimetres?"));
    EXPECT_EQ(complaint(scene_with_objects(object + R"(, "scale": 1})")), "");
  }
}

TEST(ReadSceneErrors, AMeshIsNoScene) {
  try {
    read_scene(data_folder() / "mug.obj");
    FAIL();
  } catch (const util::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is a mesh, not a scene"));
  }
}

TEST(ReadSceneErrors, AMissingSceneFileIsNamed) {
  EXPECT_THROW(read_scene("no-such-folder/scene.json"), util::InputError);
  EXPECT_THROW(read_scene("no-such-folder/scene.glb"), util::InputError);
}

}  // namespace
}  // namespace peal::scene
