#include <peal/simulate/radiated_energy.h>
#include <peal/simulate/rayleigh_damping.h>
#include <peal/util/fft.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace peal::simulate {

namespace {

constexpr std::size_t length = 4096;  ///< of a spectrum [samples]
constexpr std::size_t most_vertices = 64;
constexpr double lowest = 20.0;  ///< [Hz]

/// A third of the areas around each vertex [m^2].
std::vector<double> vertex_areas(const geometry::TriMesh& mesh) {
  std::vector<double> areas(mesh.vertices.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const double third = geometry::area_vector(mesh, t).norm() / 3.0;
    for (const std::uint32_t v : mesh.triangles[t]) areas[v] += third;
  }
  return areas;
}

/// Power spectrum of one channel of a record, summed over overlapping parts whose squared windows
/// add up to one.
void add_power(const elastic::SurfaceRecord& record, std::size_t channel, double weight,
               util::RealFft& fft, std::vector<double>& power) {
  const std::size_t channels = record.channels();
  const auto instants = static_cast<std::size_t>(record.instants());
  std::vector<double> part(length);
  std::vector<std::complex<double>> spectrum(length / 2 + 1);
  constexpr std::size_t hop = length / 2;
  for (std::size_t end = hop; end < instants + length; end += hop) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t n = end + i - length;  // before the start it wraps around to a large number
      const double value =
          n < instants ? static_cast<double>(record.accelerations[n * channels + channel]) : 0.0;
      part[i] = value * std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / length);
    }
    fft.forward(part, spectrum);
    for (std::size_t k = 0; k < power.size(); ++k) power[k] += weight * std::norm(spectrum[k]);
  }
}

}  // namespace

double radiated_energy(const elastic::SurfaceRecord& record, const scene::Object& object,
                       const base::Medium& medium) {
  const std::vector<double> areas = vertex_areas(record.mesh);
  const std::size_t stride = areas.size() / most_vertices + 1;
  util::RealFft fft(length);
  std::vector<double> power(length / 2 + 1);
  double area = 0.0;
  for (std::size_t v = 0; v < areas.size(); v += stride) {
    area += areas[v];
    for (std::size_t axis = 0; axis < 3; ++axis)
      add_power(record, 3 * v + axis, areas[v], fft, power);
  }
  const double mass = object.material->density * geometry::volume(*object.shell);
  const auto rate = static_cast<double>(record.rate.hz);
  double sum = 0.0;
  for (std::size_t k = 1; k + 1 < power.size(); ++k) {
    const double f = rate * static_cast<double>(k) / static_cast<double>(length);
    if (f < lowest) continue;
    // Over both signs of the frequency, the square of the velocity integrated over time.
    const double w = 2.0 * std::numbers::pi * f;
    const double square = 2.0 * power[k] / (area * w * w * static_cast<double>(length) * rate);
    sum += 2.0 * air_decay_rate(*object.shell, *object.material, medium, f) * mass * square;
  }
  return sum;
}

}  // namespace peal::simulate
