// Rigid bodies: how right bounces are and how much faster than real time heaps move, on one core,
// with both solvers.
#include <peal/contact/events.h>
#include <peal/dynamics/rigid_solver.h>

#include <bench/report.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace peal::bench {
namespace {

using dynamics::Quat;
using dynamics::RigidBodySettings;
using dynamics::Vec3;
using scene::Solver;

constexpr double gravity = 9.81;

const char* name_of(Solver solver) {
  return solver == Solver::bullet ? "bullet" : "smooth";
}

RigidBodySettings floor_body() {
  return {
      .name = "floor", .shape = scene::FloorShape{}, .motion = std::make_shared<base::Resting>()};
}

geometry::MassProperties mass_of(double mass, const Vec3& moments) {
  return {.mass = mass, .inertia = moments.asDiagonal()};
}

/// A ceramic bowl of 140 x 50 mm with a wall of 3 mm that falls 5 cm, askew.
std::vector<RigidBodySettings> bowl() {
  geometry::Polygon section;
  constexpr int arcs = 12;
  const double r = 0.07, h = 0.05, wall = 0.003;
  for (int i = 0; i <= arcs; ++i) {
    const double a = 0.5 * std::numbers::pi * i / arcs;
    section.push_back({r * std::sin(a), h * (1.0 - std::cos(a))});
  }
  for (int i = arcs; i >= 0; --i) {
    const double a = 0.5 * std::numbers::pi * i / arcs;
    section.push_back({(r - wall) * std::sin(a), h - (h - wall) * std::cos(a)});
  }
  RigidBodySettings body{
      .name = "bowl", .shape = scene::TurnedShape{section, 5e-4}, .rolling_resistance = 0.003};
  body.mass = mass_of(0.25, {7e-4, 9e-4, 7e-4});
  body.mass.centre = {0, 0.018, 0};
  body.pose.position = {0, 0.08, 0};
  body.pose.orientation = Quat(Eigen::AngleAxisd(0.5, Vec3(1, 0, 0.3).normalized()));
  body.angular_velocity = {1, 3, 0};
  return {floor_body(), body};
}

std::vector<RigidBodySettings> dice(int count) {
  std::vector<RigidBodySettings> bodies = {floor_body()};
  for (int i = 0; i < count; ++i) {
    RigidBodySettings body{.name = "die " + std::to_string(i),
                           .shape = scene::BoxShape{{0.016, 0.016, 0.016}, 1e-3}};
    body.mass = mass_of(0.005, Vec3::Constant(0.005 * 0.016 * 0.016 / 6.0));
    body.pose.position = {0.03 * (i % 2) + 0.002 * (i % 3), 0.03 + 0.028 * (i / 4),
                          0.03 * (i / 2 % 2) + 0.002 * (i % 5)};
    body.pose.orientation = Quat(1, 0.3 * std::sin(i), 0.4 * std::cos(3 * i), 0.2).normalized();
    body.angular_velocity = 5.0 * Vec3(std::sin(2 * i), std::cos(5 * i), std::sin(7 * i));
    bodies.push_back(body);
  }
  return bodies;
}

std::vector<RigidBodySettings> coins(int count) {
  std::vector<RigidBodySettings> bodies = {floor_body()};
  const double r = 0.012, h = 0.0017, m = 0.006;
  for (int i = 0; i < count; ++i) {
    RigidBodySettings body{
        .name = "coin " + std::to_string(i),
        .shape = scene::TurnedShape{{{0, -h / 2}, {r, -h / 2}, {r, h / 2}, {0, h / 2}}, 2e-4},
        .friction = 0.3,
        .rolling_resistance = 0.001};
    const double across = m * (3.0 * r * r + h * h) / 12.0;
    body.mass = mass_of(m, {across, 0.5 * m * r * r, across});
    body.pose.position = {0.04 * (i % 2) + 0.003 * (i % 3), 0.03 + 0.016 * (i / 4),
                          0.04 * (i / 2 % 2) + 0.003 * (i % 5)};
    body.pose.orientation = Quat(1, 0.3 * std::sin(i), 0.2 * std::cos(3 * i), 0.2).normalized();
    bodies.push_back(body);
  }
  return bodies;
}

/// Dice in layers of five by five.
std::vector<RigidBodySettings> layered_dice(int count) {
  std::vector<RigidBodySettings> bodies = dice(count);
  for (int i = 0; i < count; ++i) {
    bodies[static_cast<std::size_t>(i) + 1].pose.position = {0.032 * (i % 5) + 0.001 * (i % 3),
                                                             0.03 + 0.032 * (i / 25),
                                                             0.032 * (i / 5 % 5) + 0.001 * (i % 7)};
  }
  return bodies;
}

/// A ball of 2 cm radius that falls 1 m (reference R01), restitution 0.8: its first three bounces,
/// as events.
void measure_bounces(Report& report, Solver solver, double rate) {
  RigidBodySettings ball{
      .name = "ball", .shape = scene::BallShape{0.02}, .friction = 0.0, .restitution = 0.8};
  ball.mass = mass_of(1.0, Vec3::Constant(1.6e-4));
  ball.pose.position = {0, 1.02, 0};
  RigidBodySettings floor = floor_body();
  floor.friction = 0.0;
  floor.restitution = 0.8;
  const auto world =
      dynamics::make_rigid_solver({floor, ball}, {.solver = solver, .step = 1.0 / rate});
  while (world->time() < 2.0) world->step();
  const auto impacts = contact::contact_events(world->log()).impacts;

  double time = std::sqrt(2.0 / gravity), speed = std::sqrt(2.0 * gravity), late = 0.0, off = 0.0;
  const std::size_t n = std::min<std::size_t>(impacts.size(), 3);
  for (std::size_t i = 0; i < n; ++i) {
    late = std::max(late, std::abs(impacts[i].time / time - 1.0));
    off = std::max(off, std::abs(impacts[i].impulse.norm() / (1.8 * speed) - 1.0));
    speed *= 0.8;
    time += 2.0 * speed / gravity;
  }
  const std::string name = fmt::format("bounces at 1/{:g} s, {}", rate, name_of(solver));
  report.add(name, "of three found", static_cast<double>(n), "1");
  report.add_at_most(name, "largest error of time", 100.0 * late, "%", 1.0);
  report.add_at_most(name, "largest error of impulse", 100.0 * off, "%", 2.0);
}

struct Timing {
  double duration;        ///< simulated [s]
  double step;            ///< [s]
  double at_least = 0.0;  ///< simulated seconds a second; 0: told, not judged
};

/// Its CPU time [s].
double measure(Report& report, const std::string& what, std::vector<RigidBodySettings> bodies,
               const Timing& timing, Solver solver) {
  const std::string name = what + ", " + name_of(solver);
  const std::size_t count = bodies.size();
  const auto world =
      dynamics::make_rigid_solver(std::move(bodies), {.solver = solver, .step = timing.step});
  const double first = world->energy();
  double grown = 0.0, worst = 0.0, settled = 0.0;
  const Seconds time = time_of([&] {
    for (std::int64_t i = 0; world->time() < timing.duration; ++i) {
      const Seconds one = time_of([&] { world->step(); });
      worst = std::max(worst, one.cpu);
      if (i % 16 != 0) continue;
      grown = std::max(grown, world->energy() - first);
      for (std::size_t k = 1; k < count; ++k) {
        if (world->velocity(k).norm() > 0.01) settled = world->time();
      }
    }
  });
  // A heap is chaotic: how it comes to lie is reported, not judged.
  double height = 0.0;
  for (std::size_t k = 1; k < count; ++k) height += world->pose(k).position.y();
  const auto blows = std::ranges::count_if(
      world->log().records,
      [](const base::ContactRecord& record) { return record.duration == 0.0; });
  report.add(name, "simulated", timing.duration, "s");
  report.add(name, "last faster than 1 cm/s", settled, "s");
  report.add(name, "mean height then", 1e3 * height / static_cast<double>(count - 1), "mm");
  report.add(name, "blows", static_cast<double>(blows), "1");
  report.add(name, "slowest step", 1e3 * worst, "ms");
  report.add_at_most(name, "growth of energy / first", std::max(grown, 0.0) / first, "1", 1e-4);
  report.add(name, "simulated s per CPU s", timing.duration / time.cpu, "1");
  if (timing.at_least > 0.0) {
    report.add_at_most(name, "CPU s per simulated s", time.cpu / timing.duration, "1",
                       1.0 / timing.at_least);
  }
  return time.cpu;
}

/// With both, the smooth one judged.
void compare(Report& report, const std::string& what, const std::vector<RigidBodySettings>& bodies,
             const Timing& timing) {
  measure(report, what, bodies, timing, Solver::smooth);
  measure(report, what, bodies, {timing.duration, timing.step}, Solver::bullet);
}

int run(int argc, char** argv) {
  Report report("dynamics", argc, argv);
  for (const double rate : {240.0, 1000.0, 6000.0}) {
    for (const Solver solver : {Solver::smooth, Solver::bullet}) {
      measure_bounces(report, solver, rate);
    }
  }
  constexpr double step = 1.0 / 6000.0;
  compare(report, "bowl drop", bowl(), {5.0, step, 5.0});
  compare(report, "20 dice", dice(20), {3.0, step, 1.0});
  compare(report, "100 coins", coins(100), {1.0, 2.0 * step, 0.05});

  // What Bullet is for.
  const Timing big = {1.0, 1.0 / 1000.0};
  const double smooth = measure(report, "500 dice", layered_dice(500), big, Solver::smooth);
  const double bullet = measure(report, "500 dice", layered_dice(500), big, Solver::bullet);
  report.add_at_most("500 dice", "CPU time of bullet / smooth", bullet / smooth, "1", 0.5);
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
