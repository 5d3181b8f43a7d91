// Rigid bodies: how much faster than real time they move, on one core.
#include <peal/dynamics/rigid_world.h>

#include <bench/report.h>

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

struct Timing {
  double duration;  ///< simulated [s]
  double step;      ///< [s]
  double at_least;  ///< simulated seconds a second
};

void measure(Report& report, const std::string& name, std::vector<RigidBodySettings> bodies,
             const Timing& timing) {
  dynamics::RigidWorld world(std::move(bodies), {.step = timing.step});
  const double first = world.energy();
  double grown = 0.0, worst = 0.0;
  const Seconds time = time_of([&] {
    for (std::int64_t i = 0; world.time() < timing.duration; ++i) {
      const Seconds one = time_of([&] { world.step(); });
      worst = std::max(worst, one.cpu);
      if (i % 16 == 0) grown = std::max(grown, world.energy() - first);
    }
  });
  const auto blows = std::ranges::count_if(
      world.log().records,
      [](const base::ContactRecord& record) { return record.duration == 0.0; });
  report.add(name, "simulated", timing.duration, "s");
  report.add(name, "blows", static_cast<double>(blows), "1");
  report.add(name, "slowest step", 1e3 * worst, "ms");
  report.add_at_most(name, "growth of energy / first", std::max(grown, 0.0) / first, "1", 1e-4);
  report.add(name, "simulated s per CPU s", timing.duration / time.cpu, "1");
  report.add_at_most(name, "CPU s per simulated s", time.cpu / timing.duration, "1",
                     1.0 / timing.at_least);
}

int run(int argc, char** argv) {
  Report report("dynamics", argc, argv);
  constexpr double step = 1.0 / 6000.0;
  measure(report, "bowl drop", bowl(), {5.0, step, 5.0});
  measure(report, "20 dice", dice(20), {3.0, step, 1.0});
  measure(report, "100 coins", coins(100), {1.0, 2.0 * step, 0.05});
  return report.finish();
}

}  // namespace
}  // namespace peal::bench

int main(int argc, char** argv) {
  return peal::bench::run(argc, argv);
}
