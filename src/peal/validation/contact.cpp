#include <peal/base/force_pulse.h>
#include <peal/contact/hertz.h>
#include <peal/dynamics/rigid_world.h>
#include <peal/fem/lame.h>
#include <peal/validation/entries.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>

namespace peal::validation {

namespace {

using geometry::Quat;
using geometry::Vec3;
using std::numbers::pi;

constexpr double gravity = 9.81;  ///< [m/s^2]

/// A published impact: references C03 to C05.
struct Encounter {
  const char* name;
  contact::HertzContact contact;
  double depth, force, time, radius;  ///< [m], [N], [s], [m]
};

Outcome run_hertz() {
  Outcome outcome;
  const auto near = [&](const std::string& quantity, const char* unit, double published,
                        double ours, double relative) {
    outcome.claims.push_back({quantity, unit, published, ours, relative * std::abs(published)});
  };
  // C01: the constants, from a contact with all quantities 1.
  const contact::HertzContact unit{.radius = 1.0, .mass = 1.0, .modulus = 1.0, .speed = 1.0};
  near("tau / (m^2 / (r E*^2 V))^(1/5) (C01)", "", 2.8682656991953315, unit.contact_time(), 1e-9);
  near("tau V / deepest approach (C01)", "", 2.9432751843247047, unit.contact_time() / unit.depth(),
       1e-9);
  near("peak of the exact profile over that of half a sine (C01)", "", 1.17109198616247,
       base::pulse_force(base::PulseProfile::hertz, 0.5) /
           base::pulse_force(base::PulseProfile::half_sine, 0.5),
       1e-9);
  // C02: the exact profile, every twentieth of its length.
  constexpr std::array profile = {0.0563544316123734, 0.158077734411241, 0.285309636957201,
                                  0.426569212530022,  0.571146913954842, 0.708391264472227,
                                  0.828046845808653,  0.920952865157919, 0.979833318888109};
  double worst = 0.0;
  const double peak = base::pulse_force(base::PulseProfile::hertz, 0.5);
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const double x = 0.05 * static_cast<double>(i + 1);
    const double ours = base::pulse_force(base::PulseProfile::hertz, x) / peak;
    worst = std::max(worst, std::abs(ours - profile[i]));
  }
  outcome.claims.push_back(
      {"worst error of the exact profile over its peak (C02)", "", 0.0, worst, 1e-6});
  const std::array encounters = {Encounter{"ball bearing on a rigid plane, 5 m/s (C03)",
                                           {0.0075, 0.0157982840567397, 139529624604.251, 5.0},
                                           6.23059695258478e-05,
                                           7923.74118451528,
                                           3.66767227881438e-05,
                                           0.000683589622100759},
                                 Encounter{"two steel balls, 1 m/s (C04)",
                                           {0.00375, 0.00693604753050371, 109890109890.11, 1.0},
                                           1.5633047165316e-05,
                                           554.598174076088,
                                           4.60123597770524e-05,
                                           0.000242123784188863},
                                 Encounter{"glass marble on steel, 2 m/s (C05)",
                                           {0.008, 0.00557611752061164, 49915465743.4989, 2.0},
                                           2.9392276595806e-05,
                                           948.568495950956,
                                           4.32547791576218e-05,
                                           0.000484910520370973}};
  for (const Encounter& one : encounters) {
    near(fmt::format("{}: deepest approach", one.name), "m", one.depth, one.contact.depth(), 1e-9);
    near(fmt::format("{}: largest force", one.name), "N", one.force, one.contact.peak_force(),
         1e-9);
    near(fmt::format("{}: contact time", one.name), "s", one.time, one.contact.contact_time(),
         1e-9);
    near(fmt::format("{}: radius of contact", one.name), "m", one.radius,
         one.contact.contact_radius(), 1e-9);
  }
  // C06: Table 1, by the whole way from radius and material.
  const double r = 0.0075, density = 8940.0;
  const contact::HertzContact bearing =
      contact::hertz_contact({.inverse_mass = 1.0 / (density * 4.0 / 3.0 * pi * r * r * r),
                              .radius = r,
                              .compliance = fem::contact_compliance(123.4e9, 0.34)},
                             {}, 5.0, 1.0);
  near("Table 1, ball bearing: h = tau / 5 (C06; printed 7.3264)", "us", 7.3397798838164,
       1e6 * bearing.contact_time() / 5.0, 1e-3);
  outcome.remarks =
      "The 7.3398 us of the ball bearing are with the paper's rounded 2.87, ours with 2.8683; the "
      "printed 7.3264 us fit a mesh that lacks 0.55 % of the volume. Effective masses (C07, P-C03) "
      "have an entry of their own.";
  return outcome;
}

/// Down towards +x by `slope` [rad].
dynamics::RigidBodySettings ground(double friction, double restitution, double slope = 0.0) {
  const geometry::Quat turn(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));
  return {.name = "ground",
          .shape = scene::FloorShape{},
          .friction = friction,
          .restitution = restitution,
          .motion = std::make_shared<base::Resting>(base::Pose{.orientation = turn})};
}

