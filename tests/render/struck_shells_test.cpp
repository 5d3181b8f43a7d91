#include <peal/dynamics/keyframed_motion.h>
#include <peal/simulate/expected_motion.h>
#include <peal/util/progress.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "render/struck_scene.h"

/// Thin walls that are struck: where their energy goes, and how radiators hear them.
namespace peal::render {
namespace {

using geometry::Vec3;

class StruckShells : public testing::Test {
 protected:
  StruckShells() { setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~StruckShells() override { std::filesystem::remove_all(cache_); }

  /// A free plate of 2 mm of steel that a mallet of 20 g strikes at 2 m/s, and listeners all
  /// around it.
  static json struck_plate(const char* model, double duration) {
    json scene = json::parse(R"({"peal": 1, "dynamics": {"gravity": [0, 0, 0]}, "objects": [
        {"name": "plate", "shape": {"plane": {"size": [0.3, 0.25], "edge_length": 0.02}}, "thickness": 0.002,
         "material": {"base": "steel", "damping": {"internal_friction": 0.0004}}, "contact": {"collision": "none"},
         "motion": {"deformable": {"element_size": 0.02}},
         "strikes": [{"t": 0.002, "at": [0.11, 0, 0.07],
           "hammer": {"mass": 0.02, "radius": 0.01, "speed": 2, "direction": [0, -1, 0],
                      "material": {"density": 600, "young_modulus": 1e9, "poisson_ratio": 0.3}}}]}],
        "listeners": []})");
    scene["duration"] = duration;
    scene["radiation"] = {{"model", model}, {"max_frequency", 2000}};
    for (const Vec3& towards : directions()) {
      const Vec3 x = distance * towards;
      scene["listeners"].push_back({{"mono", {{"position", {x.x(), x.y(), x.z()}}}}});
    }
    return scene;
  }

  static Sound rendered(const json& scene) {
    util::Silent silent;
    return render(scene::parse_scene(scene.dump(), "scene.json", "."), silent);
  }

  /// Nearly even on a sphere.
  static std::vector<Vec3> directions() {
    std::vector<Vec3> all;
    constexpr int count = 32;
    for (int i = 0; i < count; ++i) {
      const double y = 1.0 - (2.0 * i + 1.0) / count, angle = 2.399963 * i;
      const double r = std::sqrt(1.0 - y * y);
      all.emplace_back(r * std::cos(angle), y, r * std::sin(angle));
    }
    return all;
  }

  /// Energy that passes the listeners [J].
  static double received(const Sound& sound) {
    double sum = 0.0;
    for (const auto& listener : sound.listeners) {
      for (const float p : listener.audio.channels.at(0))
        sum += static_cast<double>(p) * static_cast<double>(p) / 48000.0;
    }
    const double impedance = 1.2041 * 343.2;
    return sum / impedance * 4.0 * std::numbers::pi * distance * distance /
           static_cast<double>(sound.listeners.size());
  }

