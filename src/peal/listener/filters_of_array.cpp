#include <peal/listener/ambisonics.h>
#include <peal/listener/filters_of_array.h>
#include <peal/util/fft.h>
#include <peal/util/parallel.h>
#include <peal/util/smoothstep.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

namespace peal::listener {

using Complex = std::complex<double>;
using geometry::Vec3;
using Matrix = Eigen::MatrixXcd;

namespace {

constexpr double inner = 0.025, outer = 0.085;  ///< radii of the array [m]
constexpr int inner_points = 15, outer_points = 48;
constexpr int directions = 240;
constexpr double source_distance = 1.4, near_distance = 0.4;          ///< [m]
constexpr double array_filter_time = 32e-3, array_lead_time = 16e-3;  ///< [s]
/// Bounds the power that noise of each receiver adds, relative to that of a response; below the
/// second number [Hz] it falls with the frequency, so that the filters end.
constexpr double noise = 1e-4, steady_above = 160.0;
/// Ears are matched in phase up to the first frequency [Hz], and in magnitude from the second on.
constexpr double phase_to = 3000.0, magnitude_from = 4500.0;

/// Points as even as leaves of a sunflower.
std::vector<Vec3> on_sphere(int count, double radius) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double y = 1.0 - (2.0 * i + 1.0) / count, r = std::sqrt(1.0 - y * y);
    points.push_back(radius * Vec3(r * std::cos(golden * i), y, r * std::sin(golden * i)));
  }
  return points;
}

/// What the outputs should be for a source: one row of targets at each frequency.
using Targets = std::function<Complex(std::size_t output, std::size_t bin, std::size_t source)>;

FiltersOfArray fit(const std::vector<Vec3>& sources, std::size_t outputs, const Targets& targets,
                   bool leaves_phase, base::Rate rate, const base::Medium& medium) {
  FiltersOfArray result{
      .points = array_points(),
      .taps = util::fast_fft_size(static_cast<std::size_t>(rate.samples(array_filter_time))),
      .lead = static_cast<std::size_t>(rate.samples(array_lead_time))};
  const auto points = static_cast<Eigen::Index>(result.points.size());
  const auto count = static_cast<Eigen::Index>(sources.size());
  const auto columns = static_cast<Eigen::Index>(outputs);
  const std::size_t bins = result.taps / 2 + 1;
  const auto frequency = [&](std::size_t k) {
    return static_cast<double>(k) * static_cast<double>(rate.hz) / static_cast<double>(result.taps);
  };
  const auto array_at = [&](std::size_t k) {
    const double wave = 2.0 * std::numbers::pi * frequency(k) / medium.speed_of_sound;
    Matrix array(count, points);
    for (Eigen::Index s = 0; s < count; ++s) {
      const Vec3& source = sources[static_cast<std::size_t>(s)];
      const double r = source.norm();
      for (Eigen::Index p = 0; p < points; ++p) {
        const double way = (source - result.points[static_cast<std::size_t>(p)]).norm();
        array(s, p) = std::polar(r / way, -wave * (way - r));
      }
    }
    return array;
  };
  // At each frequency W = (A^H A + noise I)^-1 A^H T. Where phases are left, T takes those that the
  // weights of the frequency before arrive at, so these go one after another.
  std::vector<Eigen::LLT<Matrix>> solvers(bins);
  util::parallel_for(static_cast<std::int64_t>(bins), [&](std::int64_t b) {
    const auto k = static_cast<std::size_t>(b);
    const Matrix array = array_at(k);
    const double low = steady_above / std::max(frequency(k), 1.0);
    Matrix normal = array.adjoint() * array;
    normal.diagonal().array() += noise * (1.0 + low * low) * static_cast<double>(count);
    solvers[k].compute(normal);
  });
  std::vector<Matrix> weights(bins);
  for (std::size_t k = 0; k < bins; ++k) {
    const Matrix array = array_at(k);
    Matrix wanted(count, columns);
    for (Eigen::Index o = 0; o < columns; ++o)
      for (Eigen::Index s = 0; s < count; ++s)
        wanted(s, o) = targets(static_cast<std::size_t>(o), k, static_cast<std::size_t>(s));
    const double loose =
        leaves_phase ? util::smoothstep((frequency(k) - phase_to) / (magnitude_from - phase_to))
                     : 0.0;
    if (loose > 0.0) {
      const Matrix reached = array * weights[k - 1];
      for (Eigen::Index o = 0; o < columns; ++o)
        for (Eigen::Index s = 0; s < count; ++s) {
          const double level = std::abs(wanted(s, o));
          const Complex mixed =
              (1.0 - loose) * wanted(s, o) + loose * std::polar(level, std::arg(reached(s, o)));
          wanted(s, o) = std::polar(level, std::arg(mixed));
        }
    }
    weights[k] = solvers[k].solve(array.adjoint() * wanted);
  }
  result.filters.assign(outputs, std::vector<std::vector<double>>(result.points.size()));
  util::RealFft fft(result.taps);
  std::vector<Complex> spectrum(bins);
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t p = 0; p < result.points.size(); ++p) {
      for (std::size_t k = 0; k < bins; ++k) {
        const double turn = -2.0 * std::numbers::pi * static_cast<double>(k * result.lead) /
                            static_cast<double>(result.taps);
        spectrum[k] = weights[k](static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(o)) *
                      std::polar(1.0, turn);
      }
      result.filters[o][p].resize(result.taps);
      fft.inverse(spectrum, result.filters[o][p]);
    }
  return result;
}

}  // namespace

