#pragma once

#include <peal/wave/far_field/far_field_setup.h>
#include <peal/wave/grid/field.h>

#include <array>

namespace peal::wave {

/// The cells between which the pressure at a point is interpolated: cubic through the 64 cells
/// around it if all contain air, or else linear through those of the nearest 8 that do.
struct ProbeStencil {
  std::array<Cell, 64> cells;
  std::array<double, 64> weights;
  int count = 0;         ///< 0 if no cell contains air
  double divisor = 1.0;  ///< of the sum of weighted pressures

  /// The pressure [Pa], where `at(i)` is that of cell i.
  template <class At>
  double evaluate(const At& at) const {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += weights[static_cast<std::size_t>(i)] * at(i);
    return count > 0 ? sum / divisor : 0.0;
  }
};
ProbeStencil probe_stencil(const FarFieldSetup& setup, const Vec3& x);

/// The pressure [Pa] of a field at x, interpolated with the stencil; 0 where there is no air.
template <class Real>
double probe(const FarFieldSetup& setup, const Field<Real>& field, const Vec3& x);

}  // namespace peal::wave