/// A body of 0.2 kg that touches as a ball; `moment` is over m R^2. `height` is over the ground.
dynamics::RigidBodySettings round_body(double radius, double moment, double friction,
                                       double restitution, double height, double slope = 0.0) {
  dynamics::RigidBodySettings body{.name = "ball",
                                   .shape = scene::BallShape{radius},
                                   .friction = friction,
                                   .restitution = restitution};
  body.mass.mass = 0.2;
  body.mass.inertia = moment * 0.2 * radius * radius * geometry::Mat3::Identity();
  body.pose.position = Quat(Eigen::AngleAxisd(-slope, Vec3::UnitZ())) * Vec3(0, radius + height, 0);
  return body;
}

void run_until(dynamics::RigidWorld& world, double time) {
  while (world.time() < time - 1e-9) world.step();
}

/// Change of speed of the second body from 0.1 to 0.6 s over that time [m/s^2].
double acceleration_of(dynamics::RigidWorld& world) {
  run_until(world, 0.1);
  const double early = world.state(1).velocity.norm();
  run_until(world, 0.6);
  return (world.state(1).velocity.norm() - early) / 0.5;
}

/// Bounces of a ball: references R01 and P-R03, at coarse and at fine steps.
void add_bounces(const char* name, double height, double restitution,
                 const std::array<double, 5>& times, Outcome& outcome) {
  double late = 0.0, impulse_error = 0.0, energy_growth = 0.0;
  std::size_t missed = 0;
  for (const double rate : {240.0, 1000.0, 6000.0, 48000.0}) {
    dynamics::RigidWorld world(
        {ground(0.0, restitution), round_body(0.02, 0.4, 0.0, restitution, height)},
        {.step = 1.0 / rate});
    const double energy = world.energy();
    run_until(world, times.back() + 0.01);
    double speed = std::sqrt(2.0 * gravity * height);
    std::size_t found = 0;
    for (const base::ContactRecord& record : world.log().records) {
      if (record.duration > 0.0 || found == times.size()) continue;
      late = std::max(late, std::abs(record.time - times[found]));
      const double exact = 0.2 * speed * (1.0 + restitution);
      impulse_error = std::max(impulse_error, std::abs(record.impulse.norm() / exact - 1.0));
      speed *= restitution;
      ++found;
    }
    missed += times.size() - found;
    energy_growth = std::max(energy_growth, world.energy() / energy - 1.0);
  }
  outcome.claims.push_back({fmt::format("{}: worst error of five bounces' times, steps 1/240 to "
                                        "1/48000 s",
                                        name),
                            "s", 0.0, late, 1e-3 * times.front()});
  outcome.claims.push_back({fmt::format("{}: worst relative error of their impulses", name), "",
                            0.0, impulse_error, 0.02});
  outcome.claims.push_back(
      {fmt::format("{}: bounces missed", name), "", 0.0, static_cast<double>(missed), 0.0});
  outcome.claims.push_back({fmt::format("{}: energy gained", name), "", 0.0, energy_growth, 1e-9});
}

/// The free top that turns over: reference R04.
void add_top(Outcome& outcome) {
  const double period = 16.3735576114648;
  const base::MassFrame frame{.mass = 1.0, .moments = {1, 2, 3}};
  base::RigidState state;
  state.angular_momentum = Vec3(0.02, 3.0, 0.01).cwiseProduct(frame.moments);
  const double energy = base::kinetic_energy(frame, state);
  double drift = 0.0, quarter = 0.0;
  constexpr int steps = 40000;
  const auto off = [&](const Vec3& exact) {
    return (state.orientation.conjugate() * base::angular_velocity(frame, state) - exact).norm() /
           3.0;
  };
  for (int i = 1; i <= steps; ++i) {
    base::fly(frame, Vec3::Zero(), period / steps, state);
    drift = std::max(drift, std::abs(base::kinetic_energy(frame, state) / energy - 1.0));
    if (i == steps / 4) quarter = off({1.50003333297853, 2.59813394572977, -0.866025403793419});
  }
  outcome.claims.push_back({"free top (R04): error of its turning after a quarter of its period",
                            "", 0.0, quarter, 0.01});
  outcome.claims.push_back(
      {"free top (R04): the same after the period", "", 0.0, off({0.02, 3.0, 0.01}), 0.01});
  outcome.claims.push_back({"free top (R04): energy's drift", "", 0.0, drift, 1e-6});
}

