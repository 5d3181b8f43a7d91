#pragma once

#include <peal/base/contact.h>
#include <peal/base/impact_law.h>
#include <peal/base/rigid_body.h>
#include <peal/dynamics/smooth_shape.h>
#include <peal/scene/collision_shape.h>
#include <peal/util/store.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::dynamics {

using base::MassFrame;
using base::Pose;
using base::RigidState;
using geometry::Mat3;
using geometry::Quat;

/// An impulse from outside, at the beginning of a step.
struct Blow {
  double time = 0.0;            ///< beginning of the step, which is the nearest [s]
  Vec3 impulse = Vec3::Zero();  ///< world [N s]
  Vec3 point = Vec3::Zero();    ///< world [m]
};

/// Description of a body before the simulation.
struct RigidBodySettings {
  std::string name = {};
  scene::CollisionShape shape = {};
  double friction = 0.4;     ///< mu [1]
  double restitution = 0.5;  ///< e [1]
  /// Rolling resistance: work per normal force and distance moved by the contact point [1].
  double rolling_resistance = 0.0;
  /// When the body exists; absent: always. At other times it neither moves nor touches others.
  /// Bullet's solver does not support this.
  std::optional<base::TimeRange> exists = {};

  /// Prescribed motion, or rest, of a body that is not free; null: free.
  std::shared_ptr<const base::Motion> motion = {};
  // Free bodies only:
  geometry::MassProperties mass = {};
  base::Pose pose = {};                  ///< initial pose
  Vec3 velocity = Vec3::Zero();          ///< initial, of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  /// Name of the body of which it is a piece, if it is one. Pieces of one body may overlap when
  /// they begin, by the rounding of their surfaces; then they part.
  std::string piece_of = {};
  std::vector<Blow> blows = {};  ///< Bullet's solver does not support them.
};

/// A rod without mass between two bodies, or a body and the world, that turns freely at both ends.
/// With length zero it is a ball joint. A string is a rod that cannot push.
struct RigidJoint {
  std::uint32_t body = 0;                   ///< a free body
  std::optional<std::uint32_t> other = {};  ///< none: the world
  Vec3 at = Vec3::Zero();                   ///< in the frame of `body` [m]
  Vec3 to = Vec3::Zero();                   ///< in the frame of `other` [m]
  double length = 0.0;                      ///< [m]
  bool is_string = false;
};

struct RigidSettings {
  scene::Solver solver = scene::Solver::smooth;
  Vec3 gravity = {0.0, -9.81, 0.0};  ///< [m/s^2]
  double step = 1.0 / 6000.0;        ///< [s]
  std::vector<RigidJoint> joints = {};
  /// Of bodies that ring, which are numbered as here; none: all follow Newton's restitution. Bullet
  /// ignores it.
  std::shared_ptr<base::ImpactLaw> law = {};
  /// Where distance fields of meshes are stored, if anywhere.
  std::shared_ptr<const util::Store> fields = {};
};

/// Simulates rigid bodies step by step and records their contacts.
class RigidSolver {
 public:
  using Moved = std::function<void(std::span<const std::uint32_t> bodies)>;
  static void moved_nothing(std::span<const std::uint32_t>) {}

  virtual ~RigidSolver() = default;

  /// Simulates one step. `moved` is called with the free bodies that have moved, at time(): some at
  /// impacts, all at the end of the step.
  virtual void step(const Moved& moved = moved_nothing) = 0;

  virtual double time() const = 0;  ///< [s]
  virtual base::Pose pose(std::size_t body) const = 0;
  virtual Vec3 velocity(std::size_t body) const = 0;          ///< of the centre of mass [m/s]
  virtual Vec3 angular_velocity(std::size_t body) const = 0;  ///< [rad/s]
  virtual double energy() const = 0;  ///< kinetic and gravitational, of all free bodies [J]
  /// Log of impacts, and of contacts that slide or roll faster than 1 cm/s, by time.
  virtual const base::ContactLog& log() const = 0;
  /// Sum of the magnitudes of the impulses of contacts at rest, which the log leaves out [N s].
  virtual double rest_impulse() const = 0;
};

/// Makes the solver that the settings name. Throws InputError with the name of a body for shapes
/// and masses that are impossible, and for bodies that overlap at the start.
std::unique_ptr<RigidSolver> make_rigid_solver(std::vector<RigidBodySettings> bodies,
                                               const RigidSettings& settings);

// Constants and functions that all solvers share.

inline constexpr double slowest_slide = 0.01;  ///< slower contacts are at rest [m/s]
/// Least speed of an impact that propagates: slower ones are inaudible, and many in a heap [m/s].
inline constexpr double slowest_passed_on = 0.02;
inline constexpr double slowest_turn = 0.001;  ///< least speed of a rolling body at its ends [m/s]
inline constexpr double farthest_roll = 0.15;  ///< of a contact in a step, over the body's size
/// Interval at which bodies are checked for movement [s].
inline constexpr double time_to_sleep = 0.1;

/// A resting contact gains up to the acceleration of a step in a step; this many times that speed
/// counts as rest.
inline constexpr double steps_of_rest = 4.0;

/// Allowed overlap of bodies when they begin, for rounded numbers in scenes [m].
inline constexpr double overlap_allowed = 1e-5;

/// Least speed of an approach that bounces [m/s].
double slowest_bounce(const RigidSettings& settings);

/// The shapes of the bodies, after the checks that make_rigid_solver() reports.
std::vector<std::shared_ptr<const SmoothShape>> checked_shapes(
    std::span<const RigidBodySettings> bodies, const RigidSettings& settings);

struct ScriptedVelocity {
  Vec3 velocity = Vec3::Zero();          ///< of the frame's origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
};
/// Mean velocity of a motion over a step from `t` on [s].
ScriptedVelocity scripted_velocity(const base::Motion& motion, double t, double step);

/// Takes `work` [J] from the rotational energy of a body, or half of that energy if that is less.
void resist_rolling(const MassFrame& frame, double work, RigidState& state);

/// Whether a body has been still since it was at `seen`, a time_to_sleep ago. It moves with `speed`
/// and spins at its ends with `spin` [m/s], because a moving body may pass the same pose again.
bool has_hardly_moved(const base::Pose& seen, const base::Pose& now, double speed, double spin,
                      const RigidSettings& settings);

}  // namespace peal::dynamics
