#include <peal/play/played_body.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::play {

namespace {

constexpr std::uint64_t noise_seed = 0x5C4A9E;
/// Letting go and taking hold change the decay rates over this time [s].
constexpr double hold_glide = 0.005;

}  // namespace

PlayedBody::PlayedBody(std::span<const base::Mode> modes, std::size_t ringing, base::Rate rate,
                       std::uint64_t stream, std::int64_t now)
    : rate_(rate),
      bank_(modes, ringing, rate),
      free_modes_(modes.begin(), modes.end()),
      held_modes_(free_modes_),
      held_gains_(modes.size(), 0.0f),
      now_(now),
      strikes_(most_strikes) {
  for (Strike& strike : strikes_) strike.gains.assign(modes.size(), 0.0f);
  for (std::size_t c = 0; c < most_contacts; ++c) {
    scrapes_.emplace_back(rate, noise_seed, stream * most_contacts + c);
    forces_[c].assign(block_size, 0.0f);
  }
  const auto longest = static_cast<std::size_t>(std::ceil(rate.samples(longest_delay)));
  for (auto* sound : {&sound_, &heard_, &delayed_}) sound->assign(block_size, 0.0f);
  ahead_.assign(longest_sound, 0.0f);
  delays_.assign(ears, EarDelay(longest));
}

bool PlayedBody::strike(double start, double contact_time, double impulse,
                        std::span<const float> gains) {
  const auto place = std::ranges::find_if(
      strikes_, [](const Strike& strike) { return !strike.pulse.has_value(); });
  if (place == strikes_.end() || gains.size() != bank_.size()) return false;
  place->pulse.emplace(contact_time, impulse, bank_.modes());
  place->start = std::max(start, static_cast<double>(now_));
  place->in_contact = false;
  std::ranges::copy(gains, place->gains.begin());
  return true;
}

void PlayedBody::scrape(std::size_t contact, std::span<const float> gains, double force,
                        double roughness_frequency, double contact_frequency, std::int64_t ramp) {
  const bool begins = scrapes_[contact].is_silent();
  bank_.set_contact(contact, gains, begins ? 0 : ramp);
  scrapes_[contact].aim(force, roughness_frequency, contact_frequency, ramp);
}

void PlayedBody::hold(std::span<const float> gains, double damper) {
  std::ranges::copy(gains, held_gains_.begin());
  damper_ = damper;
  tune(static_cast<std::int64_t>(rate_.samples(hold_glide)));
}

void PlayedBody::set_modes(std::span<const base::Mode> modes, std::int64_t glide) {
  std::ranges::copy(modes, free_modes_.begin());
  tune(glide);
}

void PlayedBody::tune(std::int64_t glide) {
  for (std::size_t i = 0; i < free_modes_.size(); ++i) {
    held_modes_[i] = free_modes_[i];
    const double gain = static_cast<double>(held_gains_[i]);
    held_modes_[i].decay_rate += 0.5 * damper_ * gain * gain;
  }
  bank_.set_modes(held_modes_, glide);
}

void PlayedBody::set_gains(std::span<const std::complex<float>> gains, double distance,
                           std::int64_t ramp) {
  bank_.set_gains(gains, ramp);
  distance_ = distance;
}

void PlayedBody::set_ear(std::size_t ear, double delay, std::span<const float> taps,
                         std::int64_t ramp) {
  filters_[ear].set(taps, ramp);
  delays_[ear].set(std::clamp(rate_.samples(delay), 0.0, rate_.samples(longest_delay)), ramp);
}

void PlayedBody::play(double start, std::span<const float> pressure) {
  const auto first = std::max(static_cast<std::int64_t>(std::lround(start)), now_);
  const auto count = std::min(static_cast<std::int64_t>(pressure.size()),
                              now_ + static_cast<std::int64_t>(longest_sound) - first);
  for (std::int64_t n = 0; n < count; ++n)
    ahead_[static_cast<std::size_t>(first + n) % longest_sound] +=
        pressure[static_cast<std::size_t>(n)];
  played_to_ = std::max(played_to_, first + count);
}

double PlayedBody::Strike::next_jump(base::Rate rate) const {
  return in_contact ? start + rate.samples(pulse->contact_time()) : start;
}

