#include <peal/base/bubble.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <cmath>

namespace peal::base {

namespace {

using Complex = std::complex<double>;
using RingingLanes = util::Widest<float>;
constexpr auto ringing_lanes = static_cast<std::int64_t>(util::widest_lanes<float>);

/// Samples of a phasor in single precision; its error grows by 1e-7 each step.
constexpr std::int64_t longest_rotation = 2048;

/// Calls `put` with the index of some samples, their number, and vectors of V'' and V'.
template <class Put>
void rotate(const FreeRinging& ringing, std::int64_t first, std::int64_t count, const Put& put) {
  const Complex many = std::pow(ringing.step, static_cast<double>(ringing_lanes));
  const auto many_re = static_cast<float>(many.real()), many_im = static_cast<float>(many.imag());
  const auto by_re = static_cast<float>(ringing.rate.real());
  const auto by_im = static_cast<float>(ringing.rate.imag());
  for (std::int64_t begin = 0; begin < count; begin += longest_rotation) {
    Complex w = ringing.velocity * std::pow(ringing.step, static_cast<double>(first + begin));
    RingingLanes re, im;
    for (std::int64_t i = 0; i < ringing_lanes; ++i) {
      re[i] = static_cast<float>(w.real());
      im[i] = static_cast<float>(w.imag());
      w *= ringing.step;
    }
    const std::int64_t end = std::min(count, begin + longest_rotation);
    for (std::int64_t n = begin; n < end; n += ringing_lanes) {
      put(n, std::min(ringing_lanes, end - n), RingingLanes(by_re * re - by_im * im), re);
      const RingingLanes turned = many_re * re - many_im * im;
      im = many_re * im + many_im * re;
      re = turned;
    }
  }
}

/// The sum of Re(w s^k)^2 over k < count.
double sum_of_squares(Complex w, Complex step, std::int64_t count) {
  const auto sum_to = [&](Complex ratio) {
    if (ratio == 1.0) return Complex(static_cast<double>(count));
    return (1.0 - std::pow(ratio, static_cast<double>(count))) / (1.0 - ratio);
  };
  return 0.5 *
         (std::norm(w) * sum_to(std::norm(step)).real() + (w * w * sum_to(step * step)).real());
}

}  // namespace

void FreeRinging::read(std::int64_t first, std::span<float> acceleration,
                       std::span<float> velocities) const {
  const auto put = [&](std::int64_t n, std::int64_t some, const RingingLanes& a,
                       const RingingLanes& v) {
    if (some == ringing_lanes) {
      util::store(&acceleration[static_cast<std::size_t>(n)], a);
      util::store(&velocities[static_cast<std::size_t>(n)], v);
      return;
    }
    for (std::int64_t i = 0; i < some; ++i) {
      acceleration[static_cast<std::size_t>(n + i)] = a[i];
      velocities[static_cast<std::size_t>(n + i)] = v[i];
    }
  };
  rotate(*this, first, static_cast<std::int64_t>(acceleration.size()), put);
}

void FreeRinging::add_acceleration(std::int64_t first, float gain, std::span<float> out) const {
  const auto put = [&](std::int64_t n, std::int64_t some, const RingingLanes& a,
                       const RingingLanes&) {
    float* const to = &out[static_cast<std::size_t>(n)];
    if (some == ringing_lanes) {
      util::store(to, RingingLanes(util::load<RingingLanes>(to) + gain * a));
      return;
    }
    for (std::int64_t i = 0; i < some; ++i) to[i] += gain * a[i];
  };
  rotate(*this, first, static_cast<std::int64_t>(out.size()), put);
}

void FreeRinging::skip(std::int64_t count) {
  velocity *= std::pow(step, static_cast<double>(count));
  samples -= count;
}

double FreeRinging::velocity_squares() const {
  return sum_of_squares(velocity, step, samples);
}

double FreeRinging::acceleration_squares() const {
  return sum_of_squares(rate * velocity, step, samples);
}

void BubbleSound::add_acceleration(std::int64_t first, float gain, std::span<float> out) const {
  const std::int64_t last = first + static_cast<std::int64_t>(out.size());
  const std::int64_t rings = ringing_start();
  for (std::int64_t n = std::max(first, start); n < std::min(last, rings); ++n)
    out[static_cast<std::size_t>(n - first)] +=
        gain * volume_acceleration[static_cast<std::size_t>(n - start)];
  const std::int64_t from = std::max(first, rings), to = std::min(last, end());
  if (from >= to) return;
  ringing.add_acceleration(
      from - rings, gain,
      out.subspan(static_cast<std::size_t>(from - first), static_cast<std::size_t>(to - from)));
}

void BubbleSound::read(std::int64_t first, std::span<float> acceleration,
                       std::span<float> velocity) const {
  std::ranges::fill(acceleration, 0.0f);
  std::ranges::fill(velocity, 0.0f);
  const std::int64_t last = first + static_cast<std::int64_t>(acceleration.size());
  const std::int64_t rings = ringing_start();
  for (std::int64_t n = std::max(first, start); n < std::min(last, rings); ++n) {
    const auto from = static_cast<std::size_t>(n - start);
    acceleration[static_cast<std::size_t>(n - first)] = volume_acceleration[from];
    velocity[static_cast<std::size_t>(n - first)] = volume_velocity[from];
  }
  const std::int64_t from = std::max(first, rings), to = std::min(last, end());
  if (from >= to) return;
  const auto at = static_cast<std::size_t>(from - first),
             count = static_cast<std::size_t>(to - from);
  ringing.read(from - rings, acceleration.subspan(at, count), velocity.subspan(at, count));
}

void BubbleSound::expand() {
  const std::size_t before = volume_acceleration.size();
  const std::size_t size = before + static_cast<std::size_t>(ringing.samples);
  volume_acceleration.resize(size);
  volume_velocity.resize(size);
  ringing.read(0, std::span(volume_acceleration).subspan(before),
               std::span(volume_velocity).subspan(before));
  ringing = {};
}

Bubble BubbleSound::at(double t) const {
  if (path.empty()) return {.time = t};
  const auto after = std::ranges::upper_bound(path, t, {}, &Bubble::time);
  if (after == path.begin()) return path.front();
  if (after == path.end()) return path.back();
  const Bubble& a = *(after - 1);
  const Bubble& b = *after;
  const double x = (t - a.time) / (b.time - a.time);
  return {.time = t,
          .position = a.position + x * (b.position - a.position),
          .radius = a.radius + x * (b.radius - a.radius)};
}

BubbleEnergy& BubbleEnergy::operator+=(const BubbleEnergy& other) {
  given += other.given;
  dissipated += other.dissipated;
  remaining += other.remaining;
  radiated += other.radiated;
  return *this;
}

}  // namespace peal::base
