#include <peal/simulate/move_scene.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/spectrum.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

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
    return gallery_sound(scene, name);
  }
  /// One kind of sound only, or all but it.
  static json with_sounds(json scene, bool noise) {
    for (json& object : scene["objects"]) {
      if (!object.contains("sound")) continue;
      json kept = json::array();
      for (const json& sound : object["sound"]) {
        if ((sound == "acceleration_noise") == noise) kept.push_back(sound);
      }
      object["sound"] = kept;  // an empty list is silence
    }
    return scene;
  }
  static double energy(const Sound& sound) {
    double sum = 0.0;
    for (const float p : sound.listeners.at(0).audio.channels.at(0)) sum += p * p;
    return sum;
  }

  /// Level of what the first channel holds from low to high [dB re any].
  static double band(const Sound& sound, double low, double high) {
    const util::PowerSpectrum spectrum =
        util::average_power(std::span<const float>(sound.listeners.at(0).audio.channels.at(0)),
                            {.window = 1024}, util::Ends::inside);
    double sum = 1e-30;
    for (std::size_t k = 0; k < spectrum.power.size(); ++k) {
      const double f = static_cast<double>(k) * spectrum.bin_width;
      if (f >= low && f < high) sum += spectrum.power[k];
    }
    return 10.0 * std::log10(sum);
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
    const base::Impact& first = with.contacts->events.impacts[0];
    const double arrival =
        first.time + (first.point - geometry::Vec3(1.0, 1.8, 1.0)).norm() / 343.2;
    const auto at = static_cast<std::size_t>(arrival * 48000);
    EXPECT_GT(util::peak(std::span(audio).subspan(at - 48, 144)),
              10.0 * util::peak(std::span(audio).first(at - 96)))
        << name;
  }
}

TEST_F(ContactGallerySlow, NothingRadiatesMoreThanItHad) {
  for (const std::string name : {"bodies/mug-drop", "2012-acceleration-noise/dice-plate",
                                 "2012-acceleration-noise/mug-coin"}) {
    json scene = gallery_scene(name);
    scene["duration"] = 0.5;
    scene.erase("radiation");
    for (json& object : scene["objects"]) {
      if (!object.contains("sound")) continue;
      for (json& sound : object["sound"]) {
        if (sound == "modal") sound = {{"modal", json::object()}};
        if (sound.contains("modal")) sound["modal"]["max_frequency"] = 2500;
      }
    }
    const Sound sound = sound_of(scene, name);
    ASSERT_TRUE(sound.contacts && sound.contacts->energy) << name;
    const base::ContactEnergy& energy = *sound.contacts->energy;
    EXPECT_LE(energy.to_modes, energy.given) << name;
    ASSERT_FALSE(sound.vibrations.empty()) << name;
    double radiated = 0.0, given = 0.0;
    for (const VibrationEnergy& vibration : sound.vibrations) {
      radiated += vibration.energy.radiated;
      given += vibration.energy.given;
      EXPECT_GE(vibration.energy.radiated, 0.0);
    }
    EXPECT_LT(radiated, given) << name;
    // What the sound is made with is what the impacts gave, but for sliding.
    EXPECT_NEAR(given, energy.to_modes, 0.3 * energy.to_modes) << name;
  }
}

// Two dice on the plate: its notes are the same in both stems, the clicks lie above them. (Its
// modes up to 2.5 kHz also follow the forces of contact above that, as strong as their signs let
// them, so the clicks are compared with that alone.)
TEST_F(ContactGallerySlow, DiceOnAPlateRingItAndClick) {
  const std::string name = "2012-acceleration-noise/dice-plate";
  json scene = gallery_scene(name);
  scene["duration"] = 0.4;
  scene.erase("radiation");
  json plate;
  for (const json& object : scene["objects"])
    if (object["name"] == "plate") plate = object;
  scene["objects"] = json::array({scene["objects"][0], scene["objects"][1], plate});
  for (int i : {0, 1}) scene["objects"][i]["sound"] = json::array({"acceleration_noise"});
  scene["objects"][2]["sound"][0]["modal"]["max_frequency"] = 2500;
  const Sound with = sound_of(scene, name), without = sound_of(with_sounds(scene, false), name);
  EXPECT_NEAR(band(with, 20, 2500), band(without, 20, 2500), 1.0);
  scene["objects"][2]["sound"] = json::array();
  const Sound clicks = sound_of(scene, name);
  EXPECT_GT(band(clicks, 6000, 10000), band(without, 6000, 10000) + 3.0);
  EXPECT_GT(band(clicks, 12000, 18000), band(without, 12000, 18000));
}

