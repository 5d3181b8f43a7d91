#pragma once

#include <peal/base/force_history.h>
#include <peal/base/motion.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::base {

/// A body that takes part in an impact. One that cannot be moved has no inverse mass and inertia.
struct ImpactBody {
  std::uint32_t body = 0;                ///< its number among the bodies of the law
  Pose pose;                             ///< of its frame
  Vec3 centre = Vec3::Zero();            ///< of mass, world [m]
  Vec3 velocity = Vec3::Zero();          ///< of the centre [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< world [rad/s]
  double inverse_mass = 0.0;             ///< [1/kg]
  geometry::Mat3 inverse_inertia = geometry::Mat3::Zero();  ///< world [1/(kg m^2)]
  /// By gravity while the impact lasts; zero if nothing rests on anything [m/s^2].
  Vec3 acceleration = Vec3::Zero();

  Vec3 velocity_at(const Vec3& point) const {
    return velocity + angular_velocity.cross(point - centre);
  }
};

/// Two bodies meet at a point, or are about to.
struct ImpactContact {
  std::uint32_t a = 0, b = 0;   ///< of the bodies that are handed over
  Vec3 point = Vec3::Zero();    ///< world [m]
  Vec3 normal = Vec3::UnitY();  ///< world, unit length, out of b towards a
  double gap = 0.0;             ///< [m]; below zero: they overlap
  double restitution = 0.5;     ///< of the surfaces that touch [1]
  double friction = 0.0;        ///< coefficient of Coulomb's friction [1]
};

/// Where the energy of an impact comes from and where it goes [J].
struct ImpactEnergy {
  double rigid_before = 0.0, rigid_after = 0.0;  ///< kinetic, of the bodies that can be moved
  double modal_before = 0.0, modal_after = 0.0;  ///< of the modes of all bodies that take part
  double gravity = 0.0;                          ///< work of the bodies' own accelerations
  double driven = 0.0;    ///< work of bodies that cannot be moved but do move
  double damped = 0.0;    ///< lost by the modes while it lasted
  double beyond = 0.0;    ///< given to modes above the cut, and to waves that do not return
  double contact = 0.0;   ///< lost by dents
  double friction = 0.0;  ///< lost by slip

  /// What is not accounted for: zero but for rounding.
  double balance() const {
    return rigid_after + modal_after + damped + beyond + contact + friction - rigid_before -
           modal_before - gravity - driven;
  }
};

/// What an impact did.
struct ImpactOutcome {
  struct Touch {
    Vec3 impulse = Vec3::Zero();  ///< that b gives a, world [N s]
    double speed = 0.0;           ///< of the rigid approach along the normal [m/s]
    unsigned hits = 0;            ///< how often the two met while it lasted
    ForceHistory force;           ///< that b exerts on a, world directions
  };
  struct Body {
    Vec3 velocity = Vec3::Zero();          ///< change of the centre's velocity [m/s]
    Vec3 angular_velocity = Vec3::Zero();  ///< change, world [rad/s]
  };
  double start = 0.0, end = 0.0;  ///< [s]
  std::vector<Touch> touches;     ///< one a touch handed over
  std::vector<Body> bodies;       ///< one a body handed over
  ImpactEnergy energy;
};

/// The impact law of bodies whose compliance Newton's restitution does not cover: they ring
/// and go on ringing, so that what an impact does depends on the impacts before it.
class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;

  /// Whether an impact at `time` [s] gives its bodies' modes, or waves that leave, anything that
  /// matters. Otherwise Newton's law says the same.
  virtual bool matters(std::span<const ImpactBody> bodies, std::span<const ImpactContact> touches,
                       double time) const = 0;

  /// Points of two bodies that are no further apart belong to an impact at `speed` [m/s] along the
  /// normal: they may meet before it is over [m].
  virtual double reach(std::uint32_t body_a, std::uint32_t body_b, double speed) const = 0;

  /// What becomes of the bodies. It begins at `time` [s], or when the last impact on one of its
  /// bodies is over. Poses stay as they are.
  virtual ImpactOutcome strike(std::span<const ImpactBody> bodies,
                               std::span<const ImpactContact> touches, double time) = 0;

  /// The motion that the bodies' modes are left in.
  virtual void serialize(util::Archive& archive) = 0;
};

}  // namespace peal::base
