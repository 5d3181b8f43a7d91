#include <peal/util/denormals.h>
#include <peal/vibration/modal_response.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::vibration {

namespace {

using Complex = std::complex<double>;
using Quantity = ModalResponse::Quantity;
using std::numbers::pi;

int derivative_of(Quantity what) {
  return what == Quantity::displacement ? 0 : what == Quantity::velocity ? 1 : 2;
}

/// The pulse sin(Omega t) and its coefficient in the driven solution.
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
                             std::vector<ModalSustainedForce> lasting)
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
  driven_ = DrivenModes(parts_, std::move(lasting));
  ringing_.resize(static_cast<Eigen::Index>(parts_.size()),
                  static_cast<Eigen::Index>(forces_.size()));
  for (std::size_t f = 0; f < forces_.size(); ++f) {
    const ModalForce& force = forces_[f];
    const double since =
        f == 0 ? 0.0 : force.pulse.end() - forces_[f - 1].pulse.end();  // the one before
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      const PulseTerms terms(force.pulse, part.s);
      const double gain = force.gains[static_cast<std::size_t>(part.mode)];
      Complex left = gain * terms.amplitude * terms.left(part.s);
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(f);
      if (f > 0) left += ringing_(row, column - 1) * std::exp(part.s * since);
      ringing_(row, column) = left;
    }
  }
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
  }
  driven_.hash(end, fingerprint);
}

void ModalResponse::add_block(base::Rate rate, std::int64_t first, Quantity what,
                              Eigen::Ref<Eigen::MatrixXf> out) const {
  const double begin = rate.seconds(first), end = rate.seconds(first + block);
  add_ringing(rate, first, what, out);
  driven_.add(rate, first, derivative_of(what), out);
  for (const ModalForce& force : forces_) {
    if (force.pulse.end() > begin && force.pulse.start < end) {
      add_contact(force, rate, first, what, out);
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
  for (Eigen::Index i = 0; i < count; ++i) {
    const Part& part = parts_[static_cast<std::size_t>(i)];
    const Complex now = part.weight * std::pow(part.s, derivative_of(what)) * ringing_(i, last) *
                        std::exp(part.s * since);
    const Complex step = std::exp(part.s * rate.step());
    re[i] = now.real();
    im[i] = now.imag();
    step_re[i] = step.real();
    step_im[i] = step.imag();
    simple = simple && part.mode == i;
  }
  Eigen::ArrayXd next(count);
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
  }
}

void ModalResponse::add_contact(const ModalForce& force, base::Rate rate, std::int64_t first,
                                Quantity what, Eigen::Ref<Eigen::MatrixXf> out) const {
  const ForcePulse& pulse = force.pulse;
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
      for (int i = 0; i < derivative_of(what); ++i) {
        value = s * value + (i == 0 ? sine : terms.omega * cosine);
      }
      out(part.mode, n) += static_cast<float>((scale * value).real());
    }
  }
}

}  // namespace peal::vibration
