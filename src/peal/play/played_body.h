#pragma once

#include <peal/play/ear_delay.h>
#include <peal/play/ear_filter.h>
#include <peal/play/half_sine.h>
#include <peal/play/pressure_bank.h>
#include <peal/play/scrape.h>

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace peal::play {

/// A body that is struck, scraped and held, for two ears: its pressure at the middle of the head,
/// delayed and filtered for each ear. Nothing is allocated after construction.
class PlayedBody {
 public:
  /// Strikes that may be in contact or ahead at a time.
  static constexpr std::size_t most_strikes = 16;
  /// Longest delay of an ear [s]: the way around a head is 0.7 ms.
  static constexpr double longest_delay = 0.002;
  /// Every sound comes this much later: interpolation looks at both sides [samples].
  static constexpr std::int64_t delay_latency = EarDelay::latency;

  /// Longest sound of play() [samples].
  static constexpr std::size_t longest_sound = 8192;

  /// The first `ringing` modes ring (PressureBank); `stream` makes the noise of bodies different;
  /// `now` is the index of the first sample.
  PlayedBody(std::span<const base::Mode> modes, std::size_t ringing, base::Rate rate,
             std::uint64_t stream, std::int64_t now = 0);

  const PressureBank& bank() const { return bank_; }

  /// A strike that begins at `start` [samples], not before the next sample, with the modes' shapes
  /// along the force [kg^-1/2]. Returns false if there are too many.
  bool strike(double start, double contact_time, double impulse, std::span<const float> gains);
  /// Slides along the surface with the force of Scrape; the touched point moves, so the gains
  /// change over `ramp` samples, too.
  void scrape(std::size_t contact, std::span<const float> gains, double force,
              double roughness_frequency, double contact_frequency, std::int64_t ramp);
  /// Something soft touches the point with these gains: a damper [N s/m], 0 to let go. Mode i
  /// decays faster by half the damper times the square of its gain, which is right to leading order
  /// while the modes are further apart than they are wide.
  void hold(std::span<const float> gains, double damper);

  void set_modes(std::span<const base::Mode> modes, std::int64_t glide);
  void set_radiation(std::span<const double> decay_rates) { bank_.set_radiation(decay_rates); }
  /// Gains of the pressure at the middle of the head (PressureBank), and its distance [m].
  void set_gains(std::span<const std::complex<float>> gains, double distance, std::int64_t ramp);
  /// An ear's delay after the middle of the head, from 0 on [s], and its filter.
  void set_ear(std::size_t ear, double delay, std::span<const float> taps, std::int64_t ramp);
  /// Adds this pressure at the middle of the head from `start` on [samples], not before the next
  /// sample: the click of the body as a whole, where it is precomputed.
  void play(double start, std::span<const float> pressure);

  /// Adds the sound of the next samples [Pa], at most block_size, and to `strength` the pressure
  /// times its distance [Pa m].
  void process(std::int64_t count, std::span<float* const, ears> out, float* strength);
  void silence();

 private:
  struct Strike {
    std::optional<HalfSine> pulse;  ///< empty: the place is free
    double start = 0.0;             ///< [samples]
    bool in_contact = false;
    std::vector<float> gains;
    std::complex<double> steady;  ///< sum over modes [Pa]

    double next_jump(base::Rate rate) const;  ///< [samples]
  };
  void jump(Strike& strike, double at);
  void begin_contact(Strike& strike);
  void add_steady(const Strike& strike, std::int64_t count, float* out) const;
  void tune(std::int64_t glide);
  void run(std::int64_t count, float* out);

  base::Rate rate_;
  PressureBank bank_;
  std::vector<base::Mode> free_modes_, held_modes_;  ///< without and with what touches the body
  std::vector<float> held_gains_;
  double damper_ = 0.0;   ///< [N s/m]
  std::int64_t now_ = 0;  ///< index of the next sample
  std::vector<Strike> strikes_;
  std::vector<Scrape> scrapes_;
  std::array<std::vector<float>, most_contacts> forces_;
  std::vector<float> sound_, heard_, delayed_;
  std::vector<float> ahead_;      ///< what play() added, by index modulo its size
  std::int64_t played_to_ = 0;    ///< its end
  std::vector<EarDelay> delays_;  ///< one an ear
  std::array<EarFilter, ears> filters_;
  double distance_ = 1.0;  ///< [m]
};

}  // namespace peal::play
