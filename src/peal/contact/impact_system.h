#pragma once

#include <peal/base/impact_law.h>
#include <peal/contact/contact_equations.h>
#include <peal/contact/local_yield.h>
#include <peal/contact/modal_oscillators.h>

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

namespace peal::contact {

/// Bodies while they touch (docs/theory/contact.md): the rigid motion of all of them, linear about
/// the poses that they meet in, their modes, and a Hertz spring with friction at each contact.
///
/// Forces are constant over a step, over which everything else moves exactly (ContactEquations):
/// the energy of the whole never grows, whatever the step.
class ImpactSystem {
 public:
  /// One point where two bodies touch or may touch.
  struct Contact {
    base::ImpactContact touch;
    double stiffness = 0.0;  ///< of Hertz's spring [N/m^1.5]
    /// Ringing may hold the points apart for a while: by this at most, beyond the rigid gap [m].
    double wait = 0.0;
    /// Compliance of the two bodies there, in the world: gains of the modes, a column a mode.
    Eigen::Matrix3Xf gains_a, gains_b;
    double unknown_a = 0.0, unknown_b = 0.0;  ///< G of modes above the cut, normal [s/kg]
    double cut_a = 0.0, cut_b = 0.0;          ///< w_c [rad/s]
    double mobility = 0.0;                    ///< of waves that leave, normal [m/(N s)]
  };

  /// `modes`: of each body, or null. Steps are `h` [s] long.
  ImpactSystem(std::span<const base::ImpactBody> bodies, std::span<ModalOscillators* const> modes,
               std::vector<Contact> contacts, double h);

  /// One step of all.
  void step();
  /// While nothing touches, as many steps at once as nothing can touch in, at most `most`; returns
  /// whether there were any.
  bool leap(double most);

  double time() const { return h_ * static_cast<double>(steps_); }  ///< since the start [s]
  /// For how long nothing has touched [s].
  double quiet() const { return h_ * static_cast<double>(quiet_); }
  bool has_hit() const { return has_hit_; }
  /// Every contact is open and parts by the rigid motion alone, too far for the modes to reach.
  bool has_parted() const;

  /// Adds up what happened; `start` is the instant of the first step [s].
  base::ImpactOutcome outcome(double start) const;

 private:
  struct State : ContactState {
    Contact contact;
    LocalYield yield;
    unsigned hits = 0;
    bool touches = false;
  };
  struct Moving {
    ModalContact modes;
    /// Of which it takes a force each: those along the normals first. Forces across that move no
    /// mode are not among them.
    std::vector<std::size_t> components;
    std::vector<double> speed;  ///< of each of its points now, along the normals [m/s]
  };

  void add_contacts(std::vector<Contact> contacts);
  void add_rigid_motion();
  void add_modes(std::span<ModalOscillators* const> modes);
  void put_surfaces();
  void look_ahead();
  void move_springs(bool touches);
  void account();
  void record();

  std::span<const base::ImpactBody> bodies_;
  std::vector<State> states_;
  double h_;
  std::vector<base::Vec3> directions_;   ///< of each component: that of its force on a
  Eigen::MatrixXd mobility_;             ///< rigid: acceleration for a force [1/kg]
  Eigen::MatrixXd admittance_;           ///< of a step [m/(N s)]
  Couplings moves_, admits_;             ///< of these two
  Eigen::VectorXd falling_;              ///< acceleration without forces [m/s^2]
  Eigen::VectorXd scripted_;             ///< velocity of bodies that cannot be moved [m/s]
  Eigen::VectorXd rigid_, rigid_speed_;  ///< of each component [m], [m/s]
  Eigen::VectorXd now_, free_;           ///< all that moves: now, after a step without forces [m]
  ContactEquations equations_;
  Eigen::VectorXd impulse_, twice_;  ///< force integrated once and twice [N s], [N s^2]
  std::vector<Moving> moving_;
  /// Of one step: what the rigid motion alone does, and speeds along the normals at its ends.
  Eigen::VectorXd moved_, acceleration_, speed_before_, speed_after_;
  std::vector<std::vector<Eigen::Vector3f>> samples_;  ///< of each contact
  std::vector<double> body_forces_;                    ///< scratch
  std::int64_t steps_ = 0, quiet_ = 0;
  std::int64_t quiet_leap_ = 0;  ///< quiet steps at which to look for a leap again
  bool has_hit_ = false;
  double modal_before_ = 0.0;
  std::vector<ModalOscillators*> oscillators_;
  double modal_work_ = 0.0, beyond_ = 0.0, slip_ = 0.0, driven_ = 0.0;  ///< [J]
};

}  // namespace peal::contact
