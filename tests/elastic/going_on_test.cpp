#include <peal/elastic/external_loads.h>
#include <peal/elastic/mallet.h>
#include <peal/elastic/shell_solid.h>
#include <peal/elastic/simulation.h>
#include <peal/elastic/soft_support.h>
#include <peal/fem/lame.h>
#include <peal/util/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>

#include "elastic/contact_bodies.h"
#include "elastic/trial_shells.h"

/// Simulations that were killed and go on.
namespace peal::elastic {
namespace {

namespace fs = std::filesystem;

struct Kill {};

/// Kills the simulation when it tells for the n-th time how far it is.
class Killer : public util::Silent {
 public:
  explicit Killer(int looks) : looks_(looks) {}
  void update(double) override {
    if (--looks_ == 0) throw Kill();
  }

  std::string told;  ///< to the user

 private:
  int looks_;
};

void start_at(Simulated& simulated, const Vec3& position, const Vec3& velocity,
              const geometry::Quat& turn = geometry::Quat::Identity()) {
  simulated.starts.push_back(
      {.frame = {.position = position, .orientation = turn}, .velocity = velocity});
}

Constraint nodes_where(const Solid& solid, const std::function<bool(const Vec3&)>& is_held) {
  Constraint held;
  for (std::uint32_t n = 0; n < solid.rest.size(); ++n) {
    if (is_held(solid.rest.at(n))) held.nodes.push_back(n);
  }
  return held;
}

/// A damped steel bar that is fixed at one end, moved at the other, sags, is struck, and met by a
/// steel ball; a soft ball touches the ground beside it for three milliseconds.
Simulated struck_bar() {
  Simulated simulated;
  base::Material steel = trial_steel();
  steel.damping = {.mass = 5.0, .stiffness = 1e-7};
  simulated.solids.push_back(make_hexahedral_solid(
      geometry::box_hexes({0.1, 0.01, 0.02}, {5, 1, 1}, 1), steel, HexElement::solid_shell, "bar"));
  start_at(simulated, {0, 0.1, 0}, Vec3::Zero());
  const Solid& bar = simulated.solids[0];
  simulated.constraints.push_back(nodes_where(bar, [](const Vec3& x) { return x.x() < -0.0499; }));
  simulated.constraints.push_back(nodes_where(bar, [](const Vec3& x) { return x.x() > 0.0499; }));
  simulated.constraints.back().motion = rigid_grip([](double t) {
    return geometry::Affine(Eigen::Translation3d(0, 0.1 + 1e-4 * (1.0 - std::cos(2000.0 * t)), 0));
  });
  simulated.gravity = {0, -9.81, 0};
  simulated.loads.push_back(std::make_unique<ImpactLoad>(
      nearest_spot(simulated.solids, 0, {0.01, 0.005, 0}),
      base::ForcePulse{.start = 5e-4, .contact_time = 2e-3, .impulse = 0.01}, std::nullopt));
  Obstacle soft_ball = steel_ball(0.01, {0.2, 0.0101, 0}, {0.1, -0.5, 0});
  soft_ball.compliance = fem::contact_compliance(soft());
  simulated.contact = std::make_unique<ObstacleContact>(
      simulated.solids, std::vector<ContactSide>{{}},
      std::vector<std::vector<bool>>{std::vector<bool>(bar.mass.size())},
      std::vector<Obstacle>{steel_ball(0.03, {0.003, 0.1 + 0.005 + 0.0305, 0}, {0.1, -0.5, 0}),
                            soft_ball, ground(0.3)},
      simulated.gravity);
  return simulated;
}

/// A soft cube slides on the ground while another one falls on it.
Simulated sliding_cubes() {
  Simulated simulated;
  for (const char* name : {"low", "high"}) {
    simulated.solids.push_back(
        make_hexahedral_solid(geometry::box_hexes({0.02, 0.02, 0.02}, {2, 2, 2}, 1), soft(),
                              HexElement::incompatible, name));
  }
  const geometry::Quat turn(Eigen::AngleAxisd(0.3, Vec3(0.2, 1, 0.1).normalized()));
  start_at(simulated, {0, 0.0101, 0}, {1, -0.2, 0});
  start_at(simulated, {0.003, 0.0325, 0}, {0, -1, 0}, turn);
  simulated.gravity = {0, -9.81, 0};
  const std::vector<ContactSide> sides(2, {.friction = 0.4});
  const std::vector<bool> held(simulated.solids[0].mass.size());
  simulated.contact = std::make_unique<ObstacleContact>(
      simulated.solids, sides, std::vector<std::vector<bool>>{held, held},
      std::vector<Obstacle>{ground(0.4)}, simulated.gravity);
  simulated.surfaces =
      std::make_unique<SurfaceContact>(simulated.solids, sides, std::vector<bool>{false, false});
  return simulated;
}

/// Two sheets of 1 mm that meet so fast that they go more than half through each other: what came
/// in through one side must not come out of the other.
Simulated thin_sheets() {
  base::Material foam = soft();
  foam.young_modulus = 5e4;
  Simulated simulated;
  for (const char* name : {"low", "high"}) {
    simulated.solids.push_back(
        make_hexahedral_solid(geometry::box_hexes({0.02, 0.001, 0.02}, {4, 1, 4}, 1), foam,
                              HexElement::solid_shell, name));
  }
  start_at(simulated, {0, 0, 0}, {0, 2, 0});
  start_at(simulated, {0.003, 0.001 + 0.003, 0.002}, {0, -2, 0},
           geometry::Quat(Eigen::AngleAxisd(0.3, Vec3::UnitY())));
  simulated.surfaces = std::make_unique<SurfaceContact>(
      simulated.solids, std::vector<ContactSide>(2), std::vector<bool>{false, false});
  return simulated;
}

/// Two bars that stand on edge and cross: edges meet edges.
Simulated crossing_bars() {
  constexpr double side = 0.01;
  Simulated simulated;
  for (const char* name : {"low", "high"}) {
    simulated.solids.push_back(
        make_hexahedral_solid(geometry::box_hexes({0.06, side, side}, {6, 1, 1}, 1), soft(),
                              HexElement::incompatible, name));
  }
  const geometry::Quat on_edge(Eigen::AngleAxisd(0.25 * std::numbers::pi, Vec3::UnitX()));
  const geometry::Quat across(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitY()));
  start_at(simulated, {0.003, 0, 0}, {0.2, 0.5, 0}, on_edge);
  start_at(simulated, {0, std::numbers::sqrt2 * side + 1e-4, 0.003}, {0, -0.5, 0},
           across * on_edge);
  simulated.surfaces = std::make_unique<SurfaceContact>(
      simulated.solids, std::vector<ContactSide>(2), std::vector<bool>{false, false});
  return simulated;
}

/// A strip bent to a hairpin, whose legs are pressed together by a grip.
Simulated folded_strip() {
  constexpr double length = 0.16, radius = 0.012, bend = 0.5 * std::numbers::pi * radius;
  geometry::HexMesh mesh = geometry::box_hexes({length, 0.002, 0.01}, {32, 1, 2}, 1);
  for (Vec3& at : mesh.vertices) {
    const double along = std::clamp(at.x(), -bend, bend), angle = along / radius;
    const Vec3 outward(-std::cos(angle), std::sin(angle), 0);
    at = (radius + at.y()) * outward + Vec3(std::abs(at.x()) - std::abs(along), 0, at.z());
  }
  base::Material rubber = soft();
  rubber.young_modulus = 1e6;
  Simulated simulated;
  simulated.solids.push_back(make_hexahedral_solid(mesh, rubber, HexElement::solid_shell, "strip"));
  start_at(simulated, Vec3::Zero(), Vec3::Zero());
  const double end = 0.5 * length - bend - 1e-6;
  const auto leg = [&](double side) {
    return nodes_where(simulated.solids[0],
                       [=](const Vec3& x) { return x.x() > end && side * x.y() > 0.0; });
  };
  simulated.constraints = {leg(-1.0), leg(1.0)};
  simulated.constraints[1].motion = rigid_grip([](double t) {
    const double way = std::min(5.0 * t, 0.0225);
    return geometry::Affine(Eigen::Translation3d(0.2 * way, -way, 0.1 * way));
  });
  simulated.surfaces = std::make_unique<SurfaceContact>(
      simulated.solids, std::vector<ContactSide>(1), std::vector<bool>{true});
  return simulated;
}

/// A sheet on a soft support that a mallet strikes while another sheet falls on it, and a hinged
/// one that swings.
Simulated struck_sheets() {
  base::Material steel = trial_steel();
  steel.damping = {.mass = 5.0, .stiffness = 1e-8};
  Simulated simulated;
  for (const char* name : {"struck", "falling", "hinged"}) {
    geometry::TriMesh sheet = flat_sheet(0.06, 0.04, 6, 4, Triangulation::random);
    simulated.solids.push_back(
        make_shell_solid(uniform_shell(std::move(sheet), 0.001), steel, name));
  }
  start_at(simulated, Vec3::Zero(), Vec3::Zero());
  start_at(simulated, {0.01, 0.0015, 0.01}, {0, -0.5, 0});
  start_at(simulated, {0.2, 0, 0}, Vec3::Zero());
  simulated.gravity = {0, -9.81, 0};
  const Solid& struck = simulated.solids[0];
  simulated.loads.push_back(std::make_unique<SoftSupport>(
      struck, 0, nodes_where(struck, [](const Vec3& x) { return x.x() < 0.02; }).nodes, 1e3, 0.5));
  simulated.loads.push_back(std::make_unique<Mallet>(struck, 0,
                                                     MalletBlow{.start = 2e-4,
                                                                .at = {0.05, 0, 0.02},
                                                                .direction = Vec3::UnitY(),
                                                                .speed = 1.0,
                                                                .mass = 0.003,
                                                                .radius = 0.004,
                                                                .modulus = 1e9,
                                                                .restitution = 0.7}));
  Constraint hinge =
      nodes_where(simulated.solids[2], [](const Vec3& x) { return x.x() < 1e-9 && x.y() > 0.0; });
  hinge.solid = 2;
  hinge.is_hinge = true;
  simulated.constraints.push_back(std::move(hinge));
  simulated.surfaces = std::make_unique<SurfaceContact>(
      simulated.solids, std::vector<ContactSide>(3), std::vector<bool>{false, false, true});
  return simulated;
}

class GoingOn : public testing::Test {
 protected:
  GoingOn()
      : folder_(fs::path(testing::TempDir()) / ("peal_going_on_" + std::to_string(::getpid()))) {}
  ~GoingOn() override { fs::remove_all(folder_); }

