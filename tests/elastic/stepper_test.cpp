#include <peal/elastic/reciprocal_mass.h>
#include <peal/elastic/settle.h>
#include <peal/elastic/simulation.h>
#include <peal/util/error.h>

#include <elastic/trial_solids.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::elastic {
namespace {

using geometry::Vec3;

std::vector<Solid> only(Solid solid) {
  std::vector<Solid> solids;
  solids.push_back(std::move(solid));
  return solids;
}

Stepper free_stepper(Solid solid) {
  return Stepper(only(std::move(solid)), {}, {}, {});
}

/// A clamped bar of a few cells.
Solid short_bar(const base::Material& material = trial_steel()) {
  return make_hexahedral_solid(geometry::box_hexes({0.1, 0.01, 0.02}, {5, 1, 1}, 1), material,
                               HexElement::solid_shell, "bar");
}

Constraint held_end(const Solid& solid) {
  Constraint held;
  for (std::uint32_t n = 0; n < solid.rest.size(); ++n) {
    if (solid.rest.x[n] < -0.0499) held.nodes.push_back(n);
  }
  return held;
}

/// A constant force on one node.
struct Pull : Load {
  std::size_t node = 0;
  Vec3 force = Vec3::Zero();

  void add(double, const State&, std::vector<Nodes>& forces) override {
    forces[0].add(node, force);
  }
};

TEST(Stepper, AFreeSolidKeepsItsEnergy) {
  for (const TrialSolid& trial : trial_solids()) {
    Stepper stepper = free_stepper(trial.make());
    const Nodes& rest = stepper.solids()[0].rest;
    stepper.start_at(0, rest, shaken(Nodes(rest.size()), 0.1));
    double worst = 0.0;
    for (int i = 0; i < 20; ++i) {
      stepper.step(100);
      worst = std::max(worst, std::abs(stepper.energy().imbalance()));
    }
    EXPECT_LT(worst, 1e-4 * stepper.energy().initial) << trial.name;
  }
}

/// What dependent nodes have beyond their carriers (solid.h), and what all others have.
Nodes without_carriers(const Solid& solid, Nodes values) {
  const DependentNodes& riding = solid.riding;
  for (std::size_t k = 0; k < riding.dependents.size(); ++k) {
    for (std::uint32_t i = riding.begin[k]; i < riding.begin[k + 1]; ++i)
      values.add(riding.dependents[k], -riding.parts[i] * values.at(riding.carriers[i]));
  }
  return values;
}

/// Momentum and spin round the origin.
std::array<Vec3, 2> momenta(const Solid& solid, const Nodes& position, const Nodes& velocity) {
  std::vector<double> mass = solid.mass;
  const std::vector<double> against = dependent_masses(solid);
  for (std::size_t k = 0; k < against.size(); ++k) mass[solid.riding.dependents[k]] = against[k];
  const Nodes own = without_carriers(solid, velocity), at = without_carriers(solid, position);
  const std::vector<double> even = row_sum_masses(solid);
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (std::size_t n = 0; n < mass.size(); ++n) {
    linear += even[n] * velocity.at(n);
    angular += at.at(n).cross(mass[n] * own.at(n));
  }
  return {linear, angular};
}

TEST(Stepper, AFreeSolidKeepsItsMomentumAndSpin) {
  for (const std::size_t trial : {2, 7}) {  // hexahedra and tetrahedra of any shape
    Stepper stepper = free_stepper(trial_solids()[trial].make());
    const Solid& solid = stepper.solids()[0];
    Nodes velocity = shaken(Nodes(solid.rest.size()), 0.3);
    for (std::size_t n = 0; n < velocity.size(); ++n) {
      velocity.add(n, Vec3(1.0, 2.0, -1.0) + Vec3(0.0, 20.0, 5.0).cross(solid.rest.at(n)));
    }
    stepper.start_at(0, solid.rest, velocity);
    const auto before = momenta(solid, solid.rest, velocity);
    stepper.step(3000);
    const auto after = momenta(solid, stepper.state().position[0], stepper.state().velocity[0]);
    EXPECT_LT((after[0] - before[0]).norm(), 1e-12 * before[0].norm());
    EXPECT_LT((after[1] - before[1]).norm(), 1e-11 * before[1].norm());
  }
}

TEST(Stepper, AFreeSolidFallsAsAWhole) {
  for (const TrialSolid& trial : trial_solids()) {
    std::vector<Solid> solids = only(trial.make());
    std::vector<std::unique_ptr<Load>> loads;
    loads.push_back(std::make_unique<Gravity>(Vec3(0.0, -9.81, 0.0), solids, std::vector{0.0}));
    Stepper stepper(std::move(solids), std::move(loads), {}, {});
    const Nodes rest = stepper.solids()[0].rest;
    stepper.start_at(0, rest, Nodes(rest.size()));
    stepper.step(400);
    const double t = stepper.time();
    for (std::size_t n = 0; n < rest.size(); ++n) {
      const Vec3 way = stepper.state().position[0].at(n) - rest.at(n);
      EXPECT_NEAR(way.y(), -0.5 * 9.81 * t * t, 0.005 * 9.81 * t * t) << trial.name;
      const Vec3 apart = way - (stepper.state().position[0].at(0) - rest.at(0));
      EXPECT_LT(apart.norm(), 1e-6 * way.norm() + 1e-15) << trial.name;
    }
  }
}

TEST(Stepper, ABodyAtRestStaysSo) {
  for (const bool pinned : {false, true}) {
    Solid bar = short_bar();
    std::vector<Constraint> constraints;
    if (pinned) constraints.push_back(held_end(bar));
    Stepper stepper(only(std::move(bar)), {}, constraints, {});
    stepper.step(20000);
    EXPECT_LT(largest_of(stepper.state().velocity[0]), 1e-8);
  }
}

TEST(Stepper, WorkOfLoadsAndGripsIsAccountedFor) {
  for (const bool gripped : {false, true}) {
    Solid bar = short_bar();
    bar.mass_damping = 200.0;
    Constraint grip = held_end(bar);
    if (gripped) {
      grip.motion = rigid_grip([](double t) -> geometry::Affine {
        const double y = 1e-4 * (1.0 - std::cos(2.0 * std::numbers::pi * 500.0 * t));
        return geometry::Affine(Eigen::Translation3d(0.0, y, 0.0));
      });
    }
    auto pull = std::make_unique<Pull>();
    pull->node = bar.rest.size() - 1;
    pull->force = {0.0, 50.0, 20.0};
    std::vector<std::unique_ptr<Load>> loads;
    loads.push_back(std::move(pull));
    Stepper stepper(only(std::move(bar)), std::move(loads), {grip}, {});
    double most = 0.0, worst = 0.0, damped = 0.0;
    for (int i = 0; i < 50; ++i) {
      stepper.step(100);
      const EnergyAccount energy = stepper.energy();
      most = std::max(most, std::abs(energy.given));
      worst = std::max(worst, std::abs(energy.imbalance()));
      EXPECT_GE(energy.mass_damped, damped);
      damped = energy.mass_damped;
    }
    EXPECT_GT(most, 1e-4) << "nothing was done";
    EXPECT_GT(damped, 1e-3 * most);
    EXPECT_LT(worst, 1e-5 * most) << (gripped ? "grip" : "pin");
  }
}

TEST(Stepper, MassAcrossALayerKeepsEnergyAndMakesStepsLonger) {
  double lumped = 0.0;
  for (const double across : {1.0, 10.0, 1.0 / 3.0}) {
    Solid bar = short_bar();
    bar.rods.clear();
    for (FacingNodes& pair : bar.across) pair.apart = across;
    bar.mass_damping = 100.0;
    EXPECT_EQ(bar.across.size(), 12u);
    const Constraint held = held_end(bar);
    auto pull = std::make_unique<Pull>();
    pull->node = bar.rest.size() - 1;
    pull->force = {0.0, 50.0, 20.0};
    std::vector<std::unique_ptr<Load>> loads;
    loads.push_back(std::move(pull));
    Stepper stepper(only(std::move(bar)), std::move(loads), {held}, {});
    const Nodes& rest = stepper.solids()[0].rest;
    stepper.start_at(0, rest, shaken(Nodes(rest.size()), 0.1));
    stepper.step(5000);
    const EnergyAccount energy = stepper.energy();
    EXPECT_LT(std::abs(energy.imbalance()), 1e-5 * (energy.initial + std::abs(energy.given)))
        << across;
    if (across == 1.0) lumped = stepper.largest_frequency();
    const double slower = lumped / stepper.largest_frequency();
    EXPECT_TRUE(across > 1.0 ? slower > 1.2 : across < 1.0 ? slower < 0.8 : slower == 1.0);
  }
}

TEST(StepperAnalytic, StepsAreWholeFractionsOfASampleBelowTheLimit) {
  for (const double beta : {0.0, 1e-7, 3e-6}) {
    Solid bar = short_bar();
    bar.stiffness_damping = beta;
    const Constraint held = held_end(bar);
    std::array<std::vector<double>, 3> free;
    for (auto& axis : free) {
      axis.assign(bar.rest.size(), 1.0);
      for (const std::uint32_t n : held.nodes) axis[n] = 0.0;
    }
    const double w = largest_frequency(bar, free), xi = 0.5 * beta * w;
    const double limit = 2.0 / w * (std::sqrt(1.0 + xi * xi) - xi);
    const Stepper stepper(only(std::move(bar)), {}, {held}, {});
    EXPECT_EQ(stepper.rate().hz, 48000 * stepper.steps_per_sample());
    EXPECT_EQ(stepper.steps_per_sample(), std::ceil(1.0 / (0.9 * 48000.0 * limit)));
  }
}

TEST(StepperAnalytic, MotionIsBoundedJustBelowTheLimitAndRefusedAboveIt) {
  // Also with damping of stiffness, whose limit is lower.
  for (const double beta : {0.0, 1e-6}) {
    for (const double part : {0.99, 1.02}) {
      Solid bar = short_bar();
      bar.stiffness_damping = beta;
      const Constraint held = held_end(bar);
      const Stepper trial(only(std::move(bar)), {}, {held}, {});
      const double w = trial.largest_frequency(), xi = 0.5 * beta * w;
      const double limit = 2.0 / w * (std::sqrt(1.0 + xi * xi) - xi);
      // An audio rate that makes one step a sample.
      const StepperSettings settings{.audio = {static_cast<std::int64_t>(1.0 / (part * limit))},
                                     .steps_per_sample = 1};
      Solid again = short_bar();
      again.stiffness_damping = beta;
      if (part > 1.0) {
        EXPECT_THROW(Stepper(only(std::move(again)), {}, {held}, settings), util::InputError);
        continue;
      }
      Stepper stepper(only(std::move(again)), {}, {held}, settings);
      const Nodes& rest = stepper.solids()[0].rest;
      stepper.start_at(0, rest, shaken(Nodes(rest.size()), 1e-3));
      stepper.step(20000);
      const EnergyAccount energy = stepper.energy();
      EXPECT_LT(energy.kinetic + energy.elastic, 1.001 * energy.initial);
    }
  }
}

TEST(StepperAnalytic, RayleighsDampingIsThatOfTheory) {
  // Stretching of one cell that is fixed at one end: one degree of freedom.
  base::Material material{.density = 1000.0, .young_modulus = 1e6, .poisson_ratio = 0.0};
  const double w = std::sqrt(2.0 * 1e6 / 1000.0);  // E A / L over half of the mass, L = 1 m
  for (const auto& [alpha, beta] : {std::pair{0.8, 0.0}, {0.0, 4e-4}, {0.5, 2e-4}}) {
    material.damping = {.mass = alpha, .stiffness = beta};
    Solid cell = make_hexahedral_solid(geometry::box_hexes({1, 1, 1}, {1, 1, 1}, 2), material,
                                       HexElement::incompatible);
    Constraint left, sideways{.axes = {false, true, true}};
    for (std::uint32_t n = 0; n < 8; ++n) {
      (cell.rest.x[n] < 0.0 ? left : sideways).nodes.push_back(n);
    }
    Stepper stepper(only(std::move(cell)), {}, {left, sideways},
                    {.audio = {48000}, .steps_per_sample = 1});
    Nodes start = stepper.solids()[0].rest;
    for (double& x : start.x) x += x > 0.0 ? 1e-6 : 0.0;
    stepper.start_at(0, start, Nodes(8));
    // Peaks one period apart.
    const double decay = 0.5 * (alpha + beta * w * w);
    const double period = 2.0 * std::numbers::pi / std::sqrt(w * w - decay * decay);
    const auto displacement_at = [&](double t) {
      stepper.step(std::llround(48000.0 * t) - stepper.index());
      return *std::max_element(stepper.state().position[0].x.begin(),
                               stepper.state().position[0].x.end()) -
             0.5;
    };
    const double first = displacement_at(period), later = displacement_at(9.0 * period);
    EXPECT_NEAR(std::log(first / later) / (8.0 * period), decay, 2e-3 * decay);
  }
}

TEST(Stepper, AStepThatGrowsTooLongIsReportedWithItsElement) {
  Stepper stepper = free_stepper(trial_solids()[0].make());
  const Nodes& rest = stepper.solids()[0].rest;
  // Faster than sound in steel: cells are stretched far beyond what the step was chosen for.
  stepper.start_at(0, rest, shaken(Nodes(rest.size()), 2e4));
  try {
    stepper.step(2000);
    FAIL();
  } catch (const util::NumericsError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("hexes"), testing::HasSubstr("element")));
  }
}

