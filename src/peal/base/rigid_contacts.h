#pragma once

#include <peal/base/contact.h>
#include <peal/base/rigid_body.h>
#include <peal/util/archive.h>

#include <span>

namespace peal::base {

/// A free rigid body that someone moves in small steps.
struct MovedBody {
  RigidState state;
  /// A bound of the acceleration of its points by forces other than gravity and rigid contacts
  /// [m/s^2].
  double pushed = 0.0;
};

/// Resolves the contacts between rigid bodies that another solver integrates, because other forces
/// act on them as well.
class RigidContacts {
 public:
  virtual ~RigidContacts() = default;

  virtual double interval() const = 0;  ///< from one resolve_contacts() to the next [s]

  /// Resolves impacts, resting contacts, friction and joints of the coming interval, so that until
  /// the next call all bodies can be integrated freely. To be called once an interval from time
  /// zero on, with all free bodies in their order.
  virtual void resolve_contacts(std::span<MovedBody> bodies) = 0;

  /// The state from one interval to the next, for a checkpoint.
  virtual void serialize(util::Archive& archive) = 0;

  virtual const ContactLog& log() const = 0;  ///< contacts so far
  /// The sum of the impulses of resting contacts, which the log leaves out [N s].
  virtual double rest_impulse() const = 0;
};

}  // namespace peal::base
