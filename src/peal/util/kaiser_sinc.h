#pragma once

namespace peal::util {

/// sin(pi x) / (pi x) under a Kaiser window of shape `beta`, which is zero beyond `half` on both
/// sides.
double kaiser_sinc(double x, double half, double beta);

}  // namespace peal::util