  Recording whole(const std::function<Simulated()>& make, std::int64_t samples) const {
    util::Silent silent;
    return simulate(make(), rates_, samples, std::nullopt, silent);
  }
  /// Nothing if it is killed.
  std::optional<Recording> run(const std::function<Simulated()>& make, std::int64_t samples,
                               Killer& killer) const try {
    util::Checkpoint checkpoint(folder_, "trial", 0.0);
    return simulate(make(), rates_, samples, std::nullopt, killer,
                    {.checkpoint = &checkpoint,
                     .tell = [&](const std::string& sentence) { killer.told += sentence; }});
  } catch (const Kill&) {
    return std::nullopt;
  }

  static void expect_same(const Recording& one, const Recording& other) {
    ASSERT_EQ(one.surfaces.size(), other.surfaces.size());
    for (std::size_t s = 0; s < one.surfaces.size(); ++s) {
      EXPECT_TRUE(one.surfaces[s].accelerations == other.surfaces[s].accelerations);
      EXPECT_TRUE(one.surfaces[s].displacements == other.surfaces[s].displacements);
    }
    ASSERT_EQ(one.paths.size(), other.paths.size());
    for (std::size_t k = 0; k < one.paths.size(); ++k)
      EXPECT_TRUE(one.paths[k].poses == other.paths[k].poses);
  }