// A coin falls into the mug, which answers with its note; the coin's clicks are over that.
TEST_F(ContactGallerySlow, TheMugAnswersACoinThatClicks) {
  const std::string name = "2012-acceleration-noise/mug-coin";
  json scene = gallery_scene(name);
  scene["duration"] = 0.4;
  scene.erase("radiation");
  scene["objects"] =
      json::array({scene["objects"][0], scene["objects"][1], scene["objects"].back()});
  scene["objects"][0]["sound"][0]["modal"]["max_frequency"] = 3000;
  scene["objects"][1]["sound"] = json::array({"acceleration_noise"});
  const Sound with = sound_of(scene, name), without = sound_of(with_sounds(scene, false), name);
  EXPECT_GT(band(without, 1500, 3000), band(without, 20, 1500) + 10.0);
  EXPECT_NEAR(band(with, 1500, 3000), band(without, 1500, 3000), 1.0);
  // Above its modes, up to 3 kHz, the mug still follows the forces.
  EXPECT_GT(band(with, 6000, 10000), band(without, 6000, 10000) + 5.0);
}

// The coin pings at 11 kHz (reference S20); its clicks have no note.
TEST_F(ContactGallerySlow, TheCoinPingsAndItsClicksAreBroad) {
  const std::string name = "2012-acceleration-noise/coin-spin";
  json scene = gallery_scene(name);
  scene["duration"] = 0.4;
  scene.erase("radiation");
  const Sound clicks = sound_of(with_sounds(scene, true), name),
              pings = sound_of(with_sounds(scene, false), name);
  EXPECT_GT(band(pings, 10500, 11800), band(pings, 3000, 6000) + 20.0);
  EXPECT_GT(band(clicks, 3000, 6000), band(clicks, 10500, 11800));
  ASSERT_TRUE(clicks.contacts);
  EXPECT_GE(clicks.contacts->events.impacts.size(), 3u);
}

/// The first `bodies` of a scene and what they fall on, up to some frequency, by `direct`.
json excerpt(json scene, std::size_t bodies, double duration, double max_frequency) {
  json kept = json::array();
  for (std::size_t i = 0; i < bodies; ++i) kept.push_back(scene["objects"][i]);
  for (const json& object : scene["objects"])
    if (object["name"] == "table" || object["name"] == "ground") kept.push_back(object);
  for (json& object : kept)
    for (json& sound : object["sound"])
      if (sound.contains("modal")) sound["modal"]["max_frequency"] = max_frequency;
  scene["objects"] = kept;
  scene["duration"] = duration;
  scene.erase("radiation");
  return scene;
}

// A coin clicks below its notes.
TEST_F(ContactGallerySlow, CoinsOnTheTableClickBelowTheirNotes) {
  const std::string name = "2012-acceleration-noise/coin-drop-table";
  const json scene = excerpt(gallery_scene(name), 1, 0.35, 12500.0);
  const Sound with = sound_of(scene, name), without = sound_of(with_sounds(scene, false), name);
  ASSERT_TRUE(with.contacts);
  EXPECT_GE(with.contacts->events.impacts.size(), 3u);
  EXPECT_GT(energy(without), 0.0);
  EXPECT_GT(band(with, 500, 8000), band(without, 500, 8000) + 6.0);
}

