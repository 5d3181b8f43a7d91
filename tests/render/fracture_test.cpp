#include <peal/contact/contact_log.h>
#include <peal/geometry/io/write_mesh.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/render/render.h>
#include <peal/scene/read_scene.h>
#include <peal/simulate/fracture.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/error.h>
#include <peal/util/files.h>
#include <peal/util/measure.h>
#include <peal/util/parallel.h>
#include <peal/util/scratch_folder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace peal::render {
namespace {

using geometry::Vec3;
using nlohmann::json;
using testing::HasSubstr;

/// A pane falls on a floor.
json falling_pane() {
  return json::parse(R"({"peal": 1, "duration": 0.4, "seed": 2,
    "objects": [
      {"name": "pane", "shape": {"box": [0.1, 0.08, 0.004]}, "material": "glass",
       "contact": {"restitution": 0.3, "fillet": 0.0003},
       "motion": {"fracture": {"position": [0, 0.3, 0], "rotation": {"axis": [1, 0, 0.5], "degrees": 30},
                               "velocity": [0.2, 0, 0], "angular_velocity": [1, 2, 0],
                               "pieces": 9, "impulse": 0.02}},
       "sound": ["acceleration_noise"]},
      {"name": "floor", "shape": {"plane": [3, 3]}, "material": "stone", "sound": []}],
    "listeners": [{"mono": {"position": [0, 0.5, 0.5]}}]})");
}

/// A steel ball hits a pane that stands still.
json shot() {
  return json::parse(R"({"peal": 1, "duration": 0.1,
    "dynamics": {"gravity": [0, 0, 0]},
    "objects": [
      {"name": "ball", "shape": {"sphere": 0.01}, "material": "steel", "contact": {"restitution": 0},
       "motion": {"rigid": {"position": [0, 0, 0.1], "velocity": [0, 0, -5]}}, "sound": []},
      {"name": "pane", "shape": {"box": [0.2, 0.2, 0.004]}, "material": "glass",
       "contact": {"restitution": 0},
       "motion": {"fracture": {"fixed": true, "pieces": 20, "impulse": 0.05, "concentration": 3}},
       "sound": ["acceleration_noise"]}],
    "listeners": [{"mono": {"position": [0, 0, 1]}}]})");
}

struct Broken {
  simulate::BrokenScene scene;
  base::MotionResult motion;
  std::vector<std::string> notices;
};

Broken broken(const json& scene) {
  util::Silent silent;
  Broken result;
  result.scene = simulate::break_bodies(scene::parse_scene(scene.dump(), "scene.json", "."), silent,
                                        result.notices);
  result.motion = simulate::move_scene(result.scene.scene, silent, result.notices,
                                       {.breakages = result.scene.breakages});
  return result;
}

geometry::MassProperties mass_of_piece(const scene::Object& piece) {
  return geometry::mass_properties(*piece.mesh, piece.material->density);
}

TEST(Fracture, PiecesFillTheWholeAndGoOnAsItDoes) {
  const Broken result = broken(falling_pane());
  const auto& objects = result.scene.scene.objects;
  ASSERT_EQ(result.scene.breakages.size(), 1u);
  const simulate::Breakage& breakage = result.scene.breakages[0];
  ASSERT_EQ(breakage.pieces, 9u);
  const scene::Object& whole = objects[breakage.object];
  EXPECT_EQ(whole.exists->end, breakage.time);
  EXPECT_LT(breakage.share, 1.0);
  const auto all = mass_of_piece(whole);
  const base::Pose pose = result.motion.objects[breakage.object].motion->pose(breakage.time);
  double mass = 0.0;
  Vec3 momentum = Vec3::Zero(), middle = Vec3::Zero();
  for (std::size_t i = 0; i < breakage.pieces; ++i) {
    const scene::Object& piece = objects[breakage.first_piece + i];
    EXPECT_EQ(piece.exists->begin, breakage.time);
    EXPECT_EQ(piece.name, "pane-" + std::to_string(i + 1));
    const auto part = mass_of_piece(piece);
    mass += part.mass;
    momentum += part.mass * piece.rigid()->velocity;
    middle +=
        part.mass * result.motion.objects[breakage.first_piece + i].motion->pose(0.0).position;
  }
  EXPECT_NEAR(mass, all.mass, 1e-9 * all.mass);
  EXPECT_LT((middle / mass - pose.to_world(all.centre)).norm(), 1e-6);
  // It fell 0.28 m or so, and met the floor with a corner.
  const Vec3 velocity = momentum / mass;
  EXPECT_NEAR(velocity.x(), 0.2, 0.2);
  EXPECT_LT(velocity.y(), 0.0) << "most of it still falls";
  EXPECT_GT(velocity.y(), -std::sqrt(2 * 9.81 * 0.3));
}

