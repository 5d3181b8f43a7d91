#pragma once

#include <peal/base/sustained_force.h>
#include <peal/base/time.h>
#include <peal/util/fingerprint.h>
#include <peal/vibration/added_decay.h>

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace peal::vibration {

/// A pole of a mode, exp(s t): q is the sum over its poles of Re(weight x integral of exp(s (t -
/// u)) gain F(u) du). An oscillating mode has one pole, an overdamped mode has two.
struct ModalPole {
  Eigen::Index mode;
  std::complex<double> s, weight;
};

/// A sustained force and its gain for each mode.
struct ModalSustainedForce {
  std::shared_ptr<const base::SustainedForce> force;
  /// Shapes along the force: one row per mode, one column per contact point [kg^-1/2].
  Eigen::MatrixXf gains;
};

/// The response of modes to sustained forces, from rest: exact for forces that are linear between
/// their samples, at any rate and in any range.
class DrivenModes {
 public:
  DrivenModes() = default;
  /// All forces must have the same rate. `poles` are sorted by mode. `added`: to their decay; null:
  /// nothing.
  DrivenModes(const std::vector<ModalPole>& poles, std::vector<ModalSustainedForce> forces,
              std::shared_ptr<const AddedDecay> added = nullptr);

  bool empty() const { return forces_.empty(); }
  double first_contact() const;  ///< [s]
  double last_contact() const;   ///< [s]

  /// Adds the forces that act before `end` [s].
  void hash(double end, util::Fingerprint& fingerprint) const;

  /// Adds the `derivative`-th derivative (0 to 2) of all modes at samples first, first + 1, ... of
  /// `rate`, one column per sample.
  void add(base::Rate rate, std::int64_t first, int derivative,
           Eigen::Ref<Eigen::MatrixXf> out) const;

 private:
  /// Computes the modal force `values` at a sample of the forces [N kg^-1/2].
  void modal_force(std::int64_t index, Eigen::ArrayXd& values) const;

  /// By how much more each pole falls in a sample of the forces, from that index on for
  /// `even_samples`; empty: by nothing.
  Eigen::ArrayXd added_fall(std::int64_t index) const;

  static constexpr std::int64_t stride = 512;  ///< samples between stored states
  /// Samples, from begin_ on, over which what is added to the decay is taken as even.
  static constexpr std::int64_t even_samples = 8;

  std::vector<ModalPole> poles_;
  std::vector<ModalSustainedForce> forces_;
  std::shared_ptr<const AddedDecay> added_;
  base::Rate rate_;
  std::int64_t begin_ = 0, end_ = 0;  ///< range of the forces [samples]; zero outside
  /// States at samples begin_, begin_ + stride, ..., the last one at or after end_.
  std::vector<Eigen::ArrayXcd> states_;
};

}  // namespace peal::vibration