  /// Killed again and again.
  void expect_same_in_pieces(const std::function<Simulated()>& make, std::int64_t samples) const {
    int kills = 0;
    for (;; ++kills) {
      Killer killer(1);
      const auto recording = run(make, samples, killer);
      EXPECT_EQ(killer.told.empty(), kills == 0) << killer.told;
      if (!recording) continue;
      expect_same(*recording, whole(make, samples));
      break;
    }
    EXPECT_GT(kills, 4);
  }

  fs::path folder_;
  SimulationRates rates_{{48000}};
};

TEST_F(GoingOn, ARecordAtALowRateIsTheSame) {
  for (const int every : {2, 3, 4}) {
    rates_.record_every = every;
    expect_same_in_pieces(struck_bar, 251);
    EXPECT_EQ(whole(struck_bar, 251).surfaces.at(0).rate.hz, 48000 / every);
  }
}

TEST_F(GoingOn, AStruckBarWithBallsGivesTheSameMotion) {
  expect_same_in_pieces(struck_bar, 250);
}

TEST_F(GoingOn, SolidsThatSlideOnTheGroundAndMeetGiveTheSameMotion) {
  expect_same_in_pieces(sliding_cubes, 250);
}

TEST_F(GoingOn, EdgesThatCrossGiveTheSameMotion) {
  expect_same_in_pieces(crossing_bars, 250);
}

TEST_F(GoingOn, SheetsThatWentHalfThroughEachOtherGiveTheSameMotion) {
  expect_same_in_pieces(thin_sheets, 250);
}

TEST_F(GoingOn, ThinWallsThatAreStruckAndMeetGiveTheSameMotion) {
  expect_same_in_pieces(struck_sheets, 250);
  const Recording all = whole(struck_sheets, 250);
  ASSERT_EQ(all.surfaces.size(), 3u);
  EXPECT_EQ(all.surfaces[0].mesh.vertices.size(), 35u) << "one sheet of each";
}

TEST_F(GoingOn, ASheetThatTouchesItselfGivesTheSameMotion) {
  expect_same_in_pieces(folded_strip, 400);
}

TEST_F(GoingOn, WhatIsDamagedStartsAnewToTheSameMotion) {
  constexpr std::int64_t samples = 120;
  const Recording right = whole(sliding_cubes, samples);
  for (const std::string ending : {"state", ".part"}) {
    fs::remove_all(folder_);
    Killer first(2);
    ASSERT_FALSE(run(sliding_cubes, samples, first));
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (!entry.path().string().ends_with(ending)) continue;
      std::string bytes = util::read_file(entry.path());
      bytes[bytes.size() / 2] ^= 4;
      util::write_file(entry.path(), bytes);
    }
    Killer never(1000);
    const auto recording = run(sliding_cubes, samples, never);
    ASSERT_TRUE(recording);
    EXPECT_EQ(never.told, "") << ending;
    expect_same(*recording, right);
  }
}