TEST(Fracture, TheWholeCarriesTheImpactUpToItsLimit) {
  const Broken result = broken(falling_pane());
  const simulate::Breakage& breakage = result.scene.breakages.at(0);
  const base::ContactLog& log = result.motion.contacts->log;
  double carried = 0.0;
  std::size_t of_pieces = 0;
  for (const base::ContactRecord& record : log.records) {
    if (record.duration > 0.0) continue;
    const bool is_whole =
        log.bodies[record.body_a] == "pane" || log.bodies[record.body_b] == "pane";
    EXPECT_EQ(is_whole, record.time <= breakage.time);
    if (is_whole)
      carried += record.impulse.norm();
    else
      ++of_pieces;
  }
  EXPECT_NEAR(carried, 0.02, 1e-9);
  EXPECT_GT(of_pieces, 9u) << "all of them land";
}

TEST(Fracture, ABallGoesThroughAPaneAndKeepsWhatThePaneDidNotTake) {
  const Broken result = broken(shot());
  ASSERT_EQ(result.scene.breakages.size(), 1u);
  const scene::Object& ball = result.scene.scene.objects[0];
  const double mass = mass_of_piece(ball).mass;
  // 5 m/s less 0.05 N s on breaking it; then it pushes pieces of it ahead. All momentum is in them.
  const base::Motion& path = *result.motion.objects[0].motion;
  const auto speed = [](const base::Motion& motion, double t) -> Vec3 {
    return (motion.pose(t + 1e-3).position - motion.pose(t).position) / 1e-3;
  };
  EXPECT_NEAR(speed(path, 0.01).z(), -5.0, 1e-6);
  Vec3 after = mass * speed(path, 0.08);
  for (std::size_t i = 0; i < result.scene.breakages[0].pieces; ++i) {
    const std::size_t piece = result.scene.breakages[0].first_piece + i;
    after += mass_of_piece(result.scene.scene.objects[piece]).mass *
             speed(*result.motion.objects[piece].motion, 0.08);
  }
  EXPECT_NEAR(after.z(), -5.0 * mass + 0.05, 0.02 * 5.0 * mass);
  EXPECT_LT(speed(path, 0.08).z(), -0.5) << "it flies on";
}

TEST(Fracture, AnEnergyMayBeTheLimit) {
  json scene = shot();
  json& fracture = scene["objects"][1]["motion"]["fracture"];
  fracture.erase("impulse");
  // A ball of 33 g at 5 m/s has 0.41 J; half of its impulse times its speed is just that.
  fracture["energy"] = 0.42;
  EXPECT_TRUE(broken(scene).scene.breakages.empty());
  fracture["energy"] = 0.3;
  const Broken result = broken(scene);
  ASSERT_EQ(result.scene.breakages.size(), 1u);
  EXPECT_NEAR(result.scene.breakages[0].share, 1.0 - std::sqrt(1.0 - 0.3 / 0.4109), 0.01);
}

