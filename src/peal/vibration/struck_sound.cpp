#include <peal/util/random.h>
#include <peal/vibration/high_pass.h>
#include <peal/vibration/struck_sound.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::vibration {

namespace {

using std::numbers::pi;

/// Block length at which the motion of all modes takes about 16 MB, but at least 1024.
std::int64_t samples_at_once(std::size_t modes) {
  const auto blocks =
      (std::int64_t{1} << 22) / (ModalResponse::block * static_cast<std::int64_t>(modes));
  return ModalResponse::block * std::clamp<std::int64_t>(blocks, 4, 64);
}

/// After a force its attack lasts as long, and fades as long: the ear takes what comes within a
/// millisecond or two for one click [s].
constexpr double attack_after = 5e-4, attack_fade = 2e-3;
constexpr double most_gain = 4.0;  ///< of an attack; the least is its inverse

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
                         const std::optional<ContactClick>& click, NoiseKey key,
                         std::vector<base::RadiationFilter> filters)
    : response_(std::move(response)), filters_(std::move(filters)), key_(key) {
  if (loudness.size() != response_.modes().size() ||
      (!filters_.empty() && filters_.size() != loudness.size())) {
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

/// The sounds of the modes at a sample rate.
class StruckSound::Modes {
 public:
  Modes(const StruckSound& sound, base::Rate rate) : sound_(sound), rate_(rate) {
    for (const double quarter : sound.quarters_) {
      late_.push_back(sine_lag(rate.samples(quarter)));
      most_late_ = std::max(most_late_, late_.back().whole + 1);
    }
    for (std::size_t i = 0; i < sound.filters_.size(); ++i) {
      filters_.emplace_back(sound.filters_[i], sound.response_.modes()[i], rate);
      memory_ = std::max(memory_, filters_.back().memory());
    }
  }

  /// After as many samples filters have forgotten where they began.
  std::int64_t memory() const { return memory_; }

  /// A column a mode, of the motion that `response` has. Filters begin at rest `earlier` samples
  /// before the range.
  Eigen::MatrixXd sounds(const ModalResponse& response, base::SampleRange range,
                         std::int64_t earlier) const {
    const Eigen::Index count = range.size() + earlier;
    const Eigen::MatrixXf motion =
        response.evaluate(rate_, {range.begin - earlier - most_late_, range.end},
                          ModalResponse::Quantity::acceleration);
    Eigen::MatrixXd result(range.size(), motion.rows());
    Eigen::VectorXd one(count);
    for (Eigen::Index mode = 0; mode < motion.rows(); ++mode) {
      const SineLag& lag = late_[static_cast<std::size_t>(mode)];
      const auto before = [&](std::int64_t samples) {
        return motion.row(mode).segment(most_late_ - samples, count).transpose().cast<double>();
      };
      one = sound_.by_acceleration_[mode] * lag.near * before(lag.whole);
      if (lag.far != 0.0) one += sound_.by_acceleration_[mode] * lag.far * before(lag.whole + 1);
      if (!filters_.empty()) filters_[static_cast<std::size_t>(mode)].apply(one);
      result.col(mode) = one.tail(range.size());
    }
    return result;
  }

 private:
  const StruckSound& sound_;
  base::Rate rate_;
  std::vector<SineLag> late_;
  std::vector<HighPass> filters_;
  std::int64_t most_late_ = 0, memory_ = 0;
};

base::Signal StruckSound::strength(base::Rate rate, base::SampleRange range) const {
  const double first = rate.samples(response_.first_contact());
  base::Signal signal{.rate = rate, .start = range.end};
  if (first >= static_cast<double>(range.end)) return signal;
  signal.start = std::max(range.begin, static_cast<std::int64_t>(std::floor(first)));
  signal.samples.resize(static_cast<std::size_t>(range.end - signal.start));
  const Modes modes(*this, rate);
  // Blocks begin at multiples of their length, and filters before them, so that no range changes
  // what is in them.
  const std::int64_t stride = samples_at_once(response_.modes().size());
  const std::int64_t before = signal.start % stride;
  for (std::int64_t block = signal.start - (before < 0 ? before + stride : before);
       block < range.end; block += stride) {
    const std::int64_t begin = std::max(block, signal.start),
                       end = std::min(range.end, block + stride);
    const Eigen::MatrixXd sounds = modes.sounds(
        response_, {begin, end}, modes.memory() > 0 ? begin - block + modes.memory() : 0);
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(sounds.rows());
    for (Eigen::Index mode = 0; mode < sounds.cols(); ++mode) sum += sounds.col(mode);
    for (std::int64_t n = begin; n < end; ++n)
      signal.samples[static_cast<std::size_t>(n - signal.start)] =
          static_cast<float>(sum[n - begin]);
  }
  if (!filters_.empty()) level_attacks(modes, rate, signal);
  add_clicks(rate, signal);
  return signal;
}

/// A point has one signal, in which the sounds of modes that begin together add up with signs; in
/// the air they go to different directions, and their powers add. So what each force sets off has
/// the energy of its modes until shortly after it. Later modes of different frequency add up to
/// their powers by themselves, and neighbours should beat.
void StruckSound::level_attacks(const Modes& modes, base::Rate rate, base::Signal& signal) const {
  const auto end = signal.start + static_cast<std::int64_t>(signal.samples.size());
  for (const ModalForce& force : response_.forces()) {
    const auto first = static_cast<std::int64_t>(std::ceil(rate.samples(force.pulse.start)));
    const double over = force.pulse.end() + attack_after;
    const auto last = static_cast<std::int64_t>(rate.samples(over + attack_fade));
    if (first >= end || last < signal.start) continue;
    const ModalResponse alone(response_.modes(), {force});
    const Eigen::MatrixXd sounds = modes.sounds(alone, {first, last + 1}, 0);
    const Eigen::VectorXd sum = sounds.rowwise().sum();
    const auto attack = std::min<Eigen::Index>(
        sum.size(), static_cast<std::int64_t>(rate.samples(over)) + 1 - first);
    const double there = sum.head(attack).squaredNorm(),
                 wanted = sounds.topRows(attack).squaredNorm();
    if (!(there > 0.0)) continue;
    const double gain = std::clamp(std::sqrt(wanted / there), 1.0 / most_gain, most_gain);
    for (std::int64_t n = std::max(first, signal.start); n <= std::min(last, end - 1); ++n) {
      const double since = (rate.seconds(n) - over) / attack_fade;
      const double weight = since <= 0.0 ? 1.0 : 0.5 + 0.5 * std::cos(pi * std::min(since, 1.0));
      signal.samples[static_cast<std::size_t>(n - signal.start)] +=
          static_cast<float>((gain - 1.0) * weight * sum[n - first]);
    }
  }
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
