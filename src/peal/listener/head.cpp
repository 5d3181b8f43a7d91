#include <peal/listener/direction_grid.h>
#include <peal/listener/head.h>
#include <peal/listener/rigid_sphere.h>
#include <peal/util/fft.h>
#include <peal/util/parallel.h>
#include <peal/util/rate_converter.h>
#include <peal/util/smoothstep.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

namespace peal::listener {

using Complex = std::complex<double>;
using geometry::Vec3;

namespace {

constexpr double before_onset = 0.5e-3, after_onset = 6.5e-3;  ///< of aligned responses [s]
constexpr double lead_time = 1.25e-3, filter_time = 9.0e-3;    ///< [s]
/// Where a response first exceeds this part of its peak, sound arrives.
constexpr double onset_level = 0.15;
constexpr double sphere_below = 150.0, measured_above = 300.0;  ///< [Hz]
constexpr double level_from = 300.0, level_to = 1000.0;         ///< [Hz]
constexpr double largest_boost = 20.0;  ///< of the equaliser, over its gain at medium frequencies
constexpr double nearest = 1.15;        ///< sources, in radii
constexpr double polar_gap = 0.26;      ///< without measurements [rad]
constexpr std::size_t distance_steps = 12, angle_steps = 37;

double cosine_to(std::size_t ear, const Vec3& direction) {
  return ear == 0 ? -direction.x() : direction.x();
}

/// Where sound arrives [samples].
double onset(const std::vector<float>& response) {
  double peak = 0.0;
  for (const float value : response) peak = std::max(peak, std::abs(static_cast<double>(value)));
  double last = 0.0;
  for (std::size_t n = 0; n < response.size(); ++n) {
    const double now = std::abs(static_cast<double>(response[n]));
    const double level = onset_level * peak;
    if (now >= level) return static_cast<double>(n) - (now - level) / (now - last);
    last = now;
  }
  return 0.0;
}

/// The filter of minimum phase with these magnitudes, at the bins of `fft` (folded cepstrum;
/// Oppenheim & Schafer 1975).
std::vector<Complex> minimum_phase(std::span<const double> magnitudes, util::RealFft& fft) {
  std::vector<Complex> spectrum(fft.bins());
  for (std::size_t k = 0; k < spectrum.size(); ++k) spectrum[k] = std::log(magnitudes[k]);
  std::vector<double> cepstrum(fft.size());
  fft.inverse(spectrum, cepstrum);
  for (std::size_t n = 1; n < fft.size() / 2; ++n) {
    cepstrum[n] *= 2.0;
    cepstrum[fft.size() - n] = 0.0;
  }
  fft.forward(cepstrum, spectrum);
  for (Complex& value : spectrum) value = std::exp(value);
  return spectrum;
}

/// The sphere's response without its delay.
Complex aligned_sphere(double frequency, double distance, double cosine, double speed_of_sound) {
  const double delay = sphere_delay(Head::radius, distance, cosine, speed_of_sound);
  return sphere_response(frequency, Head::radius, distance, cosine, speed_of_sound) *
         std::polar(1.0, 2.0 * std::numbers::pi * frequency * delay);
}

/// Mean power of the sphere's response over all directions.
double diffuse_power(double frequency, double distance, double speed_of_sound) {
  constexpr int steps = 48;
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double cosine = -1.0 + (2.0 * i + 1.0) / steps;
    sum += std::norm(sphere_response(frequency, Head::radius, distance, cosine, speed_of_sound));
  }
  return sum / steps;
}

struct Measurement {
  Vec3 direction;
  std::array<std::vector<float>, Head::ears> responses;
};

/// Without directions that are given twice, at this rate.
std::vector<Measurement> measurements(const base::MeasuredHead& head, base::Rate rate) {
  constexpr double same = 1e4;
  std::set<std::array<long, 3>> seen;
  std::vector<Measurement> result;
  for (const auto& one : head.responses) {
    const Vec3& d = one.direction;
    if (seen.insert(
                {std::lround(same * d.x()), std::lround(same * d.y()), std::lround(same * d.z())})
            .second)
      result.push_back({d, {one.left, one.right}});
  }
  util::parallel_for(static_cast<std::int64_t>(result.size()), [&](std::int64_t i) {
    for (auto& response : result[static_cast<std::size_t>(i)].responses)
      response = util::convert(response, head.rate.hz, rate.hz);
  });
  return result;
}

}  // namespace

