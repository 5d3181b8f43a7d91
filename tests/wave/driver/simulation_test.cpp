#include <peal/geometry/shapes/shapes.h>
#include <peal/util/error.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/wave_fixture.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

/// A world, its grid and one chunk that holds it all.
struct Bench {
  base::World world = world_of(0.02);
  base::WaveSettings settings = {.max_frequency = 4000, .accuracy = 0.02};
  Discretisation discretisation;
  Domain domain;
  Chunk chunk;

  void prepare() {
    discretisation = choose_discretisation(settings, world.rate, world.medium);
    const DomainChooser chooser(world, settings, discretisation);
    chunk.end = world.rate.seconds(world.samples);
    domain = chooser.domain_for(chunk, chunk.end);
  }
  template <class Real = float>
  Simulation<Real> simulation() const {
    return {world, settings, discretisation, domain, chunk};
  }
};

Bench pulsating_sphere(std::shared_ptr<const base::Motion> motion) {
  Bench bench;
  bench.world.bodies.push_back(body_of("ball", sphere_at(Vec3::Zero(), 0.05, 12), motion));
  bench.world.bodies[0].sources.push_back(
      std::make_shared<Pulsating>([](double t) { return pulse(t, 1e-3, 1e-4); }));
  bench.settings.domain = geometry::Box(Vec3::Constant(-0.2), Vec3::Constant(0.2));
  bench.prepare();
  return bench;
}

/// Exact field of a sphere of radius a whose surface accelerates as `f`: the pressure times r obeys
/// g' + c / a g = rho a c f (t - (r - a) / c) [Pa m].
double pulsating_field(double t, double r, double a, const std::function<double(double)>& f) {
  constexpr double c = 343.2, rho = 1.2041;
  const double end = t - (r - a) / c, step = 1e-7;
  double g = 0;
  for (double s = std::max(0.0, end - 2e-3); s < end; s += step) {
    g += step * std::exp(-c / a * (end - s)) * rho * a * c * f(s);
  }
  return g / r;
}

TEST(Simulation, a_pulsating_sphere_sends_out_the_exact_pulse) {
  const Bench bench = pulsating_sphere(resting_at(0.0013, 0.0021, -0.0017));
  auto simulation = bench.simulation();
  const Cell ear = bench.domain.grid.cell_of({0.15, 0.02, 0.03});
  const double r = (bench.domain.grid.centre(ear) - Vec3(0.0013, 0.0021, -0.0017)).norm();
  double worst = 0, most = 0;
  while (simulation.now() < 250) {
    simulation.step();
    const double t = bench.discretisation.rate.seconds(simulation.now());
    const double exact = pulsating_field(t, r, 0.05, [](double s) { return pulse(s, 1e-3, 1e-4); });
    worst = std::max(worst, std::abs(static_cast<double>(simulation.pressure()[ear]) - exact));
    most = std::max(most, std::abs(exact));
  }
  EXPECT_GT(most, 0.01);
  EXPECT_LT(worst / most, 0.04);
}

/// Rises, rests for a while, or nearly, and rises again.
class Pausing : public base::Motion {
 public:
  explicit Pausing(double drift) : drift_(drift) {}
  base::Pose pose(double t) const override {
    constexpr double begin = 4e-3, end = 14e-3, speed = 3.0;
    const double paused = std::clamp(t - begin, 0.0, end - begin);
    return {.position = Vec3(0.0013, speed * (t - paused) + drift_ * paused, -0.0017)};
  }
  bool is_still() const override { return false; }

 private:
  double drift_;
};

TEST(Simulation, a_body_that_pauses_sounds_like_one_that_nearly_does) {
  const auto pressures = [](double drift) {
    Bench bench = pulsating_sphere(std::make_shared<Pausing>(drift));
    auto simulation = bench.simulation();
    const Cell ear = bench.domain.grid.cell_of({0.15, 0.02, 0.03});
    std::vector<double> heard;
    const double end = bench.discretisation.rate.samples(0.018);
    while (static_cast<double>(simulation.now()) < end) {
      simulation.step();
      heard.push_back(static_cast<double>(simulation.pressure()[ear]));
    }
    return heard;
  };
  const std::vector<double> pauses = pressures(0.0), drifts = pressures(1e-6);
  double worst = 0.0;
  for (std::size_t i = 0; i < pauses.size(); ++i)
    worst = std::max(worst, std::abs(pauses[i] - drifts[i]));
  EXPECT_LT(worst, 1e-4 * std::ranges::max(pauses));
}

/// The stable volumes and open areas of all nodes at present.
std::vector<double> walls_of(WallSequence<float>& sequence) {
  const std::span<const double> volumes = sequence.cells().stable_volumes();
  std::vector<double> all(volumes.begin(), volumes.end());
  // Nodes after these were cut in the interval before, which a run that begins here has not seen.
  for (const CutNode<float>& node : sequence.cells().nodes().first(volumes.size())) {
    for (const float area : node.area) all.push_back(static_cast<double>(area));
  }
  return all;
}

