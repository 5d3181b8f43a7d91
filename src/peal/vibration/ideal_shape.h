#pragma once

#include <peal/base/material.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/polygon.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

/// Modal vibration of bodies. The modes of ideal shapes are known by formula (van den Doel & Pai
/// 1998, section 6): strings and bars lie along X, membranes and plates in the XZ plane, centred at
/// the origin; all move along Y. docs/theory/vibration.md has the equations.
namespace peal::vibration {

using geometry::Vec2;

/// The modes to compute.
struct ModeLimits {
  double max_frequency = 20000.0;  ///< [Hz]
  std::size_t most = 20000;        ///< largest number of modes; the lowest are kept
};

/// The modes of an ideal shape, without damping, and its eigenfunctions at any point.
class IdealShape {
 public:
  virtual ~IdealShape() = default;

  /// The modes in ascending order; a multiple frequency is repeated exactly.
  const std::vector<base::Mode>& modes() const { return modes_; }
  /// True if there are more modes below max_frequency than ModeLimits::most.
  bool is_cut() const { return is_cut_; }
  double mass() const { return mass_; }  ///< [kg]

  /// Displacement along Y of each mode at (x, z) [m], mass-normalised [kg^-1/2]; zero outside the
  /// shape.
  virtual void displacement(const Vec2& at, std::span<double> out) const = 0;
  std::vector<double> displacement(const Vec2& at) const;

 protected:
  std::vector<base::Mode> modes_;
  bool is_cut_ = false;
  double mass_ = 0.0;
};

/// The damped modes of an ideal shape on the vertices of a surface in the body's frame, in the same
/// form as those of finite elements. Each vertex has the displacement of the nearest point of the
/// shape, so that all vertices with the same x and z move equally.
base::ModalModel modal_model(const IdealShape& shape, geometry::TriMesh surface,
                             const base::Damping& damping);

/// Copies of the modes with their decay rates.
std::vector<base::Mode> damped(std::vector<base::Mode> modes, const base::Damping& damping);

}  // namespace peal::vibration
