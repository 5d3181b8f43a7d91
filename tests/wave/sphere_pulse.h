#pragma once

#include <peal/wave/driver/simulation.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/wave_fixture.h"
#include "wave/world_fixture.h"

namespace peal::wave {

/// A surface that shakes along x: its normal acceleration is the x of its normal.
class Shaking : public base::SurfaceShader {
 public:
  explicit Shaking(std::function<double(double)> acceleration)
      : acceleration_(std::move(acceleration)) {}
  void add_acceleration(base::SampleTime time, std::span<const base::SurfacePoint> points,
                        std::span<float> acceleration) const override {
    for (std::size_t i = 0; i < points.size(); ++i)
      acceleration[i] += static_cast<float>(points[i].normal.x() * acceleration_(time.seconds()));
  }

 private:
  std::function<double(double)> acceleration_;
};

/// A sphere of radius 0.05 m off the grid's symmetries that pulsates (Wang et al. 2018, figure 22)
/// or shakes, in a box of 0.6 m, by one short pulse.
struct SoundingSphere {
  enum class Mode { pulsating, shaking };
  static constexpr double radius = 0.05, width = 0.12e-3, middle = 5 * width, distance = 0.2;
  static constexpr double omega = 2 * std::numbers::pi * 686;

  Mode mode;
  Vec3 centre;
  base::World world = world_of(0.01);
  base::WaveSettings settings;
  Discretisation discretisation;
  Domain domain;
  Chunk chunk;

  SoundingSphere(double cell_size, base::WaveSettings::Boundary boundary, Mode m = Mode::pulsating,
                 const Vec3& at = {0.0031, -0.0017, 0.0023})
      : mode(m), centre(at) {
    settings.boundary = boundary;
    world.bodies.push_back(
        body_of("ball", sphere_at(Vec3::Zero(), radius, 16), resting_at(at[0], at[1], at[2])));
    const auto acceleration = [](double t) { return pulse(t, middle, width); };
    if (mode == Mode::pulsating)
      world.bodies[0].shaders.push_back(std::make_shared<Pulsating>(acceleration));
    else
      world.bodies[0].shaders.push_back(std::make_shared<Shaking>(acceleration));
    discretisation.cell_size = cell_size;
    discretisation.rate.hz = static_cast<std::int64_t>(
        std::ceil(std::sqrt(3.0) * world.medium.speed_of_sound / cell_size / 0.999));
    const int cells = 2 * static_cast<int>(std::ceil(0.3 / cell_size)) + 2 * settings.layer_cells;
    domain.grid = {Vec3::Constant(-0.5 * cells * cell_size), cell_size, {cells, cells, cells}};
    chunk.end = 0.01;
  }

  /// p / a_n of the exact field [Pa / (m/s^2)]: rho a^2 e^(-ik(r - a)) / (r (1 + ika)), or the
  /// dipole whose slope on the sphere is -rho x / r.
  std::complex<double> exact(const Vec3& x) const {
    const double r = (x - centre).norm(), rho = world.medium.density;
    const std::complex<double> ik(0, omega / world.medium.speed_of_sound);
    if (mode == Mode::pulsating)
      return rho * radius * radius * std::exp(-ik * (r - radius)) / (r * (1.0 + ik * radius));
    const std::complex<double> slope =
        -2.0 / std::pow(radius, 3) - 2.0 * ik / (radius * radius) - ik * ik / radius;
    return -rho * (x - centre).x() / r * (1.0 + ik * r) / (r * r) * std::exp(-ik * (r - radius)) /
           slope;
  }

  /// Relative error at 686 Hz, rms over 26 directions at 0.2 m.
  double error() const {
    struct Ear {
      Cell cell;
      std::complex<double> sum = 0;
    };
    std::vector<Ear> ears;
    for (int i = 0; i < 27; ++i) {
      const Vec3 way(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      if (way.isZero()) continue;
      ears.push_back({domain.grid.cell_of(centre + distance * way.normalized())});
    }
    Simulation<float> simulation(world, settings, discretisation, domain, chunk);
    const double c = world.medium.speed_of_sound, end = 2 * middle + (distance + 6 * radius) / c;
    std::complex<double> input = 0;
    for (double t = 0; t < end;) {
      input += pulse(t, middle, width) * std::polar(1.0, -omega * t);
      simulation.step();
      t = discretisation.rate.seconds(simulation.now());
      for (Ear& ear : ears)
        ear.sum +=
            static_cast<double>(simulation.pressure()[ear.cell]) * std::polar(1.0, -omega * t);
    }
    double error = 0, all = 0;
    for (const Ear& ear : ears) {
      const std::complex<double> should = exact(domain.grid.centre(ear.cell));
      error += std::norm(ear.sum / input - should);
      all += std::norm(should);
    }
    return std::sqrt(error / all);
  }
};

/// A sphere that glides by two cells of 20 mm in 2 ms, pulsates in the first of them or is silent.
struct GlidingSphere {
  double loudest = 0, last = 0;  ///< largest pressure ever and in the end [Pa]

  GlidingSphere(base::WaveSettings::Boundary boundary, bool pulsates) {
    SoundingSphere sphere(0.02, boundary);
    sphere.world.bodies[0].motion = std::make_shared<Gliding>(Vec3(-0.1, 0, 0), Vec3(20, 3, 1));
    if (!pulsates) sphere.world.bodies[0].shaders.clear();
    Simulation<float> simulation(sphere.world, sphere.settings, sphere.discretisation,
                                 sphere.domain, sphere.chunk);
    while (sphere.discretisation.rate.seconds(simulation.now()) < 2e-3) {
      simulation.step();
      last = largest(simulation.pressure());
      loudest = std::max(loudest, last);
    }
  }
};

}  // namespace peal::wave
