#pragma once

#include <peal/wave/boundary/creases.h>
#include <peal/wave/boundary/cut_interval.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <numbers>
#include <vector>

#include "wave/cut_reference.h"

namespace peal::wave {

// A body crosses the cells on an oblique line, in a box whose walls absorb. What a listener hears
// above the band of a 1 kHz tone is noise of the moving boundary.
namespace motion {
inline constexpr double kSpeedOfSound = 343.2, kDensity = 1.2041, kTone = 1000;
inline constexpr double kPi = std::numbers::pi;
inline constexpr double kSettle = 4e-3, kWindow = 16e-3;  // [s]
}  // namespace motion

/// Turns the rigid outer walls of a plain step into first-order absorbing ones.
inline void absorb_at_walls(const Grid& grid, double lambda, std::span<const float> before,
                            std::span<float> next) {
  const auto mend = [&](const Cell& c) {
    int faces = 0;
    for (int d = 0; d < 3; ++d) faces += (c[d] == 0) + (c[d] == grid.size[d] - 1);
    const float loss = static_cast<float>(0.5 * lambda * faces);
    const std::size_t i = grid.index(c);
    next[i] = (next[i] + loss * before[i]) / (1 + loss);
  };
  const auto [nx, ny, nz] = grid.size;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y) {
      const bool whole_row = y == 0 || z == 0 || y == ny - 1 || z == nz - 1;
      for (int x = 0; x < nx; x += whole_row ? 1 : nx - 1) mend({x, y, z});
    }
}

/// Energy from `low` to 20 kHz relative to that around the tone [dB].
inline double noise_above(const std::vector<double>& received, double dt, double low) {
  const double n = static_cast<double>(received.size());
  double tone = 0, noise = 0;
  for (int bin = 1; bin < 20e3 * n * dt; ++bin) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < received.size(); ++i) {
      const double x = 2 * motion::kPi * (static_cast<double>(i) + 0.5) / n;
      const double blackman_harris =
          0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2 * x) - 0.01168 * std::cos(3 * x);
      sum += received[i] * blackman_harris *
             std::polar(1.0, -2 * motion::kPi * bin * static_cast<double>(i) / n);
    }
    const double frequency = bin / (n * dt);
    if (frequency > low) noise += std::norm(sum);
    if (frequency < low && frequency > 2 * motion::kTone - low) tone += std::norm(sum);
  }
  return 10 * std::log10(noise / tone);
}

/// Mean square around the tone [dB].
inline double tone_level(const std::vector<double>& received, double dt) {
  double re = 0, im = 0;
  for (std::size_t i = 0; i < received.size(); ++i) {
    const double phase = 2 * motion::kPi * motion::kTone * dt * static_cast<double>(i);
    const double hann = 1 - std::cos(2 * motion::kPi * (static_cast<double>(i) + 0.5) /
                                     static_cast<double>(received.size()));
    re += hann * received[i] * std::cos(phase);
    im += hann * received[i] * std::sin(phase);
  }
  return 10 * std::log10((re * re + im * im) / std::pow(static_cast<double>(received.size()), 2));
}

/// A body that moves along a line; driven, its walls accelerate with the tone.
struct MovingBody {
  geometry::TriMesh mesh;  ///< about the origin [m]
  bool sheet = false;
  double speed = 20;      ///< [m/s]
  bool driven = false;    ///< else the tone comes from a point
  int steps_per_key = 1;  ///< fractions are made anew that often, linear in between
  /// Volume acceleration of a wall for a unit signal [cell face].
  std::function<double(const Wall&)> drive = [](const Wall& wall) { return wall.driving_area(); };
  double cell_size = 0.01;  ///< [m]
};

class MotionTest {
 public:
  explicit MotionTest(MovingBody body) : body_(std::move(body)) {}

  struct Result {
    double noise;                 ///< above the band at the worst listener [dB]
    std::array<double, 3> level;  ///< of the tone [dB]
  };