/// Nodes at rest, with everything along x times a factor.
Nodes pressed(const Solid& solid, double factor) {
  Nodes x = solid.rest;
  for (double& place : x.x) place *= factor;
  return x;
}

TEST(Stepper, ABodyThatStaysInsideOutIsReportedWithItsElement) {
  // A mirror image has no energy: nothing else would tell.
  Stepper stepper = free_stepper(short_bar());
  stepper.start_at(0, pressed(stepper.solids()[0], -1.0), Nodes(stepper.solids()[0].rest.size()));
  try {
    stepper.step(3000);
    FAIL() << "it was not noticed";
  } catch (const util::NumericsError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("\"bar\" is turned inside out from"),
                               testing::HasSubstr("element"), testing::HasSubstr("less hard")));
  }
}

TEST(Stepper, ABodyThatIsPressedAndSpringsBackIsTold) {
  const Solid bar = short_bar();
  const auto after = [&](std::initializer_list<double> factors) {
    VolumeWatch watch;
    double time = 0.0;
    for (const double factor : factors) watch.look(bar, pressed(bar, factor), time += 0.001);
    return watch.finding("bar").value_or("");
  };
  EXPECT_EQ(after({1.0, 0.6, 1.3}), "");
  EXPECT_THAT(after({1.0, 0.45, 0.4, 0.6, 1.0}),
              testing::AllOf(testing::HasSubstr("\"bar\" is compressed hard at 0.003 s"),
                             testing::HasSubstr("has 0.4 times its volume")));
  EXPECT_THAT(after({0.3, -0.1, 0.4}), testing::HasSubstr("through itself at 0.002 s"));
}

