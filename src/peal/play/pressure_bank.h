#pragma once

#include <peal/base/modes.h>
#include <peal/base/time.h>
#include <peal/play/half_sine.h>

#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::play {

inline constexpr std::size_t ears = 2;           ///< left, right
inline constexpr std::int64_t block_size = 128;  ///< samples that a bank processes at a time
inline constexpr std::size_t most_contacts = 8;  ///< sustained forces on a body at a time

/// Where the energy of the modes came from and went [J].
struct EnergyAccount {
  double given = 0.0;       ///< by all forces
  double in_modes = 0.0;    ///< now
  double radiated = 0.0;    ///< into the air
  double dissipated = 0.0;  ///< in the material and in what touches the body
};

/// The modes of a body, heard at one moving point, under several sustained forces, sample by
/// sample. Each mode is the recursion of vibration::ModalBank. Those that ring are heard by their
/// acceleration,
///
///     p(t) = sum over modes of Re(G Z),   Z = q'' + i w q',
///
/// with a complex gain G per mode, as a table of radiation has it; those after them, which stand
/// for the click of the whole body, by Re(G) q - Im(G) w q'. The recursion has q[n] and
/// v[n] = q[n] - q[n-1]; for a free mode q' and q'' are linear combinations of both, so that
/// two real gains are enough. The force itself, which is part of q'', is added apart.
///
/// All memory is allocated by the constructor; process() can run in an audio thread.
class PressureBank {
 public:
  /// The first `ringing` modes ring.
  PressureBank(std::span<const base::Mode> modes, std::size_t ringing, base::Rate rate);

  bool rings(std::size_t mode) const { return mode < ringing_; }
  /// By how much each ringing mode decays faster because it radiates [1/s]: its share of the
  /// account.
  void set_radiation(std::span<const double> decay_rates);
  const EnergyAccount& account() const { return account_; }
  std::size_t size() const { return modes_.size(); }
  std::span<const base::Mode> modes() const { return modes_; }  ///< those it has or glides to
  /// Modes above half the sample rate are silent.
  bool sounds(std::size_t mode) const { return sounds_[mode]; }

  /// Changes frequencies and decay rates over `glide` samples; states stay.
  void set_modes(std::span<const base::Mode> modes, std::int64_t glide);
  /// Changes the gains G over `ramp` samples [Pa / (m kg^1/2 / s^2)], and of modes that do not ring
  /// [Pa / (m kg^1/2)].
  void set_gains(std::span<const std::complex<float>> gains, std::int64_t ramp);
  std::complex<float> gain(std::size_t mode) const { return gains_[mode]; }
  /// Changes the gains of a sustained force (the modes' shapes at its point along it [kg^-1/2]).
  void set_contact(std::size_t contact, std::span<const float> gains, std::int64_t ramp);

  /// Adds free motion to a mode: its state `ahead` samples after the last processed sample.
  void add(std::size_t mode, const ModeState& state, double ahead);

  /// Processes at most block_size samples: `forces` has a pointer a contact, null where no force
  /// acts [N], each value of which acts during one sample. Adds the pressure to `out`.
  void process(std::int64_t count, std::span<const float* const, most_contacts> forces, float* out);

  /// Amplitude of a mode: sqrt(q^2 + (q' / w)^2) [m kg^1/2].
  double amplitude(std::size_t mode) const;
  bool is_at_rest() const;
  void silence();

 private:
  /// Values that change linearly, one a mode.
  struct Ramp {
    std::vector<float> now, step, target;
    std::int64_t left = 0;  ///< samples until `target`

    void assign(std::size_t count);
    void begin(std::int64_t samples);
    void advance(std::int64_t samples);
  };
  /// A value that changes linearly.
  struct Line {
    float now = 0.0f, step = 0.0f, target = 0.0f;
  };

  void run(std::int64_t count, std::span<const float* const, most_contacts> forces, float* out);
  void add_forces(std::int64_t count, std::span<const float* const, most_contacts> forces,
                  float* out);
  template <bool moving>
  void run_group(std::size_t first, std::int64_t count, bool forced);
  bool force_group(std::size_t first, std::int64_t count,
                   std::span<const float* const, most_contacts> forces);
  void correct();
  void rest_quiet_modes();
  void retune(std::size_t mode);
  void aim(std::int64_t ramp);
  void aim_force(std::size_t contact, std::int64_t ramp);
  void keep_account();

  base::Rate rate_;
  std::vector<base::Mode> modes_;
  std::vector<bool> sounds_;
  std::int64_t done_ = 0;  ///< samples since the last correction
  std::vector<float> q_, v_, correct_, unit_gain_;
  /// q' / w = slope_q q + slope_v v.
  std::vector<double> slope_q_, slope_v_;
  Ramp r2_, k_;
  std::size_t ringing_;
  std::vector<std::complex<float>> gains_;
  Ramp of_q_, of_v_;
  std::array<Ramp, most_contacts> contacts_;
  std::array<std::vector<float>, most_contacts> contact_gains_;  ///< [kg^-1/2]
  std::array<Line, most_contacts> of_force_;                     ///< pressure over force [Pa/N]
  EnergyAccount account_;
  std::vector<double> energies_, kept_, radiated_share_;  ///< [J], [1] a block, [1]
  std::vector<char> awake_;                               ///< one a group of modes
  std::vector<float> pushes_;      ///< forces on the modes of a group, by sample and lane
  std::vector<float> sums_;        ///< output by sample and lane
  std::vector<double> radiation_;  ///< decay rates [1/s]
};

}  // namespace peal::play
