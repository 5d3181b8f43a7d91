#pragma once

#include <peal/base/force_history.h>
#include <peal/base/force_pulse.h>
#include <peal/base/modes.h>
#include <peal/base/time.h>
#include <peal/util/fingerprint.h>
#include <peal/vibration/added_decay.h>
#include <peal/vibration/driven_modes.h>
#include <peal/vibration/modal_rest.h>

#include <Eigen/Core>
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace peal::vibration {

using base::ForcePulse;

/// The response of a mode of frequency f to a pulse, relative to an instantaneous impulse: |F(f)| /
/// impulse.
double pulse_response(const ForcePulse& pulse, double frequency);

/// A pulse, or a force that is known in its course, and how it acts on each mode.
struct ModalForce {
  ForcePulse pulse;
  std::vector<double> gains;  ///< the mode's shape at the point, along the force [kg^-1/2]
  /// Body's frame; `pulse` then has its start, length and impulse, which `gains` are along.
  std::shared_ptr<const base::ForceHistory> history = nullptr;
  Eigen::Matrix3Xf shapes = {};  ///< at the point, a column a mode; for `history` [kg^-1/2]
  /// A constant force that has held the body for long lets go: `pulse.impulse` is that force [N],
  /// which falls to nothing as (1 + cos) / 2 within the contact time. Motion is relative to where
  /// the force would hold the body at that instant, so that it is zero before.
  bool is_release = false;
};

/// Motion of all modes under impacts and forces that last: q'' + 2 d q' + w^2 q = sum of gain F(t),
/// from rest. Solved in closed form, so that it is exact at any instant, rate and range: during a
/// pulse or a step of a history the driven solution, after it exp((-d + i w_d) t). While the body
/// lies, slides or rolls on others, its modes decay faster after impacts and under forces that last
/// (AddedDecay); during impacts, which are short, they do not.
class ModalResponse {
 public:
  ModalResponse(std::vector<base::Mode> modes, std::vector<ModalForce> forces,
                std::vector<ModalSustainedForce> lasting = {}, std::vector<ModalRest> rests = {});

  enum class Quantity { displacement, velocity, acceleration };

  const std::vector<base::Mode>& modes() const { return modes_; }
  const std::vector<ModalForce>& forces() const { return forces_; }  ///< sorted by their end
  /// What contacts that last add to the decay of the modes; null: nothing.
  const AddedDecay* added_decay() const { return added_.get(); }
  double first_contact() const;  ///< [s]; nothing moves before it
  double last_contact() const;   ///< [s]; no force acts after it

  /// Samples are computed in blocks that begin at multiples of this, so that the result does not
  /// depend on the range.
  static constexpr std::int64_t block = 256;

  /// q [m kg^1/2] or its time derivatives: one row per mode, one column per sample of `range`.
  /// Multiplication by a matrix of shapes from the left gives the motion of points of the surface.
  Eigen::MatrixXf evaluate(base::Rate rate, base::SampleRange range, Quantity what) const;

  struct Energy {
    Eigen::ArrayXd given, lost;  ///< of each mode [J]
    Eigen::ArrayXd to_contacts;  ///< the part of `lost` that went into contacts that last [J]
  };
  /// What forces give to the modes up to `end` [s], and what all damping takes: during impacts
  /// 2 d q'^2, as modes that are only pressed aside lose nothing by their decay rate. Forces that
  /// last are taken to act in the middle of a quarter of a millisecond.
  Energy energy(double end) const;

  /// Adds all data on which the motion before `end` [s] depends.
  void hash(double end, util::Fingerprint& fingerprint) const;

 private:
  using Part = ModalPole;

  void add_block(base::Rate rate, std::int64_t first, Quantity what,
                 Eigen::Ref<Eigen::MatrixXf> out) const;
  std::shared_ptr<const AddedDecay> find_added_decay(std::vector<ModalRest> rests) const;
  void add_ringing(base::Rate rate, std::int64_t first, Quantity what,
                   Eigen::Ref<Eigen::MatrixXf> out) const;
  void add_contact(const ModalForce& force, base::Rate rate, std::int64_t first, Quantity what,
                   const Eigen::ArrayXXd& added, Eigen::Ref<Eigen::MatrixXf> out) const;
  void add_history(const ModalForce& force, base::Rate rate, std::int64_t first, Quantity what,
                   const Eigen::ArrayXXd& added, Eigen::Ref<Eigen::MatrixXf> out) const;
  /// What each part is driven with in a step of a history.
  Eigen::ArrayXd drive(const ModalForce& force, std::size_t step) const;
  Eigen::ArrayXcd left_by(const ModalForce& force) const;

  std::vector<base::Mode> modes_;
  std::vector<ModalForce> forces_;  ///< sorted by their end
  std::vector<Part> parts_;
  /// One column per force: the state of each part at the end of the force, from all forces up to
  /// it.
  Eigen::MatrixXcd ringing_;
  std::shared_ptr<const AddedDecay> added_;
  DrivenModes driven_;
};

}  // namespace peal::vibration
