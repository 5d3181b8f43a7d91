#include <peal/elastic/mallet.h>
#include <peal/elastic/shell_solid.h>
#include <peal/elastic/simulation.h>
#include <peal/elastic/soft_support.h>
#include <peal/elastic/stepper.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/shell.h>
#include <peal/util/error.h>
#include <peal/util/progress.h>

#include <elastic/contact_bodies.h>
#include <elastic/trial_shells.h>
#include <elastic/trial_solids.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace peal::elastic {
namespace {

using geometry::ShellMesh;
using geometry::Vec3;

std::vector<double> free_frequencies(const ShellMesh& shell, const base::Material& material,
                                     Eigen::Index count) {
  const fem::ShellElements elements = fem::shell_elements(shell, material, "shell");
  const fem::Matrices matrices = fem::shell_matrices(shell, elements);
  const auto pairs =
      fem::lowest_eigenpairs(matrices, fem::shell_rigid_motions(matrices, shell, elements),
                             {.count = count, .shift = std::pow(2.0 * std::numbers::pi * 10.0, 2)});
  std::vector<double> frequencies;
  for (const double value : pairs.values)
    frequencies.push_back(std::sqrt(std::max(0.0, value)) / (2.0 * std::numbers::pi));
  return frequencies;
}

// w a^2 sqrt(m / D) of a free square plate, nu = 0.3.
constexpr double free_square[] = {13.468, 19.596, 24.270, 34.801, 34.801,
                                  61.093, 61.093, 63.687, 69.265};

TEST(ShellAnalytic, AFreeSquarePlateHasItsModesOnAnyTriangulation) {
  const base::Material steel = trial_steel();
  const double side = 0.3, t = 0.001;
  const double bending = steel.young_modulus * t * t * t / (12.0 * (1.0 - 0.09));
  const double unit =
      std::sqrt(bending / (steel.density * t)) / (2.0 * std::numbers::pi * side * side);
  for (const Triangulation kind :
       {Triangulation::right, Triangulation::alternating, Triangulation::random}) {
    const auto found = free_frequencies(uniform_shell(flat_sheet(side, side, 20, 20, kind), t),
                                        steel, std::size(free_square));
    ASSERT_EQ(found.size(), std::size(free_square));
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_NEAR(found[k] / (unit * free_square[k]), 1.0, 0.005) << int(kind) << " mode " << k;
  }
}

TEST(Shell, ItsMatricesAreThoseOfItsForces) {
  ShellMesh bowl =
      uniform_shell(bowl_sheet(flat_sheet(0.3, 0.2, 4, 3, Triangulation::random), 1.0), 0.004);
  const Solid solid = make_shell_solid(bowl, trial_steel(), "bowl");
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_forces(scaled_matrix(solid));
  const fem::ShellElements elements = fem::shell_elements(bowl, trial_steel(), "bowl");
  const fem::Matrices matrices = fem::shell_matrices(bowl, elements);
  const Eigen::MatrixXd unit = Eigen::MatrixXd::Identity(matrices.size(), matrices.size());
  const Eigen::MatrixXd K = matrices.times_stiffness(unit), M = matrices.times_mass(unit);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> of_matrices(K, M);
  const double largest = of_matrices.eigenvalues().maxCoeff();
  EXPECT_LT((of_forces.eigenvalues() - of_matrices.eigenvalues()).cwiseAbs().maxCoeff(),
            1e-6 * largest);
  const Eigen::MatrixXd rigid = fem::shell_rigid_motions(matrices, bowl, elements);
  ASSERT_EQ(rigid.cols(), 6);
  EXPECT_LT((K * rigid).cwiseAbs().maxCoeff(),
            1e-9 * K.cwiseAbs().maxCoeff() * rigid.cwiseAbs().maxCoeff());
}

TEST(Shell, ItHasTheMassOfItsWall) {
  const ShellMesh sheet = uniform_shell(flat_sheet(0.3, 0.2, 7, 5, Triangulation::random), 0.002);
  const Solid solid = make_shell_solid(sheet, trial_steel(), "sheet");
  double mass = 0.0;
  for (const double one : solid.mass) {
    EXPECT_GT(one, 0.0);
    mass += one;
  }
  EXPECT_NEAR(mass, 7850.0 * 0.3 * 0.2 * 0.002, 1e-12);
  EXPECT_NEAR(geometry::volume(sheet), 0.3 * 0.2 * 0.002, 1e-15);
}

/// A plate that is struck into large vibration of several times its thickness.
Stepper struck_plate(double safety) {
  const ShellMesh sheet = uniform_shell(flat_sheet(0.2, 0.15, 8, 6, Triangulation::random), 0.001);
  std::vector<Solid> solids;
  solids.push_back(make_shell_solid(sheet, trial_steel(), "plate"));
  Nodes v(solids[0].rest.size());
  for (std::size_t n = 0; n < v.size(); ++n) {
    const Vec3 x = solids[0].rest.at(n);
    v.y[n] = 40.0 * std::cos(30.0 * x.x()) * std::cos(20.0 * x.z());
  }
  Nodes rest = solids[0].rest;
  const double w = largest_frequency(
      solids[0], {std::vector<double>(rest.size(), 1.0), std::vector<double>(rest.size(), 1.0),
                  std::vector<double>(rest.size(), 1.0)});
  Stepper stepper(std::move(solids), {}, {},
                  {.audio = {static_cast<std::int64_t>(0.5 * w / safety)}, .safety = 1.0});
  stepper.start_at(0, std::move(rest), std::move(v));
  return stepper;
}

/// Energy climbs to high modes here, which leapfrog counts with less energy than they have.
TEST(Shell, ViolentMotionKeepsItsEnergyAtNineTenthsOfTheLongestStep) {
  Stepper stepper = struck_plate(0.9);
  EXPECT_EQ(stepper.steps_per_sample(), 1);
  double worst = 0.0;
  const double whole = (stepper.step(), stepper.energy().initial);
  const double shadow = stepper.shadow_energy();
  double last = 0.0;
  for (int i = 0; i < 40; ++i) {
    stepper.step(250);
    const double change = stepper.energy().imbalance();
    worst = std::max(worst, std::abs(change));
    last = change + stepper.shadow_energy() - shadow;
  }
  EXPECT_LT(worst, 0.005 * whole);
  EXPECT_LT(std::abs(last), 5e-5 * whole);
}

TEST(Shell, AnInvalidSheetIsNamed) {
  geometry::TriMesh flat = flat_sheet(0.1, 0.1, 2, 2, Triangulation::right);
  flat.vertices[4] = flat.vertices[0];
  EXPECT_THROW(make_shell_solid(uniform_shell(flat, 0.001), trial_steel(), "sheet"),
               util::InputError);
  geometry::TriMesh flipped = flat_sheet(0.1, 0.1, 2, 2, Triangulation::right);
  std::swap(flipped.triangles[3][0], flipped.triangles[3][1]);
  EXPECT_THROW(make_shell_solid(uniform_shell(flipped, 0.001), trial_steel(), "sheet"),
               util::InputError);
}

/// A plate whose edge x = 0 is hinged, and moves up and down if it is shaken.
Stepper hinged_plate(bool is_shaken) {
  std::vector<Solid> solids;
  solids.push_back(make_shell_solid(
      uniform_shell(flat_sheet(0.1, 0.05, 6, 3, Triangulation::alternating), 0.001), trial_steel(),
      "plate"));
  const Nodes rest = solids[0].rest;
  Constraint hinge;
  hinge.is_hinge = true;
  for (std::uint32_t v = 0; v < solids[0].middle.vertices.size(); ++v)
    if (rest.x[v] < 1e-9) hinge.nodes.push_back(v);
  if (is_shaken) {
    hinge.motion = rigid_grip([](double t) {
      const double y = 0.001 * std::pow(std::sin(300.0 * t), 2);
      return geometry::Affine(Eigen::Translation3d(0.0, y, 0.0));
    });
  }
  Nodes v(rest.size());
  for (std::size_t n = 0; n < v.size(); ++n) v.y[n] = is_shaken ? 0.0 : 30.0 * rest.x[n];
  for (std::size_t n = 0; n < v.size(); ++n) v.x[n] = is_shaken ? 0.0 : -30.0 * rest.y[n];
  Stepper stepper(std::move(solids), {}, {hinge}, {.audio = {48000}});
  stepper.start_at(0, rest, v);
  return stepper;
}

TEST(Shell, AHingeHoldsTheMiddleAndLetsTheWallTurn) {
  for (const bool is_shaken : {false, true}) {
    Stepper stepper = hinged_plate(is_shaken);
    const std::size_t n = stepper.solids()[0].middle.vertices.size();
    while (stepper.time() < 0.02) stepper.sample();
    const Nodes &x = stepper.state().position[0], &rest = stepper.solids()[0].rest;
    const double y = is_shaken ? 0.001 * std::pow(std::sin(300.0 * stepper.time()), 2) : 0.0;
    double turned = 0.0;
    for (std::size_t v = 0; v < n; ++v) {
      const Vec3 middle = 0.5 * (x.at(v) + x.at(v + n)), was = 0.5 * (rest.at(v) + rest.at(v + n));
      if (was.x() < 1e-9) {
        EXPECT_LT((middle - was - Vec3(0.0, y, 0.0)).norm(), 1e-10);
      } else {
        turned = std::max(turned, std::abs(middle.y() - y));
      }
    }
    // Left to itself it turns by 0.6 rad.
    EXPECT_GT(turned, is_shaken ? 1e-4 : 0.05);
    const EnergyAccount account = stepper.energy();
    const double all = is_shaken ? std::abs(account.given) : account.initial;
    EXPECT_GT(all, 0.0);
    EXPECT_LT(std::abs(account.imbalance()), 0.01 * (all + account.kinetic));
  }
}

/// A free plate and what hits or holds it.
Stepper plate_with(std::function<std::unique_ptr<Load>(const Solid&)> load) {
  std::vector<Solid> solids;
  solids.push_back(
      make_shell_solid(uniform_shell(flat_sheet(0.2, 0.2, 8, 8, Triangulation::alternating), 0.002),
                       trial_steel(), "plate"));
  std::vector<std::unique_ptr<Load>> loads;
  loads.push_back(load(solids[0]));
  return Stepper(std::move(solids), std::move(loads), {}, {.audio = {48000}});
}

TEST(Mallet, ItGivesTheShellTheMomentumThatItLoses) {
  Mallet* mallet = nullptr;
  const double mass = 0.02, speed = 3.0;
  Stepper stepper = plate_with([&](const Solid& solid) {
    auto made = std::make_unique<Mallet>(solid, 0,
                                         MalletBlow{.start = 1e-5,
                                                    .at = {0.09, 0.0, 0.11},
                                                    .direction = -Vec3::UnitY(),
                                                    .speed = speed,
                                                    .mass = mass,
                                                    .radius = 0.01,
                                                    .modulus = 1e8});
    mallet = made.get();
    return made;
  });
  for (int i = 0; i < 150; ++i) stepper.sample();
  double momentum = 0.0;
  const Solid& plate = stepper.solids()[0];
  for (std::size_t n = 0; n < plate.mass.size(); ++n)
    momentum -= plate.mass[n] * stepper.state().velocity[0].y[n];
  const double left = std::sqrt(2.0 * mallet->kinetic() / mass);
  // It bounces, because the plate is heavier: the sign of its speed changes.
  const double lost = std::min(std::abs(mass * (speed - left) - momentum),
                               std::abs(mass * (speed + left) - momentum));
  EXPECT_LT(lost, 1e-9 * mass * speed);
  EXPECT_GT(momentum, mass * speed);
  EXPECT_GT(mallet->contact_time(), 1e-4);
  // Nothing is lost in an elastic blow.
  const EnergyAccount account = stepper.energy();
  EXPECT_NEAR(account.kinetic + account.elastic + mallet->kinetic(), 0.5 * mass * speed * speed,
              2e-3 * 0.5 * mass * speed * speed);
}

/// Speed after an elastic blow on an infinite plate over that before (Zener 1941): Hertz's spring
/// and the resistance of a plate.
double zener_rebound(double mass, double hertz, double thickness, double speed) {
  const base::Material steel = trial_steel();
  const double D = steel.young_modulus / (1.0 - 0.09) * std::pow(thickness, 3) / 12.0;
  const double resistance = 8.0 * std::sqrt(steel.density * thickness * D);
  double depth = 0.0, now = speed;
  constexpr double dt = 1e-9;
  do {
    const double force = hertz * std::pow(depth, 1.5);
    now -= force / mass * dt;
    depth += (now - force / resistance) * dt;
  } while (depth > 0.0);
  return -now / speed;
}

std::vector<Solid> wide_plate(double thickness, std::uint32_t cells = 20) {
  geometry::TriMesh sheet = flat_sheet(0.24, 0.24, cells, cells, Triangulation::alternating);
  for (Vec3& v : sheet.vertices) v += Vec3(-0.12, 0.0, -0.12);
  std::vector<Solid> solids;
  solids.push_back(make_shell_solid(uniform_shell(std::move(sheet), thickness), trial_steel()));
  return solids;
}

constexpr double steel_on_steel = 200e9 / (2.0 * (1.0 - 0.09));  // E* [Pa]

TEST(ShellAnalytic, ABallReboundsFromAWallAsZenerSays) {
  constexpr double radius = 0.01;
  for (const double t : {0.004, 0.008}) {
    std::vector<Solid> solids = wide_plate(t);
    const Obstacle ball = steel_ball(radius, {0.003, 0.5 * t + radius + 1e-5, 0.002}, {0, -1, 0});
    const double mass = ball.mass.mass;
    auto made = contact_with(solids, 0.0, ball);
    const ObstacleContact& contact = *made;
    const auto stepper = stepper_with(std::move(solids), std::move(made));
    for (int i = 0; i < 12; ++i) stepper->sample();
    const double y = contact.free_pose(0).position.y(), since = stepper->time();
    stepper->sample();
    const double speed = (contact.free_pose(0).position.y() - y) / (stepper->time() - since);
    const double hertz = 4.0 / 3.0 * steel_on_steel * std::sqrt(radius);
    EXPECT_NEAR(speed, zener_rebound(mass, hertz, t, 1.0), 0.03) << t;
    const EnergyAccount account = stepper->energy();
    EXPECT_NEAR((account.kinetic + account.elastic + contact.rigid_energy()) / (0.5 * mass), 1.0,
                1e-3);
  }
}

/// Speed of a mallet of steel after a blow of 1 m/s on a plate of edges of 0.24 m over `cells`.
double mallet_rebound(double thickness, double mass, std::uint32_t cells) {
  std::vector<Solid> solids = wide_plate(thickness, cells);
  auto made = std::make_unique<Mallet>(solids[0], 0,
                                       MalletBlow{.start = 1e-6,
                                                  .at = {0.003, 0.0, 0.002},
                                                  .direction = -Vec3::UnitY(),
                                                  .speed = 1.0,
                                                  .mass = mass,
                                                  .radius = 0.01,
                                                  .modulus = steel_on_steel});
  const Mallet& mallet = *made;
  std::vector<std::unique_ptr<Load>> loads;
  loads.push_back(std::move(made));
  Stepper stepper(std::move(solids), std::move(loads), {}, {.audio = {48000}});
  for (int i = 0; i < 12; ++i) stepper.sample();
  return std::sqrt(2.0 * mallet.kinetic() / mass);
}

/// The force is spread over what the mesh can resolve, one edge, and nothing is fitted: as edges
/// get shorter, a mallet rebounds as from a plate that it meets in a point. (The last percent is
/// the shear of the plate, which Zener's theory leaves out.)
TEST(ShellAnalytic, AMalletReboundsFromAWallAsZenerSays) {
  constexpr double radius = 0.01;
  const double hertz = 4.0 / 3.0 * steel_on_steel * std::sqrt(radius);
  for (const double t : {0.004, 0.008}) {
    for (const double mass : {0.005, 0.03}) {
      const double exact = std::abs(zener_rebound(mass, hertz, t, 1.0));
      const double coarse = mallet_rebound(t, mass, 10), fine = mallet_rebound(t, mass, 40);
      EXPECT_NEAR(fine, exact, 0.02) << t << " m, " << mass << " kg";
      EXPECT_LT(std::abs(fine - exact), 0.3 * std::abs(coarse - exact)) << t << " m, " << mass;
    }
  }
}

TEST(SoftSupport, AStiffPlateSwingsOnItAsAMassOnASpring) {
  const double stiffness = 2e4, damping = 3.0;
  Stepper stepper = plate_with([&](const Solid& solid) {
    std::vector<std::uint32_t> nodes(solid.mass.size());
    for (std::uint32_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
    return std::make_unique<SoftSupport>(solid, 0, std::move(nodes), stiffness, damping);
  });
  const Solid& plate = stepper.solids()[0];
  double mass = 0.0;
  for (const double one : plate.mass) mass += one;
  Nodes v(plate.mass.size());
  v.y.assign(v.size(), 0.1);
  stepper.start_at(0, plate.rest, v);
  const double rate = damping / (2.0 * mass);
  const double w = std::sqrt(stiffness / mass - rate * rate);
  while (stepper.time() < 0.02) {
    stepper.sample();
    const double t = stepper.time();
    EXPECT_NEAR(stepper.state().position[0].y[5] - plate.rest.y[5],
                0.1 / w * std::exp(-rate * t) * std::sin(w * t), 1e-6 + 1e-3 * 0.1 / w);
  }
}

/// On two strips of felt, one of them softer, and not below its middle.
TEST(SoftSupport, APlateStartsAtRestOnIt) {
  Simulated simulated;
  simulated.solids.push_back(make_shell_solid(
      uniform_shell(flat_sheet(0.2, 0.15, 12, 9, Triangulation::alternating), 0.001),
      {.density = 7850.0, .young_modulus = 200e9, .poisson_ratio = 0.3}, "plate"));
  const Solid& plate = simulated.solids[0];
  for (const bool is_left : {true, false}) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < plate.mass.size(); ++n)
      if (is_left ? plate.rest.x[n] < 0.04 : plate.rest.x[n] > 0.17) nodes.push_back(n);
    simulated.supports.push_back(
        std::make_unique<SoftSupport>(plate, 0, std::move(nodes), is_left ? 2000.0 : 900.0, 1.0));
  }
  simulated.starts.emplace_back();
  simulated.gravity = {0.0, -9.81, 0.0};
  util::Silent silent;
  const Recording recording = simulate(std::move(simulated), {{48000}}, 480, std::nullopt, silent);
  float loudest = 0.0f;
  for (const float a : recording.surfaces.at(0).accelerations)
    loudest = std::max(loudest, std::abs(a));
  EXPECT_LT(loudest, 0.01f) << "of 9.81 m/s^2 if nothing carried it";
}

}  // namespace
}  // namespace peal::elastic
