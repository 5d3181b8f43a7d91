#include <peal/base/prescribed_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/util/parallel.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/boundary/rasteriser.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/driver/wave_radiator.h>
#include <peal/wave/grid/time_step.h>
#include <peal/wave/scheme/leapfrog.h>

#include <bench/cup_phone.h>
#include <bench/report.h>
#include <bench/wave_devices.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// The wave solver's grid against a bare loop over the same number of cells: the same arithmetic on
/// dense arrays, without any care for what lies beyond the box.
namespace {

using namespace peal;

/// The inner cells of an n^3 array; p_old becomes p_new.
void bare_step(int n, float courant2, const float* p, float* __restrict p_old) {
  const std::ptrdiff_t row = n, plane = row * n;
  for (int z = 1; z < n - 1; ++z) {
    for (int y = 1; y < n - 1; ++y) {
      const std::ptrdiff_t first = z * plane + y * row;
      for (std::ptrdiff_t i = first + 1; i < first + n - 1; ++i) {
        const float lap =
            ((p[i - 1] + p[i + 1]) + (p[i - row] + p[i + row]) + (p[i - plane] + p[i + plane])) -
            6.0F * p[i];
        p_old[i] = p[i] + ((p[i] - p_old[i]) + courant2 * lap);
      }
    }
  }
}

class BareGrid {
 public:
  BareGrid(int n, float courant2)
      : n_(n), courant2_(courant2), p_(cells(), 0.0F), p_old_(cells(), 0.0F) {
    p_[cells() / 2] = 1.0F;
  }
  std::size_t cells() const { return static_cast<std::size_t>(n_) * n_ * n_; }
  double updated() const { return std::pow(n_ - 2.0, 3); }
  void step() {
    bare_step(n_, courant2_, p_.data(), p_old_.data());
    p_.swap(p_old_);
  }

 private:
  int n_;
  float courant2_;
  std::vector<float> p_, p_old_;
};

wave::Leapfrog<float> solver(int n, wave::Side side) {
  const wave::Grid grid{.size = {n, n, n}};
  wave::LeapfrogSettings settings;
  settings.time_step = 0.999 * wave::stable_step(grid.cell_size, settings.speed_of_sound);
  settings.sides = wave::all_sides(side);
  wave::Leapfrog<float> solver(grid, settings);
  solver.pressure()[{n / 2, n / 2, n / 2}] = 1.0F;
  return solver;
}

void measure(bench::Report& report, int n) {
  wave::Leapfrog<float> closed = solver(n, wave::Side::rigid);
  wave::Leapfrog<float> open = solver(n, wave::Side::absorbing_layer);
  wave::Leapfrog<float> engquist_majda = solver(n, wave::Side::engquist_majda);
  BareGrid bare(n, static_cast<float>(closed.courant() * closed.courant()));
  const double cells = static_cast<double>(bare.cells());
  const int steps = std::max(2, static_cast<int>(4e7 / cells));
  const auto repeat = [&](auto& grid) {
    return [&grid, steps] {
      for (int i = 0; i < steps; ++i) grid.step();
    };
  };
  const auto times =
      bench::median_times({repeat(bare), repeat(closed), repeat(open), repeat(engquist_majda)}, 9);
  const double work = cells * steps;
  const double bare_time = times[0].cpu / (bare.updated() * steps), time = times[1].cpu / work;
  const double layer_time = times[2].cpu / work;
  const std::string name = fmt::format("{}^3", n);
  report.add(name, "bare loop", 1e-9 / bare_time, "Gcell/s");
  report.add(name, "grid", 1e-9 / time, "Gcell/s");
  report.add_at_most(name, "grid's time / bare loop's", time / bare_time, "1", 1.0 / 0.9);
  report.add(name, "with absorbing layer", 1e-9 / layer_time, "Gcell/s");
  report.add(name, "rate with layer / without", time / layer_time, "1");
  report.add(name, "rate with layer / bare loop's", bare_time / layer_time, "1");
  report.add(name, "rate with Engquist-Majda / without", times[1].cpu / times[3].cpu, "1");
  report.add_at_most(name, "memory with layer", static_cast<double>(open.bytes()) / cells, "B/cell",
                     24.0);
}

/// A box whose pressures have faded to numbers too small to be normal, against a loud one.
void measure_fading(bench::Report& report, int n) {
  const auto run = [n](float level) {
    return [n, level] {
      wave::Leapfrog<float> grid = solver(n, wave::Side::absorbing_layer);
      for (float& value : grid.pressure().values()) value = level;
      for (int i = 0; i < 60; ++i) grid.step();
    };
  };
  const auto times = bench::median_times({run(1.0F), run(1e-40F)}, 9);
  report.add_at_most(fmt::format("{}^3", n), "time of a faded box / loud",
                     times[1].cpu / times[0].cpu, "1", 1.1);
}

/// A phone that rings while a cup is lifted around it, much as in scenes/2018-wave/cup-phone.
class Lifted : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    return {.position = geometry::Vec3(0.001, -0.1 + 0.27 * t, 0.002)};
  }
  bool is_still() const override { return false; }
};

