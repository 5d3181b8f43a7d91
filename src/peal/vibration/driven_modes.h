#pragma once

#include <peal/base/sustained_force.h>
#include <peal/base/time.h>
#include <peal/util/fingerprint.h>

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace peal::vibration {

/// exp(s t) of one mode: q is the sum over its poles of Re(weight x integral of exp(s (t - u))
/// gain F(u) du). A mode that oscillates has one, an overdamped one two.
struct ModalPole {
  Eigen::Index mode;
  std::complex<double> s, weight;
};

/// A sustained force and how it acts on each mode.
struct ModalSustainedForce {
  std::shared_ptr<const base::SustainedForce> force;
  Eigen::MatrixXf gains;  ///< shapes along the force: a row a mode, a column a place [kg^-1/2]
};

/// Motion of modes under forces that last, from rest: exact for forces that are straight between
/// their samples, at any rate and in any range.
class DrivenModes {
 public:
  DrivenModes() = default;
  /// All forces have the same rate. `poles` of the modes in their order.
  DrivenModes(const std::vector<ModalPole>& poles, std::vector<ModalSustainedForce> forces);

  bool empty() const { return forces_.empty(); }
  double first_contact() const;  ///< [s]
  double last_contact() const;   ///< [s]

  /// Adds the forces that act before `end` [s].
  void hash(double end, util::Fingerprint& fingerprint) const;

  /// Adds the `derivative`-th derivative (0 to 2) of all modes at samples first, first + 1, ... of
  /// `rate`, a column each.
  void add(base::Rate rate, std::int64_t first, int derivative,
           Eigen::Ref<Eigen::MatrixXf> out) const;

 private:
  /// Force on each mode at a sample of the forces, `values` [N kg^-1/2].
  void modal_force(std::int64_t index, Eigen::ArrayXd& values) const;

  static constexpr std::int64_t stride = 512;  ///< samples between states that are kept

  std::vector<ModalPole> poles_;
  std::vector<ModalSustainedForce> forces_;
  base::Rate rate_;
  std::int64_t begin_ = 0, end_ = 0;  ///< samples of the forces; nothing acts outside
  /// At samples begin_, begin_ + stride, ..., the last one at or after end_.
  std::vector<Eigen::ArrayXcd> states_;
};

}  // namespace peal::vibration
