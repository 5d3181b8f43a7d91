#pragma once

#include <peal/base/modes.h>
#include <peal/base/time.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::vibration {

/// Many modes driven by one force, sample by sample: what an interactive sound or a contact force
/// needs. Each is the exact two-pole recursion of a damped oscillator (impulse-invariant, James &
/// Pai 2002; reference D03): a force that is a train of impulses at the samples gives the
/// displacement of the true oscillator at the samples.
///
///     q[n] = 2 r cos(theta) q[n-1] - r^2 q[n-2] + r sin(theta) / w_d  x  impulse[n-1],
///     r = exp(-d T), theta = w_d T, w_d = sqrt(w^2 - d^2)
///
/// In single precision that form loses low frequencies (2 r cos(theta) is 2 but for its last
/// digits). With the difference v[n] = q[n] - q[n-1] it keeps them at any frequency:
///
///     v[n] = r^2 v[n-1] - k q[n-1] + b u[n-1],    k = (1 - r)^2 + 4 r sin^2(theta / 2)
///     q[n] = q[n-1] + v[n]
///
/// What rounding does to r^2 is put right every `correction` samples, and k is that of the rounded
/// r^2: frequencies are right to 1e-7, decay rates to 1e-5 per second.
class ModalBank {
 public:
  /// Modes above half the rate make no sound.
  ModalBank(std::span<const base::Mode> modes, base::Rate rate);

  std::size_t size() const { return size_; }

  /// How the force acts on each mode from now on (its shape at the struck point along the force,
  /// [kg^-1/2]), and how much of each is heard. States carry the latter in them: change `heard`
  /// only in silence.
  void set_gains(std::span<const double> struck, std::span<const double> heard);

  /// The next samples: adds the sum of heard x q to `out`. `force` [N] holds for a sample each.
  void process(std::span<const float> force, std::span<float> out);

  void silence();  ///< all modes at rest

 private:
  static constexpr std::int64_t correction = 128;  ///< [samples]

  void run(std::span<const float> force, std::span<float> out);
  void correct();

  std::size_t size_;
  double step_;                    ///< [s]
  std::int64_t done_ = 0;          ///< samples since the last correction
  std::vector<double> unit_gain_;  ///< r sin(theta) / w_d x step: displacement for 1 N [m kg^1/2]
  /// One value a mode, padded to whole groups.
  std::vector<float> q_, v_, r2_, k_, b_, correct_;
  std::vector<float> sums_;  ///< by sample and lane
};

}  // namespace peal::vibration
