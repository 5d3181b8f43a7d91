#pragma once

#include <peal/elastic/contact_surface.h>
#include <peal/elastic/external_loads.h>
#include <peal/elastic/load.h>

#include <vector>

namespace peal::elastic {

/// Contact of two surface points that push each other apart.
struct PointContact {
  SurfaceSpot on, against;
  geometry::Vec3 normal;   ///< direction in which the first point is pushed
  double depth = 0.0;      ///< negative: a gap between edges [m]
  double stiffness = 0.0;  ///< [N/m]

  /// Velocity of the first point relative to the second [m/s].
  geometry::Vec3 velocity(const State& state) const;
  /// Distance that the first point moves along the normal, out of the second surface, in a step of
  /// `dt` [s] [m].
  double travel(const State& state, double dt) const { return dt * velocity(state).dot(normal); }
  double energy() const { return 0.5 * stiffness * depth * depth; }  ///< of the spring [J]
};

/// Adds the forces of a contact in a step of `dt` [s], with friction, on both solids. The `unpaid`
/// part of its depth [m], for which no work was done, is made up for as the point slides, as though
/// it went up a ramp, by the work of the force against the sliding. Returns the part that is made
/// up for by the next step [m].
double press(const PointContact& contact, const ContactSurface& on, const ContactSurface& against,
             const State& state, double dt, std::vector<Nodes>& forces, double unpaid = 0.0);

}  // namespace peal::elastic
