#include <peal/contact/modal_oscillators.h>
#include <peal/contact/oscillator_step.h>
#include <peal/util/lanes.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace peal::contact {

namespace {

using ModeLanes = util::Widest<double>;
constexpr std::size_t mode_lanes = util::widest_lanes<double>;

}  // namespace

ModalOscillators::ModalOscillators(std::span<const base::Mode> modes) : size_(modes.size()) {
  const std::size_t padded_size = (size_ + mode_lanes - 1) / mode_lanes * mode_lanes;
  for (auto* values : {&w_, &d_, &q_, &v_}) values->assign(padded_size, 0.0);
  for (std::size_t k = 0; k < size_; ++k) {
    w_[k] = 2.0 * std::numbers::pi * modes[k].frequency;
    d_[k] = modes[k].decay_rate;
  }
}

double ModalOscillators::energy() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < size_; ++k)
    sum += 0.5 * (v_[k] * v_[k] + w_[k] * w_[k] * q_[k] * q_[k]);
  return sum;
}

void ModalOscillators::ring(double time) {
  if (is_at_rest_ || time == 0.0) return;
  if (time < 0.0) return ring_back(-time);
  for (std::size_t k = 0; k < size_; ++k) {
    const double q = q_[k], v = v_[k];
    if (q == 0.0 && v == 0.0) continue;
    const OscillatorStep step(w_[k], d_[k], time);
    q_[k] = step.a11 * q + step.a12 * v;
    v_[k] = step.a21 * q + step.a22 * v;
  }
}

void ModalOscillators::ring_back(double time) {
  for (std::size_t k = 0; k < size_; ++k) {
    const double q = q_[k], v = v_[k], loss = d_[k] * time;
    if (q == 0.0 && v == 0.0) continue;
    // Backwards in time the damping is negative: without its growth the amplitude stays.
    const double keep = std::exp(-loss);
    if (d_[k] >= w_[k] || keep < 1e-6) {
      q_[k] = v_[k] = 0.0;
      continue;
    }
    const double wd = std::sqrt((w_[k] - d_[k]) * (w_[k] + d_[k]));
    const double c = std::cos(wd * time), s = std::sin(wd * time) / wd;
    q_[k] = c * q - s * (v + d_[k] * q);
    v_[k] = c * v + s * (w_[k] * w_[k] * q + d_[k] * v);
  }
}

const ModalOscillators::Step& ModalOscillators::step(double h) {
  const auto [found, is_new] = steps_.try_emplace(h);
  Step& step = found->second;
  if (!is_new) return step;
  step.h = h;
  for (auto* values : {&step.a11, &step.a12, &step.a21, &step.a22, &step.b1, &step.b2})
    values->assign(padded(), 0.0);
  for (std::size_t k = 0; k < size_; ++k) {
    const OscillatorStep one(w_[k], d_[k], h);
    step.a11[k] = one.a11, step.a12[k] = one.a12, step.a21[k] = one.a21, step.a22[k] = one.a22;
    step.b1[k] = one.b1, step.b2[k] = one.b2;
  }
  return step;
}

void ModalOscillators::serialize(util::Archive& archive) {
  archive.numbers(std::span(q_));
  archive.numbers(std::span(v_));
  archive.number(is_at_rest_);
}

ModalContact::ModalContact(ModalOscillators& modes, std::vector<double> gains, double h,
                           std::size_t timed)
    : modes_(modes),
      step_(modes.step(h)),
      forces_(modes.padded() == 0 ? 0 : gains.size() / modes.padded()),
      timed_(std::min(timed, forces_)),
      gains_(std::move(gains)),
      position_(forces_),
      velocity_(forces_),
      compliance_(forces_ * forces_),
      admittance_(forces_ * forces_) {
  for (std::size_t a = 0; a < forces_; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const auto ga = gains_of(a), gb = gains_of(b);
      double c = 0.0, y = 0.0;
      for (std::size_t k = 0; k < ga.size(); ++k) {
        const double product = ga[k] * gb[k];
        c += step_.b1[k] * product;
        y += step_.b2[k] * product;
      }
      compliance_[a * forces_ + b] = compliance_[b * forces_ + a] = c;
      admittance_[a * forces_ + b] = admittance_[b * forces_ + a] = y;
    }
  }
  modes_.is_at_rest_ = false;
  pass_any(nullptr);
}