TEST(WallSequence, walls_are_at_the_same_place_whenever_a_chunk_begins) {
  // With 0.5 m/s intervals have 384 steps, which is no power of two.
  for (const double speed : {0.2, 0.5, 6.0}) {
    const Bench bench =
        pulsating_sphere(std::make_shared<Gliding>(Vec3(-0.06, 0, 0), Vec3(speed, 0, 0.1 * speed)));
    const auto sequence_from = [&](double begin) {
      Chunk chunk = bench.chunk;
      chunk.begin = begin;
      return WallSequence<float>(bench.world, bench.settings, bench.discretisation,
                                 bench.domain.grid, chunk,
                                 field_layout<float>(bench.domain.grid.size));
    };
    const auto go_to = [](WallSequence<float>& sequence, std::int64_t step) {
      if (sequence.begins(step)) sequence.enter();
      if (sequence.moves(step)) sequence.cells().advance(sequence.along(step));
    };
    for (const double begin : {0.0029, 0.0101, 0.0173}) {
      WallSequence<float> whole = sequence_from(0.0), part = sequence_from(begin);
      std::int64_t step = whole.start();
      for (; step < part.start(); ++step) go_to(whole, step);
      for (const std::int64_t end = step + 700; step < end; ++step) {
        go_to(whole, step);
        go_to(part, step);
        ASSERT_TRUE(walls_of(whole) == walls_of(part))
            << speed << " m/s, " << begin << " s, step " << step;
      }
    }
  }
}

TEST(Simulation, the_field_around_a_fast_body_does_not_grow) {
  const double h = pulsating_sphere(resting_at()).discretisation.cell_size;
  const std::vector<std::pair<geometry::TriMesh, double>> bodies = {
      {sphere_at(Vec3::Zero(), 6 * h, 12), 0.2},
      {sphere_at(Vec3::Zero(), 6 * h, 12), 0.4},
      {geometry::box_mesh({12 * h, 8 * h, 6 * h}, 3 * h), 0.4},
      {geometry::box_mesh({0.3 * h, 12 * h, 12 * h}, 3 * h), 0.4}};
  for (const auto& [mesh, mach] : bodies) {
    const double speed = mach * 343.2, time = 80 * h / speed;
    Bench bench;
    bench.world.bodies.push_back(body_of(
        "body", mesh,
        std::make_shared<Gliding>(Vec3(0.0013, 0.0021, -0.0017), speed * Vec3(0.95, 0.25, 0.18))));
    bench.world.bodies[0].sources.push_back(
        std::make_shared<Pulsating>([](double t) { return pulse(t, 3e-4, 6e-5); }));
    const Vec3 around = Vec3::Constant(12 * h);
    bench.settings.domain = geometry::Box(-around, speed * time * Vec3(0.95, 0.25, 0.18) + around);
    bench.prepare();
    auto simulation = bench.simulation();
    const auto run_until = [&](double t) {
      while (bench.discretisation.rate.seconds(simulation.now()) < t) simulation.step();
      return simulation.check_bounded();
    };
    const double first = run_until(std::max(8e-4, 0.25 * time)), last = run_until(time);
    EXPECT_GT(first, 0.0) << "Mach " << mach;
    EXPECT_LT(last, first) << "Mach " << mach;
  }
}

TEST(Simulation, a_silent_body_moves_through_silence_in_silence) {
  Bench bench;
  bench.world.bodies.push_back(
      body_of("ball", sphere_at(Vec3::Zero(), 0.04, 6),
              std::make_shared<Gliding>(Vec3(-0.1, 0, 0), Vec3(20, 3, 1))));
  bench.world.samples = 240;
  bench.prepare();
  auto simulation = bench.simulation();
  for (int i = 0; i < 200; ++i) simulation.step();
  EXPECT_EQ(largest(simulation.pressure()), 0.0);
}

TEST(Simulation, a_resting_point_makes_its_strength_over_distance) {
  Bench bench;
  bench.world.sources.push_back(
      {.name = "point",
       .motion = resting_at(0.003, -0.002, 0.004),
       .shader = std::make_shared<Emitting>([](double t) { return pulse(t, 1e-3, 1.5e-4); })});
  bench.settings.domain = geometry::Box(Vec3::Constant(-0.3), Vec3::Constant(0.3));
  bench.prepare();
  auto simulation = bench.simulation();
  const Cell ear = bench.domain.grid.cell_of({0.15, 0.1, -0.12});
  const double r = (bench.domain.grid.centre(ear) - Vec3(0.003, -0.002, 0.004)).norm();
  double worst = 0;
  while (simulation.now() < 300) {
    simulation.step();
    const double t = bench.discretisation.rate.seconds(simulation.now());
    const double exact = pulse(t - r / 343.2, 1e-3, 1.5e-4) / r;
    worst = std::max(worst, std::abs(static_cast<double>(simulation.pressure()[ear]) - exact));
  }
  EXPECT_LT(worst, 0.02 / r);
}

