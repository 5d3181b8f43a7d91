#include <peal/play/pressure_bank.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::play {

namespace {

using Lanes = util::Widest<float>;
constexpr std::size_t lanes = util::widest_lanes<float>;
/// Vectors of modes that are stepped together, so that one hides the latency of the other.
constexpr std::size_t vectors = 2;
constexpr std::size_t group = vectors * lanes;

/// Coefficients are interpolated in pieces of this length while frequencies glide [samples].
constexpr std::int64_t glide_piece = 16;

/// Modes below this amplitude come to rest: 1e9 Pa per unit of the loudest modes makes 1e-11 Pa of
/// it. Without this, tails would end in denormal numbers, which browsers cannot flush to zero.
constexpr float quiet = 1e-20f;  // [m kg^1/2]

/// sin(theta) / theta, or sinh: of the square of theta.
double cardinal_sine(double square) {
  const double theta = std::sqrt(std::abs(square));
  if (theta < 1e-9) return 1.0;
  return (square >= 0.0 ? std::sin(theta) : std::sinh(theta)) / theta;
}

}  // namespace

void PressureBank::Ramp::assign(std::size_t count) {
  now.assign(count, 0.0f);
  step.assign(count, 0.0f);
  target.assign(count, 0.0f);
}

void PressureBank::Ramp::begin(std::int64_t samples) {
  left = std::max<std::int64_t>(samples, 0);
  if (left == 0) {
    now = target;
    std::ranges::fill(step, 0.0f);
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i)
    step[i] = (target[i] - now[i]) / static_cast<float>(left);
}

void PressureBank::Ramp::advance(std::int64_t samples) {
  if (left == 0) return;
  left -= samples;
  if (left <= 0) return begin(0);
  for (std::size_t i = 0; i < now.size(); ++i) now[i] += static_cast<float>(samples) * step[i];
}

PressureBank::PressureBank(std::span<const base::Mode> modes, std::size_t ringing, base::Rate rate)
    : rate_(rate), modes_(modes.begin(), modes.end()), sounds_(modes.size()), ringing_(ringing) {
  if (ringing > modes.size()) throw std::invalid_argument("more modes ring than there are");
  const std::size_t padded = (modes.size() + group - 1) / group * group;
  for (auto* values : {&q_, &v_, &unit_gain_}) values->assign(padded, 0.0f);
  correct_.assign(padded, 1.0f);
  for (auto* values : {&slope_q_, &slope_v_, &energies_, &radiated_share_, &radiation_})
    values->assign(padded, 0.0);
  kept_.assign(padded, 1.0);
  for (Ramp* ramp : {&r2_, &k_, &of_q_, &of_v_}) ramp->assign(padded);
  gains_.assign(modes.size(), 0.0f);
  sums_.assign(block_size * lanes, 0.0f);
  for (Ramp& contact : contacts_) contact.assign(padded);
  for (auto& gains : contact_gains_) gains.assign(modes.size(), 0.0f);
  awake_.assign(padded / group, 0);
  pushes_.assign(block_size * group, 0.0f);
  set_modes(modes, 0);
}

void PressureBank::set_modes(std::span<const base::Mode> modes, std::int64_t glide) {
  if (modes.size() != size()) throw std::invalid_argument("a bank keeps its number of modes");
  std::ranges::copy(modes, modes_.begin());
  for (std::size_t i = 0; i < size(); ++i) retune(i);
  r2_.begin(glide);
  k_.begin(glide);
  aim(glide);
}

void PressureBank::set_radiation(std::span<const double> decay_rates) {
  if (decay_rates.size() != ringing_)
    throw std::invalid_argument("radiation needs a decay rate for each mode that rings");
  std::ranges::copy(decay_rates, radiation_.begin());
  for (std::size_t i = 0; i < size(); ++i) retune(i);
}

/// See vibration::ModalBank for the recursion.
void PressureBank::retune(std::size_t i) {
  const double step = rate_.step();
  const double w = 2.0 * std::numbers::pi * modes_[i].frequency, d = modes_[i].decay_rate;
  const double square = (w * w - d * d) * step * step;
  sounds_[i] = square < std::numbers::pi * std::numbers::pi;
  if (!sounds_[i]) {
    r2_.target[i] = k_.target[i] = unit_gain_[i] = q_[i] = v_[i] = 0.0f;
    slope_q_[i] = slope_v_[i] = 0.0;
    return;
  }
  const double exact = std::exp(-2.0 * d * step);
  r2_.target[i] = static_cast<float>(exact);
  const double rounded = static_cast<double>(r2_.target[i]);
  correct_[i] =
      rounded > 0.0 ? static_cast<float>(std::pow(exact / rounded, 0.5 * block_size)) : 1.0f;
  const double r = std::sqrt(rounded),
               half = 0.25 * square * std::pow(cardinal_sine(0.25 * square), 2);
  k_.target[i] = static_cast<float>((1.0 - r) * (1.0 - r) + 4.0 * r * half);
  const double decay = std::exp(-d * step), swing = cardinal_sine(square);
  unit_gain_[i] = static_cast<float>(decay * swing * step * step);
  // q(-T) = exp(d T) [q cos(theta) - (q' + d q) sin(theta) / w_d] = q - v, solved for q'.
  slope_q_[i] = (((1.0 - decay) - 2.0 * half) / (swing * step) - d) / w;
  slope_v_[i] = decay / (swing * step) / w;
  kept_[i] = std::exp(-2.0 * d * rate_.seconds(block_size));
  radiated_share_[i] = d > 0.0 ? std::min(radiation_[i] / d, 1.0) : 0.0;
}

