#pragma once

#include <peal/validation/validation.h>

/// One function an entry. A new entry adds its file, a line here and a line in validation.cpp.
namespace peal::validation {

Entry doppler_shift();
Entry moving_monopole();
Entry circling_source();
Entry effective_mass();
Entry mean_curvature();

}  // namespace peal::validation