TEST(Stepper, ABodyAtRestFarFromTheOriginIsNotTakenForABlowUp) {
  for (const double far : {300.0, 1e4}) {
    Stepper stepper = free_stepper(short_bar());
    Nodes x = stepper.solids()[0].rest;
    for (double& place : x.x) place += far;
    stepper.start_at(0, x, Nodes(x.size()));
    EXPECT_NO_THROW(stepper.step(20000)) << far << " m";
  }
}

TEST(Stepper, StepsThatBecomeTooLongForAStretchedBodyAreReportedBeforeItComesApart) {
  // Cells that are shortest where they are stretched.
  Solid bar = make_hexahedral_solid(geometry::box_hexes({0.1, 0.01, 0.02}, {20, 1, 1}, 1),
                                    trial_steel(), HexElement::solid_shell, "bar");
  Constraint held = held_end(bar), pulled;
  for (std::uint32_t n = 0; n < bar.rest.size(); ++n) {
    if (bar.rest.x[n] > 0.0499) pulled.nodes.push_back(n);
  }
  // To half as much again, in 10 ms.
  pulled.motion = rigid_grip([](double t) -> geometry::Affine {
    return geometry::Affine(Eigen::Translation3d(std::min(5.0 * t, 0.05), 0.0, 0.0));
  });
  Stepper stepper(only(std::move(bar)), {}, {held, pulled}, {});
  try {
    for (int i = 0; i < 960; ++i) stepper.sample();
    FAIL() << "it was not noticed";
  } catch (const util::NumericsError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("\"bar\""), testing::HasSubstr("too long"),
                               testing::HasSubstr("element"), testing::HasSubstr("\"step\": ")));
  }
  EXPECT_LT(stepper.time(), 0.011);
  for (const double x : stepper.state().position[0].x) EXPECT_TRUE(std::isfinite(x));
}

