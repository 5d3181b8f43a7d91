#pragma once

namespace peal::util {

/// sin(pi x) / (pi x) under Kaiser's window of shape `beta`, which ends at `half` to both sides.
double kaiser_sinc(double x, double half, double beta);

}  // namespace peal::util
