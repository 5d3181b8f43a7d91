#include <peal/contact/contact_log.h>
#include <peal/contact/hertz.h>
#include <peal/fem/lame.h>
#include <peal/render/output.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include "source_dir.h"

namespace peal::render {
namespace {

using nlohmann::json;
using std::numbers::pi;
using testing::HasSubstr;

/// Pressure of a rigid sphere that accelerates by half a sine, in the direction of a listener at
/// angle 0 (Koss & Alfredson 1973; reference A03): G'' + 2 (c/a) G' + 2 (c/a)^2 G = rho c^2 a A(t),
/// p = cos(theta) [G' / (c r) + G / r^2] at t - (r - a) / c. Integrated in small steps.
class AcceleratedSphere {
 public:
  AcceleratedSphere(double radius, double height, double length)
      : a_(radius), height_(height), length_(length) {
    double g = 0.0, slope = 0.0;
    for (int i = 0; i < 100000; ++i) {
      g_.push_back(g);
      slope_.push_back(slope);
      const double t = (i + 0.5) * step_, b = c_ / a_;
      const double force =
          t < length_ ? rho_ * c_ * c_ * a_ * height_ * std::sin(pi * t / length_) : 0.0;
      const auto bend = [&](double x, double v) { return force - 2.0 * b * v - 2.0 * b * b * x; };
      const double middle = g + 0.5 * step_ * slope;
      const double middle_slope = slope + 0.5 * step_ * bend(g, slope);
      g += step_ * middle_slope;
      slope += step_ * bend(middle, middle_slope);
    }
  }

  double pressure(double t, double r, double cosine) const {
    const double since = t - (r - a_) / c_;
    const auto i = static_cast<std::ptrdiff_t>(since / step_);
    if (since <= 0.0 || i >= static_cast<std::ptrdiff_t>(g_.size())) return 0.0;
    const auto k = static_cast<std::size_t>(i);
    return cosine * (slope_[k] / (c_ * r) + g_[k] / (r * r));
  }

 private:
  static constexpr double c_ = 343.2, rho_ = 1.2041, step_ = 1e-7;
  double a_, height_, length_;
  std::vector<double> g_, slope_;
};

class Contacts : public testing::Test {
 protected:
  Contacts() {
    std::filesystem::create_directories(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~Contacts() override { std::filesystem::remove_all(folder_); }

  scene::Scene scene_of(const json& text) const {
    return scene::parse_scene(text.dump(), "scene.json", folder_);
  }
  Sound sound_of(const json& text) const {
    util::Silent silent;
    return render(scene_of(text), silent);
  }
  std::string complaint(const json& text) const {
    try {
      sound_of(text);
      return "";
    } catch (const util::InputError& error) {
      return error.what();
    }
  }
  static double energy(const Sound& sound) {
    double sum = 0.0;
    for (const float p : sound.listeners.at(0).audio.channels.at(0)) sum += p * p;
    return sum;
  }

  /// A marble that falls on a slab from 0.2 m, heard from 0.5 m away.
  static json dropped_marble() {
    return json::parse(R"({"peal": 1, "duration": 1, "objects": [
      {"name": "marble", "shape": {"sphere": 0.008}, "material": "glass",
       "contact": {"restitution": 0.7}, "motion": {"rigid": {"position": [0, 0.208, 0]}},
       "sound": ["acceleration_noise"]},
      {"name": "slab", "shape": {"box": [0.3, 0.1, 0.3]}, "material": "stone",
       "contact": {"restitution": 0.7}, "motion": {"position": [0, -0.05, 0]}, "sound": []}],
      "listeners": [{"mono": {"position": [0, 0.4, 0.3]}}]})");
  }

