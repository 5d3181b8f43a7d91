#include <peal/contact/local_yield.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::contact {

namespace {

/// With these, and modes up to the inverse of the contact time, balls bounce off thin plates within
/// 0.016 of Zener's e, and the largest force is within 1 %; without bands it is 0.042 and 10 %.
constexpr int bands_an_octave = 3, band_octaves = 2;

}  // namespace

void LocalYield::add_unknown_modes(double density, double cut) {
  if (!(density > 0.0) || !(cut > 0.0)) return;
  double low = cut;
  for (int i = 1; i <= bands_an_octave * band_octaves; ++i) {
    const double high = cut * std::exp2(static_cast<double>(i) / bands_an_octave);
    const double w = std::sqrt(low * high);
    bands_.push_back({.step = OscillatorStep(w, 0.5 * (high - low), h_),
                      .w = w,
                      .density = density * (high - low)});
    low = high;
  }
  const double rate = 0.5 * std::numbers::pi * low;
  states_.push_back({.rate = rate, .hold = std::exp(-rate * h_), .yield = density / low});
}

void LocalYield::add_mobility(double mobility) {
  mobility_ += mobility;
}

double LocalYield::free_position() const {
  double sum = left_;
  for (const Band& band : bands_) sum += band.step.a11 * band.u + band.step.a12 * band.v;
  for (const State& state : states_) sum += state.u * state.hold;
  return sum;
}

double LocalYield::compliance() const {
  double sum = mobility_ * h_;
  for (const Band& band : bands_) sum += band.density * band.step.b1;
  for (const State& state : states_) sum += state.yield * (1.0 - state.hold);
  return sum;
}

double LocalYield::speed_before(double force) const {
  double sum = mobility_ * force;
  for (const Band& band : bands_) sum += band.v;
  for (const State& state : states_) sum += state.rate * (state.yield * force - state.u);
  return sum;
}

double LocalYield::speed_after(double force) const {
  double sum = mobility_ * force;
  for (const Band& band : bands_)
    sum += band.step.a21 * band.u + band.step.a22 * band.v + band.density * band.step.b2 * force;
  for (const State& state : states_)
    sum += state.rate * state.hold * (state.yield * force - state.u);
  return sum;
}

void LocalYield::leap(unsigned steps) {
  for (Band& band : bands_) {
    // The step as a matrix, to the power of their number.
    const OscillatorStep& one = band.step;
    std::array<double, 4> power{one.a11, one.a12, one.a21, one.a22};
    for (unsigned left = steps; left > 0; left /= 2) {
      const auto [a, b, c, d] = power;
      if (left % 2 == 1) {
        const double u = band.u;
        band.u = a * u + b * band.v;
        band.v = c * u + d * band.v;
      }
      power = {a * a + b * c, b * (a + d), c * (a + d), d * d + b * c};
    }
  }
  for (State& state : states_) state.u *= std::pow(state.hold, steps);
}

double LocalYield::position() const {
  double sum = left_;
  for (const Band& band : bands_) sum += band.u;
  for (const State& state : states_) sum += state.u;
  return sum;
}

double LocalYield::fastest() const {
  double sum = 0.0;
  for (const Band& band : bands_)
    sum += std::sqrt(band.v * band.v + band.w * band.w * band.u * band.u);
  for (const State& state : states_) sum += state.rate * std::abs(state.u);
  return sum;
}

double LocalYield::advance(double force) {
  double moved = mobility_ * h_ * force;
  left_ += moved;
  for (Band& band : bands_) {
    const OscillatorStep& a = band.step;
    const double push = band.density * force, u = band.u, v = band.v;
    band.u = a.a11 * u + a.a12 * v + a.b1 * push;
    band.v = a.a21 * u + a.a22 * v + a.b2 * push;
    moved += band.u - u;
  }
  for (State& state : states_) {
    const double next = state.u * state.hold + state.yield * (1.0 - state.hold) * force;
    moved += next - state.u;
    state.u = next;
  }
  return force * moved;
}

}  // namespace peal::contact
