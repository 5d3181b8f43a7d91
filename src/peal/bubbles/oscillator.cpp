#include <peal/base/existence.h>
#include <peal/bubbles/forced_response.h>
#include <peal/bubbles/oscillator.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

namespace peal::bubbles {

namespace {

using base::BubbleEnergy;
using base::BubbleSound;
using base::Rate;
using Complex = std::complex<double>;

constexpr std::int64_t segment_length = 16;  ///< samples between exact coefficients

/// Whether a bubble is silent is looked at as often [samples].
constexpr std::int64_t longest_rotation = 2048;

/// Bubbles that began longer before the first sample are silent [s].
constexpr double longest_ringing = 10.0;

std::int64_t first_sample_from(double t, Rate rate) {
  return static_cast<std::int64_t>(std::ceil(rate.samples(t)));
}

/// A forcing whose free motion begins at a sample.
struct Injection {
  std::int64_t at;  ///< first sample after its end
  VolumeState state;
};

/// One chain, played from its first sample on.
class ChainPlayer {
 public:
  ChainPlayer(const Chain& chain, const StepResidual& residual, const OscillatorSettings& settings)
      : chain_(chain), residual_(residual), settings_(settings), rate_(settings.rate) {}

  PlayedChain play() {
    const double earliest = rate_.seconds(settings_.range.begin) - longest_ringing;
    const double begin = std::max(chain_.begin_time(), earliest);
    result_.sound.bubble = chain_.bubble;
    result_.sound.path = path_of(chain_);
    result_.sound.start = first_sample_from(begin, rate_) - StepResidual::half;
    next_ = result_.sound.start;
    forced_until_ = next_;
    for (const Forcing& forcing : chain_.forcings) {
      if (forcing.begin < begin) continue;
      injections_.push_back(injection_of(forcing));
      forced_until_ = std::max(forced_until_, injections_.back().at + StepResidual::half);
    }
    run();
    for (const Forcing& forcing : chain_.forcings)
      if (forcing.begin >= begin) add_forced(forcing);
    finish();
    return std::move(result_);
  }

 private:
  Injection injection_of(const Forcing& forcing) {
    const OscillatorKey key = chain_.at(forcing.begin + 0.5 * forcing.duration);
    const double end = forcing.begin + forcing.duration;
    const std::int64_t at = first_sample_from(end, rate_);
    const VolumeState state = ForcedResponse(forcing, key.omega, key.beta).at(forcing.duration);
    const FreeMotion free(key.omega, key.beta, rate_.seconds(at) - end);
    peak_ = std::max(peak_, std::abs(state.acceleration));
    return {at, free(state)};
  }

  /// The sample at which playing ends even if it rings: that of the range, or of the fade.
  std::int64_t last_sample() const {
    std::int64_t last = settings_.range.end + StepResidual::half;
    if (chain_.fade_begin)
      last = std::min(last, first_sample_from(*chain_.fade_begin + chain_.fade_duration, rate_));
    return std::max(last, next_);
  }

  bool is_silent() const {
    const OscillatorKey key = chain_.at(rate_.seconds(next_));
    return key.omega * std::hypot(state_.velocity, key.omega * state_.volume) <= silence * peak_;
  }

  /// Free motion, with what forcings leave behind.
  void run() {
    std::ranges::sort(injections_, {}, &Injection::at);
    const std::int64_t last = last_sample();
    std::size_t pending = 0;
    while (next_ < last) {
      for (; pending < injections_.size() && injections_[pending].at <= next_; ++pending) {
        state_.volume += injections_[pending].state.volume;
        state_.velocity += injections_[pending].state.velocity;
      }
      const bool is_last = pending == injections_.size();
      if (is_silent()) {
        result_.energy.remaining += energy_now();
        state_ = {};
        if (is_last) return;
        advance_silently(std::min(last, injections_[pending].at));
        continue;
      }
      const std::int64_t end = is_last ? last : std::min(last, injections_[pending].at);
      if (is_last && next_ >= forced_until_ && rings_to_its_end()) return ring(last);
      advance(is_last && next_ < forced_until_ ? std::min(end, forced_until_) : end);
    }
    result_.energy.remaining += energy_now();
  }

  /// Whether frequency and damping stay as they are, and nothing fades.
  bool rings_to_its_end() const {
    return !chain_.fade_begin && std::isinf(constant_end(rate_.seconds(next_)));
  }

