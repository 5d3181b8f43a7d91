#include <peal/util/denormals.h>
#include <peal/util/lanes.h>
#include <peal/vibration/modal_bank.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::vibration {

namespace {

/// Modes that are processed together.
using ModeLanes = util::Widest<float>;
constexpr std::size_t mode_lanes = util::widest_lanes<float>;

/// Vectors whose state stays in registers over a block of samples. A step of a mode has a latency
/// of two operations of four cycles each; this many vectors hide it.
constexpr std::size_t vectors_together = 4;
constexpr std::size_t mode_group = vectors_together * mode_lanes;

}  // namespace

ModalBank::ModalBank(std::span<const base::Mode> modes, base::Rate rate)
    : size_(modes.size()), step_(rate.step()), unit_gain_(modes.size()) {
  const std::size_t padded = (size_ + mode_group - 1) / mode_group * mode_group;
  for (auto* values : {&q_, &v_, &r2_, &k_, &b_}) values->assign(padded, 0.0f);
  correct_.assign(padded, 1.0f);
  sums_.assign(static_cast<std::size_t>(correction) * mode_lanes, 0.0f);
  for (std::size_t i = 0; i < size_; ++i) {
    const double w = 2.0 * std::numbers::pi * modes[i].frequency, d = modes[i].decay_rate;
    if (modes[i].frequency >= rate.nyquist()) continue;
    const double exact = std::exp(-2.0 * d * step_);
    r2_[i] = static_cast<float>(exact);
    const double rounded = static_cast<double>(r2_[i]);
    if (rounded > 0.0) {
      correct_[i] = static_cast<float>(std::pow(exact / rounded, 0.5 * correction));
    }
    const double r = std::sqrt(rounded), turn = (w * w - d * d) * step_ * step_;  // theta^2
    const double theta = std::sqrt(std::abs(turn));
    const double half = turn >= 0.0 ? std::sin(0.5 * theta) : std::sinh(0.5 * theta);
    k_[i] =
        static_cast<float>((1.0 - r) * (1.0 - r) + (turn >= 0.0 ? 4.0 : -4.0) * r * half * half);
    const double swing =
        theta < 1e-9 ? 1.0 : (turn >= 0.0 ? std::sin(theta) : std::sinh(theta)) / theta;
    unit_gain_[i] = std::exp(-d * step_) * swing * step_ * step_;
  }
}

void ModalBank::set_gains(std::span<const double> struck, std::span<const double> heard) {
  if (struck.size() != size_ || heard.size() != size_) {
    throw std::invalid_argument("a modal bank needs one gain a mode");
  }
  for (std::size_t i = 0; i < size_; ++i) {
    b_[i] = static_cast<float>(unit_gain_[i] * struck[i] * heard[i]);
  }
}

void ModalBank::process(std::span<const float> force, std::span<float> out) {
  const util::FlushDenormals guard;
  while (!force.empty()) {
    const auto count = std::min(force.size(), static_cast<std::size_t>(correction - done_));
    run(force.first(count), out.first(count));
    force = force.subspan(count);
    out = out.subspan(count);
    done_ += static_cast<std::int64_t>(count);
    if (done_ == correction) correct();
  }
}

void ModalBank::run(std::span<const float> force, std::span<float> out) {
  const std::size_t count = force.size();
  std::fill_n(sums_.begin(), count * mode_lanes, 0.0f);
  for (std::size_t first = 0; first < q_.size(); first += mode_group) {
    ModeLanes q[vectors_together], v[vectors_together], r2[vectors_together], k[vectors_together],
        b[vectors_together];
    for (std::size_t i = 0; i < vectors_together; ++i) {
      const std::size_t at = first + i * mode_lanes;
      q[i] = util::load<ModeLanes>(&q_[at]);
      v[i] = util::load<ModeLanes>(&v_[at]);
      r2[i] = util::load<ModeLanes>(&r2_[at]);
      k[i] = util::load<ModeLanes>(&k_[at]);
      b[i] = util::load<ModeLanes>(&b_[at]);
    }
    for (std::size_t n = 0; n < count; ++n) {
      ModeLanes sum = util::load<ModeLanes>(&sums_[n * mode_lanes]);
      for (std::size_t i = 0; i < vectors_together; ++i) {
        sum += q[i];
        v[i] = r2[i] * v[i] + b[i] * force[n] - k[i] * q[i];
        q[i] += v[i];
      }
      util::store(&sums_[n * mode_lanes], sum);
    }
    for (std::size_t i = 0; i < vectors_together; ++i) {
      util::store(&q_[first + i * mode_lanes], q[i]);
      util::store(&v_[first + i * mode_lanes], v[i]);
    }
  }
  for (std::size_t n = 0; n < count; ++n) {
    double sum = 0.0;
    for (std::size_t lane = 0; lane < mode_lanes; ++lane) {
      sum += static_cast<double>(sums_[n * mode_lanes + lane]);
    }
    out[n] += static_cast<float>(sum);
  }
}

void ModalBank::correct() {
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i] *= correct_[i];
    v_[i] *= correct_[i];
  }
  done_ = 0;
}

void ModalBank::silence() {
  std::ranges::fill(q_, 0.0f);
  std::ranges::fill(v_, 0.0f);
  done_ = 0;
}

}  // namespace peal::vibration
