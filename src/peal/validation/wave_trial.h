#pragma once

#include <peal/base/listener.h>
#include <peal/base/wave_settings.h>
#include <peal/base/world.h>

#include <complex>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

/// Worlds made in code and rendered by the wave radiator, for entries about the wave solver.
namespace peal::validation {

using base::Vec3;
using Complex = std::complex<double>;

inline constexpr double speed_of_sound = 343.2;  ///< c [m/s]
inline constexpr double air_density = 1.2041;    ///< rho [kg/m^3]
inline constexpr double sphere_radius = 0.05;    ///< radius in references A01, A04 and A08 [m]

/// The wave number k [1/m] of a frequency [Hz].
constexpr double wave_number(double frequency) {
  return 2.0 * std::numbers::pi * frequency / speed_of_sound;
}

/// A smooth pulse of unit height. The response of a world to it contains the response to every tone
/// in its band.
struct Pulse {
  double width;  ///< standard deviation [s]

  double middle() const { return 6.0 * width; }  ///< [s]
  double end() const { return 12.0 * width; }    ///< [s]
  double operator()(double t) const;
  double slope(double t) const;              ///< [1/s]
  Complex spectrum(double frequency) const;  ///< integral of exp(-i w t) times the pulse [s]
};

std::shared_ptr<const base::Motion> gliding(const Vec3& start, const Vec3& velocity);
std::shared_ptr<const base::Motion> resting(const Vec3& place = Vec3::Zero());

/// A point source with a given strength [Pa m].
std::shared_ptr<const base::PointShader> emitting(std::function<double(double t)> strength);

/// A sphere mesh about the origin with the volume of the exact sphere.
geometry::TriMesh round_sphere(double radius, double edge_length);

/// A closed box with walls of any thickness [m]. The lowest corner of its interior is at the
/// origin.
geometry::TriMesh hollow_box(const Vec3& inside, double wall);

/// The pressure at a receiver [Pa], at the solver's own rate.
struct Received {
  base::Rate rate;
  std::int64_t start = 0;
  std::vector<double> pressure;

  double time(std::size_t i) const { return rate.seconds(start + static_cast<std::int64_t>(i)); }
  /// The phasor, exp(+i w t), of the response to a unit tone, from the response to a pulse.
  Complex transfer(double frequency, const Pulse& pulse) const;
  /// The samples between two times [s].
  std::vector<double> between(double from, double to) const;
};

/// A world, the settings of the solver, and the receivers. The audio rate is the solver's own, and
/// the band extends up to it, so that nothing is filtered out.
struct WaveTrial {
  base::World world;
  base::WaveSettings settings;
  std::vector<base::Receiver> receivers;

  /// Sets cells of `cell_size` with the time step at the CFL limit.
  WaveTrial(double cell_size, double seconds);

  base::Body& add_body(std::string name, geometry::TriMesh mesh,
                       std::shared_ptr<const base::Motion> motion = resting());
  void add_point(const Vec3& place, std::function<double(double t)> strength);
  void listen_at(const Vec3& place, const Vec3& velocity = Vec3::Zero());

  std::vector<Received> run() const;
};

/// The relative error |ours - exact| over |exact|.
double relative_error(Complex ours, Complex exact);

}  // namespace peal::validation
