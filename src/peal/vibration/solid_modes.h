#pragma once

#include <peal/base/material.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/util/fingerprint.h>
#include <peal/util/progress.h>
#include <peal/util/store.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace peal::vibration {

/// A box in which a body is clamped.
struct Clamp {
  geometry::Box box;                           ///< surface points inside are fixed [m]
  std::array<bool, 3> axes{true, true, true};  ///< fixed displacements: x, y, z
};

/// Which modes to compute, and how accurately.
struct SolidModesSettings {
  double max_frequency = 20000.0;  ///< [Hz]; 0: only `count` decides
  int count = 0;                   ///< largest number of modes, lowest first; 0: all in the band
  double accuracy = 0.005;         ///< largest relative error of a frequency [1]
  std::vector<Clamp> clamps;
};

/// The computed modes, and how they were computed.
struct SolidModes {
  base::ModalModel model;
  int order = 0;  ///< order of the elements
  std::size_t tets = 0;
  std::size_t unknowns = 0;
  /// Shapes at the end of `model` that stand for all modes above its band (residual_modes()): their
  /// relative error is 1, and complete_band() leaves them out.
  std::size_t residual = 0;
  std::vector<std::string> notices;  ///< messages for the user
};

/// Computes the vibration modes of a solid body: its surface is remeshed to resolve the structural
/// waves and filled with tetrahedra, and the eigenproblem of linear elasticity is solved with
/// elements of third order (docs/theory/vibration-modes.md). If the estimated error exceeds
/// `accuracy`, the mesh is refined, up to three times.
///
/// Throws util::InputError if the surface does not bound a solid, located in `file`.
SolidModes solid_modes(const geometry::TriMesh& surface, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file = {});

/// Like solid_modes(), but reads the result from the store if it was computed before from the same
/// mesh, material and settings; `was_stored` says whether it was.
SolidModes stored_solid_modes(const util::Store& store, const geometry::TriMesh& surface,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored);

/// The key of the modes in the store.
std::string modes_key(const geometry::TriMesh& surface, const base::Material& material,
                      const SolidModesSettings& settings);

/// Adds what the modes of a body depend on beside its surface.
void hash(const base::Material& material, const SolidModesSettings& settings,
          util::Fingerprint& fingerprint);

/// Writes or reads the result, with the model as the bytes of a .modes file.
void serialize(util::Archive& archive, SolidModes& modes);

/// The frequency up to which all modes of a model are known [Hz], of those that were asked for up
/// to `wanted`: shapes that stand for the modes above (SolidModes::residual) are not among them.
double complete_band(const base::ModalModel& model, double wanted);

}  // namespace peal::vibration
