#pragma once

#include <peal/elastic/nodes.h>

#include <cmath>
#include <limits>

namespace peal::elastic {

/// Elastic forces of a deformed solid: the sum over all its elements.
///
/// The forces are the exact gradient of an energy that is invariant to rotation and translation of
/// the solid, so that leapfrog conserves energy and momentum.
class InternalForces {
 public:
  virtual ~InternalForces() = default;

  /// Adds -dW/dx. Not thread-safe: elements write to a buffer of this object first.
  virtual void add(const Nodes& positions, Nodes& forces) = 0;

  /// Adds the same forces one element after another: the clear form that the fast one is tested
  /// against.
  virtual void add_one_by_one(const Nodes& positions, Nodes& forces) const = 0;

  /// Elastic energy W [J].
  virtual double energy(const Nodes& positions) const = 0;

  virtual std::size_t elements() const = 0;

  struct Strained {
    std::size_t element = 0;
    double volume_ratio = 1.0;  ///< volume over that at rest [1]; negative if turned inside out
    geometry::Vec3 rest_centre = geometry::Vec3::Zero();  ///< centre of the element at rest [m]

    /// Magnitude of the logarithm of the volume ratio, for comparisons; infinite if the element is
    /// inside out or not finite.
    double strain() const {
      if (!(volume_ratio > 0.0)) return std::numeric_limits<double>::infinity();
      return std::abs(std::log(volume_ratio));
    }
  };
  /// The element whose volume has changed most; an element with nodes that are not finite comes
  /// first.
  virtual Strained most_strained(const Nodes& positions) const = 0;
  /// The element with the least volume ratio.
  virtual Strained most_squeezed(const Nodes& positions) const = 0;

  /// The least volume ratio of all elements [1]. Not thread-safe.
  virtual double least_volume(const Nodes& positions) = 0;
};

}  // namespace peal::elastic
