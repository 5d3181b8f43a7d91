#include <peal/util/random.h>
#include <peal/vibration/struck_sound.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::vibration {

namespace {

using std::numbers::pi;

/// Block length at which the motion of all modes takes about 16 MB.
std::int64_t samples_at_once(std::size_t modes) {
  const auto blocks =
      (std::int64_t{1} << 22) / (ModalResponse::block * static_cast<std::int64_t>(modes));
  return ModalResponse::block * std::clamp<std::int64_t>(blocks, 1, 64);
}

/// A lag of part of a sample, of a sine of a known frequency: two neighbours of the lagged time,
/// weighted so that the sum is exact while the sine does not decay.
struct SineLag {
  std::int64_t whole = 0;        ///< [samples]
  double near = 1.0, far = 0.0;  ///< weights of the values so many samples before, and one more
};

/// `quarter` is the lag, a quarter of the sine's period, or 0 [samples].
SineLag sine_lag(double quarter) {
  SineLag lag{.whole = static_cast<std::int64_t>(std::floor(quarter))};
  const double part = quarter - static_cast<double>(lag.whole);
  if (part == 0.0) return lag;
  const double angle = 0.5 * pi / quarter;                         // from one sample to the next
  if (angle > 0.95 * pi) return {.whole = std::llround(quarter)};  // next to no sine at this rate
  lag.near = std::sin((1.0 - part) * angle) / std::sin(angle);
  lag.far = std::sin(part * angle) / std::sin(angle);
  return lag;
}

/// The impulse that gives modes with these gains the energy [J].
double impulse_of_energy(double energy, const ForcePulse& unit, std::span<const double> gains,
                         std::span<const base::Mode> modes) {
  double sum = 0.0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    sum += std::pow(gains[i] * pulse_response(unit, modes[i].frequency), 2);
  }
  return sum > 0.0 ? std::sqrt(2.0 * energy / sum) : 0.0;
}

/// The force that moves the held point as far as it is said to be, or is said, lets go.
ModalForce release(const scene::Pluck& pluck, double time, const std::vector<double>& gains,
                   std::span<const base::Mode> modes) {
  double force = pluck.force;
  if (pluck.displacement) {
    double compliance = 0.0;  // [m/N]
    for (std::size_t i = 0; i < modes.size(); ++i)
      compliance += std::pow(gains[i] / (2.0 * pi * modes[i].frequency), 2);
    force = compliance > 0.0 ? *pluck.displacement / compliance : 0.0;
  }
  return {.pulse = {time, pluck.release_time, force}, .gains = gains, .is_release = true};
}

}  // namespace

std::vector<ModalForce> modal_forces(std::span<const scene::Strike> strikes,
                                     std::span<const base::ContactForce> contacts,
                                     std::span<const std::vector<double>> gains,
                                     std::span<const base::Mode> modes,
                                     std::span<const Eigen::Matrix3Xf> shapes) {
  std::vector<ModalForce> forces;
  for (std::size_t i = 0; i < strikes.size(); ++i) {
    if (strikes[i].pluck) {
      forces.push_back(release(*strikes[i].pluck, strikes[i].t, gains[i], modes));
      continue;
    }
    ForcePulse pulse{strikes[i].t, strikes[i].contact_time, strikes[i].impulse};
    if (strikes[i].energy) {
      pulse.impulse = impulse_of_energy(*strikes[i].energy, pulse, gains[i], modes);
    }
    forces.push_back({pulse, gains[i]});
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ForcePulse& pulse = contacts[i].pulse;
    forces.push_back({{pulse.start, pulse.contact_time, pulse.impulse}, gains[strikes.size() + i]});
    if (contacts[i].history && i < shapes.size() && shapes[i].cols() > 0) {
      forces.back().history = contacts[i].history;
      forces.back().shapes = shapes[i];
    }
  }
  return forces;
}

std::vector<double> strike_amplitudes(std::span<const double> displacement,
                                      std::span<const base::Mode> modes) {
  double square = 0.0;
  for (const double u : displacement) square += u * u;
  std::vector<double> amplitudes(displacement.size(), 0.0);
  if (square == 0.0) return amplitudes;
  for (std::size_t i = 0; i < amplitudes.size(); ++i) {
    amplitudes[i] = displacement[i] / (std::sqrt(square) * 2.0 * pi * modes[i].frequency);
  }
  return amplitudes;
}