std::vector<Vec3> array_points() {
  std::vector<Vec3> points{Vec3::Zero()};
  for (const Vec3& point : on_sphere(inner_points, inner)) points.push_back(point);
  for (const Vec3& point : on_sphere(outer_points, outer)) points.push_back(point);
  return points;
}

FiltersOfArray ears_of_array(const Head& head, base::Rate rate, const base::Medium& medium) {
  std::vector<Vec3> sources = on_sphere(directions, source_distance);
  for (const Vec3& near : on_sphere(directions / 3, near_distance)) sources.push_back(near);
  head.prepare(rate);
  // Spectra of the head at its own frequencies; those of the array lie between them.
  const std::size_t taps = head.taps(rate), lead = head.lead(rate);
  const std::size_t size =
      util::fast_fft_size(static_cast<std::size_t>(rate.samples(array_filter_time)));
  std::vector<std::vector<Complex>> spectra(sources.size() * Head::ears);
  util::parallel_for(static_cast<std::int64_t>(spectra.size()), [&](std::int64_t i) {
    const auto n = static_cast<std::size_t>(i);
    std::vector<float> filter(taps);
    head.filter(n % Head::ears, rate, sources[n / Head::ears], filter);
    util::RealFft fft(size);
    std::vector<double> padded(size);
    for (std::size_t k = 0; k < taps; ++k)
      padded[(k + size - lead) % size] = static_cast<double>(filter[k]);
    spectra[n].resize(fft.bins());
    fft.forward(padded, spectra[n]);
  });
  return fit(
      sources, Head::ears,
      [&](std::size_t ear, std::size_t k, std::size_t source) {
        return spectra[source * Head::ears + ear][k];
      },
      true, rate, medium);
}

FiltersOfArray ambisonics_of_array(int order, base::Rate rate, const base::Medium& medium) {
  const std::vector<Vec3> sources = on_sphere(directions, source_distance);
  const auto channels = static_cast<std::size_t>(ambisonic_channels(order));
  std::vector<std::vector<double>> gains(sources.size(), std::vector<double>(channels));
  for (std::size_t s = 0; s < sources.size(); ++s) ambisonic_gains(order, sources[s], gains[s]);
  return fit(
      sources, channels,
      [&](std::size_t channel, std::size_t, std::size_t source) {
        return Complex(gains[source][channel]);
      },
      false, rate, medium);
}

}  // namespace peal::listener