double ringing(double t) {
  return std::sin(6283.0 * t);
}

/// Rings for 0.1 s, is silent for 0.2 s, and rings again: two chunks of equal length.
class RingingTwice : public base::PrescribedSource {
 public:
  RingingTwice()
      : PrescribedSource(
            [](double t) { return t < 0.1 || (t >= 0.3 && t < 0.4) ? ringing(t) : 0.0; }) {}
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange) const override {
    const auto at = [&](double t) { return std::llround(rate.samples(t)); };
    return {{at(0.0), at(0.1)}, {at(0.3), at(0.4)}};
  }
};

base::World cup_phone(double seconds, std::shared_ptr<const base::SurfaceSource> source) {
  base::World world;
  world.samples = static_cast<std::int64_t>(seconds * static_cast<double>(world.rate.hz));
  const auto sample_point = [](double x, double y, double z) {
    return std::make_shared<base::Resting>(geometry::Vec3(x, y, z));
  };
  base::Body phone{.name = "phone", .mesh = geometry::box_mesh({0.07, 0.15, 0.014}, 0.02)};
  phone.motion = sample_point(0, 0.1, 0);
  phone.sources.push_back(std::move(source));
  base::Body cup{.name = "cup"};
  cup.mesh = geometry::lathe_mesh({{0, 0}, {0.056, 0}, {0.056, 0.119}}, 0.014, 0.008);
  cup.motion = std::make_shared<Lifted>();
  world.bodies = {phone, cup};
  return world;
}

std::vector<base::Receiver> two_ears() {
  return {
      {.name = "left", .motion = std::make_shared<base::Resting>(geometry::Vec3(0.3, 0.2, 0.5))},
      {.name = "right", .motion = std::make_shared<base::Resting>(geometry::Vec3(0.5, 0.2, 0.4))}};
}

/// Everything that a render of scenes/2018-wave/cup-phone does while the cup comes up around the
/// ringing phone, in a domain of n^3 cells, against the plain grid.
void measure_scene(bench::Report& report, int n) {
  const bench::CupPhone scene(n);
  const wave::ChunkRun run = scene.run(0);
  const wave::Domain& domain = run.domain;
  wave::Simulation<float> simulation(run.world, run.settings, run.discretisation, domain,
                                     run.chunk);
  wave::Leapfrog<float> plain = solver(n, wave::Side::rigid);
  wave::Leapfrog<float> open = solver(n, wave::Side::absorbing_layer);
  constexpr int steps = 2048;
  const auto repeat = [](auto& grid) {
    return [&grid] {
      for (int i = 0; i < steps; ++i) grid.step();
    };
  };
  std::vector<double> everything;
  const auto times =
      bench::median_times({repeat(plain), repeat(open), repeat(simulation),
                           [&] { everything.push_back(wave::time_steps(run, steps)); }},
                          5);
  std::ranges::nth_element(everything, everything.begin() + everything.size() / 2);
  const double all = everything[everything.size() / 2];
  const auto work = static_cast<double>(domain.grid.cells()) * steps;
  const double plain_time = times[0].cpu * work / (std::pow(n, 3) * steps);
  const std::string name = fmt::format("cup-phone {}^3", n);
  report.add(name, "plain grid", 1e6 * plain_time / steps, "us");
  report.add(name, "with absorbing layer", 1e6 * times[1].cpu / steps, "us");
  report.add(name, "with phone and moving cup", 1e6 * times[2].cpu / steps, "us");
  report.add(name, "with two listeners: everything", 1e6 * all / steps, "us");
  report.add(name, "rate of everything / plain grid's", plain_time / all, "1");
  report.add_at_most(name, "plain grid's rate / that of everything", all / plain_time, "1",
                     1.0 / 0.6);
}

/// A bowl that goes round on its rim, much as in scenes/2018-wave/spolling-bowl.
class GoingRound : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    constexpr double tilt = 0.3, round = 12.0;  // [rad], [rad/s]
    const geometry::Vec3 axis(std::cos(round * t), 0.0, std::sin(round * t));
    return {.position = geometry::Vec3(0.001, 0.021, 0.002),
            .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(tilt, axis))};
  }
  bool is_still() const override { return false; }
};

