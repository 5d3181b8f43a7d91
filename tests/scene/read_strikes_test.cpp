#include <peal/sounds/modal.h>

#include <gmock/gmock.h>

#include "scene_text.h"

namespace peal::scene {
namespace {

using testing::HasSubstr;

const std::string usual_strike = R"({"t": 0.5, "at": [0, 0, 0], "force": {"impulse": 0.1}})";
const std::string string_shape = R"("string": {"length": 1, "radius": 0.001, "tension": 100})";

std::string struck(const std::string& shape, const std::string& more = "",
                   const std::string& strike = usual_strike) {
  return scene_with_objects(
      fmt::format(R"({{"shape": {{{}}}, "material": "steel", "sound": ["modal"],
                       "strikes": [{}]{}}})",
                  shape, strike, more));
}

TEST(ReadStrikes, DefaultsAreAMillisecondAgainstTheNormal) {
  const Object object = parse(struck(string_shape)).objects.at(0);
  ASSERT_EQ(object.strikes.size(), 1u);
  const Strike& strike = object.strikes[0];
  EXPECT_EQ(strike.t, 0.5);
  EXPECT_EQ(strike.impulse, 0.1);
  EXPECT_FALSE(strike.energy);
  EXPECT_EQ(strike.contact_time, 0.001);
  EXPECT_FALSE(strike.direction);
  EXPECT_EQ((*scene::settings_of<sounds::ModalSound>(*object.sounds.at(0))).max_frequency, 20000);
}

TEST(ReadStrikes, EverythingThatCanBeSaid) {
  const Scene scene = parse(scene_with_objects(R"({
      "shape": {"bar": {"length": 0.3, "width": 0.03, "thickness": 0.01,
                        "ends": ["clamped", "free"]}},
      "material": "steel",
      "sound": [{"modal": {"max_frequency": 5000, "click": {"level": 0.2, "duration": 0.01}}}],
      "strikes": [{"frame": 12, "at": [0.1, 0, 0],
                   "force": {"energy": 2, "contact_time": 0.002, "direction": [0, 3, 4]}}]})",
                                               R"("fps": 24,)"));
  const Object& object = scene.objects[0];
  EXPECT_EQ(object.strikes[0].t, 0.5);
  EXPECT_EQ(object.strikes[0].energy, 2.0);
  EXPECT_NEAR(object.strikes[0].direction->y(), 0.6, 1e-15);
  const sounds::ModalSound& modal = (*scene::settings_of<sounds::ModalSound>(*object.sounds[0]));
  EXPECT_EQ(modal.max_frequency, 5000);
  EXPECT_EQ(modal.click->level, 0.2);
  const IdealBar& bar = std::get<IdealBar>(*object.ideal_shape());
  EXPECT_EQ(bar.left, BarEnd::clamped);
  EXPECT_EQ(bar.right, BarEnd::free);
  EXPECT_NEAR(geometry::bounds(*object.mesh).sizes().x(), 0.3, 1e-12);
}

TEST(ReadStrikes, HammersPlucksAndInitialShapes) {
  const auto one = [](const std::string& strike) {
    return parse(struck(string_shape, "", strike)).objects.at(0).strikes.at(0);
  };
  const Strike hammer = one(R"({"t": 0.5, "at": [0, 0, 0], "hammer": {"speed": 2, "mass": 0.01,
      "radius": 0.005, "material": "rubber", "patch_radius": 0.003}})");
  ASSERT_TRUE(hammer.hammer);
  EXPECT_FALSE(hammer.is_force());
  EXPECT_EQ(hammer.hammer->speed, 2.0);
  EXPECT_EQ(hammer.hammer->restitution, 0.5);
  EXPECT_EQ(hammer.hammer->material.name, "rubber");
  EXPECT_EQ(hammer.patch_radius, 0.003);
  const Strike pluck = one(R"({"t": 0, "at": [0, 0, 0], "pluck": {"displacement": 0.002}})");
  EXPECT_EQ(pluck.pluck->displacement, 0.002);
  EXPECT_EQ(one(R"({"t": 0, "at": [0, 0, 0], "pluck": {"force": 3}})").pluck->force, 3.0);
  const Strike initial = one(R"({"t": 0, "initial": {"velocity": [[0, 0], [0.1, 1]]}})");
  ASSERT_TRUE(initial.initial);
  EXPECT_TRUE(initial.initial->is_velocity);
  EXPECT_EQ(initial.initial->profile.size(), 2u);
}

TEST(ReadStrikes, SheetsAreOpenAndFaceUp) {
  for (const char* shape :
       {R"("membrane": {"size": [1, 2], "thickness": 0.001, "tension": 100})",
        R"("membrane": {"radius": 1, "thickness": 0.001, "tension": 100})",
        R"("membrane": {"outline": [[0, 0], [0, 1], [1, 0]], "thickness": 0.001, "tension": 1})",
        R"("plate": {"size": [1, 2], "thickness": 0.01, "edges": "clamped"})",
        R"("plate": {"radius": 1, "thickness": 0.01})"}) {
    const Object object = parse(struck(shape)).objects.at(0);
    EXPECT_TRUE(object.is_sheet) << shape;
    EXPECT_NE(object.ideal_shape(), nullptr) << shape;
    const auto& [a, b, c] = object.mesh->triangles.at(0);
    const auto& v = object.mesh->vertices;
    EXPECT_GT((v[b] - v[a]).cross(v[c] - v[a]).y(), 0.0) << shape;
  }
}

