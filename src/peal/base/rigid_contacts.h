#pragma once

#include <peal/base/contact.h>
#include <peal/base/rigid_body.h>
#include <peal/util/archive.h>

#include <span>

namespace peal::base {

/// A free rigid body that another solver integrates in small steps.
struct MovedBody {
  RigidState state;
  /// Upper bound of the acceleration of any of its points by forces other than gravity and contact
  /// with rigid bodies [m/s^2].
  double pushed = 0.0;
};

/// Contacts and joints between rigid bodies that another solver integrates, because other forces
/// act on them as well.
class RigidContacts {
 public:
  virtual ~RigidContacts() = default;

  virtual double interval() const = 0;  ///< interval from one resolve_contacts() to the next [s]

  /// Called once per interval, from time zero on, with all free bodies in their order. It changes
  /// their states so that they can be integrated under gravity and other forces until the next
  /// call. Bodies that collide in that interval bounce, bodies in contact are kept apart with
  /// friction, and bodies connected by joints stay connected.
  virtual void resolve_contacts(std::span<MovedBody> bodies) = 0;

  /// Writes or reads the state that continues from one interval to the next.
  virtual void serialize(util::Archive& archive) = 0;

  virtual const ContactLog& log() const = 0;  ///< contacts so far
  /// Sum of the magnitudes of the impulses of resting contacts, which the log omits [N s].
  virtual double rest_impulse() const = 0;
};

}  // namespace peal::base
