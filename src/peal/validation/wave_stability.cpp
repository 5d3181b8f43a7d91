#include <peal/geometry/shapes/shapes.h>
#include <peal/util/random.h>
#include <peal/validation/entries.h>
#include <peal/validation/wave_trial.h>
#include <peal/wave/boundary/cut_fractions.h>
#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/scheme/cpml_cut_cells.h>
#include <peal/wave/scheme/cut_cells.h>
#include <peal/wave/scheme/leapfrog.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace peal::validation {

namespace {

using wave::Cell;
using wave::Grid;

constexpr double cell = 0.01;  ///< [m]

template <class Visit>
void visit_cells(const Grid& grid, const Visit& visit) {
  for (int z = 0; z < grid.size[2]; ++z) {
    for (int y = 0; y < grid.size[1]; ++y) {
      for (int x = 0; x < grid.size[0]; ++x) visit(Cell{x, y, z});
    }
  }
}

constexpr double time_step = 0.999 / std::numbers::sqrt3 * cell / speed_of_sound;  ///< [s]

wave::LeapfrogSettings box_settings() {
  return {.speed_of_sound = speed_of_sound,
          .time_step = time_step,
          .sides = wave::all_sides(wave::Side::rigid)};
}

/// A rigid box of 24 x 20 x 16 cells with two balls in it, full of noise.
template <class Real>
class NoisyBox {
 public:
  NoisyBox()
      : grid_{Vec3::Zero(), cell, {24, 20, 16}},
        solver_(grid_, box_settings()),
        cells_(grid_, wave::layout_of(solver_.pressure()),
               {.lambda = solver_.courant(), .borrow = true}) {
    const wave::CutGeometry geometry = bodies();
    cells_.index(geometry);
    volume_.assign(grid_.cells(), 1.0);
    area_.assign(grid_.cells(), {1, 1, 1, 1, 1, 1});
    for (const wave::SolidRun& run : geometry.solid) {
      for (int x = run.begin; x < run.end; ++x) {
        volume_[grid_.index({x, run.y, run.z})] = 0.0;
        area_[grid_.index({x, run.y, run.z})] = {};
      }
    }
    for (std::size_t i = 0; i < geometry.cells.size(); ++i) {
      const std::size_t at = grid_.index(geometry.cells[i].cell);
      volume_[at] = cells_.stable_volumes()[i];
      area_[at] = geometry.cells[i].area;
    }
    visit_cells(grid_, [&](const Cell& c) {
      const double noise = 2.0 * util::random_uniform(1, c[0] + 1000 * c[1], c[2]) - 1.0;
      const bool air = volume_[grid_.index(c)] > 0.0;
      solver_.pressure()[c] = solver_.previous()[c] = static_cast<Real>(air ? noise : 0.0);
    });
    step(1);
  }

  void step(int steps) {
    for (int i = 0; i < steps; ++i) {
      cells_.update(solver_.pressure().values(), solver_.previous().values(), {});
      solver_.advance_planes(0, grid_.size[2]);
      cells_.overwrite(solver_.next().values());
      solver_.finish_step();
    }
  }

  /// Constant for the exact scheme: sum of V (p - p_old)^2 and of lambda^2 A times the products of
  /// the differences of p and of p_old across each face.
  double energy() {
    const wave::Field<Real>& now = solver_.pressure();
    const wave::Field<Real>& before = solver_.previous();
    const double lambda2 = solver_.courant() * solver_.courant();
    double sum = 0.0;
    visit_cells(grid_, [&](const Cell& c) {
      const auto p = static_cast<double>(now[c]), q = static_cast<double>(before[c]);
      const std::size_t i = grid_.index(c);
      sum += volume_[i] * (p - q) * (p - q);
      for (int axis = 0; axis < 3; ++axis) {
        Cell next = c;
        if (++next[axis] == grid_.size[axis]) continue;
        const double open = std::min(area_[i][2 * axis + 1], area_[grid_.index(next)][2 * axis]);
        if (open < 1e-9) continue;
        sum += lambda2 * open * (static_cast<double>(now[next]) - p) *
               (static_cast<double>(before[next]) - q);
      }
    });
    return sum;
  }

 private:
  wave::CutGeometry bodies() const {
    geometry::TriMesh ball = round_sphere(0.042, 0.01);
    for (Vec3& v : ball.vertices) v += Vec3(0.076, 0.113, 0.079);
    geometry::TriMesh other = round_sphere(0.031, 0.01);
    for (Vec3& v : other.vertices) v += Vec3(0.185, 0.081, 0.083);
    const std::array fractions{wave::cut_fractions(grid_, ball.vertices, ball.triangles),
                               wave::cut_fractions(grid_, other.vertices, other.triangles)};
    return wave::combined(grid_, fractions);
  }