TEST(ReadStrikes, EachMistakeNamesItsPlaceAndACure) {
  const auto blow = [](const std::string& strike) { return struck(string_shape, "", strike); };
  const std::pair<std::string, std::vector<std::string>> cases[] = {
      {struck(string_shape, R"(, "scale": 2)"),
       {"shape.string: has its pitch from its size", "remove \"scale\""}},
      {struck(R"("string": {"length": 1, "radius": 0.001, "tension": 0})"),
       {"string.tension: 0 N is too small"}},
      {struck(R"("bar": {"length": 1, "width": 0.1, "thickness": 0.01, "ends": "glued"})"),
       {"bar.ends: the text \"glued\" is not known here", "free, clamped, pinned, sliding"}},
      {struck(R"("bar": {"length": 1, "width": 0.1, "thickness": 0.01, "ends": ["free"]})"),
       {"bar.ends"}},
      {struck(R"("membrane": {"thickness": 0.001, "tension": 1})"), {"size"}},
      {struck(R"("membrane": {"size": [1, 1], "radius": 1, "thickness": 0.001, "tension": 1})"),
       {"\"size\" is already given"}},
      {struck(R"("membrane": {"outline": [[0,0],[1,1],[1,0],[0,1]], "thickness": 0.001,
                              "tension": 1})"),
       {"crosses or touches itself"}},
      {struck(R"("plate": {"radius": 1, "thickness": 0.01, "edges": ["free"]})"),
       {"plate.edges: a round plate has one edge"}},
      {blow(R"({"t": 5, "at": [0, 0, 0], "force": {"impulse": 1}})"),
       {"strikes[0].t: 5 s is not within the scene"}},
      {blow(R"({"at": [0, 0, 0], "force": {"impulse": 1}})"), {"strikes[0]", "\"t\""}},
      {blow(R"({"t": 0, "force": {"impulse": 1}})"), {"strikes[0]: \"at\" is missing"}},
      {blow(R"({"t": 0, "at": [2, 0, 0], "force": {"impulse": 1}})"),
       {"strikes[0].at: the point is 1.5 m away from the object", "reaches from (-0.5"}},
      {blow(R"({"t": 0, "at": [0, 0, 0]})"), {"strikes[0]", "force", "hammer"}},
      {blow(R"({"t": 0, "at": [0, 0, 0], "force": {}})"), {"force", "impulse"}},
      {blow(R"({"t": 0, "at": [0, 0, 0], "hammer": {"speed": 1}})"),
       {"strikes[0].hammer: \"mass\" is missing"}},
      {blow(R"({"t": 0, "at": [0, 0, 0], "pluck": {"force": 1}, "force": {"impulse": 1}})"),
       {"\"force\" is already given"}},
      {blow(R"({"t": 0, "initial": {"displacement": [[0, 0], [0, 1]]}})"),
       {"initial.displacement[1]: the points are not in ascending order"}},
      {scene_with_objects(R"({"shape": {"sphere": 1}, "material": "steel", "sound": ["modal"],
          "strikes": [{"t": 0, "initial": {"displacement": [[0, 0], [1, 1]]}}]})"),
       {"strikes[0].initial: only strings, bars, membranes and plates", "pluck"}},
      {blow(R"({"t": 0, "at": [0, 0, 0], "force": {"impulse": 1, "energy": 1}})"),
       {"\"impulse\" is already given"}},
      {blow(R"({"t": 0, "at": [0, 0, 0], "force": {"impulse": 1, "contact_time": 0}})"),
       {"force.contact_time: 0 s is too small"}},
      {blow(R"({"t": 0, "at": [0, 0, 0], "force": {"impulse": 1, "direction": [1, 0, 0]}})"),
       {"force.direction: the force acts along the shape"}},
      {scene_with_objects(R"({"shape": {"sphere": 1}, "material": "steel",
          "sound": [{"point": {"tone": 440}}],
          "strikes": [{"t": 0, "at": [0, 1, 0], "force": {"impulse": 1}}]})"),
       {"strikes: the object makes no sound when it is struck", "Add \"modal\" to \"sound\""}},
      {scene_with_objects(R"({"shape": {"sphere": 1},
          "strikes": [{"t": 0, "at": [0, 1, 0], "force": {"impulse": 1}}]})"),
       {"strikes: the object makes no sound when it is struck", "\"material\""}},
      {scene_with_objects(R"({"shape": {"sphere": 1}, "sound": ["modal"]})"),
       {"sound[0]: a modal sound needs a material"}},
      {scene_with_objects(R"({"material": "steel", "sound": ["modal"]})"),
       {"sound[0]: a modal sound needs a mesh"}},
      {scene_with_objects(R"({"shape": {"sphere": 1}, "material": "steel", "sound": ["modl"]})"),
       {"sound[0]: the text \"modl\" is not known here", "modal"}},
      {scene_with_objects(R"({"shape": {"sphere": 1}, "material": "steel",
                              "sound": [{"modal": {"max_frequency": 24000}}]})"),
       {"modal.max_frequency: 24000 Hz is too large", "half the sample rate"}},
  };
  for (const auto& [text, expected] : cases) {
    const std::string said = complaint(text);
    for (const std::string& part : expected) EXPECT_THAT(said, HasSubstr(part)) << text;
  }
}

}  // namespace
}  // namespace peal::scene
