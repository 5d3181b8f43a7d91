#pragma once

#include <peal/elastic/contact_surface.h>
#include <peal/elastic/external_loads.h>
#include <peal/elastic/load.h>

#include <vector>

namespace peal::elastic {

/// Two points of surfaces that are pressed apart.
struct PointContact {
  SurfaceSpot on, against;
  geometry::Vec3 normal;   ///< along which the first one is pushed
  double depth = 0.0;      ///< negative: a gap between edges [m]
  double stiffness = 0.0;  ///< [N/m]

  /// Velocity of the first against the second [m/s].
  geometry::Vec3 velocity(const State& state) const;
  /// The way that the first goes out of the second in a step of `dt` [s] along the normal [m].
  double travel(const State& state, double dt) const { return dt * velocity(state).dot(normal); }
  double energy() const { return 0.5 * stiffness * depth * depth; }  ///< of the spring [J]
};

/// Adds the forces of a contact in a step of `dt` [s], with friction, on both. What is `unpaid` of
/// its depth is made up for on the way that the point slides, as though it went up a ramp, and by
/// the work of the force against that. Returns how much is until the next step [m].
double press(const PointContact& contact, const ContactSurface& on, const ContactSurface& against,
             const State& state, double dt, std::vector<Nodes>& forces, double unpaid = 0.0);

}  // namespace peal::elastic
