#pragma once

#include <peal/elastic/kick.h>

#include <cmath>

namespace peal::util {
class Archive;
}

namespace peal::elastic {

/// Energy balance [J]. Kinetic energy is m v(n-1/2) v(n+1/2) / 2; in a linear solid leapfrog
/// conserves its sum with the elastic energy to round-off. Without stiffness damping `imbalance()`
/// is the error of leapfrog, which stays bounded; with it, it is minus the energy that the damping
/// took.
struct EnergyAccount {
  double initial = 0.0;  ///< kinetic and elastic at the start
  double kinetic = 0.0;
  double elastic = 0.0;
  double given = 0.0;        ///< work of loads and moving constraints since
  double mass_damped = 0.0;  ///< taken by mass damping since

  double imbalance() const { return kinetic + elastic + mass_damped - given - initial; }
};

/// The energy account of one solid, entered step by step [J]. Work is done over the half steps
/// before and after the time of a step; the account is that of the time.
class EnergyBook {
 public:
  EnergyBook() = default;
  /// Starts with kinetic and elastic energy.
  explicit EnergyBook(double initial) : initial_(initial) {}

  /// Enters the work of a step; nothing was done before the first.
  void enter(const Work& work, bool is_first);

  /// The account without its elastic energy.
  EnergyAccount now() const {
    return {
        .initial = initial_, .kinetic = kinetic_, .given = given_now_, .mass_damped = damped_now_};
  }
  /// Sum of all energy given or taken, and of that at the start.
  double turnover() const { return std::abs(initial_) + turnover_; }

  void serialize(util::Archive& archive);

 private:
  double initial_ = 0.0, kinetic_ = 0.0;
  double given_ = 0.0, damped_ = 0.0;          ///< up to half a step after the last time
  double given_now_ = 0.0, damped_now_ = 0.0;  ///< up to the last time
  double turnover_ = 0.0;
};

}  // namespace peal::elastic
