#pragma once

#include <peal/wave/far_field/far_field_setup.h>
#include <peal/wave/grid/field.h>

namespace peal::wave {

/// Interpolates the pressure [Pa] of a field at x: cubic through the 64 cells around x if all
/// contain air, or else linear through those of the nearest 8 that do, with weights that add up to
/// 1. The result is 0 if none does.
template <class Real>
double probe(const FarFieldSetup& setup, const Field<Real>& field, const Vec3& x);

}  // namespace peal::wave
