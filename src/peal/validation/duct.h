#pragma once

#include <peal/wave/scheme/leapfrog.h>

namespace peal::validation {

/// The magnitude of the reflection coefficient at the end of a duct in the solver without bodies,
/// for waves of about `cells` cells per wavelength that arrive at `degrees` from its normal.
double duct_reflection(double cells, double degrees, wave::Side end,
                       const wave::CpmlSettings& layer = {});

}  // namespace peal::validation