base::World spinning_bowl() {
  base::World world;
  base::Body bowl{.name = "bowl"};
  bowl.mesh = geometry::lathe_mesh({{0, 0.045},
                                    {0.027, 0.045},
                                    {0.0395, 0.04},
                                    {0.0492, 0.0315},
                                    {0.0568, 0.0205},
                                    {0.062, 0.009},
                                    {0.0645, 0},
                                    {0.07, 0},
                                    {0.0675, 0.0105},
                                    {0.062, 0.0235},
                                    {0.0541, 0.0357},
                                    {0.043, 0.0455},
                                    {0.03, 0.05},
                                    {0, 0.05}},
                                   0.006);
  bowl.motion = std::make_shared<GoingRound>();
  base::Body floor{.name = "floor", .mesh = geometry::box_mesh({3, 0.2, 3}, 0.15)};
  floor.motion = std::make_shared<base::Resting>(geometry::Vec3(0, -0.115, 0));
  world.bodies = {bowl, floor};
  return world;
}

/// The geometry of a thin wall in motion, by one thread, against the plain grid between its keys.
void measure_keys(bench::Report& report) {
  const util::ThreadLimit limit(1);
  const base::World world = spinning_bowl();
  wave::Grid grid{.cell_size = 0.00804, .size = {57, 29, 57}};
  grid.origin = geometry::Vec3(-0.23, -0.07, -0.23);
  const double step = 0.999 * wave::stable_step(grid.cell_size, world.medium.speed_of_sound);
  wave::Rasteriser rasteriser(world, grid, {});
  wave::LeapfrogSettings settings;
  settings.time_step = step;
  settings.sides = wave::all_sides(wave::Side::absorbing_layer);
  wave::Leapfrog<float> field(grid, settings);
  std::int64_t now = 0;
  std::size_t split = 0, keys = 0;
  wave::CutGeometry key = rasteriser.key_at(0.0);
  const auto times = bench::median_times(
      {[&] {
         for (int i = 0; i < 10; ++i, ++keys) {
           now += rasteriser.steps_to_next_key(now, step, wave::Simulation<float>::looks_ahead);
           wave::CutGeometry next = rasteriser.key_at(static_cast<double>(now) * step);
           split += wave::interval(grid, key, next).split_from.size();
           key = std::move(next);
         }
       },
       [&] {
         for (int i = 0; i < 1000; ++i) field.step();
       }},
      9);
  const double per_key = times[0].cpu / 10, per_step = times[1].cpu / 1000;
  const double steps = static_cast<double>(now) / static_cast<double>(keys);
  report.add("spinning bowl", "steps from key to key", steps, "1");
  report.add("spinning bowl", "geometry of a key", 1e3 * per_key, "ms");
  report.add("spinning bowl", "geometry of a key, by split cell",
             1e6 * per_key * static_cast<double>(keys) / static_cast<double>(split), "us");
  report.add_at_most("spinning bowl", "geometry's time / grid's", per_key / (steps * per_step), "1",
                     1.0);
}

/// Two chunks of time on two cores against one core.
void measure_chunks(bench::Report& report) {
  const base::World world = cup_phone(0.6, std::make_shared<RingingTwice>());
  base::WaveSettings settings;
  settings.max_frequency = 4000;
  const wave::WaveRadiator radiator(settings);
  const auto ears = two_ears();
  util::Silent silent;
  const auto run = [&](int threads) {
    return [&, threads] {
      const util::ThreadLimit limit(threads);
      radiator.radiate(world, ears, {0, world.samples}, silent);
    };
  };
  const auto times = bench::median_times({run(1), run(2)}, 3);
  report.add_at_most("two chunks", "time on two cores / one", times[1].wall / times[0].wall, "1",
                     1.0 / 1.8);
}

/// A chunk of a large domain on two cores against one core.
void measure_cores(bench::Report& report, int n) {
  const bench::CupPhone scene(n);
  const wave::ChunkRun run = scene.run(0);
  wave::Simulation<float> simulation(run.world, run.settings, run.discretisation, run.domain,
                                     run.chunk);
  const auto advance = [&](int threads) {
    return [&, threads] {
      const util::ThreadLimit limit(threads);
      for (int i = 0; i < 300; ++i) simulation.step();
    };
  };
  const auto times = bench::median_times({advance(1), advance(2)}, 9);
  report.add_at_most(fmt::format("cup-phone {}^3", n), "time on two cores / one",
                     times[1].wall / times[0].wall, "1", 0.6);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("wave", argc, argv);
  for (const int n : {50, 80, 88, 200, 350}) measure(report, n);
  measure_fading(report, 88);
  measure_scene(report, 88);
  measure_keys(report);
  measure_chunks(report);
  measure_cores(report, 128);
  bench::measure_devices(report);
  return report.finish();
}