void PlayedBody::process(std::int64_t count, std::span<float* const, ears> out, float* strength) {
  const auto size = static_cast<std::size_t>(count);
  std::fill_n(sound_.begin(), count, 0.0f);
  std::int64_t done = 0;
  while (done < count) {
    // What happens before the next sample, then as many samples as nothing happens between.
    std::int64_t piece = count - done;
    for (Strike& strike : strikes_) {
      while (strike.pulse) {
        const double at = strike.next_jump(rate_);
        const double ahead = std::ceil(at) - static_cast<double>(now_);
        if (ahead > 0.0) {
          piece = static_cast<std::int64_t>(std::min(static_cast<double>(piece), ahead));
          break;
        }
        jump(strike, at);
      }
    }
    run(piece, &sound_[static_cast<std::size_t>(done)]);
    done += piece;
  }
  for (std::size_t n = 0; n < size; ++n) strength[n] += static_cast<float>(distance_) * sound_[n];
  for (std::size_t ear = 0; ear < ears; ++ear) {
    delays_[ear].process(std::span(sound_).first(size), std::span(delayed_).first(size));
    filters_[ear].process(std::span(delayed_).first(size), std::span(heard_).first(size));
    for (std::size_t n = 0; n < size; ++n) out[ear][n] += heard_[n];
  }
}

/// Lets the modes ring as they do from the start or the end of a strike on.
void PlayedBody::jump(Strike& strike, double at) {
  const double ahead = at - static_cast<double>(now_ - 1);
  for (std::size_t i = 0; i < bank_.size(); ++i) {
    const double gain = static_cast<double>(strike.gains[i]);
    if (gain == 0.0 || !bank_.sounds(i)) continue;
    bank_.add(i, strike.pulse->ring(Oscillator(bank_.modes()[i]), gain), ahead);
  }
  if (strike.in_contact)
    strike.pulse.reset();
  else
    begin_contact(strike);
}

void PlayedBody::begin_contact(Strike& strike) {
  strike.in_contact = true;
  strike.steady = {};
  const double omega = strike.pulse->omega();
  for (std::size_t i = 0; i < bank_.size(); ++i) {
    if (!bank_.sounds(i)) continue;
    const base::Mode& mode = bank_.modes()[i];
    const std::complex<double> x =
        strike.pulse->steady(Oscillator(mode), static_cast<double>(strike.gains[i]));
    // Im(X e^(i omega t)) and its derivatives: q' has i omega X, q'' has -omega^2 X.
    const std::complex<double> gain = bank_.gain(i);
    const double w = 2.0 * std::numbers::pi * mode.frequency;
    const double by_motion = bank_.rings(i) ? -omega * omega : 1.0;
    strike.steady += std::complex<double>(by_motion * gain.real(), -omega * w * gain.imag()) * x;
  }
}

void PlayedBody::add_steady(const Strike& strike, std::int64_t count, float* out) const {
  const double step = strike.pulse->omega() * rate_.step();
  for (std::int64_t n = 0; n < count; ++n) {
    const std::complex<double> turn =
        std::polar(1.0, step * (static_cast<double>(now_ + n) - strike.start));
    out[n] += static_cast<float>((strike.steady * turn).imag());
  }
}

void PlayedBody::run(std::int64_t count, float* out) {
  std::array<const float*, most_contacts> forces = {};
  for (std::size_t c = 0; c < most_contacts; ++c) {
    if (scrapes_[c].is_silent()) continue;
    scrapes_[c].process(now_, std::span(forces_[c]).first(static_cast<std::size_t>(count)));
    forces[c] = forces_[c].data();
  }
  bank_.process(count, forces, out);
  for (const Strike& strike : strikes_)
    if (strike.pulse && strike.in_contact) add_steady(strike, count, out);
  for (std::int64_t n = 0; n < count && now_ + n < played_to_; ++n) {
    float& pressure = ahead_[static_cast<std::size_t>(now_ + n) % longest_sound];
    out[n] += std::exchange(pressure, 0.0f);
  }
  now_ += count;
}

void PlayedBody::silence() {
  bank_.silence();
  for (Strike& strike : strikes_) strike.pulse.reset();
  for (Scrape& scrape : scrapes_) scrape.aim(0.0, 1000.0, 1000.0, 1);
  for (EarDelay& line : delays_) line.silence();
  for (EarFilter& filter : filters_) filter.silence();
  std::ranges::fill(ahead_, 0.0f);
}

}  // namespace peal::play