  /// A ball of 15 mm radius that something hits from -x, and a block far away that is reported to
  /// be that something, so that nothing is in the way of the sound.
  json hit_ball(const std::string& material) const {
    json text = json::parse(R"({"peal": 1, "duration": 0.01, "sample_rate": 96000, "objects": [
      {"name": "ball", "shape": {"sphere": {"radius": 0.015, "edge_length": 0.0015}},
       "motion": {"keyframes": [{"t": 0, "position": [0, 0, 0]}, {"t": 1, "position": [1e-6, 0, 0]}]},
       "sound": ["acceleration_noise"]},
      {"name": "block", "shape": {"box": [0.01, 0.01, 0.01]}, "motion": {"position": [0, 5, 0]}}],
      "listeners": [{"name": "0", "mono": {"position": [0.3, 0, 0]}},
                    {"name": "60", "mono": {"position": [0.15, 0, 0.25980762]}},
                    {"name": "120", "mono": {"position": [-0.15, 0.25980762, 0]}}],
      "dynamics": {"contacts": "hit.jsonl"}})");
    text["objects"][0]["material"] = material;
    util::write_file(folder_ / "hit.jsonl",
                     "{\"peal_contacts\": 1, \"bodies\": [\"ball\", \"block\"]}\n"
                     "{\"time_s\": 0.001, \"a\": \"ball\", \"b\": \"block\", \"point_m\": "
                     "[-0.015, 0, 0], \"normal\": [1, 0, 0], \"impulse_ns\": [0.01, 0, 0], "
                     "\"velocity_m_s\": [-1, 0, 0]}\n");
    return text;
  }

  /// The largest difference from the exact sound of that ball at three angles, over its peak.
  double error_of(const json& text, const Sound& sound) const {
    const auto material = *scene_of(text).objects[0].material;
    const double mass = material.density * 4.0 / 3.0 * pi * std::pow(0.015, 3);
    const double length = contact::hertz_contact({.inverse_mass = 1.0 / mass,
                                                  .radius = 0.015,
                                                  .compliance = fem::contact_compliance(material)},
                                                 {}, 1.0, 1.0)
                              .contact_time();
    const AcceleratedSphere exact(0.015, pi / 2.0 * 0.01 / (length * mass), length);
    double worst = 0.0, peak = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double cosine = std::cos(pi / 3.0 * static_cast<double>(k));
      const auto& listener_audio = sound.listeners.at(k).audio.channels.at(0);
      for (std::size_t n = 0; n < listener_audio.size(); ++n) {
        const double t = static_cast<double>(n) / 96000.0 - 0.001;
        const double p = exact.pressure(t, 0.3, cosine);
        peak = std::max(peak, std::abs(p));
        worst = std::max(worst, std::abs(p - static_cast<double>(listener_audio[n])));
      }
    }
    return worst / peak;
  }

  std::filesystem::path gallery_ = std::filesystem::path(PEAL_SOURCE_DIR) / "scenes";
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("peal-contacts-" + std::to_string(::getpid()));
};

TEST_F(Contacts, AMarbleClicksWhenItLands) {
  const Sound sound = sound_of(dropped_marble());
  ASSERT_TRUE(sound.contacts);
  const auto& impacts = sound.contacts->events.impacts;
  ASSERT_GE(impacts.size(), 3u);
  const double first = std::sqrt(2.0 * 0.2 / 9.81);
  EXPECT_NEAR(impacts[0].time, first, 1e-6);
  EXPECT_NEAR(impacts[1].time, first * (1.0 + 2.0 * 0.7), 1e-5);
  // Nothing is heard before the sound of the first impact can arrive, something soon after.
  const auto& listener_audio = sound.listeners[0].audio.channels[0];
  const auto arrival = static_cast<std::size_t>((first + 0.49 / 343.2) * 48000);
  const auto loudest =
      std::ranges::max_element(listener_audio, {}, [](float p) { return std::abs(p); });
  for (std::size_t n = 0; n + 30 < arrival; ++n) ASSERT_EQ(listener_audio[n], 0.0f) << n;
  EXPECT_LT(static_cast<std::size_t>(loudest - listener_audio.begin()), arrival + 20);
  EXPECT_GT(std::abs(*loudest), 1e-3f);
}

TEST_F(Contacts, WithoutAccelerationNoiseAMarbleIsSilent) {
  json text = dropped_marble();
  text["objects"][0]["sound"] = {"modal"};
  text["objects"][0]["shape"] = {{"sphere", {{"radius", 0.008}, {"edge_length", 0.005}}}};
  const Sound sound = sound_of(text);
  EXPECT_EQ(energy(sound), 0.0);
  EXPECT_THAT(sound.notices, testing::Contains(HasSubstr("\"marble\" is silent when struck")));
  EXPECT_GT(energy(sound_of(dropped_marble())), 0.0);
}