TEST(StepperAnalytic, AHeldBodySagsAsBeamTheorySays) {
  const Solid bar = make_hexahedral_solid(geometry::box_hexes({0.1, 0.002, 0.01}, {10, 1, 1}, 1),
                                          trial_steel(), HexElement::solid_shell, "bar");
  const Constraint held = held_end(bar);
  EXPECT_EQ(support_of(bar, 0, {held}), Hold::firmly);
  EXPECT_EQ(support_of(bar, 0, {{.nodes = {held.nodes[0], held.nodes[1]}}}), Hold::along_a_line);
  EXPECT_EQ(support_of(bar, 0, {{.nodes = {held.nodes[0]}}}), Hold::at_a_point);
  EXPECT_EQ(support_of(bar, 0, {}), Hold::nowhere);
  FreeAxes free;
  for (auto& axis : free) {
    axis.assign(bar.rest.size(), 1.0);
    for (const std::uint32_t n : held.nodes) axis[n] = 0.0;
  }
  const auto rest = settled(bar, free, bar.rest, {0.0, -9.81, 0.0});
  ASSERT_TRUE(rest);
  // q L^4 / (8 E I) of a cantilever under its own weight.
  const double sag = 1.5 * 7850 * 9.81 * 1e-4 / (200e9 * 4e-6);
  double lowest = 0.0;
  for (std::size_t n = 0; n < bar.rest.size(); ++n)
    lowest = std::min(lowest, rest->y[n] - bar.rest.y[n]);
  EXPECT_NEAR(lowest, -sag, 0.02 * sag);
  // A hundred thousand times the weight bends it by more than 5 % of its size: not a state of rest
  // that it would start in.
  EXPECT_FALSE(settled(bar, free, bar.rest, {0.0, -9.81e5, 0.0}));
}

