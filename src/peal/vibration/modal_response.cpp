#include <peal/util/denormals.h>
#include <peal/vibration/modal_response.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace peal::vibration {

namespace {

using Complex = std::complex<double>;
using Quantity = ModalResponse::Quantity;
using std::numbers::pi;

int derivative_of(Quantity what) {
  return what == Quantity::displacement ? 0 : what == Quantity::velocity ? 1 : 2;
}

/// ConstantDrive of all parts.
struct ConstantDrives {
  Eigen::ArrayXcd hold, gain;

  ConstantDrives(const std::vector<ModalPole>& poles, double time)
      : hold(static_cast<Eigen::Index>(poles.size())), gain(hold.size()) {
    for (Eigen::Index i = 0; i < hold.size(); ++i) {
      const base::ConstantDrive one(poles[static_cast<std::size_t>(i)].s, time);
      hold[i] = one.hold;
      gain[i] = one.gain;
    }
  }
};

/// Samples over which what contacts add to the decay of modes is taken as even.
constexpr std::int64_t even_samples = 4;

/// The integral of what is added to the decay at each sample, a row a mode; nothing if that is
/// constant in the block.
Eigen::ArrayXXd added_integral(const AddedDecay* added, base::Rate rate, std::int64_t first,
                               Eigen::Index modes, Eigen::Index samples) {
  if (added == nullptr || !added->acts(rate.seconds(first), rate.seconds(first + samples)))
    return {};
  Eigen::ArrayXXd integral(modes, samples);
  for (Eigen::Index n = 0; n < samples; ++n)
    integral.col(n) = added->integral(rate.seconds(first + n));
  return integral;
}

/// sin(Omega t) and its place in the driven solution.
struct PulseTerms {
  double omega;      ///< Omega = pi / T [1/s]
  double amplitude;  ///< impulse pi / (2 T) [N]
  double contact;    ///< T [s]
  Complex factor;    ///< 1 / (s^2 + Omega^2)

  PulseTerms(const ForcePulse& pulse, Complex s)
      : omega(pi / pulse.contact_time), amplitude(0.5 * pulse.impulse * omega) {
    Complex divisor = s * s + omega * omega;
    // An undamped mode at exact resonance is a limit; a slightly shorter pulse approximates it.
    if (std::abs(divisor) < 1e-7 * omega * omega) {
      omega *= 1.0 + 1e-7;
      divisor = s * s + omega * omega;
    }
    contact = pi / omega;
    factor = 1.0 / divisor;
  }

  /// The coefficient of exp(s t) after the contact, with t = 0 at its end.
  Complex left(Complex s) const { return omega * factor * (std::exp(s * contact) + 1.0); }
};

}  // namespace

double pulse_response(const ForcePulse& pulse, double frequency) {
  const double x = 2.0 * frequency * pulse.contact_time;
  if (std::abs(x - 1.0) < 1e-6) return 0.25 * pi;
  return std::abs(std::cos(0.5 * pi * x) / (1.0 - x * x));
}

ModalResponse::ModalResponse(std::vector<base::Mode> modes, std::vector<ModalForce> forces,
                             std::vector<ModalSustainedForce> lasting, std::vector<ModalRest> rests)
    : modes_(std::move(modes)), forces_(std::move(forces)) {
  std::ranges::stable_sort(forces_, {}, [](const ModalForce& one) { return one.pulse.end(); });
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const double w = 2.0 * pi * modes_[i].frequency, d = modes_[i].decay_rate;
    const auto mode = static_cast<Eigen::Index>(i);
    if (d < w) {
      const double turning = std::sqrt((w - d) * (w + d));
      parts_.push_back({mode, {-d, turning}, {0.0, -1.0 / turning}});
    } else {
      // Critical damping is the limit of two coincident poles.
      const double apart = std::max(std::sqrt((d - w) * (d + w)), 1e-6 * d);
      parts_.push_back({mode, {-d + apart, 0.0}, {0.5 / apart, 0.0}});
      parts_.push_back({mode, {-d - apart, 0.0}, {-0.5 / apart, 0.0}});
    }
  }
  added_ = find_added_decay(std::move(rests));
  driven_ = DrivenModes(parts_, std::move(lasting), added_);
  ringing_.resize(static_cast<Eigen::Index>(parts_.size()),
                  static_cast<Eigen::Index>(forces_.size()));
  for (std::size_t f = 0; f < forces_.size(); ++f) {
    const ModalForce& force = forces_[f];
    const double since =
        f == 0 ? 0.0 : force.pulse.end() - forces_[f - 1].pulse.end();  // the one before
    const auto column = static_cast<Eigen::Index>(f);
    ringing_.col(column) = left_by(force);
    if (f == 0) continue;
    Eigen::ArrayXd fall = Eigen::ArrayXd::Ones(static_cast<Eigen::Index>(modes_.size()));
    if (added_) fall = added_->fall(force.pulse.end() - since, force.pulse.end());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      ringing_(row, column) +=
          ringing_(row, column - 1) * (fall[parts_[i].mode] * std::exp(parts_[i].s * since));
    }
  }
}