std::span<const double> ModalContact::gains_of(std::size_t force) const {
  return std::span(gains_).subspan(force * modes_.padded(), modes_.padded());
}

double ModalContact::position(std::size_t force) const {
  const auto g = gains_of(force);
  double sum = 0.0;
  for (std::size_t k = 0; k < g.size(); ++k) sum += g[k] * modes_.q_[k];
  return sum;
}

double ModalContact::velocity(std::size_t force) const {
  const auto g = gains_of(force);
  double sum = 0.0;
  for (std::size_t k = 0; k < g.size(); ++k) sum += g[k] * modes_.v_[k];
  return sum;
}

double ModalContact::farthest(std::size_t force) const {
  const auto g = gains_of(force);
  double sum = 0.0;
  for (std::size_t k = 0; k < modes_.size(); ++k)
    sum += std::abs(g[k]) * std::sqrt(modes_.q_[k] * modes_.q_[k] +
                                      modes_.v_[k] * modes_.v_[k] / (modes_.w_[k] * modes_.w_[k]));
  return sum;
}

double ModalContact::fastest(std::size_t force) const {
  // |v| + w |q| instead of the amplitude: at most 1.4 times as much, without roots.
  const double* g = gains_.data() + force * modes_.padded();
  const auto size_of = [](const ModeLanes& x) { return x < ModeLanes{} ? -x : x; };
  ModeLanes sum{};
  for (std::size_t k = 0; k < modes_.padded(); k += mode_lanes) {
    const auto load = [k](const double* from) { return util::load<ModeLanes>(from + k); };
    sum += size_of(load(g)) * (size_of(load(modes_.v_.data())) +
                               load(modes_.w_.data()) * size_of(load(modes_.q_.data())));
  }
  return util::sum_of<double>(sum);
}

void ModalContact::leap(unsigned steps) {
  const ModalOscillators::Step& far = modes_.step(step_.h * steps);
  for (std::size_t k = 0; k < modes_.padded(); ++k) {
    const double q = modes_.q_[k], v = modes_.v_[k];
    modes_.q_[k] = far.a11[k] * q + far.a12[k] * v;
    modes_.v_[k] = far.a21[k] * q + far.a22[k] * v;
  }
  pass_any(nullptr);
}

void ModalContact::advance(std::span<const double> forces) {
  switch (forces_) {
    case 0:
      return;
    case 1:
      return pass<1>(forces.data());
    case 2:
      return pass<2>(forces.data());
    case 3:
      return pass<3>(forces.data());
    default:
      return pass_any(forces.data());
  }
}

