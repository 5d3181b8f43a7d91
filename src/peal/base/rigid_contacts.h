#pragma once

#include <peal/base/contact.h>
#include <peal/base/rigid_body.h>
#include <peal/util/archive.h>

#include <span>

namespace peal::base {

/// A free rigid body that someone moves in small steps.
struct MovedBody {
  RigidState state;
  /// Of any of its points, by what is neither gravity nor another rigid body; at most [m/s^2].
  double pushed = 0.0;
};

/// What rigid bodies do to each other that someone else moves, because other forces act on them as
/// well.
class RigidContacts {
 public:
  virtual ~RigidContacts() = default;

  virtual double interval() const = 0;  ///< from one hold() to the next [s]

  /// Asked once an interval, from time zero on, with all free bodies in their order: changes their
  /// states so that until the next time they can fly under gravity and what else pushes them. What
  /// meets in that time bounces, what touches is kept apart and rubs, what rods hold stays
  /// together.
  virtual void hold(std::span<MovedBody> bodies) = 0;

  /// What it remembers from one time to the next, to go on later.
  virtual void serialize(util::Archive& archive) = 0;

  virtual const ContactLog& log() const = 0;  ///< of what they did so far
  /// Of contacts at rest, which the log leaves out: the sum of the impulses' sizes [N s].
  virtual double rest_impulse() const = 0;
};

}  // namespace peal::base
