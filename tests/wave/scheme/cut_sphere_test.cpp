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

// Wang et al. 2018, figure 22: a pulsating sphere against the exact field,
//   p / a_n = rho a^2 e^(-ik(r - a)) / (r (1 + ika)),
// by one pulse that is over before the first echo of the box. 686 Hz, listeners in 26 directions.
constexpr double kSpeed = 343.2, kDensity = 1.2041, kRadius = 0.05, kDistance = 0.2;
constexpr double kOmega = 2 * std::numbers::pi * 686;
constexpr double kWidth = 0.12e-3;                          // of the pulse [s]
constexpr double kBegin = 4.5 * kWidth;                     // its middle [s]
constexpr double kEnd = 2 * kBegin + 6 * kRadius / kSpeed;  // of the sphere's response [s]
constexpr double kHalfBox = 0.54;                           // [m]

using Complex = std::complex<double>;

Complex exact_field(double r) {
  const Complex ik(0, kOmega / kSpeed);
  return kDensity * kRadius * kRadius * std::exp(-ik * (r - kRadius)) / (r * (1.0 + ik * kRadius));
}

struct Listener {
  std::size_t cell;
  double distance;  ///< of the cell's centre [m]
  Complex sum = 0;
};

std::vector<Listener> listeners(const Grid& grid, const Vec3& centre) {
  std::vector<Listener> all;
  for (int i = 0; i < 27; ++i) {
    const Vec3 direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (direction.isZero()) continue;
    const Cell cell = grid.cell_of(centre + kDistance * direction.normalized());
    all.push_back({grid.index(cell), (grid.centre(cell) - centre).norm()});
  }
  return all;
}

struct Accuracy {
  double complex_error;  ///< rms over the listeners, relative
  double magnitude_error;
  double level;  ///< |p| / a_n at 0.2 m, mean over the listeners [Pa / (m/s^2)]
};

Accuracy pulsating_sphere(double cell_size, bool borrow) {
  const int cells = static_cast<int>(std::ceil(2 * kHalfBox / cell_size));
  const Grid grid{Vec3::Constant(-0.5 * cells * cell_size), cell_size, {cells, cells, cells}};
  const Vec3 centre(0.0031, -0.0017, 0.0023);
  const CutFractions body = cut_fractions(grid, sphere_at(centre, kRadius, 16));
  const CutGeometry g = combined(grid, std::span(&body, 1));
  Stepper<float> list(grid, {.lambda = 0.999 * std::numbers::inv_sqrt3, .borrow = borrow});
  list.cells.index(g);
  std::vector<double> unit;
  for (const Wall& wall : g.walls) unit.push_back(wall.driving_area());
  const auto unit_source = wall_source<float>(g.cells.size(), g.walls, unit, cell_size, kDensity);

  const double dt = list.scheme.lambda * cell_size / kSpeed;
  std::vector<Listener> all = listeners(grid, centre);
  std::vector<float> source = unit_source;
  Complex input = 0;
  for (int n = 0; n * dt < kEnd + (kDistance + cell_size - kRadius) / kSpeed; ++n) {
    const double pulse = std::exp(-0.5 * std::pow((n * dt - kBegin) / kWidth, 2));
    input += pulse * std::exp(Complex(0, -kOmega * n * dt));
    for (std::size_t i = 0; i < source.size(); ++i)
      source[i] = static_cast<float>(pulse) * unit_source[i];
    list.step(source);
    for (Listener& l : all)
      l.sum += static_cast<double>(list.p[l.cell]) * std::exp(Complex(0, -kOmega * (n + 1) * dt));
  }

  Accuracy a{};
  for (const Listener& l : all) {
    const Complex ratio = l.sum / input / exact_field(l.distance);
    a.complex_error += std::norm(ratio - 1.0);
    a.magnitude_error += std::pow(std::abs(ratio) - 1, 2);
    a.level += std::abs(ratio * exact_field(kDistance)) / static_cast<double>(all.size());
  }
  a.complex_error = std::sqrt(a.complex_error / static_cast<double>(all.size()));
  a.magnitude_error = std::sqrt(a.magnitude_error / static_cast<double>(all.size()));
  std::printf("%g mm, %s: error %.5f complex, %.5f magnitude, |p| at 0.2 m %.7f (exact %.7f)\n",
              1e3 * cell_size, borrow ? "borrow" : "floor", a.complex_error, a.magnitude_error,
              a.level, std::abs(exact_field(kDistance)));
  return a;
}

TEST(CutSphereAnalytic, the_exact_field_is_reference_A01) {
  EXPECT_NEAR(std::abs(exact_field(kDistance)), 0.012746492319456, 1e-12);
}

TEST(CutSphereAnalytic, a_pulsating_sphere_converges_at_second_order) {
  const Accuracy coarse = pulsating_sphere(0.02, true), fine = pulsating_sphere(0.01, true);
  EXPECT_LT(fine.complex_error, 2e-3);
  EXPECT_NEAR(fine.level, 0.0127465, 0.003 * 0.0127465);
  EXPECT_GT(std::log2(coarse.complex_error / fine.complex_error), 1.8);
}

TEST(CutSphereAnalytic, without_borrowed_volume_the_error_is_still_small) {
  EXPECT_LT(pulsating_sphere(0.02, false).complex_error, 8e-3);
  EXPECT_LT(pulsating_sphere(0.01, false).complex_error, 2.5e-3);
}

TEST(CutSphereSlow, a_pulsating_sphere_at_5_mm) {
  const Accuracy a = pulsating_sphere(0.005, true);
  EXPECT_LT(a.complex_error, 6e-4);
  EXPECT_NEAR(a.level, 0.0127465, 5e-4 * 0.0127465);
}

}  // namespace
}  // namespace peal::wave