/// Follows the modes through the contacts that last, whose drag depends on how fast they move.
std::shared_ptr<const AddedDecay> ModalResponse::find_added_decay(
    std::vector<ModalRest> rests) const {
  constexpr double longest = 0.001, shortest = 1e-4;  ///< of a piece while the drag changes [s]
  std::erase_if(rests, [](const ModalRest& rest) { return !(rest.end > rest.begin); });
  if (rests.empty()) return nullptr;
  std::vector<double> edges;
  for (const ModalRest& rest : rests) edges.push_back(rest.begin), edges.push_back(rest.end);
  std::ranges::sort(edges);
  std::ranges::stable_sort(rests, {}, &ModalRest::begin);

  const auto count = static_cast<Eigen::Index>(modes_.size());
  auto added = std::make_shared<AddedDecay>(count);
  Eigen::ArrayXcd state = Eigen::ArrayXcd::Zero(static_cast<Eigen::Index>(parts_.size()));
  std::size_t force = 0;
  // Rings to `to`, where forces that have ended join in.
  const auto ring = [&](double from, double to, const Eigen::ArrayXd& fall) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      state[static_cast<Eigen::Index>(i)] *=
          fall[parts_[i].mode] * std::exp(parts_[i].s * (to - from));
    for (; force < forces_.size() && forces_[force].pulse.end() <= to; ++force) {
      const double since = to - forces_[force].pulse.end();
      const Eigen::ArrayXcd left = left_by(forces_[force]);
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        state[row] += left[row] * std::exp(parts_[i].s * since);
      }
    }
  };
  const Eigen::ArrayXd nothing = Eigen::ArrayXd::Ones(count);
  double t = edges.front();
  ring(forces_.empty() ? t : std::min(t, forces_.front().pulse.start), t, nothing);
  std::vector<const ModalRest*> active;
  std::size_t begun = 0;
  for (std::size_t edge = 0; edge + 1 < edges.size(); ++edge) {
    std::erase_if(active, [&](const ModalRest* rest) { return rest->end <= t; });
    for (; begun < rests.size() && rests[begun].begin <= t; ++begun)
      if (rests[begun].end > t) active.push_back(&rests[begun]);
    const double end = edges[edge + 1];
    while (t < end) {
      Eigen::ArrayXd amplitudes = Eigen::ArrayXd::Zero(count);
      for (std::size_t i = 0; i < parts_.size(); ++i)
        amplitudes[parts_[i].mode] += std::abs(state[static_cast<Eigen::Index>(i)]);
      const RestingRates found = resting_rates(active, amplitudes);
      double next = end;
      if (force < forces_.size()) next = std::min(next, std::max(forces_[force].pulse.end(), t));
      if (next == t) next = std::min(end, t + shortest);
      if (!found.is_linear) {
        const double fastest = found.rates.size() > 0 ? found.rates.maxCoeff() : 0.0;
        next = std::min(next, t + std::clamp(0.2 / std::max(fastest, 1.0), shortest, longest));
      }
      if (!active.empty()) added->add(t, next, found.rates);
      ring(t, next, active.empty() ? nothing : Eigen::ArrayXd((-(next - t) * found.rates).exp()));
      t = next;
    }
  }
  return added->empty() ? nullptr : added;
}