  Grid grid_;
  wave::Leapfrog<Real> solver_;
  wave::CutCells<Real> cells_;
  std::vector<double> volume_;
  std::vector<std::array<double, wave::cell_faces>> area_;
};

template <class Real>
double energy_change(int steps) {
  NoisyBox<Real> box;
  const double start = box.energy();
  box.step(steps);
  return box.energy() / start - 1.0;
}

/// Largest rms of the field over a tenth of a run: the last over the first [dB].
struct SwingNoise {
  double growth;     ///< of the pressure
  double roughness;  ///< of its second differences in time on one side of the box
};

/// A ball swings at up to 20 m/s in a rigid box of 16 x 16 x 16 cells that rings in its first mode.
class SwingingBall {
 public:
  SwingNoise run(int steps) {
    const int tenth = steps / 10;
    double first = 0.0, last = 0.0, first_rough = 0.0, last_rough = 0.0;
    for (int n = 0; n < steps; ++n) {
      const auto [level, rough] = step(n);
      if (n < 10) continue;  // the start from rest
      if (n < tenth) first = std::max(first, level), first_rough = std::max(first_rough, rough);
      if (n >= steps - tenth)
        last = std::max(last, level), last_rough = std::max(last_rough, rough);
    }
    return {20.0 * std::log10(last / first), 20.0 * std::log10(last_rough / first_rough)};
  }

 private:
  static constexpr int steps_per_key = 4;  ///< a seventh of a cell at 20 m/s

  wave::CutGeometry at(int n) {
    constexpr double way = 0.015, fastest = 20.0;  // [m], [m/s]
    const double along = way * std::sin(fastest / way * n * time_step);
    geometry::TriMesh moved = ball_;
    for (Vec3& v : moved.vertices) v += Vec3(0.081, 0.077, 0.084) + along * Vec3(0.6, -0.48, 0.64);
    const wave::CutFractions fractions = wave::cut_fractions(grid_, moved);
    return wave::combined(grid_, std::span(&fractions, 1));
  }

  std::array<double, 2> step(int n) {
    if (n % steps_per_key == 0) {
      wave::CutGeometry next = at(n + steps_per_key);
      interval_ = wave::interval(grid_, here_, next);
      here_ = std::move(next);
      cells_.enter(interval_);
    }
    const std::span<float> p = solver_.pressure().values(), p_old = solver_.previous().values();
    cells_.advance((n % steps_per_key + 1.0) / steps_per_key);
    cells_.resolve_changes(p, p_old, {}, {});
    const std::vector<float> older(p_old.begin(), p_old.end());
    cells_.update(p, p_old, {});
    solver_.advance_planes(0, grid_.size[2]);
    cells_.overwrite(solver_.next().values());
    solver_.finish_step();
    double sum = 0.0, rough = 0.0;
    const auto& now = solver_.pressure();
    const auto& before = solver_.previous();
    const wave::FieldLayout layout = wave::layout_of(now);
    visit_cells(grid_, [&](const Cell& c) {
      const auto value = static_cast<double>(now[c]);
      sum += value * value;
      if (c[2] > 0) return;
      const auto oldest = static_cast<double>(older[layout.at(c)]);
      rough += std::pow(value - 2.0 * static_cast<double>(before[c]) + oldest, 2);
    });
    return {std::sqrt(sum), std::sqrt(rough)};
  }

  static wave::Leapfrog<float> ringing(const Grid& grid) {
    wave::Leapfrog<float> solver(grid, box_settings());
    visit_cells(grid, [&](const Cell& c) {
      solver.pressure()[c] = solver.previous()[c] =
          static_cast<float>(std::cos(std::numbers::pi * (c[0] + 0.5) / grid.size[0]));
    });
    return solver;
  }

  Grid grid_{Vec3::Zero(), cell, {16, 16, 16}};
  geometry::TriMesh ball_ = round_sphere(0.033, 0.01);
  wave::Leapfrog<float> solver_ = ringing(grid_);
  wave::CutCells<float> cells_{
      grid_, wave::layout_of(solver_.pressure()), {.lambda = solver_.courant(), .gamma = 0.1}};
  wave::CutGeometry here_ = at(0);
  wave::CutInterval interval_;
};

Outcome run_stability() {
  const double exact = energy_change<double>(100000), rounded = energy_change<float>(1000000);
  const SwingNoise swinging = SwingingBall().run(100000);
  Outcome outcome;
  outcome.claims = {
      {"box with two balls, double: relative change of energy in 1e5 steps", "", 0.0, exact, 1e-9},
      {"the same in float: relative growth of energy in 1e6 steps", "", 0.0, std::max(0.0, rounded),
       1e-3},
      {"ball that swings at 20 m/s in a closed box, float: growth of the rms in 1e5 steps", "dB",
       0.0, std::max(0.0, swinging.growth), 1.0},
      {"the same: growth of the second differences", "dB", 0.0, std::max(0.0, swinging.roughness),
       1.0}};
  outcome.remarks = fmt::format(
      "In float the energy changes by {:.2g} in 1e6 steps. Around the swinging ball the sound "
      "changes by {:.1f} dB, its second differences by {:.1f} dB.",
      rounded, swinging.growth, swinging.roughness);
  return outcome;
}

}  // namespace

Entry stability() {
  return {.key = "stability",
          .title = "Energy in closed boxes",
          .source =
              "Stated limits: energy constant to 1e-9 over 1e5 steps in double, no growth "
              "over 1e6 steps in float, none over 1e5 with a body swinging at 20 m/s",
          .method =
              "White noise in a rigid box with bodies at rest, at 0.999 of the limit of "
              "stability; a ball that swings in a rigid box.",
          .run = run_stability,
          .cost = Cost::slow};
}

}  // namespace peal::validation
