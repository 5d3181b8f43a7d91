#pragma once

#include <peal/elastic/nodes.h>

#include <cmath>
#include <limits>

namespace peal::elastic {

/// How a deformed solid resists: the forces of all its elements.
///
/// They are the exact gradient of an energy that turning and moving the solid does not change, so
/// that leapfrog keeps energy and momentum.
class InternalForces {
 public:
  virtual ~InternalForces() = default;

  /// Adds -dW/dx. Not from two threads at once: elements write to a place of their own first.
  virtual void add(const Nodes& positions, Nodes& forces) = 0;

  /// As add(), one element after another: the clear form that the fast one is compared with.
  virtual void add_one_by_one(const Nodes& positions, Nodes& forces) const = 0;

  /// W [J].
  virtual double energy(const Nodes& positions) const = 0;

  virtual std::size_t elements() const = 0;

  struct Strained {
    std::size_t element = 0;
    double volume_ratio = 1.0;  ///< volume over that at rest [1]; negative if turned inside out
    geometry::Vec3 rest_centre = geometry::Vec3::Zero();  ///< where to look for it [m]

    /// How far from its size at rest, to compare: infinite if inside out or not finite.
    double strain() const {
      if (!(volume_ratio > 0.0)) return std::numeric_limits<double>::infinity();
      return std::abs(std::log(volume_ratio));
    }
  };
  /// The element whose volume has changed most; one whose nodes are not finite before others.
  virtual Strained most_strained(const Nodes& positions) const = 0;
  /// The element whose volume over that at rest is least.
  virtual Strained most_squeezed(const Nodes& positions) const = 0;

  /// Of all elements, the least volume over that at rest [1]. Not from two threads at once.
  virtual double least_volume(const Nodes& positions) = 0;
};

}  // namespace peal::elastic