StruckSound::StruckSound(ModalResponse response, const std::vector<std::complex<double>>& loudness,
                         const std::optional<ContactClick>& click, NoiseKey key)
    : response_(std::move(response)), key_(key) {
  if (loudness.size() != response_.modes().size()) {
    throw std::invalid_argument("a struck sound needs the loudness of every mode");
  }
  const auto count = static_cast<Eigen::Index>(loudness.size());
  by_acceleration_.resize(count);
  quarters_.resize(loudness.size());
  for (std::size_t i = 0; i < loudness.size(); ++i) {
    const double w = 2.0 * pi * response_.modes()[i].frequency;
    const bool is_late = loudness[i].imag() != 0.0;
    by_acceleration_[static_cast<Eigen::Index>(i)] =
        -(is_late ? loudness[i].imag() : loudness[i].real()) / (w * w);
    quarters_[i] = is_late ? 0.5 * pi / w : 0.0;
  }
  if (!click) return;
  click_duration_ = click->duration;
  for (const ModalForce& force : response_.forces()) {
    double square = 0.0;
    if (force.is_release) {  // no contact, no noise of it
      click_peaks_.push_back(0.0);
      continue;
    }
    for (std::size_t i = 0; i < response_.modes().size(); ++i) {
      const double f = response_.modes()[i].frequency;
      square += std::pow(std::abs(loudness[i]) * force.gains[i] * force.pulse.impulse *
                             pulse_response(force.pulse, f) / (2.0 * pi * f),
                         2);
    }
    click_peaks_.push_back(click->level * std::sqrt(square));
  }
}

base::Signal StruckSound::strength(base::Rate rate, base::SampleRange range) const {
  const double first = rate.samples(response_.first_contact());
  base::Signal signal{.rate = rate, .start = range.end};
  if (first >= static_cast<double>(range.end)) return signal;
  signal.start = std::max(range.begin, static_cast<std::int64_t>(std::floor(first)));
  signal.samples.resize(static_cast<std::size_t>(range.end - signal.start));
  std::vector<SineLag> late;
  std::int64_t most = 0;
  for (const double quarter : quarters_) {
    late.push_back(sine_lag(rate.samples(quarter)));
    most = std::max(most, late.back().whole + 1);
  }
  const std::int64_t stride = samples_at_once(response_.modes().size());
  for (std::int64_t begin = signal.start; begin < range.end; begin += stride) {
    const std::int64_t end = std::min(range.end, begin + stride);
    const Eigen::MatrixXf motion =
        response_.evaluate(rate, {begin - most, end}, ModalResponse::Quantity::acceleration);
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(end - begin);
    for (std::size_t i = 0; i < late.size(); ++i) {
      const auto mode = static_cast<Eigen::Index>(i);
      const auto before = [&](std::int64_t samples) {
        return motion.row(mode).segment(most - samples, end - begin).transpose().cast<double>();
      };
      sum += by_acceleration_[mode] * late[i].near * before(late[i].whole);
      if (late[i].far != 0.0)
        sum += by_acceleration_[mode] * late[i].far * before(late[i].whole + 1);
    }
    for (std::int64_t n = begin; n < end; ++n)
      signal.samples[static_cast<std::size_t>(n - signal.start)] =
          static_cast<float>(sum[n - begin]);
  }
  add_clicks(rate, signal);
  return signal;
}

void StruckSound::add_clicks(base::Rate rate, base::Signal& signal) const {
  const auto end = signal.start + static_cast<std::int64_t>(signal.samples.size());
  for (std::size_t i = 0; i < click_peaks_.size(); ++i) {
    const double begin = response_.forces()[i].pulse.start;
    const auto first = static_cast<std::int64_t>(std::ceil(rate.samples(begin)));
    const auto last = static_cast<std::int64_t>(rate.samples(begin + click_duration_));
    for (std::int64_t n = std::max(first, signal.start); n <= std::min(last, end - 1); ++n) {
      // The noise is white and uniform with RMS 1, under a Hann window.
      const auto index =
          (static_cast<std::uint64_t>(i) << 40) + static_cast<std::uint64_t>(n - first);
      const double noise =
          std::sqrt(3.0) * (2.0 * util::random_uniform(key_.seed, key_.stream, index) - 1.0);
      const double window = std::pow(std::sin(pi * (rate.seconds(n) - begin) / click_duration_), 2);
      signal.samples[static_cast<std::size_t>(n - signal.start)] +=
          static_cast<float>(click_peaks_[i] * window * noise);
    }
  }
}

}  // namespace peal::vibration