// The wire of the ring stays in the holes of the keys, whatever they do.
TEST_F(ContactGallerySlow, TheKeysStayOnTheirRing) {
  const std::string name = "2012-acceleration-noise/key-chain";
  const json scene = with_sounds(excerpt(gallery_scene(name), 3, 0.5, 3000.0), true);
  util::Silent silent;
  std::vector<std::string> notices;
  const auto parsed = scene::parse_scene(scene.dump(), name, gallery_folder(name));
  const base::MotionResult moved = simulate::move_scene(parsed, silent, notices);
  EXPECT_GE(moved.contacts->events.impacts.size(), 20u);
  for (const std::size_t key : {1u, 2u}) {
    const base::Pose ring = moved.objects[0].motion->pose(0.5);
    const base::Pose pose = moved.objects[key].motion->pose(0.5);
    const geometry::Vec3 hole = ring.to_local(pose.to_world({-0.005, 0.0, 0.0}));
    const double off = std::hypot(std::hypot(hole.x(), hole.z()) - 0.0142, hole.y());
    EXPECT_LT(off, 0.0045) << "of a hole of 3.5 mm, on a wire of 1 mm";
  }
}

// Clicks of vessels add less than their ringing has, and brighten their contacts. On stone: wood
// takes the highest frequencies of what falls on it.
TEST_F(ContactGallerySlow, ClicksOfVesselsAreBelowTheirRinging) {
  for (const std::string scene_name : {"bowls", "plates"}) {
    const std::string name = "2012-acceleration-noise/" + scene_name;
    json scene = excerpt(gallery_scene(name), 1, 0.3, 4000.0);
    for (json& object : scene["objects"])
      if (object["name"] == "table") object["material"] = "stone";
    const Sound with = sound_of(scene, name), without = sound_of(with_sounds(scene, false), name);
    EXPECT_LT(band(with, 500, 4000), band(without, 500, 4000) + 3.0) << name;
    EXPECT_GT(band(with, 500, 4000), band(without, 500, 4000) - 1.0) << name;
    // Above the band, modes follow the forces as masses do and radiate that well: clicks are not
    // far below it.
    const Sound clicks = sound_of(with_sounds(scene, true), name);
    EXPECT_GT(band(clicks, 6000, 12000), band(without, 6000, 12000) - 8.0) << name;
  }
}

// The air in the mug gives its click a note, which a ball of its volume would not have.
TEST_F(ContactGallerySlow, TheClickOfTheMugHasAPitch) {
  const std::string name = "2012-acceleration-noise/mugs";
  json scene = with_sounds(excerpt(gallery_scene(name), 1, 0.3, 4000.0), true);
  const auto prominence = [&](const Sound& sound) {
    double highest = -300.0, sum = 0.0;
    int count = 0;
    for (double f = 500.0; f < 3500.0; f += 100.0, ++count) {
      const double level = band(sound, f, f + 100.0);
      highest = std::max(highest, level);
      sum += level;
    }
    return highest - sum / count;
  };
  const double as_ball = prominence(sound_of(scene, name));
  scene["radiation"] = {{"model", "precomputed"}, {"max_frequency", 4000}};
  EXPECT_GT(prominence(sound_of(scene, name)), as_ball + 6.0);
}

// A pane that breaks is brighter than one that holds: its pieces are small and many.
TEST_F(ContactGallerySlow, ShatteringIsBright) {
  const std::string name = "2012-acceleration-noise/glass-fracture";
  json scene = with_sounds(excerpt(gallery_scene(name), 1, 0.7, 3000.0), true);
  json& fracture = scene["objects"][0]["motion"]["fracture"];
  fracture["pieces"] = 16;
  const auto brightness = [&] {
    const Sound sound = sound_of(scene, name);
    return band(sound, 4000, 16000) - band(sound, 100, 1000);
  };
  const double broken = brightness();
  fracture["impulse"] = 1000;
  EXPECT_GT(broken, brightness() + 6.0);
}