TEST_F(Contacts, AFallingBodyWithAMaterialSoundsByDefault) {
  json text = dropped_marble();
  const double noise = energy(sound_of(text));
  text["objects"][0].erase("sound");
  EXPECT_GE(energy(sound_of(text)), noise);
  text["objects"][0]["sound"] = json::array();
  const Sound silent = sound_of(text);
  EXPECT_EQ(energy(silent), 0.0);
  EXPECT_THAT(silent.notices, testing::Contains(HasSubstr("no object makes a sound")));
}

TEST_F(Contacts, ABodyTooLargeToRingByDefaultIsNamedAndNotMeshed) {
  json text = dropped_marble();
  text["objects"][1]["shape"] = {{"box", {3, 0.2, 3}}};
  text["objects"][1]["motion"]["position"] = {0, -0.1, 0};
  text["objects"][1].erase("sound");
  const Sound sound = sound_of(text);
  EXPECT_THAT(sound.notices,
              testing::Contains(HasSubstr("\"slab\" does not ring by default: it has about")));
  EXPECT_GT(energy(sound), 0.0);
}

TEST_F(Contacts, ASilentSceneSaysWhatIsMissing) {
  const auto notices = [&](const char* object) {
    json text = json::parse(R"({"peal": 1, "duration": 0.1, "objects": [],
                                "listeners": [{"name": "ear", "mono": {"position": [0, 0, 1]}}]})");
    text["objects"].push_back(json::parse(object));
    return sound_of(text).notices;
  };
  EXPECT_THAT(notices(R"({"name": "cup", "shape": {"sphere": 0.01}})"),
              testing::Contains(HasSubstr("Add a \"material\" to \"cup\"")));
  EXPECT_THAT(notices(R"({"name": "cup", "shape": {"sphere": 0.01}, "material": "steel",
                          "sound": ["modal"]})"),
              testing::Contains(HasSubstr("nothing hits \"cup\". Add \"strikes\"")));
}

TEST_F(Contacts, ASlabRingsWhereItIsHit) {
  json text = dropped_marble();
  text["objects"][0]["sound"] = json::array();
  text["objects"][1] = {
      {"name", "slab"},
      {"shape", {{"bar", {{"length", 0.3}, {"width", 0.03}, {"thickness", 0.02}}}}},
      {"material", "steel"}};
  text["objects"][1] = json::parse(R"({"name": "slab", "shape": {"box": [0.2, 0.02, 0.05]},
      "material": "steel", "motion": {"position": [0.05, -0.01, 0]},
      "sound": [{"modal": {"max_frequency": 6000}}]})");
  EXPECT_GT(energy(sound_of(text)), 0.0);
}

// Reference A03, 5 % in the waveform at three angles.
TEST_F(Contacts, AHitBallSoundsAsKossAndAlfredsonSayInWaves) {
  json text = hit_ball("nylon");
  text["radiation"] = json::parse(R"({"model": "wave", "max_frequency": 16000,
      "domain": {"min": [-0.03, -0.03, -0.03], "max": [0.03, 0.03, 0.03]}})");
  const Sound sound = sound_of(text);
  EXPECT_LT(error_of(text, sound), 0.05);
}

TEST_F(Contacts, AHitBallSoundsTheSameWithoutWaves) {
  for (const char* material : {"rubber", "nylon", "steel"}) {  // 3.2, 0.2 and 0.08 ms
    const json text = hit_ball(material);
    EXPECT_LT(error_of(text, sound_of(text)), 0.05) << material;
  }
}