struct Head::Tables {
  std::size_t taps = 0, lead = 0;
  std::unique_ptr<const DirectionGrid> grid;
  /// Of each direction and ear.
  std::vector<std::array<std::vector<std::complex<float>>, ears>> spectra;
  std::vector<std::array<double, ears>> delays;  ///< after the middle of the head [s]
  /// What distance changes, aligned as the spectra: by a/r, angle to the ear and frequency.
  std::vector<std::vector<Complex>> by_distance;

  void add(const Vec3& direction, const std::array<std::vector<std::complex<float>>, ears>& both,
           const std::array<double, ears>& delay, std::vector<Vec3>& directions) {
    directions.push_back(direction);
    spectra.push_back(both);
    delays.push_back(delay);
  }
  void fill_poles(std::vector<Vec3>& directions);
  void make_distances(base::Rate rate, double measured, double speed_of_sound);
};

/// Most sets have nothing below the head. There the mean of the directions around the gap stands
/// in.
void Head::Tables::fill_poles(std::vector<Vec3>& directions) {
  constexpr double rim = 0.1;  ///< [rad]
  const std::size_t measured = directions.size();
  for (const Vec3& pole : {Vec3(0, -1, 0), Vec3(0, 1, 0)}) {
    const auto gap_to = [&](std::size_t i) {
      return std::acos(std::clamp(directions[i].dot(pole), -1.0, 1.0));
    };
    double gap = 10.0;
    for (std::size_t i = 0; i < measured; ++i) gap = std::min(gap, gap_to(i));
    if (gap < polar_gap) continue;
    std::array<std::vector<std::complex<float>>, ears> mean;
    std::array<double, ears> delay = {};
    float count = 0.0f;
    for (std::size_t i = 0; i < measured; ++i) {
      if (gap_to(i) > gap + rim) continue;
      count += 1.0f;
      for (std::size_t ear = 0; ear < ears; ++ear) {
        mean[ear].resize(spectra[i][ear].size());
        for (std::size_t k = 0; k < mean[ear].size(); ++k) mean[ear][k] += spectra[i][ear][k];
        delay[ear] += delays[i][ear];
      }
    }
    for (std::size_t ear = 0; ear < ears; ++ear) {
      for (auto& value : mean[ear]) value /= count;
      delay[ear] /= static_cast<double>(count);
    }
    add(pole, mean, delay, directions);
  }
}

void Head::Tables::make_distances(base::Rate rate, double measured, double speed_of_sound) {
  const std::size_t bins = taps / 2 + 1;
  by_distance.resize(distance_steps * angle_steps);
  util::parallel_for(angle_steps, [&](std::int64_t angle) {
    const double cosine = std::cos(std::numbers::pi * static_cast<double>(angle) /
                                   static_cast<double>(angle_steps - 1));
    std::vector<Complex> reference(bins);
    const auto frequency = [&](std::size_t k) {
      return static_cast<double>(k) * static_cast<double>(rate.hz) / static_cast<double>(taps);
    };
    for (std::size_t k = 0; k < bins; ++k)
      reference[k] = aligned_sphere(frequency(k), measured, cosine, speed_of_sound);
    for (std::size_t step = 0; step < distance_steps; ++step) {
      constexpr double endless = 1000.0;  ///< [radii]
      // Endless, measured, and from there evenly in a/r to the nearest.
      const double part = (static_cast<double>(step) - 1.0) / (distance_steps - 2);
      const double distance = step == 0
                                  ? endless * radius
                                  : 1.0 / ((1.0 - part) / measured + part / (nearest * radius));
      auto& row = by_distance[step * angle_steps + static_cast<std::size_t>(angle)];
      row.resize(bins);
      for (std::size_t k = 0; k < bins; ++k)
        row[k] = aligned_sphere(frequency(k), distance, cosine, speed_of_sound) / reference[k];
    }
  });
}

Head::Head(std::shared_ptr<const base::MeasuredHead> measured, const base::Medium& medium,
           Equalisation equalisation)
    : measured_(std::move(measured)),
      speed_of_sound_(medium.speed_of_sound),
      equalisation_(equalisation) {}

Head::~Head() = default;

std::size_t Head::taps(base::Rate rate) const {
  return util::fast_fft_size(static_cast<std::size_t>(rate.samples(filter_time)));
}

std::size_t Head::lead(base::Rate rate) const {
  return static_cast<std::size_t>(rate.samples(lead_time));
}

void Head::prepare(base::Rate rate) const {
  if (!tables_.contains(rate.hz)) tables_.emplace(rate.hz, make_tables(rate));
}