  /// The rest in closed form, until it is silent or the last sample is reached.
  void ring(std::int64_t last) {
    const OscillatorKey key = chain_.at(rate_.seconds(next_));
    base::FreeRinging& ringing = result_.sound.ringing;
    const Phasor phasor = phasor_of(key);
    ringing.velocity = phasor.velocity;
    ringing.rate = phasor.rate;
    ringing.step = std::exp(phasor.rate * rate_.step());
    const double over = key.omega * std::abs(ringing.velocity) / (silence * peak_);
    const double audible = std::log(std::max(over, 1.0)) / (key.beta * rate_.step());
    ringing.samples =
        static_cast<std::int64_t>(std::min(std::ceil(audible), static_cast<double>(last - next_)));
    const std::int64_t end = next_ + ringing.samples;
    state_ = FreeMotion(key.omega, key.beta, rate_.seconds(end) - rate_.seconds(next_))(state_);
    next_ = end;
    result_.energy.remaining += energy_now();
  }

  /// V' = Re w, V'' = Re(lambda w) with w = lambda A e^(lambda t).
  struct Phasor {
    Complex velocity, rate;
  };
  Phasor phasor_of(const OscillatorKey& key) const {
    const double ringing = std::sqrt(key.omega * key.omega - key.beta * key.beta);
    const Complex lambda(-key.beta, ringing);
    const Complex start(state_.volume, -(state_.velocity + key.beta * state_.volume) / ringing);
    return {lambda * start, lambda};
  }

  double energy_now() const {
    const OscillatorKey key = chain_.at(rate_.seconds(next_));
    const double scaled = key.omega * state_.volume;
    return 0.5 * effective_mass(key, settings_.liquid) *
           (state_.velocity * state_.velocity + scaled * scaled);
  }

  void advance_silently(std::int64_t end) {
    const auto size = static_cast<std::size_t>(end - result_.sound.start);
    result_.sound.volume_acceleration.resize(size, 0.0f);
    result_.sound.volume_velocity.resize(size, 0.0f);
    next_ = end;
  }

  /// Plays at most to `end`: to the end of a stretch of constant coefficients, or one segment.
  void advance(std::int64_t end) {
    const OscillatorKey now = chain_.at(rate_.seconds(next_));
    const double constant_until = constant_end(rate_.seconds(next_));
    const std::int64_t constant =
        constant_until > rate_.seconds(end) ? end : first_sample_from(constant_until, rate_) - 1;
    if (constant >= next_ + segment_length) {
      // Whether it is silent is looked at now and then.
      rotate(now, std::min({end, constant, next_ + longest_rotation}));
    } else {
      step(now, std::min({end, next_ + segment_length, next_kink()}));
    }
  }

  /// The time up to which frequency and damping are those at t.
  double constant_end(double t) const {
    const auto& keys = chain_.keys;
    auto next = std::ranges::upper_bound(keys, t, {}, &OscillatorKey::time);
    const OscillatorKey& here = next == keys.begin() ? keys.front() : *(next - 1);
    while (next != keys.end() && next->omega == here.omega && next->beta == here.beta) ++next;
    if (next == keys.end()) return std::numeric_limits<double>::infinity();
    return next == keys.begin() ? next->time : std::max((next - 1)->time, t);
  }

  /// The first sample after the next key.
  std::int64_t next_kink() const {
    const double now = rate_.seconds(next_);
    const auto key = std::ranges::upper_bound(chain_.keys, now, {}, &OscillatorKey::time);
    if (key == chain_.keys.end()) return std::numeric_limits<std::int64_t>::max();
    return std::max(next_ + 1, first_sample_from(key->time, rate_));
  }

  void rotate(const OscillatorKey& key, std::int64_t end) {
    const Phasor phasor = phasor_of(key);
    const base::FreeRinging ringing{.velocity = phasor.velocity,
                                    .rate = phasor.rate,
                                    .step = std::exp(phasor.rate * rate_.step()),
                                    .samples = end - next_};
    const std::size_t from = grow(end - next_);
    ringing.read(0, std::span(result_.sound.volume_acceleration).subspan(from),
                 std::span(result_.sound.volume_velocity).subspan(from));
    state_ = FreeMotion(key.omega, key.beta, rate_.seconds(end) - rate_.seconds(next_))(state_);
    next_ = end;
  }