TEST(Fracture, WeakImpactsBreakNothing) {
  json scene = falling_pane();
  scene["objects"][0]["motion"]["fracture"]["impulse"] = 5;
  const Broken result = broken(scene);
  EXPECT_TRUE(result.scene.breakages.empty());
  EXPECT_EQ(result.scene.scene.objects.size(), 2u);
  EXPECT_THAT(result.notices, testing::Contains(HasSubstr("\"pane\" does not break")));
}

TEST(Fracture, PiecesAreHeardFromTheirFirstInstant) {
  util::Silent silent;
  const auto scene = scene::parse_scene(falling_pane().dump(), "scene.json", ".");
  const Sound sound = render(scene, silent);
  const auto audio = util::as_double(sound.listeners.at(0).audio.channels.at(0));
  EXPECT_THAT(sound.notices, testing::Contains(HasSubstr("breaks into 9 pieces")));
  double first = 1e9;
  for (const base::Impact& impact : sound.contacts->events.impacts)
    first = std::min(first, impact.time);
  const auto at = static_cast<std::size_t>((first + 0.6 / 343.2) * 48000);
  EXPECT_EQ(util::peak(std::span(audio).first(at - 200)), 0.0);
  EXPECT_GT(util::peak(std::span(audio).subspan(at - 100, 300)), 1e-3);
}

TEST(Fracture, IsTheSameForAnyNumberOfThreads) {
  const auto scene = scene::parse_scene(falling_pane().dump(), "scene.json", ".");
  const auto heard = [&](int threads) {
    const util::ThreadLimit limit(threads);
    util::Silent silent;
    return render(scene, silent).listeners.at(0).audio.channels.at(0);
  };
  const auto one = heard(1), four = heard(4);
  EXPECT_EQ(one, four);
}

/// What another program would write about a simulation: meshes, poses 240 times a second, contacts.
void write_pieces(const Broken& simulated, const std::filesystem::path& folder) {
  const simulate::Breakage& breakage = simulated.scene.breakages.at(0);
  const auto& objects = simulated.scene.scene.objects;
  json pieces = json::array();
  std::string poses;
  const auto add_poses = [&](std::size_t index, double from, double until) {
    for (double t = from; t < until; t += 1.0 / 240) {
      const base::Pose pose = simulated.motion.objects[index].motion->pose(t);
      const Vec3& x = pose.position;
      const auto& q = pose.orientation.coeffs();
      poses += json{{"time_s", t},
                    {"body", objects[index].name},
                    {"position_m", {x.x(), x.y(), x.z()}},
                    {"rotation", {q.x(), q.y(), q.z(), q.w()}}}
                   .dump() +
               "\n";
    }
  };
  add_poses(breakage.object, 0.0, breakage.time);
  for (std::size_t i = 0; i < breakage.pieces; ++i) {
    const scene::Object& piece = objects[breakage.first_piece + i];
    geometry::write_mesh(folder / (piece.name + ".obj"), *piece.mesh);
    pieces.push_back({{"name", piece.name}, {"mesh", piece.name + ".obj"}});
    add_poses(breakage.first_piece + i, breakage.time, 0.4);
  }
  const base::ContactLog& log = simulated.motion.contacts->log;
  const json header = {{"peal_pieces", 1},
                       {"breaks_s", breakage.time},
                       {"step_s", log.step},
                       {"order", "any"},
                       {"pieces", pieces}};
  std::string contacts = contact::contact_log_text(log);
  contacts.erase(0, contacts.find('\n') + 1);
  util::write_file(folder / "pane.jsonl", header.dump() + "\n" + poses + contacts);
}