void PressureBank::set_gains(std::span<const std::complex<float>> gains, std::int64_t ramp) {
  if (gains.size() != size()) throw std::invalid_argument("every mode needs a gain");
  std::ranges::copy(gains, gains_.begin());
  aim(ramp);
}

void PressureBank::aim(std::int64_t ramp) {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::complex<double> gain = sounds_[i] ? gains_[i] : 0.0f;
    const double w = 2.0 * std::numbers::pi * modes_[i].frequency;
    // Of a free mode, q'' = -w^2 q - 2 d q'; q' / w is the sum of the slopes.
    const double of_q = rings(i) ? -w * w * gain.real() : gain.real();
    const double of_velocity =
        -w * w * gain.imag() - (rings(i) ? 2.0 * modes_[i].decay_rate * w * gain.real() : 0.0);
    of_q_.target[i] = static_cast<float>(of_q + of_velocity * slope_q_[i]);
    of_v_.target[i] = static_cast<float>(of_velocity * slope_v_[i]);
  }
  of_q_.begin(ramp);
  of_v_.begin(ramp);
  for (std::size_t c = 0; c < most_contacts; ++c) aim_force(c, ramp);
}

/// The part of q'' that is the force itself.
void PressureBank::aim_force(std::size_t contact, std::int64_t ramp) {
  double sum = 0.0;
  for (std::size_t i = 0; i < ringing_; ++i)
    if (sounds_[i]) sum += static_cast<double>(gains_[i].real() * contact_gains_[contact][i]);
  Line& to = of_force_[contact];
  to.target = static_cast<float>(sum);
  if (ramp <= 0) to.now = to.target;
  to.step = ramp > 0 ? (to.target - to.now) / static_cast<float>(ramp) : 0.0f;
}

void PressureBank::set_contact(std::size_t contact, std::span<const float> gains,
                               std::int64_t ramp) {
  if (gains.size() != size()) throw std::invalid_argument("a contact needs a gain for each mode");
  Ramp& to = contacts_[contact];
  for (std::size_t i = 0; i < size(); ++i) to.target[i] = unit_gain_[i] * gains[i];
  to.begin(ramp);
  std::ranges::copy(gains, contact_gains_[contact].begin());
  aim_force(contact, ramp);
}

void PressureBank::add(std::size_t i, const ModeState& state, double ahead) {
  if (!sounds_[i]) return;
  const Oscillator mode(modes_[i]);
  const double step = rate_.step();
  const double last = mode.after(state, -ahead * step).q;
  const double before = mode.after(state, -(ahead + 1.0) * step).q;
  q_[i] += static_cast<float>(last);
  v_[i] += static_cast<float>(last - before);
  awake_[i / group] = 1;
}

void PressureBank::process(std::int64_t count, std::span<const float* const, most_contacts> forces,
                           float* out) {
  std::array<const float*, most_contacts> force;
  std::ranges::copy(forces, force.begin());
  while (count > 0) {
    std::int64_t piece = std::min(count, block_size - done_);
    if (r2_.left > 0) piece = std::min({piece, glide_piece, r2_.left});
    if (of_q_.left > 0) piece = std::min(piece, of_q_.left);
    for (const Ramp& contact : contacts_)
      if (contact.left > 0) piece = std::min(piece, contact.left);
    run(piece, force, out);
    count -= piece;
    for (const float*& values : force)
      if (values != nullptr) values += piece;
    out += piece;
    done_ += piece;
    if (done_ == block_size) correct();
  }
}

void PressureBank::run(std::int64_t count, std::span<const float* const, most_contacts> forces,
                       float* out) {
  std::fill_n(sums_.begin(), static_cast<std::size_t>(count) * lanes, 0.0f);
  const bool moving = of_q_.left > 0;
  bool any = false;
  for (std::size_t first = 0; first < q_.size(); first += group) {
    const bool forced = force_group(first, count, forces);
    if (forced) awake_[first / group] = 1;
    if (!awake_[first / group]) continue;
    any = true;
    if (moving)
      run_group<true>(first, count, forced);
    else
      run_group<false>(first, count, forced);
  }
  add_forces(count, forces, out);
  for (Ramp* ramp : {&r2_, &k_, &of_q_, &of_v_}) ramp->advance(count);
  for (Ramp& contact : contacts_) contact.advance(count);
  if (!any) return;
  for (std::int64_t n = 0; n < count; ++n)
    out[n] += util::sum_of<float>(util::load<Lanes>(&sums_[static_cast<std::size_t>(n) * lanes]));
}