  /// One segment in which the coefficients of a step change linearly.
  void step(const OscillatorKey& now, std::int64_t end) {
    const OscillatorKey then = chain_.at(rate_.seconds(end));
    const double h = rate_.step(), count = static_cast<double>(end - next_);
    const FreeMotion a(now.omega, now.beta, h), b(then.omega, then.beta, h);
    const double mass_a = effective_mass(now, settings_.liquid);
    const double mass_b = effective_mass(then, settings_.liquid);
    const double stiffness_change =
        (mass_b * then.omega * then.omega - mass_a * now.omega * now.omega) / count;
    const double mass_change = (mass_b - mass_a) / count;
    const std::size_t from = grow(end - next_);
    for (std::int64_t i = 0; i < end - next_; ++i) {
      const double x = static_cast<double>(i) / count, y = (static_cast<double>(i) + 0.5) / count;
      const auto mix = [](double p, double q, double part) { return p + part * (q - p); };
      const double omega = mix(now.omega, then.omega, x), beta = mix(now.beta, then.beta, x);
      const std::size_t n = from + static_cast<std::size_t>(i);
      result_.sound.volume_velocity[n] = static_cast<float>(state_.velocity);
      result_.sound.volume_acceleration[n] =
          static_cast<float>(-2.0 * beta * state_.velocity - omega * omega * state_.volume);
      // The flow that changes mass and stiffness works on the bubble.
      result_.energy.given += 0.5 * (stiffness_change * state_.volume * state_.volume +
                                     mass_change * state_.velocity * state_.velocity);
      state_ = {mix(a.vv, b.vv, y) * state_.volume + mix(a.vw, b.vw, y) * state_.velocity,
                mix(a.wv, b.wv, y) * state_.volume + mix(a.ww, b.ww, y) * state_.velocity};
    }
    next_ = end;
  }

  /// Changes the number of samples; returns that before.
  std::size_t grow(std::int64_t by) {
    const std::size_t size = result_.sound.volume_acceleration.size();
    const auto next = static_cast<std::size_t>(static_cast<std::int64_t>(size) + by);
    result_.sound.volume_acceleration.resize(next, 0.0f);
    result_.sound.volume_velocity.resize(next, 0.0f);
    return size;
  }

  /// The motion while a forcing acts, and what it gives.
  void add_forced(const Forcing& forcing) {
    const OscillatorKey key = chain_.at(forcing.begin + 0.5 * forcing.duration);
    const double mass = effective_mass(key, settings_.liquid);
    const ForcedResponse response(forcing, key.omega, key.beta);
    const double end = forcing.begin + forcing.duration;
    auto& sound = result_.sound;
    if (sound.end() < first_sample_from(end, rate_) + StepResidual::half)
      grow(first_sample_from(end, rate_) + StepResidual::half - sound.end());
    result_.energy.given += mass * (response.work(forcing.duration) + work_on_ringing(forcing));
    for (std::int64_t n = first_sample_from(forcing.begin, rate_);
         n < first_sample_from(end, rate_); ++n) {
      const VolumeState state = response.at(rate_.seconds(n) - forcing.begin);
      const auto i = static_cast<std::size_t>(n - sound.start);
      sound.volume_acceleration[i] += static_cast<float>(state.acceleration);
      sound.volume_velocity[i] += static_cast<float>(state.velocity);
    }
    const double step = -forcing.curvature * forcing.duration * forcing.duration;
    residual_.add(rate_.samples(end), step, sound.start, sound.volume_acceleration);
    residual_.add_integral(rate_.samples(end), step * rate_.step(), sound.start,
                           sound.volume_velocity);
  }

  /// The work over the mass on what rang before the forcing began.
  double work_on_ringing(const Forcing& forcing) const {
    constexpr int parts = 32;
    const BubbleSound& sound = result_.sound;
    double sum = 0.0;
    for (int i = 0; i < parts; ++i) {
      const double t = forcing.duration * (i + 0.5) / parts;
      const double at = rate_.samples(forcing.begin + t) - static_cast<double>(sound.start);
      // From the sample before: the next one may have what this forcing leaves behind.
      const auto n = static_cast<std::size_t>(std::max(at, 0.0));
      const double late = (at - static_cast<double>(n)) * rate_.step();
      const double velocity = static_cast<double>(sound.volume_velocity[n]) +
                              late * static_cast<double>(sound.volume_acceleration[n]);
      sum += forcing.curvature * t * t * velocity;
    }
    return sum * forcing.duration / parts;
  }

  void finish() {
    const BubbleEnergy lost = lost_energy(chain_, result_.sound, settings_);
    result_.energy += lost;
    if (chain_.fade_begin) fade_out(result_.sound, rate_, *chain_.fade_begin, chain_.fade_duration);
    trim(result_.sound, settings_.range);
  }

