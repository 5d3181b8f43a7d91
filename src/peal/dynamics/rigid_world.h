#pragma once

#include <peal/base/rigid_contacts.h>
#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/dynamics/touch.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace peal::dynamics {

/// Rigid bodies with smooth surfaces, simulated from impact to impact.
///
/// Bodies fly exactly until the next impact, whose instant is found within the step; impacts
/// follow Newton's restitution with Coulomb's friction, never adding energy. Contacts that last are
/// impulses once a step. Where a body rolls on one point, the constraint is taken at the contact
/// of the predicted middle of the step and the impulse at that of its start, as a leapfrog: rolling
/// then neither gains nor loses energy. Two bodies rub and bounce with the means of their
/// frictions and restitutions.
///
/// Bodies that could meet within a step are an island; each goes its way through the step alone. In
/// an island with many impacts in a step all are struck at its start, and stamped with their
/// instants. An island in which nothing has moved for a while sleeps until something comes near.
///
/// With hold() in place of step() someone else moves the bodies: all impacts of a step are struck
/// at its start, and bodies put where they then fly as though they had met at their instants.
class RigidWorld : public RigidSolver, public base::RigidContacts {
 public:
  /// Throws InputError with the name of a body for shapes and masses that are impossible, and for
  /// bodies that overlap at the start.
  RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);

  void step(const Moved& moved = moved_nothing) override;
  double interval() const override { return settings_.step; }
  void hold(std::span<base::MovedBody> moved) override;
  /// For hold().
  void keep(util::Archive& archive) override;

  double time() const override;
  base::Pose pose(std::size_t body) const override { return bodies_[body].pose; }
  Vec3 velocity(std::size_t body) const override;
  Vec3 angular_velocity(std::size_t body) const override;
  double energy() const override;
  const base::ContactLog& log() const override { return log_; }
  double rest_impulse() const override { return rest_impulse_; }

  std::shared_ptr<const SmoothShape> shape(std::size_t body) const { return bodies_[body].shape; }
  /// Of free bodies; others are where their motion says.
  const RigidState& state(std::size_t body) const { return bodies_[body].state; }

 private:
  static constexpr double together = 1e-6;   ///< gap up to which contacts are struck as one [m]
  static constexpr double unforeseen = 0.5;  ///< speed that others may give a body in a step [m/s]

  struct Body {
    RigidBodySettings settings;
    std::shared_ptr<const SmoothShape> shape;
    MassFrame frame;
    RigidState state;
    base::Pose pose;
    bool is_free = false, is_moving = false;  ///< neither: it stands still
    bool is_there = true;                     ///< in this step
    Mat3 turning = Mat3::Zero();              ///< inverse inertia in the world [1/(kg m^2)]
    // Of a body that is not free, over the step:
    Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
    double pushed = 0.0;  ///< by others, of one that someone else moves [m/s^2]
    // When it was last looked at for movement:
    std::optional<base::Pose> seen;
    bool is_calm = false, is_asleep = false, was_crowded = false;
    double rest = 0.0, rest_seen = 0.0;  ///< impulse of its contacts at rest [N s]
    double rest_rate = 0.0;              ///< of them in a step, asleep [N s]
  };
  struct Pair {
    std::uint32_t a, b;
  };
  struct Island {
    std::vector<std::uint32_t> bodies;  ///< free, ascending
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> joints;
    bool is_driven = false;  ///< by something that an animation moves
  };

  /// What a touch was given at an impact.
  struct Blow {
    Vec3 impulse = Vec3::Zero();   ///< [N s]
    Vec3 velocity = Vec3::Zero();  ///< of a against b before it [m/s]
    bool is_passed_on = false;     ///< it lay still, or was struck again
    double delay = 0.0;            ///< from now until they meet [s]
  };
  struct Struck {
    std::size_t meetings = 0;  ///< of touches; those that were struck again count again
    std::vector<Blow> blows;   ///< one a touch
  };

  // What could meet.
  static PlacedShape placed(const Body& body) { return place(*body.shape, body.pose); }
  double speed_bound(const Body& body, double within) const;
  std::vector<Pair> near_pairs() const;
  std::vector<Island> find_islands();
  /// Adds bodies that begin with this step and takes out those that have ended; whether there are
  /// such. Throws InputError with the name of a body that begins inside of another.
  bool begin_and_end();
  void refuse_overlaps_of(std::uint32_t body) const;
  bool acts(const RigidJoint& joint) const;
  static void wake(Body& body);
  void fall_asleep(const std::vector<Island>& islands);

  // One island through the step.
  void run(const Island& island, const Moved& moved);
  std::vector<Touch> detect(std::span<const Pair> pairs, double within, bool is_crowd) const;
  /// Slower approaches are no impacts [m/s].
  double slowest_impact(const Touch& touch) const;
  double time_of_impact(const Touch& touch, const Vec3& velocity) const;
  /// The time until the next impact, at most `left` [s].
  double until_impact(const std::vector<Touch>& touches, double left) const;
  /// Everything that meets fast bounces; false if nothing does.
  bool strike(const Island& island, const std::vector<Touch>& touches, bool at_once);
  /// All that would meet fast within a time [s] bounces now.
  Struck pass_on(const Island& island, const std::vector<Touch>& touches, double within);
  std::vector<std::size_t> meeting(const std::vector<Touch>& touches, double within,
                                   std::span<const double> last_struck,
                                   std::vector<Blow>& blows) const;
  double impact_speed(const Touch& touch, std::span<const BodyMomentum> momenta) const;
  std::vector<Blow> bounce(const Island& island, const std::vector<Touch>& touches);
  void record_blow(double t, const Touch& touch, const Blow& blow);
  std::vector<ContactRow> bounced(const Island& island, const std::vector<Touch>& touches,
                                  double restitution, std::span<BodyMomentum> momenta) const;
  struct Pushing {
    bool all = false;    ///< also what meets fast
    bool rolls = false;  ///< as a leapfrog
  };
  /// Keeps apart for `dt` [s] what touches slowly, and together what joints hold.
  void push_apart(const Island& island, const std::vector<Touch>& touches, double dt,
                  const Pushing& pushing);
  static void take(const base::MovedBody& moved, Body& body);
  void hold(const Island& island);
  void catch_up(const Island& island, const std::vector<Touch>& touches,
                const std::vector<Blow>& blows);
  void take_to_middle(const Touch& touch, double dt, ContactRow& row, double& gap) const;
  void add_joints(const Island& island, double dt, std::vector<ContactRow>& rows) const;
  bool is_turning(const Touch& touch) const;
  double energy_under_way(const Island& island, std::vector<BodyMomentum> momenta, double dt) const;
  void move_apart(const Island& island, const std::vector<Touch>& touches, double dt);
  void resist_rolling(const Touch& touch, double push, double speed);
  /// Moves free bodies by `way`, whose velocities are distances [m], at once.
  void shift(const Island& island, std::span<const BodyMomentum> way);
  void fly_on(const Island& island, double dt);

  std::vector<BodyMomentum> momenta() const;
  static void keep(util::Archive& archive, Body& body);
  void keep_held(util::Archive& archive);
  void take(const Island& island, std::span<const BodyMomentum> momenta);
  double kinetic(std::span<const std::uint32_t> bodies,
                 std::span<const BodyMomentum> momenta) const;
  ContactRow row_of(const Touch& touch) const;
  double restitution_of(const Touch& touch) const;
  Vec3 gravity_between(const Touch& touch) const;
  void place_scripted();
  void place_moving(double t);
  void record(double t, const Touch& touch, const Vec3& impulse, const Vec3& velocity,
              double duration, double rolling);
  void rest_on(const Touch& touch, double impulse);

  std::vector<Body> bodies_;
  std::vector<std::uint32_t> free_;
  RigidSettings settings_;
  double contact_speed_;  ///< slower approaches do not bounce [m/s]
  std::int64_t steps_ = 0;
  double since_ = 0.0;  ///< within the step [s]
  base::ContactLog log_;
  double rest_impulse_ = 0.0;
  std::int64_t looked_at_ = 0;  ///< step at which everything was last looked at for movement

  /// A contact that lasted through a piece of a step.
  struct Held {
    std::uint64_t key = 0;        ///< of the touch
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 normal = Vec3::Zero();   ///< unit length
    Vec3 impulse = Vec3::Zero();  ///< [N s]
    double duration = 0.0;        ///< of the piece [s]
    double until = 0.0;           ///< its end [s]
  };
  /// What held where this touch is; contacts of round faces change their keys as they move.
  const Held* held_at(const Touch& touch) const;
  std::unordered_map<std::uint64_t, std::vector<Held>> held_;  ///< by the key of the pair
};

}  // namespace peal::dynamics