void PressureBank::add_forces(std::int64_t count,
                              std::span<const float* const, most_contacts> forces, float* out) {
  for (std::size_t c = 0; c < most_contacts; ++c) {
    Line& gain = of_force_[c];
    for (std::int64_t n = 0; n < count; ++n) {
      const bool arrives = std::abs(gain.target - gain.now) <= std::abs(gain.step);
      gain.now = arrives ? gain.target : gain.now + gain.step;
      if (forces[c] != nullptr) out[n] += gain.now * forces[c][n];
    }
  }
}

bool PressureBank::force_group(std::size_t first, std::int64_t count,
                               std::span<const float* const, most_contacts> forces) {
  bool any = false;
  for (std::size_t c = 0; c < most_contacts; ++c) {
    if (forces[c] == nullptr) continue;
    if (!any) std::fill_n(pushes_.begin(), static_cast<std::size_t>(count) * group, 0.0f);
    any = true;
    const Ramp& gain = contacts_[c];
    for (std::size_t i = 0; i < vectors; ++i) {
      const std::size_t at = first + i * lanes;
      Lanes now = util::load<Lanes>(&gain.now[at]);
      const Lanes step = util::load<Lanes>(&gain.step[at]);
      for (std::int64_t n = 0; n < count; ++n) {
        float* push = &pushes_[static_cast<std::size_t>(n) * group + i * lanes];
        util::store(push, util::load<Lanes>(push) + now * forces[c][n]);
        now += step;
      }
    }
  }
  return any;
}

template <bool moving>
void PressureBank::run_group(std::size_t first, std::int64_t count, bool forced) {
  for (std::size_t i = 0; i < vectors; ++i) {
    const std::size_t at = first + i * lanes;
    const auto from = [at](const std::vector<float>& values) {
      return util::load<Lanes>(&values[at]);
    };
    Lanes q = from(q_), v = from(v_);
    const Lanes r2 = from(r2_.now), k = from(k_.now);
    Lanes of_q = from(of_q_.now), of_v = from(of_v_.now);
    for (std::int64_t n = 0; n < count; ++n) {
      const std::size_t sample = static_cast<std::size_t>(n);
      v = r2 * v - k * q;
      if (forced) v += util::load<Lanes>(&pushes_[sample * group + i * lanes]);
      q += v;
      if constexpr (moving) {
        of_q += from(of_q_.step);
        of_v += from(of_v_.step);
      }
      float* sum = &sums_[sample * lanes];
      util::store(sum, util::load<Lanes>(sum) + of_q * q + of_v * v);
    }
    util::store(&q_[at], q);
    util::store(&v_[at], v);
  }
}

void PressureBank::correct() {
  done_ = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i] *= correct_[i];
    v_[i] *= correct_[i];
  }
  keep_account();
  rest_quiet_modes();
}

/// What a mode has more than its decay left it was given by forces. While a strike is in contact,
/// its steady part is not in the states; when it ends, the sums are right.
void PressureBank::keep_account() {
  account_.in_modes = 0.0;
  for (std::size_t i = 0; i < ringing_; ++i) {
    if (!awake_[i / group] && energies_[i] == 0.0) continue;
    const double w = 2.0 * std::numbers::pi * modes_[i].frequency;
    const double energy = 0.5 * std::pow(w * amplitude(i), 2);
    const double lost = energies_[i] * (1.0 - kept_[i]);
    account_.given += energy - (energies_[i] - lost);
    account_.radiated += lost * radiated_share_[i];
    account_.dissipated += lost * (1.0 - radiated_share_[i]);
    account_.in_modes += energy;
    energies_[i] = energy;
  }
}

void PressureBank::rest_quiet_modes() {
  for (std::size_t g = 0; g < awake_.size(); ++g) {
    if (!awake_[g]) continue;
    bool awake = false;
    for (std::size_t i = g * group; i < (g + 1) * group; ++i) {
      if (std::abs(q_[i]) < quiet && std::abs(v_[i]) < quiet)
        q_[i] = v_[i] = 0.0f;
      else
        awake = true;
    }
    awake_[g] = awake;
  }
}

double PressureBank::amplitude(std::size_t mode) const {
  const double q = static_cast<double>(q_[mode]);
  return std::hypot(q, slope_q_[mode] * q + slope_v_[mode] * static_cast<double>(v_[mode]));
}

bool PressureBank::is_at_rest() const {
  return std::ranges::none_of(awake_, [](char awake) { return awake != 0; });
}

void PressureBank::silence() {
  std::ranges::fill(q_, 0.0f);
  std::ranges::fill(v_, 0.0f);
  std::ranges::fill(awake_, char{0});
  std::ranges::fill(energies_, 0.0);
  account_ = {};
}

}  // namespace peal::play
