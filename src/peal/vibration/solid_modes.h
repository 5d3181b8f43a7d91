#pragma once

#include <peal/base/material.h>
#include <peal/base/modes.h>
#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/util/progress.h>

#include <string>
#include <vector>

namespace peal::vibration {

/// A part of space in which a body is held.
struct Clamp {
  geometry::Box box;                           ///< surface points inside are held [m]
  std::array<bool, 3> axes{true, true, true};  ///< which displacements: x, y, z
};

/// What is asked for.
struct SolidModesSettings {
  double max_frequency = 20000.0;  ///< [Hz]; 0: only `count` decides
  int count = 0;                   ///< at most so many modes, lowest first; 0: all in the band
  double accuracy = 0.005;         ///< largest relative error of a frequency [1]
  std::vector<Clamp> clamps;
};

/// What was computed, and how.
struct SolidModes {
  base::ModalModel model;
  int order = 0;  ///< of the elements
  std::size_t tets = 0;
  std::size_t unknowns = 0;
  std::vector<std::string> notices;  ///< what the user should know
};

/// The vibration modes of a solid body: its surface is refitted to the waves in it, filled with
/// tetrahedra, and the eigenproblem of linear elasticity is solved with elements of third order
/// (docs/theory/vibration-modes.md). If the estimated error exceeds what was asked for, the mesh is
/// refined, up to three times.
///
/// Throws util::InputError if the surface does not bound a solid, with `file` as its place.
SolidModes solid_modes(const geometry::TriMesh& surface, const base::Material& material,
                       const SolidModesSettings& settings, util::Progress& progress,
                       const std::string& file = {});

}  // namespace peal::vibration
