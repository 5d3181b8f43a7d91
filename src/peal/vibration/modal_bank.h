#pragma once

#include <peal/base/modes.h>
#include <peal/base/time.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::vibration {

/// A bank of modes driven by one force, sample by sample, for interactive sound and contact forces.
/// Each mode is the exact two-pole recursion of a damped oscillator (impulse-invariant, James & Pai
/// 2002; reference D03): for a train of impulses at the samples it gives the exact displacement of
/// the oscillator at the samples.
///
///     q[n] = 2 r cos(theta) q[n-1] - r^2 q[n-2] + r sin(theta) / w_d  x  impulse[n-1],
///     r = exp(-d T), theta = w_d T, w_d = sqrt(w^2 - d^2)
///
/// In single precision this form is inaccurate at low frequencies (2 r cos(theta) differs from 2
/// only in its last digits). With the difference v[n] = q[n] - q[n-1] it is accurate at any
/// frequency:
///
///     v[n] = r^2 v[n-1] - k q[n-1] + b u[n-1],    k = (1 - r)^2 + 4 r sin^2(theta / 2)
///     q[n] = q[n-1] + v[n]
///
/// The rounding of r^2 is corrected every `correction` samples, and k is computed from the rounded
/// r^2: frequencies are accurate to 1e-7, decay rates to 1e-5 per second.
class ModalBank {
 public:
  /// Modes above half the sample rate are silent.
  ModalBank(std::span<const base::Mode> modes, base::Rate rate);

  std::size_t size() const { return size_; }

  /// Sets the gains of the force for each mode (its shape at the struck point along the force,
  /// [kg^-1/2]) and the output gains. States include the output gains, so change `heard` only in
  /// silence.
  void set_gains(std::span<const double> struck, std::span<const double> heard);

  /// Processes the next samples: adds the sum of heard x q to `out`. Each value of `force` [N] acts
  /// during one sample.
  void process(std::span<const float> force, std::span<float> out);

  void silence();  ///< sets all modes to rest

 private:
  static constexpr std::int64_t correction = 128;  ///< [samples]

  void run(std::span<const float> force, std::span<float> out);
  void correct();

  std::size_t size_;
  double step_;                    ///< [s]
  std::int64_t done_ = 0;          ///< samples since the last correction
  std::vector<double> unit_gain_;  ///< r sin(theta) / w_d x step: displacement for 1 N [m kg^1/2]
  /// One value per mode, padded to whole groups.
  std::vector<float> q_, v_, r2_, k_, b_, correct_;
  std::vector<float> sums_;  ///< output sums by sample and lane
};

}  // namespace peal::vibration