TEST_F(Contacts, ShuffledLogsGiveTheSameBytes) {
  const json text = hit_ball("steel");
  base::ContactLog log{.bodies = {"ball", "block"}};
  for (int i = 0; i < 40; ++i) {
    base::ContactRecord record{.time = 1e-4 * i, .body_a = 0, .body_b = 1};
    record.point = {-0.015, 0, 0};
    record.normal = base::Vec3::UnitX();
    record.impulse = {1e-3 * (1 + i % 7), 0, 0};
    record.velocity = {-0.2 - 0.1 * (i % 3), 0, 0};
    log.records.push_back(record);
  }
  // Then two points that slide.
  for (int i = 0; i < 30; ++i) {
    for (const double z : {0.004, -0.004}) {
      base::ContactRecord record{.time = 0.0045 + 2e-4 * i, .body_a = 0, .body_b = 1};
      record.point = {-0.014, 0, z};
      record.normal = base::Vec3::UnitX();
      record.impulse = {1e-4, 0, 0};
      record.velocity = {0, 0.3, 0};
      record.duration = 2e-4;
      log.records.push_back(record);
    }
  }
  util::write_file(folder_ / "hit.jsonl", contact::contact_log_text(log));
  const Sound ordered = sound_of(text);
  ASSERT_EQ(ordered.contacts->events.intervals.size(), 2u);
  std::ranges::reverse(log.records);
  std::string shuffled = contact::contact_log_text(log);
  shuffled.replace(shuffled.find("\"order\": \"time\""), 15, "\"order\": \"any\" ");
  util::write_file(folder_ / "hit.jsonl", shuffled);
  EXPECT_EQ(sound_of(text).listeners[0].audio.channels, ordered.listeners[0].audio.channels);
  EXPECT_GT(energy(ordered), 0.0);
}

/// A block that slides along a slab without friction, from left to right in front of the listener.
json sliding_block(double speed) {
  json text = json::parse(R"({"peal": 1, "duration": 0.6, "objects": [
      {"name": "block", "shape": {"box": [0.04, 0.02, 0.04]}, "material": "steel",
       "contact": {"friction": 0, "restitution": 0}, "sound": ["acceleration_noise"],
       "motion": {"rigid": {"position": [-0.15, 0.01, 0]}}},
      {"name": "slab", "shape": {"box": [2, 0.02, 0.3]}, "material": "stone",
       "contact": {"friction": 0, "restitution": 0}, "motion": {"position": [0, -0.01, 0]},
       "sound": []}],
      "listeners": [{"mono": {"position": [0, 0.3, 1]}}]})");
  text["objects"][0]["motion"]["rigid"]["velocity"] = {speed, 0, 0};
  return text;
}

TEST_F(Contacts, ABlockThatSlidesHissesWithoutLinesAndAtRestIsSilent) {
  const Sound sound = sound_of(sliding_block(0.5));
  ASSERT_TRUE(sound.contacts);
  EXPECT_EQ(sound.contacts->events.intervals.size(), 4u);  // corners
  const auto audio = util::as_double(sound.listeners[0].audio.channels[0]);
  const auto steady = std::span(audio).subspan(4800, 19200);
  EXPECT_GT(util::rms(steady), 1e-5);
  // Without its trend each bin is near the median of its neighbours.
  const auto spectrum = util::average_power(steady, {.window = 1024, .sample_rate = 48000});
  for (std::size_t k = 16; k < 360; ++k) {
    std::vector<double> around(spectrum.power.begin() + static_cast<std::ptrdiff_t>(k) - 10,
                               spectrum.power.begin() + static_cast<std::ptrdiff_t>(k) + 11);
    std::ranges::nth_element(around, around.begin() + 10);
    EXPECT_LT(10.0 * std::log10(spectrum.power[k] / around[10]), 7.0)
        << static_cast<double>(k) * spectrum.bin_width << " Hz";
  }
  EXPECT_EQ(energy(sound_of(sliding_block(0.0))), 0.0);
}

TEST_F(Contacts, ARubbedBodyRings) {
  json text = sliding_block(0.5);
  text["objects"][0]["sound"] = json::array();
  text["objects"][1] = json::parse(R"({"name": "slab", "shape": {"box": [2, 0.02, 0.3]},
      "material": "steel", "motion": {"position": [0, -0.01, 0]},
      "contact": {"friction": 0.1, "restitution": 0},
      "sound": [{"modal": {"max_frequency": 300}}]})");
  EXPECT_GT(energy(sound_of(text)), 0.0);
}

TEST_F(Contacts, WithoutFrictionRubbingGivesModesNothing) {
  json text = sliding_block(0.5);
  text["objects"][0]["sound"] = json::array();
  text["objects"][1]["material"] = "steel";
  text["objects"][1]["sound"] = json::parse(R"([{"modal": {"max_frequency": 300}}])");
  EXPECT_EQ(energy(sound_of(text)), 0.0);
}