  static constexpr double distance = 2.0;  ///< [m]
  std::filesystem::path cache_ =
      std::filesystem::temp_directory_path() / ("peal-struck-shells-" + std::to_string(::getpid()));
};

TEST_F(StruckShells, HaveTheEnergyOfTheMalletUntilDampingTakesIt) {
  double dissipated = 0.0;
  for (const double duration : {0.05, 0.4}) {
    const Sound sound = rendered(struck_plate("rays", duration));
    ASSERT_EQ(sound.vibrations.size(), 1u);
    EXPECT_EQ(sound.vibrations[0].body, "plate");
    const base::SourceEnergy energy = sound.vibrations[0].energy;
    EXPECT_GT(energy.given, 0.1 * 0.04);
    EXPECT_LT(energy.given, 0.04) << "what the mallet had";
    EXPECT_GT(energy.dissipated, dissipated);
    EXPECT_LT(energy.dissipated, energy.given);
    dissipated = energy.dissipated;
  }
}

TEST_F(StruckShells, SendLessPastTheListenersThanTheyHad) {
  json scene = struck_plate("wave", 0.3);
  scene["radiation"] = {{"model", "wave"}, {"max_frequency", 1200}, {"cell_size", 0.025}};
  const Sound sound = rendered(scene);
  const double passes = received(sound);
  EXPECT_GT(passes, 0.0);
  EXPECT_LT(passes, sound.vibrations.at(0).energy.dissipated);
}

/// The modes of a lid of steel, 0.5 mm thick, by the tables of what they radiate and by the waves
/// around it.
TEST_F(StruckShells, SoundByTablesAsThroughWaves) {
  json scene = json::parse(R"({"peal": 1, "duration": 0.4, "objects": [
      {"name": "lid", "thickness": 0.0005, "material": "steel",
       "shape": {"lathe": {"profile": [[0, 0.01], [0.03, 0.009], [0.05, 0]], "edge_length": 0.006}},
       "sound": [{"modal": {"max_frequency": 3000}}],
       "strikes": [{"t": 0.01, "at": [0.03, 0.009, 0], "force": {"impulse": 0.01, "contact_time": 0.0005}}]}],
      "listeners": [{"mono": {"position": [0, 0.5, 0.3]}}, {"mono": {"position": [0.4, 0.1, -0.2]}}]})");
  const auto levels = [&](const char* model) {
    scene["radiation"] = {{"model", model}, {"max_frequency", 3000}};
    const Sound sound = rendered(scene);
    std::vector<double> all;
    for (const auto& listener : sound.listeners)
      all.push_back(20.0 * std::log10(util::rms(util::as_double(listener.audio.channels.at(0)))));
    return all;
  };
  const std::vector<double> by_tables = levels("precomputed"), by_waves = levels("wave");
  for (std::size_t i = 0; i < by_waves.size(); ++i)
    EXPECT_NEAR(by_tables[i], by_waves[i], 1.0) << i;
}

/// The path that a body is expected to take, at a time.
base::Pose expected_pose(const json& scene, double t) {
  const scene::Scene parsed = scene::parse_scene(scene.dump(), "scene.json", ".");
  return dynamics::KeyframedMotion(simulate::expected_motion(parsed, parsed.objects[0])).pose(t);
}

TEST_F(StruckShells, AreExpectedToMoveAsRigidBodies) {
  json scene = struck_plate("wave", 0.2);
  json& plate = scene["objects"][0];
  const double mass = 7850.0 * 0.3 * 0.25 * 0.002;
  plate["strikes"] = {
      {{"t", 0.01},
       {"at", {0, 0, 0}},
       {"force", {{"impulse", 0.02}, {"contact_time", 0.001}, {"direction", {0, -1, 0}}}}}};
  EXPECT_NEAR(expected_pose(scene, 0.009).position.y(), 0.0, 1e-4 * 0.1 * 0.02 / mass + 2e-5);
  EXPECT_NEAR(expected_pose(scene, 0.11).position.y(), -0.1 * 0.02 / mass, 0.003 * 0.02 / mass);
  // On a felt it swings.
  plate["motion"]["deformable"]["supports"] = json::parse(
      R"([{"region": {"box": {"min": [-1, -1, -1], "max": [1, 1, 1]}}, "stiffness": 5000}])");
  const double w = std::sqrt(5000.0 / mass), quarter = 0.5 * std::numbers::pi / w;
  EXPECT_NEAR(expected_pose(scene, 0.01 + quarter).position.y(), -0.02 / (mass * w),
              0.05 * 0.02 / (mass * w));
  EXPECT_NEAR(expected_pose(scene, 0.01 + 2.0 * quarter).position.y(), 0.0,
              0.05 * 0.02 / (mass * w));
  // In a grip it goes where that goes.
  json& body = plate["motion"]["deformable"];
  body.erase("supports");
  body["grips"] = json::parse(R"([{"region": "-x", "motion": {"keyframes": [
      {"t": 0, "position": [-0.15, 0, 0]}, {"t": 0.2, "position": [-0.15, 0.1, 0]}]}}])");
  EXPECT_NEAR(expected_pose(scene, 0.1).position.y(), 0.05, 1e-9);
  EXPECT_NEAR(expected_pose(scene, 0.1).position.x(), 0.0, 1e-9);
}

}  // namespace
}  // namespace peal::render