/// What a force alone has made of each part at its end.
Eigen::ArrayXcd ModalResponse::left_by(const ModalForce& force) const {
  Eigen::ArrayXcd left = Eigen::ArrayXcd::Zero(static_cast<Eigen::Index>(parts_.size()));
  if (force.history) {
    const ConstantDrives step(parts_, force.history->step);
    for (std::size_t n = 0; n < force.history->samples.size(); ++n)
      left = step.hold * left + step.gain * drive(force, n);
    return left;
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const PulseTerms terms(force.pulse, part.s);
    const double gain = force.gains[static_cast<std::size_t>(part.mode)];
    Complex& one = left[static_cast<Eigen::Index>(i)];
    one = gain * terms.amplitude * terms.left(part.s);
    // The force's rate of change is minus a pulse; what that does to q is true of q'.
    if (force.is_release) one /= -part.s;
  }
  return left;
}

Eigen::ArrayXd ModalResponse::drive(const ModalForce& force, std::size_t step) const {
  const Eigen::VectorXd by_mode =
      force.shapes.cast<double>().transpose() * force.history->samples[step].cast<double>();
  if (by_mode.size() == static_cast<Eigen::Index>(parts_.size())) return by_mode;
  Eigen::ArrayXd by_part(static_cast<Eigen::Index>(parts_.size()));
  for (Eigen::Index i = 0; i < by_part.size(); ++i)
    by_part[i] = by_mode[parts_[static_cast<std::size_t>(i)].mode];
  return by_part;
}

double ModalResponse::first_contact() const {
  double first = driven_.first_contact();
  for (const ModalForce& force : forces_) first = std::min(first, force.pulse.start);
  return first;
}

double ModalResponse::last_contact() const {
  double last = driven_.last_contact();
  for (const ModalForce& force : forces_) last = std::max(last, force.pulse.end());
  return last;
}

Eigen::MatrixXf ModalResponse::evaluate(base::Rate rate, base::SampleRange range,
                                        Quantity what) const {
  const util::FlushDenormals guard;
  const auto rows = static_cast<Eigen::Index>(modes_.size());
  Eigen::MatrixXf result = Eigen::MatrixXf::Zero(rows, range.size());
  const auto floor_to_block = [](std::int64_t n) {
    return (n >= 0 ? n / block : -((-n + block - 1) / block)) * block;
  };
  Eigen::MatrixXf whole(rows, block);
  for (std::int64_t first = floor_to_block(range.begin); first < range.end; first += block) {
    const std::int64_t begin = std::max(first, range.begin);
    const std::int64_t end = std::min(first + block, range.end);
    whole.setZero();
    add_block(rate, first, what, whole);
    result.middleCols(begin - range.begin, end - begin) =
        whole.middleCols(begin - first, end - begin);
  }
  return result;
}

void ModalResponse::hash(double end, util::Fingerprint& fingerprint) const {
  fingerprint.add(modes_.size());
  for (const base::Mode& mode : modes_)
    fingerprint.add(mode.frequency), fingerprint.add(mode.decay_rate);
  for (const ModalForce& force : forces_) {
    if (force.pulse.start >= end) continue;
    for (double x : {force.pulse.start, force.pulse.contact_time, force.pulse.impulse})
      fingerprint.add(x);
    fingerprint.add(std::span<const double>(force.gains));
    if (force.is_release) fingerprint.add(std::uint64_t{1});
    if (force.history) {
      force.history->hash(fingerprint);
      fingerprint.add(std::span<const float>(force.shapes.data(),
                                             static_cast<std::size_t>(force.shapes.size())));
    }
  }
  if (added_) added_->hash(end, fingerprint);
  driven_.hash(end, fingerprint);
}

void ModalResponse::add_block(base::Rate rate, std::int64_t first, Quantity what,
                              Eigen::Ref<Eigen::MatrixXf> out) const {
  const double begin = rate.seconds(first), end = rate.seconds(first + block);
  add_ringing(rate, first, what, out);
  driven_.add(rate, first, derivative_of(what), out);
  std::optional<Eigen::ArrayXXd> added;
  for (const ModalForce& force : forces_) {
    if (force.pulse.end() > begin && force.pulse.start < end) {
      if (!added) added = added_integral(added_.get(), rate, first, out.rows(), out.cols());
      add_contact(force, rate, first, what, *added, out);
    }
  }
}