TEST_F(Contacts, ImpactsOfKeyedBodiesAreFoundAndHeard) {
  json text = dropped_marble();
  // Down in 0.2 s, up again at half the speed.
  text["objects"][0]["motion"] = {{"keyframes",
                                   {{{"t", 0.0}, {"position", {0, 0.208, 0}}},
                                    {{"t", 0.2}, {"position", {0, 0.008, 0}}},
                                    {{"t", 0.4}, {"position", {0, 0.108, 0}}}}}};
  const Sound sound = sound_of(text);
  ASSERT_TRUE(sound.contacts);
  EXPECT_EQ(sound.contacts->source, base::ContactResult::Source::inferred);
  const auto& impacts = sound.contacts->events.impacts;
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].time, 0.2, 1e-9);
  EXPECT_NEAR(impacts[0].speed, 1.0, 1e-3);
  EXPECT_THAT(sound.notices,
              testing::Contains(HasSubstr("found 1 impact in the motion of keyed bodies: "
                                          "\"marble\" and \"slab\" at 0.2000 s (1.00 m/s")));
  EXPECT_GT(energy(sound), 0.0);
  text["dynamics"]["infer_contacts"] = false;
  const Sound without = sound_of(text);
  EXPECT_FALSE(without.contacts);
  EXPECT_EQ(energy(without), 0.0);
}

TEST_F(Contacts, TheLogAndTheManifestTellWhatTouched) {
  const json text = dropped_marble();
  Sound sound = sound_of(text);
  util::Silent silent;
  const auto files =
      write_output(scene_of(text), sound, {.folder = folder_, .picture = false}, silent);
  EXPECT_THAT(files, testing::Contains(folder_ / "contacts.jsonl"));
  const base::ContactLog log = contact::read_contact_log(folder_ / "contacts.jsonl");
  EXPECT_EQ(log.records.size(), sound.contacts->log.records.size());
  const json manifest = json::parse(util::read_file(folder_ / "manifest.json"));
  EXPECT_EQ(manifest["contacts"]["impacts"], sound.contacts->events.impacts.size());
  EXPECT_EQ(manifest["contacts"]["records"], log.records.size());
  EXPECT_THAT(manifest["files"], testing::Contains("contacts.jsonl"));
}

// One word of the scene, and Bullet moves it: the same bounces, the same sound but for a hair.
TEST_F(Contacts, ASceneSwitchesToBulletByOneWord) {
  json text = dropped_marble();
  const Sound smooth = sound_of(text);
  text["dynamics"]["solver"] = "bullet";
  Sound bullet = sound_of(text);
  ASSERT_GE(bullet.contacts->events.impacts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const base::Impact &one = smooth.contacts->events.impacts[i],
                       &other = bullet.contacts->events.impacts[i];
    EXPECT_NEAR(other.time, one.time, 1e-4);
    EXPECT_NEAR(other.impulse.norm() / one.impulse.norm(), 1.0, 0.005);
  }
  EXPECT_NEAR(energy(bullet) / energy(smooth), 1.0, 0.02);
  util::Silent silent;
  write_output(scene_of(text), bullet, {.folder = folder_, .picture = false}, silent);
  const json manifest = json::parse(util::read_file(folder_ / "manifest.json"));
  EXPECT_EQ(manifest["contacts"]["solver"], "bullet");
  EXPECT_EQ(contact::read_contact_log(folder_ / "contacts.jsonl").records.size(),
            bullet.contacts->log.records.size());
}

