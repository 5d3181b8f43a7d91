#pragma once

#include <peal/wave/far_field/far_field_setup.h>
#include <peal/wave/grid/field.h>

namespace peal::wave {

/// Pressure [Pa] between the nodes of a field: cubic through the 64 cells around x if all hold air,
/// else linear through those of the nearest 8 that do, their weights made to sum to 1. 0 if none
/// does.
template <class Real>
double probe(const FarFieldSetup& setup, const Field<Real>& field, const Vec3& x);

}  // namespace peal::wave