void ModalResponse::add_ringing(base::Rate rate, std::int64_t first, Quantity what,
                                Eigen::Ref<Eigen::MatrixXf> out) const {
  const double begin = rate.seconds(first);
  const auto ended = std::ranges::partition_point(
      forces_, [&](const ModalForce& force) { return force.pulse.end() <= begin; });
  if (ended == forces_.begin()) return;
  const auto last = static_cast<Eigen::Index>(ended - forces_.begin()) - 1;
  const double since = begin - forces_[static_cast<std::size_t>(last)].pulse.end();

  const auto count = static_cast<Eigen::Index>(parts_.size());
  Eigen::ArrayXd re(count), im(count), step_re(count), step_im(count);
  bool simple = true;  // one part a mode
  const double block_end = rate.seconds(first + out.cols());
  const bool is_damped = added_ && added_->acts(begin, block_end);
  Eigen::ArrayXd fallen = Eigen::ArrayXd::Ones(out.rows());
  if (added_) fallen = added_->fall(begin - since, begin);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Part& part = parts_[static_cast<std::size_t>(i)];
    const Complex now = part.weight * std::pow(part.s, derivative_of(what)) * ringing_(i, last) *
                        (fallen[part.mode] * std::exp(part.s * since));
    const Complex step = std::exp(part.s * rate.step());
    re[i] = now.real();
    im[i] = now.imag();
    step_re[i] = step.real();
    step_im[i] = step.imag();
    simple = simple && part.mode == i;
  }
  Eigen::ArrayXd next(count), even(count);
  for (Eigen::Index n = 0; n < out.cols(); ++n) {
    if (simple) {
      out.col(n).array() += re.cast<float>();
    } else {
      for (Eigen::Index i = 0; i < count; ++i) {
        out(parts_[static_cast<std::size_t>(i)].mode, n) += static_cast<float>(re[i]);
      }
    }
    next = re * step_re - im * step_im;
    im = re * step_im + im * step_re;
    re.swap(next);
    if (!is_damped) continue;
    if (n % even_samples == 0) {
      const double from = rate.seconds(first + n), to = rate.seconds(first + n + even_samples);
      const Eigen::ArrayXd added = added_->integral(to) - added_->integral(from);
      for (Eigen::Index i = 0; i < count; ++i)
        even[i] = std::exp(-added[parts_[static_cast<std::size_t>(i)].mode] /
                           static_cast<double>(even_samples));
    }
    re *= even;
    im *= even;
  }
}

void ModalResponse::add_contact(const ModalForce& force, base::Rate rate, std::int64_t first,
                                Quantity what, const Eigen::ArrayXXd& added,
                                Eigen::Ref<Eigen::MatrixXf> out) const {
  if (force.history) return add_history(force, rate, first, what, added, out);
  const ForcePulse& pulse = force.pulse;
  const bool is_damped = added.size() > 0;
  Eigen::ArrayXd before;  // what was added until the contact ended
  if (is_damped) before = added_->integral(pulse.end());
  for (const Part& part : parts_) {
    const double gain = force.gains[static_cast<std::size_t>(part.mode)];
    if (gain == 0.0) continue;
    const PulseTerms terms(pulse, part.s);
    const Complex scale = part.weight * gain * terms.amplitude;
    const Complex s = part.s, left = terms.left(s);
    const Complex step = std::exp(s * rate.step());
    Complex turn = std::exp(s * (rate.seconds(first) - pulse.start));
    bool started = rate.seconds(first) >= pulse.start;
    for (Eigen::Index n = 0; n < out.cols(); ++n, turn *= step) {
      const double t = rate.seconds(first + n) - pulse.start;
      if (t < 0.0) continue;
      if (!started) turn = std::exp(s * t), started = true;
      // The integral of sin(Omega u) exp(s (t - u)), and its derivatives by t.
      const bool touching = t < terms.contact;
      const double sine = touching ? std::sin(terms.omega * t) : 0.0;
      const double cosine = touching ? std::cos(terms.omega * t) : 0.0;
      Complex value = touching
                          ? terms.factor * (terms.omega * turn - s * sine - terms.omega * cosine)
                          : left * std::exp(s * (t - terms.contact));
      const Complex velocity = s * value + sine;
      const Complex acceleration = s * velocity + terms.omega * cosine;
      if (force.is_release) {
        // The pulse makes these of q'; q itself follows from q'' + 2 d q' + w^2 q = 0.
        const base::Mode& mode = modes_[static_cast<std::size_t>(part.mode)];
        const double w = 2.0 * pi * mode.frequency;
        const Complex displacement = -(velocity + 2.0 * mode.decay_rate * value) / (w * w);
        value = -(what == Quantity::displacement ? displacement
                  : what == Quantity::velocity   ? value
                                                 : velocity);
      } else if (what != Quantity::displacement) {
        value = what == Quantity::velocity ? velocity : acceleration;
      }
      const double fall =
          is_damped && !touching ? std::exp(before[part.mode] - added(part.mode, n)) : 1.0;
      out(part.mode, n) += static_cast<float>(fall * (scale * value).real());
    }
  }
}