Head::Tables Head::make_tables(base::Rate rate) const {
  const std::vector<Measurement> all = measurements(*measured_, rate);
  Tables tables{.taps = taps(rate), .lead = lead(rate)};
  const double distance = std::max(measured_->distance, nearest * radius);
  const std::size_t size =
      util::fast_fft_size(2 * all.front().responses[0].size() + 2 * tables.taps);
  const std::size_t bins = size / 2 + 1;
  const auto hz = static_cast<double>(rate.hz);
  const auto frequency = [&](std::size_t k) {
    return static_cast<double>(k) * hz / static_cast<double>(size);
  };
  std::vector<Vec3> directions;
  for (const Measurement& one : all) directions.push_back(one.direction);
  const std::vector<double> weights = DirectionGrid(directions).weights();

  // Spectra, without the onsets.
  std::vector<std::array<std::vector<Complex>, ears>> spectra(all.size());
  std::vector<std::array<double, ears>> onsets(all.size());
  util::parallel_for(static_cast<std::int64_t>(all.size()), [&](std::int64_t d) {
    const auto i = static_cast<std::size_t>(d);
    util::RealFft fft(size);
    std::vector<double> padded(size);
    for (std::size_t ear = 0; ear < ears; ++ear) {
      const std::vector<float>& response = all[i].responses[ear];
      onsets[i][ear] = onset(response) / hz;
      std::ranges::fill(padded, 0.0);
      std::ranges::copy(response, padded.begin());
      auto& spectrum = spectra[i][ear];
      spectrum.resize(bins);
      fft.forward(padded, spectrum);
      for (std::size_t k = 0; k < bins; ++k)
        spectrum[k] *= std::polar(1.0, 2.0 * std::numbers::pi * frequency(k) * onsets[i][ear]);
    }
  });

  // The level at each frequency, against that of the sphere.
  std::vector<double> gains(bins);
  double level = 0.0, counted = 0.0;
  for (std::size_t k = 0; k < bins; ++k) {
    double power = 0.0;
    for (std::size_t i = 0; i < all.size(); ++i)
      power += 0.5 * weights[i] * (std::norm(spectra[i][0][k]) + std::norm(spectra[i][1][k]));
    const double wanted = diffuse_power(frequency(k), distance, speed_of_sound_);
    gains[k] = power > 0.0 ? std::sqrt(wanted / power) : 0.0;
    if (power > 0.0 && frequency(k) >= level_from && frequency(k) <= level_to) {
      level += std::log(gains[k]);
      counted += 1.0;
    }
  }
  level = counted > 0.0 ? std::exp(level / counted) : 1.0;
  util::RealFft fft(size);
  std::vector<Complex> equaliser(bins, level);
  if (equalisation_ == Equalisation::diffuse_field) {
    for (double& gain : gains)
      gain = std::clamp(gain == 0.0 ? level : gain, level / largest_boost, level * largest_boost);
    equaliser = minimum_phase(gains, fft);
  }

  // By how much the low end of the measurements is out of phase with the sphere's: what loudspeaker
  // and equaliser leave of their delay there, the same for all directions.
  Complex agreement = 0.0;
  double at = 0.0, bins_there = 0.0;
  for (std::size_t k = 0; k < bins; ++k) {
    const double f = frequency(k);
    if (f < 0.8 * measured_above || f > 1.4 * measured_above) continue;
    at += f;
    bins_there += 1.0;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t ear = 0; ear < ears; ++ear) {
        const double cosine = cosine_to(ear, all[i].direction);
        agreement += weights[i] * spectra[i][ear][k] * equaliser[k] *
                     std::conj(aligned_sphere(f, distance, cosine, speed_of_sound_));
      }
  }
  const double late = bins_there > 0.0 ? std::arg(agreement) / (at / bins_there) : 0.0;  // [rad s]

  // Equalised, with the low end of the sphere, and cut to the time around the onset.
  double middle = 0.0;  ///< when sound would pass the middle of the head [s]
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t ear = 0; ear < ears; ++ear)
      middle += 0.5 * weights[i] *
                (onsets[i][ear] -
                 sphere_delay(radius, distance, cosine_to(ear, all[i].direction), speed_of_sound_));
  tables.spectra.resize(all.size());
  tables.delays.resize(all.size());
  util::parallel_for(static_cast<std::int64_t>(all.size()), [&](std::int64_t d) {
    const auto i = static_cast<std::size_t>(d);
    util::RealFft long_fft(size), short_fft(tables.taps);
    std::vector<double> time(size), cut(tables.taps);
    for (std::size_t ear = 0; ear < ears; ++ear) {
      auto& spectrum = spectra[i][ear];
      const double cosine = cosine_to(ear, all[i].direction);
      for (std::size_t k = 0; k < bins; ++k) {
        spectrum[k] *= equaliser[k];
        const double f = frequency(k);
        if (f >= measured_above) continue;
        const double share = util::smoothstep(
            std::clamp((f - sphere_below) / (measured_above - sphere_below), 0.0, 1.0));
        const Complex sphere =
            aligned_sphere(f, distance, cosine, speed_of_sound_) * std::polar(1.0, late * f);
        spectrum[k] = share * spectrum[k] + (1.0 - share) * sphere;
      }
      long_fft.inverse(spectrum, time);
      const auto before = static_cast<std::size_t>(rate.samples(before_onset));
      const auto after = static_cast<std::size_t>(rate.samples(after_onset));
      std::ranges::fill(cut, 0.0);
      for (std::size_t n = 1; n < before; ++n) {
        const double fade = 1.0 - static_cast<double>(n) / static_cast<double>(before);
        cut[tables.taps - n] = util::smoothstep(fade) * time[size - n];
      }
      for (std::size_t n = 0; n < after; ++n) {
        const double left = 4.0 * (1.0 - static_cast<double>(n) / static_cast<double>(after));
        cut[n] = util::smoothstep(std::min(left, 1.0)) * time[n];
      }
      std::vector<Complex> result(short_fft.bins());
      short_fft.forward(cut, result);
      tables.spectra[i][ear].assign(result.begin(), result.end());
      tables.delays[i][ear] = onsets[i][ear] - middle;
    }
  });
  tables.fill_poles(directions);
  tables.grid = std::make_unique<DirectionGrid>(std::move(directions));
  tables.make_distances(rate, distance, speed_of_sound_);
  return tables;
}

