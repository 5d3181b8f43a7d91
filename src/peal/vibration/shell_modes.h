#pragma once

#include <peal/base/material.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/shell_mesh.h>
#include <peal/util/progress.h>
#include <peal/util/store.h>
#include <peal/vibration/solid_modes.h>

#include <cstddef>
#include <string>
#include <vector>

namespace peal::vibration {

/// Length of bending waves of a plate of thickness `thickness` [m] at a frequency [Hz]:
/// 2 pi (D / (rho t))^(1/4) / sqrt(2 pi f) [m].
double bending_wavelength(const base::Material& material, double thickness, double frequency);

/// Expected number of modes of a thin wall up to a frequency [Hz]: those of a plate of its area,
/// A / 2 (rho t / D)^(1/2) f (Courant & Hilbert 1953, chapter 6).
double expected_shell_modes(const geometry::ShellMesh& shell, const base::Material& material,
                            double frequency);

/// Computes the vibration modes of a thin wall with shell elements (docs/theory/shells.md): its
/// triangles are divided until they resolve the bending waves, and the linear eigenproblem is
/// solved on that mesh and on a coarser one. Both together tell the error of the frequencies.
///
/// Throws util::InputError at `file` if the wall or its material has no such modes.
SolidModes shell_modes(const geometry::ShellMesh& shell, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file = {});

/// The same of shell_modes().
SolidModes stored_shell_modes(const util::Store& store, const geometry::ShellMesh& shell,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored);
std::string modes_key(const geometry::ShellMesh& shell, const base::Material& material,
                      const SolidModesSettings& settings);

}  // namespace peal::vibration
