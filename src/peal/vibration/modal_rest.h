#pragma once

#include <peal/base/contact.h>
#include <peal/base/modes.h>
#include <peal/vibration/added_decay.h>

#include <Eigen/Core>
#include <span>
#include <vector>

namespace peal::vibration {

/// How a contact that lasts takes energy from modes (docs/theory/contact.md).
struct ModalRest {
  double begin = 0.0, end = 0.0;  ///< [s]
  Eigen::ArrayXd shapes;          ///< along the contact's normal, squared, one a mode [1/kg]
  /// While the contact stays closed: the force against a mode's velocity there, over it [N s/m].
  Eigen::ArrayXd drag;
  double most = 0.0;  ///< that force in the mean, if the surfaces part and meet again [N]
  /// Such impacts also give energy back: to each mode as if it had this, times the mean square of
  /// the point's velocity, and lost what the contact takes [kg].
  double returned = 0.0;
};

/// `along`: the modes' shapes at the contact along its normal [kg^-1/2].
ModalRest modal_rest(const base::LastingContact& contact, std::span<const base::Mode> modes,
                     const Eigen::ArrayXd& along);

/// What contacts add to the decay rates of modes whose velocities have these amplitudes [m kg^1/2 /
/// s].
struct RestingRates {
  Eigen::ArrayXd rates;    ///< [1/s]
  bool is_linear = false;  ///< the same for all smaller amplitudes
};
RestingRates resting_rates(std::span<const ModalRest* const> active,
                           const Eigen::ArrayXd& amplitudes);

}  // namespace peal::vibration
