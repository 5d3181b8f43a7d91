#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/cut_reference.h"

namespace peal::wave {
namespace {

// A sphere of radius 50 mm crosses 10 mm cells on an oblique line, in a box whose walls absorb.
// What a listener hears above the band of a 1 kHz tone is noise of the moving boundary.
constexpr double kSpeedOfSound = 343.2, kDensity = 1.2041, kRadius = 0.05, kTone = 1000;
constexpr double kPi = std::numbers::pi;
constexpr double kSettle = 4e-3, kWindow = 16e-3;  // [s]

/// Turns the rigid outer walls of a plain step into first-order absorbing ones.
void absorb_at_walls(const Grid& grid, double lambda, std::span<const float> before,
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
double noise_above(const std::vector<double>& heard, double dt, double low) {
  const double n = static_cast<double>(heard.size());
  double tone = 0, noise = 0;
  for (int bin = 1; bin < 20e3 * n * dt; ++bin) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const double x = 2 * kPi * (static_cast<double>(i) + 0.5) / n;
      const double blackman_harris =
          0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2 * x) - 0.01168 * std::cos(3 * x);
      sum +=
          heard[i] * blackman_harris * std::polar(1.0, -2 * kPi * bin * static_cast<double>(i) / n);
    }
    const double frequency = bin / (n * dt);
    if (frequency > low) noise += std::norm(sum);
    if (frequency < low && frequency > 2 * kTone - low) tone += std::norm(sum);
  }
  return 10 * std::log10(noise / tone);
}

struct Motion {
  double speed;           ///< [m/s]
  bool driven;            ///< the sphere pulsates; else the tone comes from a point
  int steps_per_key = 1;  ///< fractions are made anew that often, linear in between
};

class MovingSphere {
 public:
  explicit MovingSphere(const Motion& motion) : motion_(motion) {}

  /// Noise above the band at the worst of three listeners [dB].
  double noise() {
    const std::size_t point = grid_.index(grid_.cell_of({-0.21, 0.25, 0.13}));
    const Vec3 places[] = {{0.2, -0.25, 0.1}, {-0.1, -0.2, -0.28}, {0.05, 0.3, 0.22}};
    std::vector<double> heard[3];
    list_.cells.place(geometry_at(0));
    for (int n = 1; n * dt_ < kSettle + kWindow; ++n) {
      step(n);
      if (!motion_.driven) list_.p[point] += static_cast<float>(1e-3 * signal(n * dt_));
      for (int i = 0; i < 3 && n * dt_ > kSettle; ++i)
        heard[i].push_back(static_cast<double>(list_.p[grid_.index(grid_.cell_of(places[i]))]));
    }
    double worst = -300;
    for (const auto& one : heard) worst = std::max(worst, noise_above(one, dt_, kTone + 420));
    std::printf("%s at %g m/s, a key every %d steps: noise above the band %.1f dB\n",
                motion_.driven ? "driven" : "tone", motion_.speed, motion_.steps_per_key, worst);
    return worst;
  }

 private:
  void step(int n) {
    const int phase = (n - 1) % motion_.steps_per_key;
    if (phase == 0) {
      const double key = motion_.steps_per_key * dt_, start = (n - 1) * dt_;
      interval_ = interval(grid_, geometry_at(start), geometry_at(start + key));
      list_.cells.enter(interval_);
    }
    const double t = (phase + 1.0) / motion_.steps_per_key;
    list_.cells.advance(t);
    const std::vector<float> source = sources(t, n * dt_);
    list_.cells.resolve_changes(list_.p, list_.p_old, source, sources(t, (n - 1) * dt_));
    before_ = list_.p_old;
    list_.step(source);
    absorb_at_walls(grid_, list_.scheme.lambda, before_, list_.p);
  }
  CutGeometry geometry_at(double time) const {
    std::vector<Vec3> vertices = mesh_.vertices;
    const Vec3 along = Vec3(0.82, 0.43, -0.38).normalized();
    const double way = motion_.speed * (time - kSettle - 0.5 * kWindow);
    for (Vec3& v : vertices) v += Vec3(0.013, -0.021, 0.017) + way * along;
    const CutFractions body = cut_fractions(grid_, vertices, mesh_.triangles);
    return combined(grid_, std::span(&body, 1));
  }
  std::vector<float> sources(double t, double time) const {
    const std::vector<Wall> walls = interval_.walls_at(t);
    std::vector<double> acceleration;
    for (const Wall& wall : walls)
      acceleration.push_back(motion_.driven ? signal(time) * wall.driving_area() : 0);
    return wall_source<float>(interval_.from.size(), walls, acceleration, grid_.cell_size,
                              kDensity);
  }
  /// The tone, switched on smoothly.
  static double signal(double time) {
    const double ramp = std::clamp(time / 2e-3, 0.0, 1.0);
    return ramp * ramp * ramp * (10 - ramp * (15 - 6 * ramp)) * std::sin(2 * kPi * kTone * time);
  }

  Motion motion_;
  Grid grid_{Vec3::Constant(-0.4), 0.01, {80, 80, 80}};
  Stepper<float> list_{grid_, {.lambda = 0.999 * std::numbers::inv_sqrt3, .gamma = 0.1}};
  double dt_ = list_.scheme.lambda * grid_.cell_size / kSpeedOfSound;
  geometry::TriMesh mesh_ = sphere_at(Vec3::Zero(), kRadius, 8);
  CutInterval interval_;
  std::vector<float> before_;
};

double motion_noise(const Motion& motion) {
  return MovingSphere(motion).noise();
}

TEST(CutMotionSlow, a_sphere_at_5_m_s_through_a_tone_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 5, .driven = false}), -80);
}

TEST(CutMotionSlow, a_sphere_at_20_m_s_through_a_tone_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 20, .driven = false}), -70);
}

TEST(CutMotionSlow, a_driven_sphere_at_5_m_s_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 5, .driven = true}), -67);
}

TEST(CutMotionSlow, a_driven_sphere_at_20_m_s_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 20, .driven = true}), -58);
}

TEST(CutMotionSlow, keys_a_quarter_of_a_cell_apart_are_enough) {
  EXPECT_LT(motion_noise({.speed = 20, .driven = false, .steps_per_key = 8}), -68);
  EXPECT_LT(motion_noise({.speed = 20, .driven = true, .steps_per_key = 8}), -57);
}

TEST(CutMotionSlow, slow_motion_needs_few_keys) {
  EXPECT_LT(motion_noise({.speed = 5, .driven = true, .steps_per_key = 32}), -65);
}

}  // namespace
}  // namespace peal::wave
