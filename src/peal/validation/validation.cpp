#include <peal/util/error.h>
#include <peal/util/nearest_word.h>
#include <peal/validation/entries.h>
#include <peal/validation/validation.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace peal::validation {

double Claim::error() const {
  return std::abs(ours - published);
}

bool Claim::holds() const {
  return error() <= tolerance;  // false for NaN
}

bool Outcome::holds() const {
  return !claims.empty() && std::ranges::all_of(claims, &Claim::holds);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      doppler_shift(),
      moving_monopole(),
      circling_source(),
      ray_spheres(),
      ray_plates(),
      surface_caches(),
      water_surfaces(),
      effective_mass(),
      mean_curvature(),
      hertz_impacts(),
      rigid_motion(),
      ideal_shapes(),
      plucked_string(),
      square_membrane_strikes(),
      clamped_plate_strikes(),
      modal_damping(),
      solid_bars(),
      solid_modes(),
      odd_meshes(),
      deformed_clamped_bar(),
      deformed_plate(),
      deformed_vibraphone(),
      swinging_bar(),
      snap_through(),
      large_deflections(),
      deformable_motion(),
      shell_statics(),
      shell_triangles(),
      cymbal_crash(),
      turned_walls(),
      deformed_modes(),
      pulsating_sphere_convergence(),
      sphere_transients(),
      colliding_balls(),
      zener_plates(),
      timoshenko_beams(),
      everyday_impacts(),
      direct_attacks(),
      thin_bodies(),
      oscillating_sphere_steady(),
      baffled_piston(),
      cap_piston(),
      shaken_disc(),
      bending_sheet(),
      sphere_scattering(),
      sphere_above_floor(),
      far_field(),
      helmholtz_resonators(),
      tube_modes(),
      box_modes(),
      grid_dispersion(),
      viscous_decay(),
      imposed_multipoles(),
      absorbing_layer(),
      engquist_majda(),
      stability(),
      cup_on_floor(),
      motion_noise(),
      thin_shells(),
      moving_speaker(),
      wave_properties(),
      ringing_sphere(),
      precomputed_clicks(),
      precomputed_modes(),
      precomputed_scenes(),
      fragment_bank(),
      paper_method(),
      bubble_pulsation(),
      bubble_capacitance(),
      bubble_pairs(),
      poured_bubbles(),
  };
  return all;
}

std::vector<Result> run(const std::string& name, util::Progress& progress) {
  std::vector<std::string> keys;
  std::vector<Result> results;
  for (const Entry& entry : entries()) {
    keys.push_back(entry.key);
    if (name.empty() || name == entry.key) results.push_back({&entry, {}});
  }
  if (results.empty()) {
    throw util::InputError({"", ""}, "there is no validation entry \"" + name + '"',
                           util::suggest(name, keys));
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    progress.begin("validate " + results[i].entry->key, 0.0);
    const auto start = std::chrono::steady_clock::now();
    results[i].outcome = results[i].entry->run();
    results[i].seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.end();
  }
  return results;
}

}  // namespace peal::validation
