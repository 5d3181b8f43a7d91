#include <peal/wave/leapfrog.h>
#include <peal/wave/time_step.h>

#include <bench/report.h>
#include <fmt/format.h>

#include <cmath>
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

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("wave", argc, argv);
  for (const int n : {50, 80, 88, 200, 350}) measure(report, n);
  measure_fading(report, 88);
  return report.finish();
}