  const Chain& chain_;
  const StepResidual& residual_;
  const OscillatorSettings& settings_;
  Rate rate_;
  PlayedChain result_;
  std::vector<Injection> injections_;
  VolumeState state_;              ///< of the free motion, at sample next_
  std::int64_t next_ = 0;          ///< next sample to be written
  std::int64_t forced_until_ = 0;  ///< up to here, forcings add samples
  double peak_ = 0.0;              ///< largest acceleration that forcings leave behind [m^3/s^2]
};

}  // namespace

double effective_mass(const OscillatorKey& key, const base::Liquid& liquid) {
  return liquid.density / (4.0 * std::numbers::pi * key.capacitance);
}

PlayedChain play_chain(const Chain& chain, const StepResidual& residual,
                       const OscillatorSettings& settings) {
  return ChainPlayer(chain, residual, settings).play();
}

void fade_out(BubbleSound& sound, Rate rate, double begin, double duration) {
  const std::int64_t first = std::max(sound.start, first_sample_from(begin, rate));
  for (std::int64_t n = first; n < sound.end(); ++n) {
    const auto i = static_cast<std::size_t>(n - sound.start);
    const double x = std::clamp((rate.seconds(n) - begin) / duration, 0.0, 1.0);
    const auto gain = static_cast<float>(1.0 - base::existence_rise(x));
    // 30 x^2 (1 - x)^2 is the slope of existence_rise().
    const auto slope = static_cast<float>(-30.0 * x * x * (1.0 - x) * (1.0 - x) / duration);
    sound.volume_acceleration[i] =
        gain * sound.volume_acceleration[i] + slope * sound.volume_velocity[i];
    sound.volume_velocity[i] *= gain;
  }
}

void trim(BubbleSound& sound, base::SampleRange range) {
  const std::int64_t begin = std::clamp(range.begin, sound.start, sound.end());
  const std::int64_t end = std::clamp(range.end, begin, sound.end());
  const std::int64_t rings = sound.ringing_start();
  sound.ringing.samples = std::max<std::int64_t>(0, end - rings);
  if (begin > rings) sound.ringing.skip(begin - rings);
  for (auto* samples : {&sound.volume_acceleration, &sound.volume_velocity}) {
    samples->resize(static_cast<std::size_t>(std::min(end, rings) - sound.start));
    samples->erase(samples->begin(), samples->begin() + (std::min(begin, rings) - sound.start));
  }
  sound.start = begin;
}

std::vector<base::Bubble> path_of(const Chain& chain) {
  std::vector<base::Bubble> path;
  for (const OscillatorKey& key : chain.keys) {
    path.push_back({.time = key.time,
                    .position = key.position,
                    .radius = key.radius,
                    .frequency = key.omega / (2.0 * std::numbers::pi)});
  }
  return path;
}

BubbleEnergy lost_energy(const Chain& chain, const BubbleSound& sound,
                         const OscillatorSettings& settings) {
  const double by_air =
      settings.air.density / (2.0 * std::numbers::pi * settings.air.speed_of_sound);
  const double h = settings.rate.step();
  using Samples = Eigen::Map<const Eigen::VectorXf>;
  BubbleEnergy energy;
  const std::size_t size = sound.volume_velocity.size();
  const bool is_constant = chain.keys.size() == 1;
  for (std::size_t first = 0; first < size; first += segment_length) {
    const std::size_t last = std::min<std::size_t>(size, first + segment_length);
    const auto count = static_cast<Eigen::Index>(last - first);
    const Samples velocities(&sound.volume_velocity[first], count);
    const Samples accelerations(&sound.volume_acceleration[first], count);
    const float velocity = velocities.squaredNorm(), acceleration = accelerations.squaredNorm();
    const double middle =
        settings.rate.seconds(sound.start + static_cast<std::int64_t>((first + last) / 2));
    const OscillatorKey key = is_constant ? chain.keys.front() : chain.at(middle);
    energy.dissipated +=
        2.0 * key.beta * effective_mass(key, settings.liquid) * h * static_cast<double>(velocity);
    energy.radiated += by_air * h * static_cast<double>(acceleration);
  }
  if (sound.ringing.samples > 0) {
    const OscillatorKey key = chain.at(settings.rate.seconds(sound.ringing_start()));
    energy.dissipated += 2.0 * key.beta * effective_mass(key, settings.liquid) * h *
                         sound.ringing.velocity_squares();
    energy.radiated += by_air * h * sound.ringing.acceleration_squares();
  }
  return energy;
}

}  // namespace peal::bubbles