TEST(Simulation, a_moving_point_has_the_convective_level_of_a_moving_monopole) {
  // p = s(te) / (R D^2) + S(te) c (Mr - M^2) / (R^2 D^3), S the integral of s.
  const Vec3 start(-0.12, 0.01, 0.02), velocity(60, 0, 0);
  constexpr double f = 1000, c = 343.2, w = 2 * std::numbers::pi * f;
  Bench bench;
  bench.world.sources.push_back(
      {.name = "point",
       .motion = std::make_shared<Gliding>(start, velocity),
       .shader = std::make_shared<Emitting>([](double t) { return tone(t, f); })});
  bench.world.samples = 220;
  bench.settings.domain = geometry::Box(Vec3(-0.3, -0.25, -0.25), Vec3(0.35, 0.25, 0.25));
  bench.prepare();
  auto simulation = bench.simulation();
  const Cell ear = bench.domain.grid.cell_of({0.02, 0.14, 0.01});
  const Vec3 x = bench.domain.grid.centre(ear);
  double worst = 0;
  while (bench.discretisation.rate.seconds(simulation.now()) < 4.5e-3) {
    simulation.step();
    const double t = bench.discretisation.rate.seconds(simulation.now());
    if (t < 3e-3) continue;
    double te = t;
    for (int i = 0; i < 50; ++i) te = t - (x - start - te * velocity).norm() / c;
    const Vec3 way = x - start - te * velocity;
    const double R = way.norm(), mr = velocity.dot(way) / R / c,
                 m2 = velocity.squaredNorm() / c / c;
    const double D = 1 - mr, flow = -std::cos(w * te) / w;
    const double exact =
        std::sin(w * te) / (R * D * D) + flow * c * (mr - m2) / (R * R * D * D * D);
    worst = std::max(worst, std::abs(static_cast<double>(simulation.pressure()[ear]) - exact));
  }
  EXPECT_LT(worst, 0.05 / 0.13);
}

TEST(Simulation, viscosity_damps_waves_around_bodies_without_growth) {
  Bench bench = pulsating_sphere(resting_at(0.0013, 0.0021, -0.0017));
  const auto loudest = [](const Bench& b) {
    auto simulation = b.simulation();
    double most = 0;
    for (int i = 0; i < 600; ++i) simulation.step();
    for (int i = 0; i < 20; ++i)
      simulation.step(), most = std::max(most, largest(simulation.pressure()));
    return most;
  };
  const double plain = loudest(bench);
  bench.settings.viscosity = 1e-3;
  bench.prepare();
  EXPECT_LT(loudest(bench), 2 * plain + 1e-6);
}

TEST(Simulation, twice_the_sources_make_twice_the_sound) {
  const Bench bench = pulsating_sphere(resting_at());
  Bench loud = bench;
  loud.world.bodies[0].sources.push_back(loud.world.bodies[0].sources[0]);
  auto one = bench.simulation(), two = loud.simulation();
  for (int i = 0; i < 60; ++i) one.step(), two.step();
  double worst = 0;
  for_each_cell(bench.domain.grid.size, [&](const Cell& c) {
    worst = std::max(worst, std::abs(2.0 * one.pressure()[c] - two.pressure()[c]));
  });
  EXPECT_LT(worst, 1e-6 * largest(two.pressure()));
}

TEST(Simulation, a_scene_shifted_by_whole_cells_sounds_the_same) {
  const Bench bench = pulsating_sphere(resting_at());
  Bench shifted = bench;
  const double h = bench.discretisation.cell_size;
  shifted.world.bodies[0].motion = resting_at(3 * h, -2 * h, 5 * h);
  shifted.domain.grid.origin += h * Vec3(3, -2, 5);
  auto one = bench.simulation<double>(), two = shifted.simulation<double>();
  for (int i = 0; i < 60; ++i) one.step(), two.step();
  double worst = 0;
  for_each_cell(bench.domain.grid.size, [&](const Cell& c) {
    worst = std::max(worst, std::abs(one.pressure()[c] - two.pressure()[c]));
  });
  EXPECT_LT(worst, 1e-9 * largest(two.pressure()));
}

TEST(Simulation, what_moves_faster_than_a_cell_in_a_step_is_refused) {
  Bench bench;
  bench.world.bodies.push_back(body_of("rocket", sphere_at(Vec3::Zero(), 0.04, 4),
                                       std::make_shared<Gliding>(Vec3::Zero(), Vec3(1000, 0, 0))));
  bench.world.samples = 24;
  bench.prepare();
  auto simulation = bench.simulation();
  EXPECT_THROW(simulation.step(), util::InputError);
}

}  // namespace
}  // namespace peal::wave