// scenes/bodies/brick-drop: a mesh without any word on how it collides.
TEST_F(Contacts, TheBrickFallsAsItsMesh) {
  scene::Scene scene = scene::read_scene(gallery_ / "bodies/brick-drop/scene.json");
  for (const scene::Solver solver : {scene::Solver::smooth, scene::Solver::bullet}) {
    scene.dynamics.solver = solver;
    util::Silent silent;
    std::vector<std::string> notices;
    const base::MotionResult moved = simulate::move_scene(scene, silent, notices);
    EXPECT_THAT(notices, testing::Not(testing::Contains(HasSubstr("pass through"))));
    const auto lowest = [&](double t) {
      double y = 1.0;
      const base::Pose pose = moved.objects[0].motion->pose(t);
      for (const auto& v : scene.objects[0].mesh->vertices) y = std::min(y, pose.to_world(v).y());
      return y;
    };
    const auto& impacts = moved.contacts->events.impacts;
    ASSERT_GE(impacts.size(), 3u);
    EXPECT_GT(lowest(impacts[0].time - 0.01), 0.005);
    EXPECT_NEAR(lowest(impacts[0].time), 0.0, 3e-4) << "its edges have fillets";
    EXPECT_NEAR(lowest(1.0), 0.0, 3e-4);
    EXPECT_LT(impacts.back().time, 0.95) << "it lies still";
    for (double t = 0.0; t < 1.0; t += 0.005) EXPECT_GT(lowest(t), -4e-4) << t;
  }
}

// scenes/bodies/clacking-balls: half a swing of a pendulum of 20 cm, let go at 30 degrees.
TEST_F(Contacts, TheBallsClackOncePerHalfSwing) {
  scene::Scene scene = scene::read_scene(gallery_ / "bodies/clacking-balls/scene.json");
  for (const scene::Solver solver : {scene::Solver::smooth, scene::Solver::bullet}) {
    scene.dynamics.solver = solver;
    util::Silent silent;
    std::vector<std::string> notices;
    const auto impacts = simulate::move_scene(scene, silent, notices).contacts->events.impacts;
    ASSERT_GE(impacts.size(), 4u);
    const double half = 0.456377;
    EXPECT_NEAR(impacts[0].time, 0.5 * half, 0.005);
    for (std::size_t i = 1; i < 4; ++i) {
      EXPECT_NEAR(impacts[i].time - impacts[i - 1].time, half, 0.03 * half);
      EXPECT_LT(impacts[i].impulse.norm(), impacts[i - 1].impulse.norm());
    }
  }
}

TEST_F(Contacts, AHolderThatIsNotThereIsRefused) {
  json text = dropped_marble();
  text["objects"][0]["motion"]["rigid"]["joints"] =
      json::parse(R"([{"to": [0, 0, 0], "by": "slap"}])");
  EXPECT_THAT(complaint(text),
              HasSubstr("objects[0].motion.rigid.joints[0].by: no other solid object "
                        "is called \"slap\""));
}