TEST(StepperAnalytic, ABarThatIsHeldAtBothEndsComesToRest) {
  for (const double thickness : {0.002, 0.005}) {
    for (const int cells : {6, 10, 20}) {
      const Solid bar =
          make_hexahedral_solid(geometry::box_hexes({0.1, thickness, 0.02}, {cells, 1, 1}, 1),
                                trial_steel(), HexElement::solid_shell, "bar");
      FreeAxes free;
      for (auto& axis : free) {
        for (const double x : bar.rest.x) axis.push_back(std::abs(x) > 0.0499 ? 0.0 : 1.0);
      }
      const auto rest = settled(bar, free, bar.rest, {0.0, -9.81, 0.0});
      ASSERT_TRUE(rest) << thickness << " m, " << cells << " cells";
      if (cells < 20) continue;
      // q L^4 / (384 E I) + q L^2 / (8 k G A), both for a width of 1 m, k = 5/6.
      const double q = 7850 * 9.81 * thickness;
      const double sag = q * 1e-4 / (32.0 * 200e9 * std::pow(thickness, 3)) +
                         q * 1e-2 / (8.0 * 5.0 / 6.0 * 200e9 / 2.6 * thickness);
      double lowest = 0.0;
      for (std::size_t n = 0; n < bar.rest.size(); ++n)
        lowest = std::min(lowest, rest->y[n] - bar.rest.y[n]);
      EXPECT_NEAR(lowest, -sag, 0.05 * sag) << "ends do not narrow as beams do";
    }
  }
}

