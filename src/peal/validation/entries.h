#pragma once

#include <peal/validation/validation.h>

/// One function an entry. A new entry adds its file, a line here and a line in validation.cpp.
namespace peal::validation {

Entry doppler_shift();
Entry moving_monopole();
Entry circling_source();
Entry effective_mass();
Entry mean_curvature();

Entry pulsating_sphere_convergence();
Entry sphere_transients();
Entry oscillating_sphere_steady();
Entry baffled_piston();
Entry cap_piston();
Entry sphere_scattering();
Entry sphere_above_floor();
Entry far_field();
Entry helmholtz_resonators();
Entry tube_modes();
Entry box_modes();
Entry grid_dispersion();
Entry viscous_decay();
Entry imposed_multipoles();
Entry motion_noise();
Entry moving_speaker();
Entry wave_properties();

}  // namespace peal::validation