// The file says the same as the simulation, but for the courses of the forces, which a simulation
// of rigid bodies does not have and the impact law finds for contacts of another program.
TEST(Fracture, PiecesOfAnotherProgramSoundAsTheSameOnesSimulated) {
  const util::ScratchFolder folder;
  json scene = falling_pane();
  const Broken simulated = broken(scene);
  write_pieces(simulated, folder.path());
  util::Silent silent;
  const auto heard = [&](const json& which) {
    return render(scene::parse_scene(which.dump(), "scene.json", folder.path()), silent);
  };
  const Sound expected = heard(scene);
  scene["objects"][0].erase("motion");
  scene["objects"][0]["pieces"] = "pane.jsonl";
  const scene::Scene parsed = scene::parse_scene(scene.dump(), "scene.json", folder.path());
  ASSERT_EQ(parsed.objects.size(), 11u);
  EXPECT_EQ(simulate::piece_names(parsed), simulate::piece_names(simulated.scene.scene));
  const Sound sound = heard(scene);
  ASSERT_TRUE(sound.contacts);
  EXPECT_EQ(sound.contacts->source, base::ContactResult::Source::given);
  EXPECT_EQ(sound.contacts->events.impacts.size(), expected.contacts->events.impacts.size());
  const auto level = [](const Sound& one) {
    const auto audio = util::as_double(one.listeners.at(0).audio.channels.at(0));
    return 20.0 * std::log10(util::rms(audio));
  };
  EXPECT_NEAR(level(sound), level(expected), 1.5);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(sound.contacts->events.impacts[i].time, expected.contacts->events.impacts[i].time,
                1e-9);
  }
}

TEST(Fracture, AFileOfPiecesThatIsWrongIsNamedWithItsLine) {
  const util::ScratchFolder folder;
  write_pieces(broken(falling_pane()), folder.path());
  const std::string good = util::read_file(folder.path() / "pane.jsonl");
  json scene = falling_pane();
  scene["objects"][0].erase("motion");
  scene["objects"][0]["pieces"] = "pane.jsonl";
  const auto error_of = [&](std::string text) -> std::string {
    util::write_file(folder.path() / "pane.jsonl", text);
    try {
      scene::parse_scene(scene.dump(), "scene.json", folder.path());
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(error_of(good), "");
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of(replaced("breaks_s", "breaks")), HasSubstr("\"breaks_s\""));
  EXPECT_THAT(error_of(replaced("\"body\":\"pane\"", "\"body\":\"plane\"")),
              HasSubstr("a pose of \"plane\""));
  EXPECT_THAT(error_of(replaced("pane-3.obj", "pane-33.obj")), HasSubstr("pane-33.obj"));
  EXPECT_THAT(error_of(good + "{\"time_s\": 0, \"body\": \"pane\", \"position_m\": [0, 0, 0]}\n"),
              HasSubstr("Sort the poses"));
  EXPECT_THAT(error_of(good + "{\"time_s\": nan}\n"), HasSubstr("nan is not a finite number"));
  util::write_file(folder.path() / "pane.jsonl", good);
  scene["dynamics"]["contacts"] = "pane.jsonl";
  EXPECT_THAT(error_of(good), HasSubstr("the scene has others"));
}

TEST(Fracture, BadInputIsNamed) {
  const auto error_of = [](json scene) -> std::string {
    try {
      scene::parse_scene(scene.dump(), "scene.json", ".");
    } catch (const util::InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto with = [](const char* key, const json& value) {
    json scene = falling_pane();
    scene["objects"][0]["motion"]["fracture"][key] = value;
    return scene;
  };
  EXPECT_THAT(error_of(with("pieces", 1)), HasSubstr("objects[0].motion.fracture.pieces"));
  EXPECT_THAT(error_of(with("fixed", true)), HasSubstr("a body that is fixed does not move"));
  EXPECT_THAT(error_of(with("energy", 1)), HasSubstr("objects[0].motion.fracture"));
  json scene = falling_pane();
  scene["objects"][0]["motion"]["fracture"].erase("impulse");
  EXPECT_THAT(error_of(scene), HasSubstr("\"impulse\""));
  scene = falling_pane();
  scene["objects"][0]["exists"] = {0, 1};
  EXPECT_THAT(error_of(scene), HasSubstr("a body that breaks ends by itself"));
  scene = falling_pane();
  scene["dynamics"]["solver"] = "bullet";
  EXPECT_THAT(error_of(scene), HasSubstr("\"smooth\" alone"));
}

}  // namespace
}  // namespace peal::render
