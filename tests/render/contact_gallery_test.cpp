#include <peal/util/spectrum.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "render/struck_scene.h"

/// What must be heard in the scenes of scenes/2012-acceleration-noise, and of a bowl over the
/// floor.
namespace peal::render {
namespace {

class ContactGallerySlow : public testing::Test {
 protected:
  ContactGallerySlow() { setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~ContactGallerySlow() override { std::filesystem::remove_all(cache_); }

  static Sound sound_of(const json& scene, const std::string& name) {
    util::Silent silent;
    return render(scene::parse_scene(scene.dump(), name, gallery_folder(name)), silent);
  }
  /// One kind of sound only, or all but it.
  static json with_sounds(json scene, bool noise) {
    for (json& object : scene["objects"]) {
      if (!object.contains("sound")) continue;
      json kept = json::array();
      for (const json& sound : object["sound"]) {
        if ((sound == "acceleration_noise") == noise) kept.push_back(sound);
      }
      object["sound"] = kept;
    }
    return scene;
  }
  static double energy(const Sound& sound) {
    double sum = 0.0;
    for (const float p : sound.listeners.at(0).audio.channels.at(0)) sum += p * p;
    return sum;
  }

  std::filesystem::path cache_ =
      std::filesystem::temp_directory_path() / ("peal-contact-" + std::to_string(::getpid()));
};

TEST_F(ContactGallerySlow, DiceAndBallsAreSilentWithoutAccelerationNoiseAndClickWithIt) {
  for (const std::string name : {"dice-table", "ball-drop"}) {
    const std::string path = "2012-acceleration-noise/" + name;
    json scene = gallery_scene(path);
    scene["duration"] = 0.5;
    // Two of them are enough.
    json few = json::array({scene["objects"][0], scene["objects"][1], scene["objects"].back()});
    scene["objects"] = few;
    const Sound with = sound_of(with_sounds(scene, true), path);
    ASSERT_TRUE(with.contacts);
    ASSERT_GE(with.contacts->events.impacts.size(), 2u) << name;
    EXPECT_GT(energy(with), 0.0) << name;
    EXPECT_EQ(energy(sound_of(with_sounds(scene, false), path)), 0.0) << name;
    // Each of the first clicks stands out of what is around it.
    const auto audio = util::as_double(with.listeners[0].audio.channels[0]);
    const double arrival = with.contacts->events.impacts[0].time + 0.65 / 343.2;
    const auto at = static_cast<std::size_t>(arrival * 48000);
    EXPECT_GT(util::peak(std::span(audio).subspan(at - 48, 144)),
              10.0 * util::peak(std::span(audio).first(at - 96)))
        << name;
  }
}

TEST_F(ContactGallerySlow, TheAirUnderTheBowlSoundsLowerAsItShuts) {
  const std::string name = "2018-wave/spolling-bowl";
  const auto note = [&](double degrees) {
    json scene = gallery_scene(name);
    json& bowl = scene["objects"][0];
    bowl.erase("sound");
    bowl["motion"] = {{"position", {0, 0.07 * std::sin(degrees * M_PI / 180) + 1e-4, 0}},
                      {"rotation", {{"axis", {1, 0, 0}}, {"degrees", degrees}}}};
    scene["objects"].push_back(json::parse(
        R"({"name": "click", "motion": {"position": [0.01, 0.008, 0]},
            "sound": [{"point": {"click": {"width": 0.0003}}}]})"));
    scene["duration"] = 0.04;
    scene["listeners"] = {{{"mono", {{"position", {0, 0.3, 0.3}}}}}};
    scene["radiation"]["max_frequency"] = 3000;
    scene["radiation"]["accuracy"] = 0.05;
    const auto audio = util::as_double(sound_of(scene, name).listeners[0].audio.channels[0]);
    return util::find_mode(std::span(audio).subspan(240, 1200), 48000).frequency;
  };
  const double open = note(17.0), lower = note(6.0), nearly_shut = note(2.0);
  EXPECT_LT(lower, 0.9 * open);
  EXPECT_LT(nearly_shut, 0.9 * lower);
}

}  // namespace
}  // namespace peal::render
