#pragma once

#include <peal/wave/scheme/leapfrog.h>

namespace peal::validation {

/// |reflection| of what a duct of the plain solver ends with, for waves of about `cells` a
/// wavelength that meet the end at `degrees` from its normal.
double duct_reflection(double cells, double degrees, wave::Side end,
                       const wave::CpmlSettings& layer = {});

}  // namespace peal::validation
