#include <peal/play/half_sine.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::play {

namespace {

/// Least relative distance of pi / T from the frequency of a mode. At 1e-4 the steady part is 3000
/// times what remains of it, which leaves an error of 2e-4 in single precision.
constexpr double least_distance = 1e-4;

bool is_near(double omega, const base::Mode& mode) {
  const double w = 2.0 * std::numbers::pi * mode.frequency;
  // Damping keeps the steady part small, too.
  return std::abs(omega / w - 1.0) < least_distance && mode.decay_rate < least_distance * w;
}

}  // namespace

Oscillator::Oscillator(const base::Mode& mode)
    : w_(2.0 * std::numbers::pi * mode.frequency),
      d_(mode.decay_rate),
      damped_square_(w_ * w_ - d_ * d_) {}

ModeState Oscillator::after(const ModeState& now, double time) const {
  const double turn = std::sqrt(std::abs(damped_square_)) * time;
  const bool oscillates = damped_square_ >= 0.0;
  const double cosine = oscillates ? std::cos(turn) : std::cosh(turn);
  // sin(w_d t) / w_d, also where w_d is 0.
  const double sine =
      std::abs(turn) < 1e-9 ? time : time * (oscillates ? std::sin(turn) : std::sinh(turn)) / turn;
  const double decay = std::exp(-d_ * time);
  const double push = now.velocity + d_ * now.q;
  return {
      .q = decay * (now.q * cosine + push * sine),
      .velocity = decay * (now.velocity * cosine - (d_ * now.velocity + w_ * w_ * now.q) * sine)};
}

std::complex<double> Oscillator::steady(double omega) const {
  return 1.0 / std::complex<double>(w_ * w_ - omega * omega, 2.0 * omega * d_);
}

HalfSine::HalfSine(double contact_time, double impulse, std::span<const base::Mode> modes)
    : omega_(std::numbers::pi / contact_time), amplitude_(0.0) {
  // With thousands of modes, a few steps lead between them.
  for (int step = 0; step < 64; ++step) {
    const bool is_clear = std::ranges::none_of(
        modes, [this](const base::Mode& mode) { return is_near(omega_, mode); });
    if (is_clear) break;
    omega_ *= 1.0 + 2.0 * least_distance;
  }
  amplitude_ = 0.5 * impulse * omega_;
}

double HalfSine::contact_time() const {
  return std::numbers::pi / omega_;
}

std::complex<double> HalfSine::steady(const Oscillator& mode, double gain) const {
  return gain * amplitude_ * mode.steady(omega_);
}

ModeState HalfSine::ring(const Oscillator& mode, double gain) const {
  const std::complex<double> x = steady(mode, gain);
  return {.q = -x.imag(), .velocity = -omega_ * x.real()};
}

}  // namespace peal::play
