#include <peal/vibration/driven_modes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::vibration {

using base::LinearRampResponse;

namespace {

/// The LinearRampResponse of all poles.
struct Drives {
  Eigen::ArrayXcd hold, first, second;

  Drives(const std::vector<ModalPole>& poles, double length, double time) {
    const auto count = static_cast<Eigen::Index>(poles.size());
    hold.resize(count);
    first.resize(count);
    second.resize(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const LinearRampResponse one(poles[static_cast<std::size_t>(i)].s, length, time);
      hold[i] = one.hold;
      first[i] = one.first;
      second[i] = one.second;
    }
  }
};

}  // namespace

DrivenModes::DrivenModes(const std::vector<ModalPole>& poles,
                         std::vector<ModalSustainedForce> forces,
                         std::shared_ptr<const AddedDecay> added)
    : poles_(poles), forces_(std::move(forces)), added_(std::move(added)) {
  if (forces_.empty()) return;
  rate_ = forces_.front().force->rate;
  begin_ = std::numeric_limits<std::int64_t>::max();
  end_ = std::numeric_limits<std::int64_t>::min();
  for (const ModalSustainedForce& one : forces_) {
    // The force runs from the zero before the first sample to the zero after the last.
    begin_ = std::min(begin_, one.force->begin - 1);
    end_ = std::max(end_, one.force->end());
  }
  const Drives step(poles_, rate_.step(), rate_.step());
  Eigen::ArrayXcd state = Eigen::ArrayXcd::Zero(static_cast<Eigen::Index>(poles_.size()));
  Eigen::ArrayXd now(state.size()), next(state.size()), fall;
  modal_force(begin_, now);
  for (std::int64_t n = begin_;; ++n) {
    if ((n - begin_) % stride == 0) {
      states_.push_back(state);
      if (n >= end_) break;
    }
    modal_force(n + 1, next);
    if (added_ && (n - begin_) % even_samples == 0) fall = added_fall(n);
    state = step.hold * state + step.first * now + step.second * next;
    if (fall.size() > 0) state *= fall;
    now.swap(next);
  }
}

Eigen::ArrayXd DrivenModes::added_fall(std::int64_t index) const {
  const double from = rate_.seconds(index), to = rate_.seconds(index + even_samples);
  if (!added_ || !added_->acts(from, to)) return {};
  const Eigen::ArrayXd more = added_->integral(to) - added_->integral(from);
  Eigen::ArrayXd fall(static_cast<Eigen::Index>(poles_.size()));
  for (Eigen::Index i = 0; i < fall.size(); ++i) {
    const ModalPole& pole = poles_[static_cast<std::size_t>(i)];
    fall[i] = std::exp(-more[pole.mode] / static_cast<double>(even_samples));
  }
  return fall;
}

double DrivenModes::first_contact() const {
  return forces_.empty() ? std::numeric_limits<double>::infinity() : rate_.seconds(begin_);
}

double DrivenModes::last_contact() const {
  return forces_.empty() ? -std::numeric_limits<double>::infinity() : rate_.seconds(end_);
}

void DrivenModes::hash(double end, util::Fingerprint& fingerprint) const {
  for (const ModalSustainedForce& force : forces_) {
    if (force.force->start_time() >= end) continue;
    force.force->hash(end, fingerprint);
    fingerprint.add(
        std::span<const float>(force.gains.data(), static_cast<std::size_t>(force.gains.size())));
  }
}

void DrivenModes::modal_force(std::int64_t index, Eigen::ArrayXd& values) const {
  values.setZero();
  for (const ModalSustainedForce& one : forces_) {
    const double force = one.force->at(index);
    if (force == 0.0) continue;
    const auto [point, part] = one.force->between(index);
    const auto column = static_cast<Eigen::Index>(point);
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      const Eigen::Index mode = poles_[static_cast<std::size_t>(i)].mode;
      const double a = static_cast<double>(one.gains(mode, column));
      const double b = static_cast<double>(one.gains(mode, column + 1));
      values[i] += force * (a + part * (b - a));
    }
  }
}

void DrivenModes::add(base::Rate rate, std::int64_t first, int derivative,
                      Eigen::Ref<Eigen::MatrixXf> out) const {
  if (forces_.empty()) return;
  const std::int64_t count = out.cols();
  if (rate.seconds(first + count) <= first_contact()) return;
  // Start from the last stored state before the block.
  const double start = rate_.samples(rate.seconds(first));
  const std::int64_t kept =
      std::clamp<std::int64_t>((static_cast<std::int64_t>(std::floor(start)) - begin_) / stride, 0,
                               static_cast<std::int64_t>(states_.size()) - 1);
  std::int64_t at = begin_ + kept * stride;
  Eigen::ArrayXcd state = states_[static_cast<std::size_t>(kept)];
  Eigen::ArrayXd now(state.size()), next(state.size());
  modal_force(at, now);
  modal_force(at + 1, next);

  const std::int64_t last_kept = begin_ + static_cast<std::int64_t>(states_.size() - 1) * stride;
  const Drives step(poles_, rate_.step(), rate_.step());
  std::vector<std::pair<std::int64_t, Drives>> parts;  // of a step of the force, by their time
  Eigen::ArrayXcd value;
  Eigen::ArrayXd force, fall = added_fall(at);
  for (std::int64_t n = 0; n < count; ++n) {
    // Split into whole steps and a fraction, exactly: samples of both rates coincide every second.
    const std::int64_t product = (first + n) * rate_.hz;
    std::int64_t target = product / rate.hz, rest = product % rate.hz;
    if (rest < 0) --target, rest += rate.hz;
    if (target < begin_) continue;
    if (at >= last_kept && target > at + stride) {
      // No force acts any more: take one long step.
      const Drives leap(poles_, 1.0, rate_.seconds(target - at));
      state = leap.hold * state;
      if (added_) {
        const Eigen::ArrayXd far = added_->fall(rate_.seconds(at), rate_.seconds(target));
        for (Eigen::Index i = 0; i < state.size(); ++i)
          state[i] *= far[poles_[static_cast<std::size_t>(i)].mode];
      }
      at = target;
      now.setZero();
      next.setZero();
      fall.resize(0);
    }
    for (; at < target; ++at) {
      if (added_ && (at - begin_) % even_samples == 0) fall = added_fall(at);
      state = step.hold * state + step.first * now + step.second * next;
      if (fall.size() > 0) state *= fall;
      now.swap(next);
      modal_force(at + 2, next);
    }
    value = state;
    force = now;
    if (rest != 0) {
      auto found = std::ranges::find(parts, rest, &std::pair<std::int64_t, Drives>::first);
      if (found == parts.end()) {
        const double time = static_cast<double>(rest) / static_cast<double>(rate.hz);
        parts.emplace_back(rest, Drives(poles_, rate_.step(), time * rate_.step()));
        found = parts.end() - 1;
      }
      const double part = static_cast<double>(rest) / static_cast<double>(rate.hz);
      value = found->second.hold * state + found->second.first * now + found->second.second * next;
      force = now + part * (next - now);
      if (fall.size() > 0) value *= fall.pow(part);
    }
    for (Eigen::Index i = 0; i < value.size(); ++i) {
      const ModalPole& pole = poles_[static_cast<std::size_t>(i)];
      std::complex<double> z = value[i];
      for (int d = 0; d < derivative; ++d) z = pole.s * z + (d == 0 ? force[i] : 0.0);
      out(pole.mode, n) += static_cast<float>((pole.weight * z).real());
    }
  }
}

}  // namespace peal::vibration