void ModalResponse::add_history(const ModalForce& force, base::Rate rate, std::int64_t first,
                                Quantity what, const Eigen::ArrayXXd& added,
                                Eigen::Ref<Eigen::MatrixXf> out) const {
  const base::ForceHistory& history = *force.history;
  const ConstantDrives step(parts_, history.step);
  Eigen::ArrayXcd state = Eigen::ArrayXcd::Zero(static_cast<Eigen::Index>(parts_.size()));
  const std::size_t steps = history.samples.size();
  std::size_t at = 0;  // steps that are over
  Eigen::ArrayXd push = Eigen::ArrayXd::Zero(state.size());
  std::size_t pushed = steps;  // the step that `push` is of
  double last_rest = 0.0;
  ConstantDrives over(parts_, 0.0);  // from the last whole step on
  Eigen::ArrayXd before;             // what was added to the decay until it ended
  if (added.size() > 0) before = added_->integral(history.end());
  const auto fall = [&](Eigen::Index mode, Eigen::Index n) {
    return added.size() > 0 ? std::exp(std::min(before[mode] - added(mode, n), 0.0)) : 1.0;
  };
  for (Eigen::Index n = 0; n < out.cols(); ++n) {
    const double t = rate.seconds(first + n) - history.start;
    if (t < 0.0) continue;
    for (; at < steps && history.step * static_cast<double>(at + 1) <= t; ++at)
      state = step.hold * state + step.gain * drive(force, at);
    if (at < steps && pushed != at) push = drive(force, pushed = at);
    if (at == steps) push.setZero();
    // Rates that are multiples of each other meet all steps alike.
    const double rest = t - history.step * static_cast<double>(at);
    if (std::abs(rest - last_rest) > 1e-9 * history.step) {
      over = ConstantDrives(parts_, rest);
      last_rest = rest;
    }
    for (Eigen::Index i = 0; i < state.size(); ++i) {
      const Part& part = parts_[static_cast<std::size_t>(i)];
      Complex value = over.hold[i] * state[i] + over.gain[i] * push[i];
      for (int k = 0; k < derivative_of(what); ++k)
        value = part.s * value + (k == 0 ? push[i] : 0.0);
      out(part.mode, n) += static_cast<float>(fall(part.mode, n) * (part.weight * value).real());
    }
    if (at < steps) continue;
    // It has ended: the following samples are a step of their own apart.
    const ConstantDrives sample(parts_, rate.step());
    state *= over.hold;
    for (++n; n < out.cols(); ++n) {
      state *= sample.hold;
      for (Eigen::Index i = 0; i < state.size(); ++i) {
        const Part& part = parts_[static_cast<std::size_t>(i)];
        Complex value = part.weight * state[i];
        for (int k = 0; k < derivative_of(what); ++k) value *= part.s;
        out(part.mode, n) += static_cast<float>(fall(part.mode, n) * value.real());
      }
    }
  }
}

}  // namespace peal::vibration
