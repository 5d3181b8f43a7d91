#pragma once

#include <peal/dynamics/contact_point.h>
#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/rigid_solver.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace peal::dynamics {

/// The time of a simulation in steps, so that seconds are never a running sum.
struct StepClock {
  double step = 0.0;       ///< [s]
  std::int64_t steps = 0;  ///< completed steps
  double since = 0.0;      ///< time within the current step [s]

  double now() const { return static_cast<double>(steps) * step + since; }  ///< [s]
};

/// A body of a RigidWorld and its present motion.
struct RigidBody {
  RigidBodySettings settings;
  std::shared_ptr<const SmoothShape> shape;
  MassFrame frame;   ///< of a free body
  RigidState state;  ///< of a free body
  base::Pose pose;
  bool is_free = false, is_moving = false;  ///< neither: it stands still
  bool is_there = true;                     ///< whether it exists in this step
  Mat3 inverse_inertia = Mat3::Zero();      ///< in the world [1/(kg m^2)]
  // Bodies that an animation moves, over the step:
  Vec3 scripted_velocity = Vec3::Zero();          ///< velocity of the origin [m/s]
  Vec3 scripted_angular_velocity = Vec3::Zero();  ///< [rad/s]
  /// Acceleration by forces other than gravity and rigid contact, if someone else integrates the
  /// body [m/s^2].
  double pushed = 0.0;

  PosedShape placed() const { return place(*shape, pose); }
  /// Centre of mass of a free body, or the origin of another, in the world [m].
  const Vec3& centre() const { return is_free ? state.position : pose.position; }
  Vec3 velocity() const { return is_free ? state.velocity : scripted_velocity; }  ///< [m/s]
  Vec3 angular_velocity() const;                                                  ///< [rad/s]
  /// Upper bound of the speed of all its points within a time [s], without impacts [m/s].
  double speed_bound(const Vec3& gravity, double within) const;
  /// Updates pose and inverse inertia from the state of a free body.
  void follow_state();
};

/// The bodies of a RigidWorld: their states, and quantities of pairs of them.
class RigidBodies {
 public:
  /// Throws InputError with the name of a body for shapes and masses that are impossible, and for
  /// bodies that overlap at the start.
  RigidBodies(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);

  std::size_t size() const { return bodies_.size(); }
  RigidBody& operator[](std::size_t body) { return bodies_[body]; }
  const RigidBody& operator[](std::size_t body) const { return bodies_[body]; }
  auto begin() const { return bodies_.begin(); }
  auto end() const { return bodies_.end(); }
  std::span<const std::uint32_t> free() const { return free_; }  ///< ascending
  const Vec3& gravity() const { return gravity_; }               ///< [m/s^2]

  // Momenta and energy.
  /// Momenta with one entry a body, and a last one for the world.
  std::vector<BodyMomentum> momenta() const;
  /// Sets the momenta of only the bodies in the list.
  void set_momenta(std::span<const std::uint32_t> bodies, std::span<const BodyMomentum> momenta);
  double kinetic_energy(std::span<const std::uint32_t> bodies,
                        std::span<const BodyMomentum> momenta) const;  ///< [J]
  double energy() const;  ///< kinetic and gravitational, of all free bodies [J]

  // Quantities of two bodies at a contact point.
  ContactRow row_of(const ContactPoint& contact_point) const;
  double restitution_of(const ContactPoint& contact_point) const;  ///< [1]
  Vec3 gravity_between(const ContactPoint& contact_point) const;   ///< of a relative to b [m/s^2]
  double smaller_reach(const ContactPoint& contact_point) const;   ///< of the two bodies [m]
  Vec3 turning_between(
      const ContactPoint& contact_point) const;  ///< angular velocity of a relative to b [rad/s]
  const RigidBody& a(const ContactPoint& contact_point) const {
    return bodies_[contact_point.body_a];
  }
  const RigidBody& b(const ContactPoint& contact_point) const {
    return bodies_[contact_point.body_b];
  }

  // Motion.
  /// Integrates the free flight of free bodies of the list for `dt` [s].
  void fly(std::span<const std::uint32_t> bodies, double dt);
  /// Displaces free bodies of the list by these velocities times 1 s.
  void shift(std::span<const std::uint32_t> bodies, std::span<const BodyMomentum> displacement);
  /// Sets bodies that are not free to the pose of their motion and its velocity over the step.
  void place_scripted(const StepClock& clock);
  /// Sets bodies that an animation moves to their pose at time `t` [s].
  void place_moving(double t);

  // Existence.
  struct Changes {
    bool any = false;
    std::vector<std::uint32_t> begun;
  };
  /// Adds the bodies that exist at time `t` [s] and removes the others.
  Changes update_existence(double t);
  /// Throws InputError with the name of the body if it begins inside of another.
  void refuse_overlaps_of(std::uint32_t body) const;

 private:
  std::vector<RigidBody> bodies_;
  std::vector<std::uint32_t> free_;
  Vec3 gravity_;
};

}  // namespace peal::dynamics