// Speaker, modes and acceleration noise sound at once; what is heard is their sum.
TEST_F(ContactGallerySlow, ThreeKindsOfSoundUnderTheBowlAddUp) {
  const std::string name = "2018-wave/bowl-and-speaker";
  const auto audible_samples = [&](const std::string& kind) {
    json scene = gallery_scene(name);
    scene["duration"] = 0.012;
    scene["listeners"] = {{{"mono", {{"position", {0.25, 0.35, 0.45}}}}}};
    scene["radiation"] = {{"model", "wave"}, {"max_frequency", 1200}, {"accuracy", 0.1}};
    json& bowl = scene["objects"][0];
    const json modal = {{"modal", {{"max_frequency", 2500}}}};
    bowl["sound"] = json::array({modal, "acceleration_noise"});
    auto parsed = scene::parse_scene(scene.dump(), name, gallery_folder(name));
    for (scene::Object& object : parsed.objects) {
      if (kind == "all") break;
      const auto others = std::ranges::stable_partition(
          object.sounds, [&](const auto& sound) { return sound->key() == kind; });
      object.left_out.assign(others.begin(), others.end());
      object.sounds.erase(others.begin(), others.end());
    }
    util::Silent silent;
    return util::as_double(render(parsed, silent).listeners.at(0).audio.channels.at(0));
  };
  const auto all = audible_samples("all");
  std::vector<double> rest = all;
  for (const std::string kind : {"speaker", "modal", "acceleration_noise"}) {
    const auto one = audible_samples(kind);
    EXPECT_GT(util::rms(one), 0.05 * util::rms(all)) << kind;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= one[i];
  }
  // The mesh of the bowl that rings is finer than that which only moves.
  EXPECT_LT(util::rms(rest), 0.05 * util::rms(all));
}

// The brick that lands on its open side shuts air in: louder and darker than one on its studs.
TEST_F(ContactGallerySlow, TheBrickIsDarkerOnItsOpenSide) {
  const std::string name = "2018-wave/blue-lego-drop";
  const auto landing = [&](int which) {
    json scene = gallery_scene(name);
    json brick = scene["objects"][which];
    brick["sound"] = json::array({"acceleration_noise"});
    brick["motion"]["rigid"]["position"] = {0, which == 0 ? 0.0005 : 0.0123, 0};
    brick["motion"]["rigid"]["velocity"] = {0, -1.6, 0};
    scene["objects"] = json::array({brick, scene["objects"][2]});
    scene["duration"] = 0.03;
    scene["listeners"] = {{{"mono", {{"position", {0, 0.2, 0.3}}}}}};
    scene["radiation"] = {{"model", "wave"}, {"max_frequency", 6000}, {"accuracy", 0.1}};
    return sound_of(scene, name);
  };
  const Sound open = landing(0), studs = landing(1);
  for (const Sound* one : {&open, &studs}) {
    ASSERT_TRUE(one->contacts);
    EXPECT_GE(one->contacts->events.impacts.size(), 1u);
  }
  EXPECT_GT(band(open, 500, 6000), band(studs, 500, 6000) + 6.0);
  EXPECT_GT(band(open, 1500, 3000) - band(open, 4500, 6000),
            band(studs, 1500, 3000) - band(studs, 4500, 6000) + 10.0);
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

  // The bowl itself sings higher, or it would hide that.
  const scene::Scene whole =
      scene::parse_scene(gallery_scene(name).dump(), name, gallery_folder(name));
  const scene::Object& bowl = whole.objects.at(0);
  util::Silent silent;
  std::vector<std::string> notices;
  sounds::ModalSound modal = (*scene::settings_of<sounds::ModalSound>(*bowl.sounds.at(0)));
  modal.max_frequency = 2000;
  const auto modes =
      sounds::make_ringing_body(bowl, modal, whole.medium, silent, notices).model->modes;
  EXPECT_GT(modes.at(0).frequency, 1.5 * open);
}

}  // namespace
}  // namespace peal::render
