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

/// The modes of a body for two moving ears and several sustained forces, sample by sample. Each
/// mode is the recursion of vibration::ModalBank. Each ear receives
///
///     p(t) = sum over modes of Re(l) q(t) + Im(l) q'(t) / w
///
/// with a complex gain l per mode and ear. The recursion has q[n] and v[n] = q[n] - q[n-1]; for
/// a free mode q' is a linear combination of both, so that each ear needs two real gains.
///
/// All memory is allocated by the constructor; process() can run in an audio thread.
class EarBank {
 public:
  EarBank(std::span<const base::Mode> modes, base::Rate rate);

  std::size_t size() const { return modes_.size(); }
  std::span<const base::Mode> modes() const { return modes_; }  ///< those it has or glides to
  /// Modes above half the sample rate are silent.
  bool sounds(std::size_t mode) const { return sounds_[mode]; }

  /// Changes frequencies and decay rates over `glide` samples; states stay.
  void set_modes(std::span<const base::Mode> modes, std::int64_t glide);
  /// Changes the gains l of one ear over `ramp` samples [Pa / (m kg^1/2)].
  void set_ear(std::size_t ear, std::span<const std::complex<float>> gains, std::int64_t ramp);
  std::complex<float> ear_gain(std::size_t ear, std::size_t mode) const {
    return gains_[ear][mode];
  }
  /// Changes the gains of a sustained force (the modes' shapes at its point along it [kg^-1/2]).
  void set_contact(std::size_t contact, std::span<const float> gains, std::int64_t ramp);

  /// Adds free motion to a mode: its state `ahead` samples after the last processed sample.
  void add(std::size_t mode, const ModeState& state, double ahead);

  /// Processes at most block_size samples: `forces` has a pointer a contact, null where no force
  /// acts [N], each value of which acts during one sample. Adds the pressure at the ears to `out`.
  void process(std::int64_t count, std::span<const float* const, most_contacts> forces,
               std::span<float* const, ears> out);

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
  /// Real gains of one ear for q and v.
  struct Ear {
    Ramp q, v;
  };

  void run(std::int64_t count, std::span<const float* const, most_contacts> forces,
           std::span<float* const, ears> out);
  template <bool moving>
  void run_group(std::size_t first, std::int64_t count, bool forced);
  bool force_group(std::size_t first, std::int64_t count,
                   std::span<const float* const, most_contacts> forces);
  void correct();
  void rest_quiet_modes();
  void retune(std::size_t mode);
  void aim_ear(std::size_t ear, std::int64_t ramp);

  base::Rate rate_;
  std::vector<base::Mode> modes_;
  std::vector<bool> sounds_;
  std::int64_t done_ = 0;  ///< samples since the last correction
  std::vector<float> q_, v_, correct_, unit_gain_;
  /// q' / w = slope_q q + slope_v v.
  std::vector<double> slope_q_, slope_v_;
  Ramp r2_, k_;
  std::array<std::vector<std::complex<float>>, ears> gains_;
  std::array<Ear, ears> ears_;
  std::array<Ramp, most_contacts> contacts_;
  std::vector<char> awake_;        ///< one a group of modes
  std::vector<float> pushes_;      ///< forces on the modes of a group, by sample and lane
  std::vector<float> sums_[ears];  ///< output by sample and lane
};

}  // namespace peal::play
