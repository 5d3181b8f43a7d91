#pragma once

#include <peal/validation/validation.h>

/// There is one function per entry. A new entry adds its file, a line here and a line in
/// validation.cpp.
namespace peal::validation {

Entry doppler_shift();
Entry moving_monopole();
Entry circling_source();
Entry ray_spheres();
Entry ray_plates();
Entry effective_mass();
Entry surface_caches();
Entry water_surfaces();
Entry mean_curvature();
Entry hertz_impacts();
Entry rigid_motion();
Entry colliding_balls();
Entry bubble_pulsation();
Entry bubble_capacitance();
Entry bubble_pairs();
Entry poured_bubbles();

Entry zener_plates();
Entry timoshenko_beams();
Entry everyday_impacts();
Entry direct_attacks();
Entry thin_bodies();

Entry ideal_shapes();
Entry plucked_string();
Entry square_membrane_strikes();
Entry clamped_plate_strikes();
Entry modal_damping();
Entry solid_bars();
Entry solid_modes();
Entry odd_meshes();
Entry deformed_clamped_bar();
Entry deformed_plate();
Entry deformed_vibraphone();
Entry swinging_bar();
Entry snap_through();
Entry large_deflections();
Entry deformable_motion();
Entry shell_statics();
Entry shell_triangles();
Entry cymbal_crash();
Entry turned_walls();
Entry deformed_modes();

Entry pulsating_sphere_convergence();
Entry sphere_transients();
Entry oscillating_sphere_steady();
Entry baffled_piston();
Entry cap_piston();
Entry shaken_disc();
Entry bending_sheet();
Entry sphere_scattering();
Entry sphere_above_floor();
Entry far_field();
Entry helmholtz_resonators();
Entry tube_modes();
Entry box_modes();
Entry grid_dispersion();
Entry viscous_decay();
Entry imposed_multipoles();
Entry absorbing_layer();
Entry engquist_majda();
Entry stability();
Entry cup_on_floor();
Entry motion_noise();
Entry thin_shells();
Entry moving_speaker();
Entry wave_properties();
Entry ringing_sphere();
Entry precomputed_clicks();
Entry precomputed_modes();
Entry precomputed_scenes();
Entry fragment_bank();
Entry paper_method();

}  // namespace peal::validation
