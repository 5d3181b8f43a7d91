#pragma once

#include <peal/base/modes.h>
#include <peal/util/archive.h>

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace peal::contact {

/// The modes of one body in time: oscillators q'' + 2 d q' + w^2 q = sum of g F, with a state.
///
/// A step of length h with forces that are constant over it is exact:
///
///   q1 = a11 q + a12 v + b1 g F,   v1 = a21 q + a22 v + b2 g F,
///
/// so that any h is stable, and a force F does exactly the work F (g q1 - g q0).
class ModalOscillators {
 public:
  explicit ModalOscillators(std::span<const base::Mode> modes);

  std::size_t size() const { return size_; }
  /// Lists have this many entries, a multiple of what is worked on at once; those from size() on
  /// are zero.
  std::size_t padded() const { return w_.size(); }
  double angular_frequency(std::size_t mode) const { return w_[mode]; }  ///< [rad/s]
  double decay_rate(std::size_t mode) const { return d_[mode]; }         ///< [1/s]
  std::span<const double> q() const { return q_; }                       ///< [m kg^1/2]
  std::span<const double> v() const { return v_; }                       ///< [m kg^1/2 / s]
  void set(std::size_t mode, double q, double v) {
    q_[mode] = q, v_[mode] = v;
    is_at_rest_ = is_at_rest_ && q == 0.0 && v == 0.0;
  }
  double energy() const;  ///< [J]
  bool is_at_rest() const { return is_at_rest_; }

  /// Rings freely for `time` [s], in closed form. For a negative time it is where it would have
  /// rung before if it had lost nothing since: what a force adds to that is right, and nothing
  /// grows.
  void ring(double time);

  /// The coefficients of a step; an entry for each mode.
  struct Step {
    double h = 0.0;  ///< [s]
    std::vector<double> a11, a12, a21, a22, b1, b2;
  };
  /// Kept from one call to the next: impacts share a few lengths of steps.
  const Step& step(double h);
  /// Forgets lengths of steps if there are many: those of given forces occur only once.
  void limit_steps() {
    if (steps_.size() > 64) steps_.clear();
  }

  void serialize(util::Archive& archive);

 private:
  friend class ModalContact;

  void ring_back(double time);

  std::size_t size_;
  std::vector<double> w_, d_, q_, v_;
  bool is_at_rest_ = true;
  std::map<double, Step> steps_;
};

/// The modes of one body while forces act on it at some points, in some directions each.
///
/// After each step it says where the points would be after the next one without forces: the solver
/// finds the forces from that. So each step passes over the modes once.
class ModalContact {
 public:
  /// `gains`: a list of padded() shapes for each force, at its point along its direction, which
  /// lie one after another [kg^-1/2]. Steps are `h` [s] long. Velocities are asked of the first
  /// `timed` forces only.
  ModalContact(ModalOscillators& modes, std::vector<double> gains, double h,
               std::size_t timed = all);

  std::size_t forces() const { return forces_; }
  /// Where each force's point is along the force [m], and how fast [m/s], after the next step if
  /// there are no forces.
  std::span<const double> free_position() const { return position_; }
  std::span<const double> free_velocity() const { return velocity_; }
  /// What 1 N over a step adds there: sums of b1 g g [m/N] and of b2 g g [m/(N s)].
  double compliance(std::size_t a, std::size_t b) const { return compliance_[a * forces_ + b]; }
  double admittance(std::size_t a, std::size_t b) const { return admittance_[a * forces_ + b]; }

  /// Where a force's point is now [m], and how fast [m/s].
  double position(std::size_t force) const;
  double velocity(std::size_t force) const;

  /// Takes a step with these forces [N].
  void advance(std::span<const double> forces);
  /// Takes this many steps without forces.
  void leap(unsigned steps);
  /// How fast the modes can move a force's point from now on without forces [m/s].
  double fastest(std::size_t force) const;
  /// How far from rest the modes can bring a force's point from now on: the sum of |g| times
  /// amplitudes [m].
  double farthest(std::size_t force) const;

 private:
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  /// Takes a step of the modes with the forces, if there are any, and looks a step ahead.
  template <std::size_t count>
  void pass(const double* forces);
  void pass_any(const double* forces);
  template <std::size_t count, bool is_timed>
  void look_ahead(std::size_t first);
  std::span<const double> gains_of(std::size_t force) const;

  ModalOscillators& modes_;
  const ModalOscillators::Step& step_;
  std::size_t forces_, timed_;
  std::vector<double> gains_;
  std::vector<double> position_, velocity_, compliance_, admittance_;
  // Scratch of pass_any():
  std::vector<double> ahead_;        ///< of the modes, after the next step without forces
  std::vector<std::size_t> pushed_;  ///< forces that act
};

}  // namespace peal::contact