TEST_F(GoingOn, SaysFromWhere) {
  Killer first(3), second(1);
  run(sliding_cubes, 400, first);
  run(sliding_cubes, 400, second);
  EXPECT_EQ(second.told, "resuming the simulation at 0.00313 s");
}

TEST(SimulationCost, ComesNearWhatASimulationTakes) {
  // The shortest of a few: others may use the machine meanwhile.
  double told = std::numeric_limits<double>::infinity(), took = told;
  for (int i = 0; i < 5; ++i) {
    const SimulationCost cost = simulation_cost(struck_bar(), {{48000}}, 2000, std::nullopt);
    EXPECT_THAT(cost.diagnostics, testing::Contains(testing::HasSubstr("\"bar\": 5 elements")));
    told = std::min(told, cost.seconds);
    const auto start = std::chrono::steady_clock::now();
    util::Silent silent;
    simulate(struck_bar(), {{48000}}, 2000, std::nullopt, silent);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    took = std::min(took, time.count());
  }
  EXPECT_GT(told, 0.1 * took);
  EXPECT_LT(told, 10.0 * took);
}

TEST_F(GoingOn, ShortSimulationsLeaveNothing) {
  util::Silent silent;
  util::Checkpoint checkpoint(folder_, "trial");
  simulate(sliding_cubes(), {{48000}}, 100, std::nullopt, silent, {.checkpoint = &checkpoint});
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace peal::elastic
