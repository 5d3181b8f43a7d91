#include <peal/contact/contact_log.h>
#include <peal/render/output.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace peal::render {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Thin bodies that fall, with few modes, so that they are found soon.
class RingingImpacts : public testing::Test {
 protected:
  RingingImpacts() {
    std::filesystem::create_directories(folder_);
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  ~RingingImpacts() override { std::filesystem::remove_all(folder_); }

  static json falling_tile() {
    return json::parse(R"({"peal": 1, "duration": 0.5, "objects": [
      {"name": "tile", "shape": {"box": {"size": [0.1, 0.006, 0.08], "edge_length": 0.02}},
       "material": "ceramic", "contact": {"restitution": 0.5, "friction": 0.3, "fillet": 0.001},
       "motion": {"rigid": {"position": [0, 0.12, 0], "rotation": {"axis": [0.6, 0, 1], "degrees": 20}}},
       "sound": [{"modal": {"max_frequency": 6000}}, "acceleration_noise"]},
      {"name": "floor", "shape": {"box": [1, 0.5, 1]}, "material": "stone",
       "contact": {"friction": 0.3}, "motion": {"position": [0, -0.25, 0]}}],
      "listeners": [{"mono": {"position": [0, 0.4, 0.5]}}]})");
  }
  scene::Scene scene_of(const json& text) const {
    return scene::parse_scene(text.dump(), "scene.json", folder_);
  }
  base::MotionResult moved(const json& text) {
    util::Silent silent;
    notices_.clear();
    return simulate::move_scene(scene_of(text), silent, notices_);
  }

  std::vector<std::string> notices_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("peal-ringing-" + std::to_string(::getpid()));
};

TEST_F(RingingImpacts, EnergyIsAccountedForAndTheModesGetLessThanThereWas) {
  const base::MotionResult result = moved(falling_tile());
  const base::ContactResult& contacts = *result.contacts;
  ASSERT_TRUE(contacts.energy);
  const base::ContactEnergy& energy = *contacts.energy;
  // It fell about 0.1 m.
  const double weight =
      9.81 * 0.1 * 0.006 * 0.08 * scene_of(falling_tile()).objects[0].material->density;
  EXPECT_NEAR(energy.given, 0.1 * weight, 0.03 * weight);
  EXPECT_GT(energy.to_modes, 0.02 * energy.given);
  EXPECT_LT(energy.to_modes, 0.8 * energy.given);
  EXPECT_GE(energy.lost, 0.0);
  ASSERT_EQ(contacts.bodies.size(), 2u);
  EXPECT_EQ(contacts.bodies[0].body, "tile");
  EXPECT_GT(contacts.bodies[0].ringing, 0u);
  EXPECT_GE(contacts.bodies[0].sub_impacts, contacts.bodies[0].count);
  EXPECT_GT(contacts.bodies[0].longest, 3e-4);
}

TEST_F(RingingImpacts, RingAndClickHaveTheSameForceAndTheLogKeepsIt) {
  const base::MotionResult result = moved(falling_tile());
  const auto& impacts = result.objects[0].forces.impacts;
  const auto followed = std::ranges::count_if(
      impacts, [](const base::ContactForce& force) { return force.history != nullptr; });
  ASSERT_GT(followed, 2);
  for (const base::ContactForce& force : impacts) {
    if (!force.history) continue;
    EXPECT_NEAR(force.history->impulse().norm(), force.pulse.impulse, 1e-12);
  }
  // A render from the log has the same forces.
  const std::string text = contact::contact_log_text(result.contacts->log);
  EXPECT_THAT(text, HasSubstr("force_n"));
  const base::ContactLog back = contact::parse_contact_log(text, "log");
  ASSERT_EQ(back.records.size(), result.contacts->log.records.size());
  for (std::size_t i = 0; i < back.records.size(); ++i) {
    const auto &a = back.records[i].force, &b = result.contacts->log.records[i].force;
    ASSERT_EQ(a == nullptr, b == nullptr);
    if (!a) continue;
    EXPECT_EQ(a->samples, b->samples);
  }
}

TEST_F(RingingImpacts, WithoutModesTheLogIsThatOfRigidBodies) {
  json text = falling_tile();
  text["objects"][0]["sound"] = {"acceleration_noise"};
  const base::MotionResult result = moved(text);
  for (const base::ContactRecord& record : result.contacts->log.records)
    EXPECT_EQ(record.force, nullptr);
  EXPECT_THAT(notices_, testing::Contains(HasSubstr("\"tile\" is thin")));
}

TEST_F(RingingImpacts, GivenImpulsesGetTheForceThatTheirBodiesMake) {
  // What another engine says of it, without forces.
  base::MotionResult simulated = moved(falling_tile());
  base::ContactLog log = simulated.contacts->log;
  const double whole = simulated.contacts->energy->to_modes;
  for (base::ContactRecord& record : log.records) record.force = nullptr;
  log.records.resize(1);
  util::write_file(folder_ / "given.jsonl", contact::contact_log_text(log));
  json text = falling_tile();
  text["dynamics"] = {{"contacts", "given.jsonl"}};
  const double time = log.records[0].time;
  text["objects"][0]["motion"] = json::parse(R"({"keyframes": [
      {"t": 0, "position": [0, 0.02, 0]}, {"t": 1, "position": [0, 0.021, 0]}]})");
  const base::MotionResult given = moved(text);
  ASSERT_EQ(given.objects[0].forces.impacts.size(), 1u);
  const base::ContactForce& force = given.objects[0].forces.impacts[0];
  ASSERT_TRUE(force.history);
  EXPECT_NEAR(force.history->start, time, 1e-3);
  EXPECT_LE(force.pulse.impulse, log.records[0].impulse.norm() * (1.0 + 1e-5));
  EXPECT_GT(whole, 0.0);
}

TEST_F(RingingImpacts, TheManifestTellsTheEnergyAndTheForces) {
  util::Silent silent;
  const scene::Scene scene = scene_of(falling_tile());
  const Sound sound = render(scene, silent);
  const auto told = manifest(scene, sound, {.folder = folder_});
  const auto& energy = told["contacts"]["energy"];
  EXPECT_NEAR(energy["given_j"].get<double>(),
              energy["kinetic_j"].get<double>() + energy["lost_in_contact_j"].get<double>() +
                  energy["given_to_modes_j"].get<double>(),
              1e-12);
  const auto& body = told["contacts"]["bodies"][0];
  EXPECT_EQ(body["name"], "tile");
  EXPECT_GT(body["largest_force_n"].get<double>(), 1.0);
}

}  // namespace
}  // namespace peal::render
