#pragma once

#include <peal/base/material.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/polygon.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

/// How bodies ring. Ideal shapes have their modes by formula (van den Doel & Pai 1998, section 6):
/// strings and bars lie along X, membranes and plates in the XZ plane, all around or at the origin;
/// all move along Y. docs/theory/vibration.md has the equations.
namespace peal::vibration {

using geometry::Vec2;

/// Which modes are wanted.
struct ModeLimits {
  double max_frequency = 20000.0;  ///< [Hz]
  std::size_t most = 20000;        ///< the lowest ones, if there are more below max_frequency
};

/// The modes of an ideal shape, without damping, and its eigenfunctions at any point.
class IdealShape {
 public:
  virtual ~IdealShape() = default;

  /// Ascending; a frequency that belongs to several modes is there as often, to the last bit.
  const std::vector<base::Mode>& modes() const { return modes_; }
  /// True if there are more modes below the limits' max_frequency than are here.
  bool is_cut() const { return is_cut_; }
  double mass() const { return mass_; }  ///< [kg]

  /// Displacement along Y of each mode at (x, z) [m], mass-normalised [kg^-1/2]; zero outside.
  virtual void displacement(const Vec2& at, std::span<double> out) const = 0;
  std::vector<double> displacement(const Vec2& at) const;

 protected:
  std::vector<base::Mode> modes_;
  bool is_cut_ = false;
  double mass_ = 0.0;
};

/// The same on the vertices of a surface in the body's frame, damped: what the finite-element
/// bodies hand over too. The displacement belongs to the nearest point of the shape: all vertices
/// with the same x and z move alike.
base::ModalModel modal_model(const IdealShape& shape, geometry::TriMesh surface,
                             const base::Damping& damping);

/// Copies of the modes with their decay rates.
std::vector<base::Mode> damped(std::vector<base::Mode> modes, const base::Damping& damping);

}  // namespace peal::vibration