template <std::size_t count>
void ModalContact::pass(const double* forces) {
  std::array<double, count> force;
  std::array<ModeLanes, count> position{}, velocity{};
  for (std::size_t j = 0; j < count; ++j) force[j] = forces[j];
  const std::size_t size = modes_.padded();
  double *q = modes_.q_.data(), *v = modes_.v_.data();
  const double *a11 = step_.a11.data(), *a12 = step_.a12.data(), *a21 = step_.a21.data(),
               *a22 = step_.a22.data(), *b1 = step_.b1.data(), *b2 = step_.b2.data(),
               *g = gains_.data();
  for (std::size_t k = 0; k < size; k += mode_lanes) {
    std::array<ModeLanes, count> gain;
    ModeLanes push{};
    for (std::size_t j = 0; j < count; ++j) {
      gain[j] = util::load<ModeLanes>(g + j * size + k);
      push += gain[j] * force[j];
    }
    const auto load = [k](const double* from) { return util::load<ModeLanes>(from + k); };
    const ModeLanes c11 = load(a11), c12 = load(a12), c21 = load(a21), c22 = load(a22);
    const ModeLanes q0 = load(q), v0 = load(v);
    const ModeLanes q1 = c11 * q0 + c12 * v0 + load(b1) * push;
    const ModeLanes v1 = c21 * q0 + c22 * v0 + load(b2) * push;
    util::store(q + k, q1);
    util::store(v + k, v1);
    const ModeLanes q2 = c11 * q1 + c12 * v1, v2 = c21 * q1 + c22 * v1;
    for (std::size_t j = 0; j < count; ++j) {
      position[j] += gain[j] * q2;
      velocity[j] += gain[j] * v2;
    }
  }
  for (std::size_t j = 0; j < count; ++j) {
    position_[j] = util::sum_of<double>(position[j]);
    velocity_[j] = util::sum_of<double>(velocity[j]);
  }
}

void ModalContact::pass_any(const double* forces) {
  const std::size_t size = modes_.padded();
  double *q = modes_.q_.data(), *v = modes_.v_.data();
  if (forces) {
    // Most contacts are open most of the time.
    pushed_.clear();
    for (std::size_t j = 0; j < forces_; ++j)
      if (forces[j] != 0.0) pushed_.push_back(j);
  }
  ahead_.resize(2 * size);
  for (std::size_t k = 0; k < size; k += mode_lanes) {
    const auto load = [k](const std::vector<double>& from) {
      return util::load<ModeLanes>(from.data() + k);
    };
    const ModeLanes c11 = load(step_.a11), c12 = load(step_.a12), c21 = load(step_.a21),
                    c22 = load(step_.a22);
    ModeLanes q1 = util::load<ModeLanes>(q + k), v1 = util::load<ModeLanes>(v + k);
    if (forces) {
      ModeLanes push{};
      for (const std::size_t j : pushed_)
        push += util::load<ModeLanes>(gains_.data() + j * size + k) * forces[j];
      const ModeLanes q0 = q1, v0 = v1;
      q1 = c11 * q0 + c12 * v0 + load(step_.b1) * push;
      v1 = c21 * q0 + c22 * v0 + load(step_.b2) * push;
      util::store(q + k, q1);
      util::store(v + k, v1);
    }
    util::store(ahead_.data() + k, c11 * q1 + c12 * v1);
    util::store(ahead_.data() + size + k, c21 * q1 + c22 * v1);
  }
  constexpr std::size_t together = 4;
  std::size_t j = 0;
  for (; j + together <= timed_; j += together) look_ahead<together, true>(j);
  for (; j < timed_; ++j) look_ahead<1, true>(j);
  for (; j + together <= forces_; j += together) look_ahead<together, false>(j);
  for (; j < forces_; ++j) look_ahead<1, false>(j);
}

/// Adds up what the modes move some of the points, one after another, in a step without forces.
template <std::size_t count, bool is_timed>
void ModalContact::look_ahead(std::size_t first) {
  const std::size_t size = modes_.padded();
  const double *q = ahead_.data(), *v = q + size, *g = gains_.data() + first * size;
  std::array<ModeLanes, count> position{}, velocity{};
  for (std::size_t k = 0; k < size; k += mode_lanes) {
    const ModeLanes q2 = util::load<ModeLanes>(q + k), v2 = util::load<ModeLanes>(v + k);
    for (std::size_t j = 0; j < count; ++j) {
      const ModeLanes gain = util::load<ModeLanes>(g + j * size + k);
      position[j] += gain * q2;
      if constexpr (is_timed) velocity[j] += gain * v2;
    }
  }
  for (std::size_t j = 0; j < count; ++j) {
    position_[first + j] = util::sum_of<double>(position[j]);
    if constexpr (is_timed) velocity_[first + j] = util::sum_of<double>(velocity[j]);
  }
}

}  // namespace peal::contact
