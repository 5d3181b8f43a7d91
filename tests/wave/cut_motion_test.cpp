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

/// The worst of three listeners. A `driven` sphere pulsates; else the tone comes from a point.
double motion_noise(double speed, bool driven) {
  const Grid grid{Vec3::Constant(-0.4), 0.01, {80, 80, 80}};
  Stepper<float> list(grid, {.lambda = 0.999 * std::numbers::inv_sqrt3, .gamma = 0.1});
  const double dt = list.scheme.lambda * grid.cell_size / kSpeedOfSound;
  const Vec3 along = Vec3(0.82, 0.43, -0.38).normalized();
  const geometry::TriMesh at_origin = sphere_at(Vec3::Zero(), kRadius, 8);
  const auto geometry_at = [&](double t) {
    std::vector<Vec3> vertices = at_origin.vertices;
    const Vec3 centre = Vec3(0.013, -0.021, 0.017) + speed * (t - kSettle - 0.5 * kWindow) * along;
    for (Vec3& v : vertices) v += centre;
    const CutFractions body = cut_fractions(grid, vertices, at_origin.triangles);
    return combined(grid, std::span(&body, 1));
  };
  const auto signal = [&](double t) {
    const double ramp = std::clamp(t / 2e-3, 0.0, 1.0);
    return ramp * ramp * ramp * (10 - ramp * (15 - 6 * ramp)) * std::sin(2 * kPi * kTone * t);
  };
  const auto wall_sources = [&](const CutGeometry& g, double t) {
    std::vector<double> acceleration;
    for (const Wall& wall : g.walls)
      acceleration.push_back(driven ? signal(t) * wall.driving_area() : 0);
    return wall_source<float>(g, acceleration, grid.cell_size, kDensity);
  };
  const std::size_t point = grid.index(grid.cell_of({-0.21, 0.25, 0.13}));
  const Vec3 places[] = {{0.2, -0.25, 0.1}, {-0.1, -0.2, -0.28}, {0.05, 0.3, 0.22}};
  std::vector<double> heard[3];
  std::vector<float> before;

  list.cells.place(geometry_at(0));
  for (int n = 1; n * dt < kSettle + kWindow; ++n) {
    const CutGeometry g = geometry_at(n * dt);
    const std::vector<float> source = wall_sources(g, n * dt);
    list.cells.move(g);
    list.cells.resolve_changes(list.p, list.p_old, source, wall_sources(g, (n - 1) * dt));
    before = list.p_old;
    list.step(source);
    absorb_at_walls(grid, list.scheme.lambda, before, list.p);
    if (!driven) list.p[point] += static_cast<float>(1e-3 * signal(n * dt));
    for (int i = 0; i < 3 && n * dt > kSettle; ++i)
      heard[i].push_back(static_cast<double>(list.p[grid.index(grid.cell_of(places[i]))]));
  }
  double worst = -300;
  for (const auto& one : heard) worst = std::max(worst, noise_above(one, dt, kTone + 420));
  std::printf("%s at %g m/s: noise above the band %.1f dB\n", driven ? "driven" : "tone", speed,
              worst);
  return worst;
}

TEST(CutMotionSlow, a_sphere_through_a_tone_adds_little_noise) {
  EXPECT_LT(motion_noise(5, false), -65);
  EXPECT_LT(motion_noise(20, false), -65);
}

TEST(CutMotionSlow, a_driven_sphere_in_motion_adds_little_noise) {
  EXPECT_LT(motion_noise(5, true), -60);
  EXPECT_LT(motion_noise(20, true), -55);
}

}  // namespace
}  // namespace peal::wave