double Head::aligned(std::size_t ear, base::Rate rate, const Vec3& from,
                     std::span<Complex> out) const {
  const Tables& t = tables_.at(rate.hz);
  const double distance = std::max(from.norm(), nearest * radius);
  const Vec3 direction = from.norm() > 0.0 ? Vec3(from.normalized()) : Vec3(0, 0, -1);
  const DirectionGrid::Place place = t.grid->find(direction);
  double delay = 0.0;
  std::ranges::fill(out, 0.0);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto& spectrum = t.spectra[place.corners[c]][ear];
    delay += place.shares[c] * t.delays[place.corners[c]][ear];
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] += place.shares[c] * static_cast<Complex>(spectrum[k]);
  }
  // What distance changes.
  const double cosine = std::clamp(cosine_to(ear, direction), -1.0, 1.0);
  const double measured = std::max(measured_->distance, nearest * radius);
  delay += sphere_delay(radius, distance, cosine, speed_of_sound_) -
           sphere_delay(radius, measured, cosine, speed_of_sound_);
  const double least = 1.0 / measured, most = 1.0 / (nearest * radius), here = 1.0 / distance;
  const double x =
      here <= least ? here / least : 1.0 + (here - least) / (most - least) * (distance_steps - 2);
  const double y = std::acos(cosine) / std::numbers::pi * (angle_steps - 1);
  const auto row = std::min(static_cast<std::size_t>(x), distance_steps - 2);
  const auto column = std::min(static_cast<std::size_t>(y), angle_steps - 2);
  const double u = x - static_cast<double>(row), v = y - static_cast<double>(column);
  const auto* const near_row = &t.by_distance[row * angle_steps + column];
  const auto* const next_row = near_row + angle_steps;
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] *= (1.0 - u) * ((1.0 - v) * near_row[0][k] + v * near_row[1][k]) +
              u * ((1.0 - v) * next_row[0][k] + v * next_row[1][k]);
  }
  return delay;
}

void Head::filter(std::size_t ear, base::Rate rate, const Vec3& from, std::span<float> out) const {
  const std::size_t size = taps(rate);
  util::RealFft fft(size);
  std::vector<Complex> spectrum(fft.bins());
  const double delay =
      aligned(ear, rate, from, spectrum) + rate.seconds(static_cast<std::int64_t>(lead(rate)));
  const double step =
      -2.0 * std::numbers::pi * delay * static_cast<double>(rate.hz) / static_cast<double>(size);
  for (std::size_t k = 0; k < spectrum.size(); ++k)
    spectrum[k] *= std::polar(1.0, step * static_cast<double>(k));
  std::vector<double> time(size);
  fft.inverse(spectrum, time);
  std::ranges::copy(time, out.begin());
}

}  // namespace peal::listener