TEST_F(Contacts, WhatCannotBeIsRefused) {
  json overlapping = dropped_marble();
  overlapping["objects"][0]["motion"]["rigid"]["position"] = {0, 0.005, 0};
  EXPECT_THAT(complaint(overlapping),
              HasSubstr("objects[0].motion: \"marble\" and \"slab\" overlap "
                        "by 3 mm at the start"));

  json text = hit_ball("steel");
  std::string log = util::read_file(folder_ / "hit.jsonl");
  const std::string good = log;
  log.replace(log.find("[0.01, 0, 0]"), 12, "[1000, 0, 0]");
  util::write_file(folder_ / "hit.jsonl", log);
  EXPECT_THAT(complaint(text), HasSubstr("record 1: an impulse of 1e+03 N s would give \"ball\""));

  log = good;
  for (std::size_t at; (at = log.find("\"block\"")) != std::string::npos;) {
    log.replace(at, 7, "\"blok\"");
  }
  util::write_file(folder_ / "hit.jsonl", log);
  EXPECT_THAT(complaint(text), HasSubstr("record 1: the scene has no body called \"blok\""));

  // The same in a table.
  const std::string names = "time,a,b,x,y,z,nx,ny,nz,jx,jy,jz,vx,vy,vz\n";
  const std::string hit = ",ball,block,-0.015,0,0,1,0,0,0.01,0,0,-1,0,0\n";
  text["dynamics"]["contacts"] = "hit.csv";
  const auto told = [&](const std::string& rows) {
    util::write_file(folder_ / "hit.csv", names + rows);
    return complaint(text);
  };
  EXPECT_EQ(told("0.001" + hit), "");
  EXPECT_THAT(told("0.001" + hit + "0.002,ball,blok,0,0,0,1,0,0,0.01,0,0,-1,0,0\n"),
              HasSubstr("record 2: the scene has no body called \"blok\""));
  EXPECT_THAT(told("0.002" + hit + "0.001" + hit),
              HasSubstr("record 2: its time 0.001 s is before"));
  EXPECT_THAT(told("0.001,ball,block,0,0,0,1,0,0,nan,0,0,-1,0,0\n"),
              HasSubstr("record 1: the cell for j (x) is \"nan\""));
  EXPECT_THAT(told("0.001,ball,block,0,0,0,1,0,0,1000,0,0,-1,0,0\n"),
              HasSubstr("record 1: an impulse of 1e+03 N s would give \"ball\""));

  EXPECT_THAT(told("0.001" + hit + "0.002,ball,block,-0.015,0,0,1,0,0,50,0,0,-1,0,0\n"),
              HasSubstr("record 2: an impulse of 50 N s is more than bodies of 0.1"));
  EXPECT_EQ(told("0.001,ball,block,-0.04,0,0,1,0,0,0.01,0,0,-1,0,0\n"), "");
  for (const char* far : {"-1", "100", "1e5"}) {
    EXPECT_THAT(told("0.001" + hit + "0.002,ball,block," + far + ",0,0,1,0,0,0.01,0,0,-1,0,0\n"),
                testing::ContainsRegex("record 2: the point .* m away from \"ball\""));
  }

  text["dynamics"]["contacts"] = "hit.jsonl";
  util::write_file(folder_ / "hit.jsonl", good);
  text["objects"][0]["motion"] = "fixed";
  EXPECT_EQ(complaint(text), "") << "the log says that something hits it";
  text["objects"][0].erase("material");
  text["objects"][0].erase("sound");
  EXPECT_THAT(complaint(text), HasSubstr("record 1: neither of the two bodies can move"));
}

TEST_F(Contacts, ALogAloneMakesSoundWhereItsContactsAre) {
  json text = json::parse(R"({"peal": 1, "duration": 0.2, "objects": [
      {"name": "marble", "shape": {"sphere": 0.01}, "material": "glass"},
      {"name": "table", "shape": {"box": [4, 0.02, 1]}, "material": "oak", "sound": [],
       "motion": {"position": [0, -0.01, 0]}}],
      "listeners": [{"name": "left", "mono": {"position": [-1, 0.3, 0]}},
                    {"name": "right", "mono": {"position": [1, 0.3, 0]}}],
      "dynamics": {"contacts": "fall.jsonl"}})");
  const auto hit = [](double time, double x) {
    return json{{"time_s", time},
                {"a", "marble"},
                {"b", "table"},
                {"point_m", {x, 0, 0}},
                {"normal", {0, 1, 0}},
                {"impulse_ns", {0, 0.02, 0}},
                {"velocity_m_s", {0, -1, 0}}}
               .dump() +
           "\n";
  };
  util::write_file(folder_ / "fall.jsonl",
                   "{\"peal_contacts\": 1, \"bodies\": [\"marble\", \"table\"]}\n" +
                       hit(0.01, -1.0) + hit(0.11, 1.0));
  const Sound sound = sound_of(text);
  EXPECT_THAT(sound.notices,
              testing::Contains(HasSubstr("\"marble\" has no motion: it is placed at its "
                                          "contacts in the log (2 positions)")));
  // The first impact is louder on the left, the second on the right.
  const auto power = [&](std::size_t listener, std::size_t begin) {
    double sum = 0.0;
    for (std::size_t n = begin; n < begin + 4800; ++n)
      sum += std::pow(sound.listeners[listener].audio.channels[0][n], 2);
    return sum;
  };
  EXPECT_GT(power(0, 0), 10.0 * power(1, 0));
  EXPECT_GT(power(1, 4800), 10.0 * power(0, 4800));
}

TEST_F(Contacts, FindingsNameEachBodyOnceForEachReceiver) {
  json text = dropped_marble();
  const Sound sound = sound_of(text);  // six points stand for its click
  EXPECT_EQ(
      std::ranges::count_if(sound.plan.diagnostics,
                            [](const std::string& one) { return one.starts_with("\"marble"); }),
      1);
}

}  // namespace
}  // namespace peal::render