Outcome run_rigid() {
  Outcome outcome;
  add_bounces(
      "drop from 1 m, e = 0.8 (R01)", 1.0, 0.8,
      {0.451523640985731, 1.1739614665629, 1.75191172702464, 2.21427193539402, 2.58416010208954},
      outcome);
  add_bounces("drop from 0.25 m, e = 0.6 (P-R03)", 0.25, 0.6,
              {0.225761820492865, 0.496676005084304, 0.659224515839167, 0.756753622292085,
               0.815271086163836},
              outcome);
  {
    dynamics::RigidBodySettings ball = round_body(0.05, 0.4, 0.3, 0.0, 0.0);
    ball.velocity = {2, 0, 0};
    dynamics::RigidWorld world({ground(0.3, 0.0), ball}, {});
    run_until(world, 0.194165331780011);
    outcome.claims.push_back({"sliding ball (R02): way until it rolls", "m", 0.332854854480018,
                              world.pose(1).position.x(), 0.01 * 0.33});
    run_until(world, 1.0);
    outcome.claims.push_back({"sliding ball (R02): speed when it rolls", "m/s", 1.42857142857143,
                              world.state(1).velocity.x(), 0.01 * 1.43});
  }
  {
    const double slope = pi / 6.0;
    const Quat turned(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));
    const auto slide = [&](double friction) {
      dynamics::RigidBodySettings block{.name = "block",
                                        .shape = scene::BoxShape{{0.04, 0.02, 0.04}, 5e-4},
                                        .friction = friction,
                                        .restitution = 0.0};
      block.mass.mass = 0.05;
      block.mass.inertia = 0.05 / 12.0 * Vec3(2e-3, 3.2e-3, 2e-3).asDiagonal();
      block.pose = {.position = turned * Vec3(0, 0.01, 0), .orientation = turned};
      dynamics::RigidWorld world({ground(friction, 0.0, slope), block}, {.step = 1.0 / 1000});
      run_until(world, 0.7);
      return (world.pose(1).position - block.pose.position).norm();
    };
    // By the way it goes, a t^2 / 2: velocities between two steps hold what gravity adds before the
    // floor takes it, ways do not.
    const auto way = [](double acceleration) { return 0.5 * acceleration * 0.7 * 0.7; };
    const double threshold = 0.577350269189626, below = gravity * 0.03 * 0.5;
    outcome.claims.push_back({"block on 30 degrees, mu = 0.4 (R03): way in 0.7 s", "m",
                              way(1.50671631554986), slide(0.4), 0.01 * way(1.50671631554986)});
    outcome.claims.push_back({"block with mu 1 % above tan 30 degrees (R03): way in 0.7 s", "m",
                              0.0, slide(1.01 * threshold), 1e-6});
    outcome.claims.push_back({"block with mu 3 % below it (R03): way in 0.7 s", "m", way(below),
                              slide(0.97 * threshold), 0.01 * way(below)});
  }
  struct Roller {
    const char* name;
    double moment, acceleration;  ///< over m R^2; [m/s^2]
  };
  for (const Roller& one : {Roller{"solid ball", 0.4, 2.39658400430344},
                            {"hollow ball", 2.0 / 3.0, 2.01313056361489},
                            {"solid cylinder", 0.5, 2.23681173734987},
                            {"hoop", 1.0, 1.67760880301241}}) {
    const double slope = 20.0 * pi / 180.0;
    dynamics::RigidWorld world(
        {ground(0.5, 0.0, slope), round_body(0.05, one.moment, 0.5, 0.0, 0.0, slope)},
        {.step = 1.0 / 1000});
    outcome.claims.push_back({fmt::format("{} rolling down 20 degrees (P-R01)", one.name), "m/s^2",
                              one.acceleration, acceleration_of(world), 0.01 * one.acceleration});
  }
  add_top(outcome);
  return outcome;
}

}  // namespace

Entry hertz_impacts() {
  return {
      .key = "hertz-impacts",
      .title = "Impacts of elastic bodies",
      .source =
          "Hertz's theory (references C01 to C05); Chadwick et al. 2012, equation 7 and Table 1 "
          "(C06)",
      .method = "Depth, force, time and radius of contact by the formulas that a scene uses.",
      .run = run_hertz};
}

Entry rigid_motion() {
  return {.key = "rigid-motion",
          .title = "Bodies that fall, bounce, slide, roll and turn",
          .source = "Closed forms (references R01 to R04, P-R01, P-R03)",
          .method = "Simulated as in a scene and compared with the exact motion.",
          .run = run_rigid};
}

}  // namespace peal::validation