  Result run() {
    const std::size_t point = grid_.index(grid_.cell_of({-0.21, 0.25, 0.13}));
    const Vec3 indices[] = {{0.2, -0.25, 0.1}, {-0.1, -0.2, -0.28}, {0.05, 0.3, 0.22}};
    std::vector<double> received[3];
    list_.cells.index(geometry_at(0));
    for (int n = 1; n * dt_ < motion::kSettle + motion::kWindow; ++n) {
      step(n);
      if (!body_.driven) list_.p[point] += static_cast<float>(1e-3 * signal(n * dt_));
      for (int i = 0; i < 3 && n * dt_ > motion::kSettle; ++i)
        received[i].push_back(static_cast<double>(list_.p[grid_.index(grid_.cell_of(indices[i]))]));
    }
    Result result{.noise = -300};
    for (int i = 0; i < 3; ++i) {
      result.noise = std::max(result.noise, noise_above(received[i], dt_, motion::kTone + 420));
      result.level[i] = tone_level(received[i], dt_);
    }
    std::printf(
        "%s at %g m/s, a key every %d steps: noise above the band %.1f dB, tone %.2f %.2f %.2f "
        "dB\n",
        body_.driven ? "driven" : "tone", body_.speed, body_.steps_per_key, result.noise,
        result.level[0], result.level[1], result.level[2]);
    return result;
  }

 private:
  void step(int n) {
    const int phase = (n - 1) % body_.steps_per_key;
    if (phase == 0) {
      const double key = body_.steps_per_key * dt_, start = (n - 1) * dt_;
      interval_ = interval(grid_, geometry_at(start), geometry_at(start + key));
      list_.cells.enter(interval_);
    }
    const double t = (phase + 1.0) / body_.steps_per_key;
    list_.cells.advance(t);
    const std::vector<float> source = sources(t, n * dt_);
    list_.cells.resolve_changes(list_.p, list_.p_old, source, sources(t, (n - 1) * dt_));
    before_ = list_.p_old;
    list_.step(source);
    absorb_at_walls(grid_, list_.scheme.lambda, before_, list_.p);
  }
  CutGeometry geometry_at(double time) const {
    std::vector<Vec3> vertices = body_.mesh.vertices;
    const Vec3 along = Vec3(0.82, 0.43, -0.38).normalized();
    const double way = body_.speed * (time - motion::kSettle - 0.5 * motion::kWindow);
    for (Vec3& v : vertices) v += Vec3(0.013, -0.021, 0.017) + way * along;
    const CutFractions body = body_.sheet
                                  ? cut_sheet(grid_, vertices, body_.mesh.triangles)
                                  : cut_fractions(grid_, vertices, body_.mesh.triangles, parts_);
    return combined(grid_, std::span(&body, 1));
  }
  std::vector<float> sources(double t, double time) const {
    const std::vector<Wall> walls = interval_.walls_at(t);
    std::vector<double> acceleration;
    for (const Wall& wall : walls)
      acceleration.push_back(body_.driven ? signal(time) * body_.drive(wall) : 0);
    return wall_source<float>(interval_.from.size(), walls, acceleration, grid_.cell_size,
                              motion::kDensity);
  }
  /// The tone, switched on smoothly.
  static double signal(double time) {
    const double ramp = std::clamp(time / 2e-3, 0.0, 1.0);
    return ramp * ramp * ramp * (10 - ramp * (15 - 6 * ramp)) *
           std::sin(2 * motion::kPi * motion::kTone * time);
  }
  static Grid box(double cell_size) {
    const int n = static_cast<int>(std::lround(0.8 / cell_size));
    return {Vec3::Constant(-0.4), cell_size, {n, n, n}};
  }

  MovingBody body_;
  std::vector<std::uint32_t> parts_ = parted_at_creases(body_.mesh, {});
  Grid grid_ = box(body_.cell_size);
  Stepper<float> list_{grid_, {.lambda = 0.999 * std::numbers::inv_sqrt3, .gamma = 0.1}};
  double dt_ = list_.scheme.lambda * grid_.cell_size / motion::kSpeedOfSound;
  CutInterval interval_;
  std::vector<float> before_;
};

}  // namespace peal::wave
