#pragma once

#include <peal/base/contact.h>
#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/rigid_body.h>
#include <peal/dynamics/touch.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::dynamics {

/// A body before the simulation.
struct RigidBodySettings {
  std::string name = {};
  scene::CollisionShape shape = {};
  double friction = 0.4;     ///< mu [1]
  double restitution = 0.5;  ///< e [1]
  /// Loss of rolling: work per normal force and way of the point of contact [1].
  double rolling_resistance = 0.0;

  /// Of a body that is not free: where it is, at rest or moved by an animation. Null: free.
  std::shared_ptr<const base::Motion> motion = {};
  // Of a free body:
  geometry::MassProperties mass = {};
  base::Pose pose = {};                  ///< at the start
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
};

struct RigidSettings {
  Vec3 gravity = {0.0, -9.81, 0.0};  ///< [m/s^2]
  double step = 1.0 / 6000.0;        ///< [s]
  /// Where distance fields of meshes are kept, if anywhere.
  std::optional<std::filesystem::path> cache = {};
};

/// A few rigid bodies with smooth surfaces, simulated from impact to impact.
///
/// Bodies fly exactly until the next impact, whose instant is found within the step; impacts
/// follow Newton's restitution with Coulomb's friction, never adding energy. Contacts that last are
/// impulses once a step. Where a body rolls on one point, the constraint is taken at the contact
/// of the predicted middle of the step and the impulse at that of its start, as a leapfrog: rolling
/// then neither gains nor loses energy. Two bodies rub and bounce with the means of their
/// frictions and restitutions. Once nothing has moved for a while, nothing is computed any more.
class RigidWorld {
 public:
  /// Throws InputError with the name of a body for shapes and masses that are impossible, and for
  /// bodies that overlap at the start.
  RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);

  /// `after_flight` is called whenever bodies have moved: at the end of the step and at impacts.
  void step(const std::function<void()>& after_flight = [] {});

  double time() const;  ///< [s]
  /// Of free bodies; others are where their motion says.
  const RigidState& state(std::size_t body) const { return bodies_[body].state; }
  base::Pose pose(std::size_t body) const { return bodies_[body].pose; }
  Vec3 angular_velocity(std::size_t body) const;
  double energy() const;  ///< of motion and height, of all free bodies [J]
  /// Impacts, and contacts that slide or roll faster than 1 cm/s.
  const base::ContactLog& log() const { return log_; }
  /// Of contacts at rest, which the log leaves out: the sum of the impulses' sizes [N s].
  double rest_impulse() const { return rest_impulse_; }

 private:
  struct Body {
    RigidBodySettings settings;
    std::unique_ptr<SmoothShape> shape;
    MassFrame frame;
    RigidState state;
    base::Pose pose;
    bool is_free = false;
    // Of a body that is not free, over the step:
    Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  };

  std::vector<Touch> detect(double within) const;
  std::vector<BodyMomentum> momenta() const;
  void take(std::span<const BodyMomentum> momenta);
  ContactRow row_of(const Touch& touch) const;
  Vec3 gravity_between(const Touch& touch) const;
  double time_of_impact(const Touch& touch, const Vec3& velocity) const;

  /// The time until the next impact, at most `left` [s].
  double until_impact(const std::vector<Touch>& touches, double left) const;
  /// Everything that meets fast bounces; false if nothing does.
  bool strike(const std::vector<Touch>& touches, bool at_once);
  std::vector<ContactRow> bounce(const std::vector<Touch>& touches, double restitution,
                                 std::span<BodyMomentum> momenta) const;
  /// Keeps apart for `dt` [s] what touches slowly.
  void push_apart(const std::vector<Touch>& touches, double dt, bool all);
  void take_to_middle(const Touch& touch, double dt, ContactRow& row, double& gap) const;
  void resist_rolling(const Touch& touch, double push, double speed);
  void fly_all(double dt);
  void place_scripted();
  double kinetic(std::span<const BodyMomentum> momenta) const;
  void refuse_overlaps() const;
  void record(const Touch& touch, const Vec3& impulse, const Vec3& velocity, double duration,
              double rolling);

  std::vector<Body> bodies_;
  RigidSettings settings_;
  double contact_speed_;  ///< slower approaches do not bounce [m/s]
  std::int64_t steps_ = 0;
  double since_ = 0.0;  ///< within the step [s]
  base::ContactLog log_;
  double rest_impulse_ = 0.0;
  void fall_asleep();

  /// When and where everything was last looked at, for something that moves.
  std::int64_t looked_at_ = 0;  ///< step
  std::vector<base::Pose> seen_;
  double rest_seen_ = 0.0;  ///< rest_impulse_ then [N s]
  /// If everything is at rest, which it then stays: the rest impulse of a step [N s].
  std::optional<double> asleep_;

  /// A contact that lasted through the last piece of a step.
  struct Held {
    Vec3 point;    ///< [m]
    Vec3 normal;   ///< unit length
    Vec3 impulse;  ///< [N s]
  };
  /// What held where this touch is; contacts of round faces change their keys as they move.
  const Held* held_at(const Touch& touch) const;

  std::map<std::uint64_t, Held> held_;  ///< by the key of the touch
  double held_for_ = 0.0;               ///< how long that piece was [s]
};

}  // namespace peal::dynamics