// Its modes have about four steps of the relaxation each: stopped at the wrong step they swing on.
TEST(StepperAnalytic, ABlockThatStandsOnAHeldFaceComesToRest) {
  for (const double height : {0.01, 0.015, 0.02, 0.025, 0.03, 0.04}) {
    for (const double ratio : {0.0, 0.2, 0.3, 0.4}) {
      const base::Material soft{.density = 1000.0, .young_modulus = 5e7, .poisson_ratio = ratio};
      const Solid block = make_hexahedral_solid(
          geometry::box_hexes({0.3, height, 0.06}, {15, 1, 3}, 1), soft, HexElement::by_shape, "b");
      FreeAxes free;
      for (auto& axis : free) {
        for (const double y : block.rest.y) axis.push_back(y < 0.0 ? 0.0 : 1.0);
      }
      const auto rest = settled(block, free, block.rest, {0.0, -9.81, 0.0});
      ASSERT_TRUE(rest) << height << " m high, Poisson's ratio " << ratio;
      // About rho g h^2 / (2 E), which a column would sag by; nodes at the rim of one layer of
      // cells have less mass and less stiffness than they should.
      double lowest = 0.0;
      for (std::size_t n = 0; n < block.rest.size(); ++n)
        lowest = std::min(lowest, rest->y[n] - block.rest.y[n]);
      const double column = 1000.0 * 9.81 * height * height / 1e8;
      EXPECT_GT(lowest, -2.0 * column);
      EXPECT_LT(lowest, -0.4 * column);
    }
  }
}

TEST(Stepper, AHeldBodyThatSagsTooFarStartsAsDrawnAndSaysSo) {
  for (const double gravity : {9.81, 9.81e6}) {
    Simulated simulated;
    simulated.solids = only(short_bar());
    simulated.constraints.push_back(held_end(simulated.solids[0]));
    simulated.starts.emplace_back();
    simulated.gravity = {0.0, -gravity, 0.0};
    util::Silent silent;
    const Recording recording = simulate(std::move(simulated), {{48000}}, 1, std::nullopt, silent);
    const auto tells_of_sag = testing::Contains(testing::HasSubstr("sags too far"));
    if (gravity > 10.0) {
      EXPECT_THAT(recording.diagnostics, tells_of_sag);
    } else {
      EXPECT_THAT(recording.diagnostics, testing::Not(tells_of_sag));
    }
  }
}

TEST(Stepper, AHeldBodyUnderGravityIsSilentUntilItIsStruck) {
  for (const bool has_gravity : {false, true}) {
    Simulated simulated;
    simulated.solids.push_back(short_bar());
    simulated.starts.emplace_back();
    simulated.constraints.push_back(held_end(simulated.solids[0]));
    if (has_gravity) simulated.gravity = {0.0, -9.81, 0.0};
    util::Silent silent;
    const Recording recording = simulate(std::move(simulated), {{48000}}, 96, std::nullopt, silent);
    float loudest = 0.0f;
    for (const float a : recording.surfaces.at(0).accelerations)
      loudest = std::max(loudest, std::abs(a));
    EXPECT_LT(loudest, 0.01f) << "of 9.81 m/s^2 without the sag";
  }
}

TEST(Stepper, TwoSolidsMoveAsEachAlone) {
  std::vector<Solid> both;
  both.push_back(short_bar());
  both.push_back(trial_solids()[5].make());
  const Constraint held = held_end(both[0]);
  const StepperSettings settings{.steps_per_sample = 60};
  Stepper together(std::move(both), {}, {held}, settings);
  Stepper alone(only(short_bar()), {}, {held}, settings);
  const Nodes start = shaken(Nodes(alone.solids()[0].rest.size()), 0.1);
  together.start_at(0, together.solids()[0].rest, start);
  alone.start_at(0, alone.solids()[0].rest, start);
  together.start_at(1, together.solids()[1].rest,
                    shaken(Nodes(together.solids()[1].rest.size()), 0.1));
  together.step(500);
  alone.step(500);
  EXPECT_EQ(together.state().position[0].y, alone.state().position[0].y);
}

}  // namespace
}  // namespace peal::elastic
