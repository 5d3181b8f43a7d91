#pragma once

#include <peal/scene/scene.h>
#include <peal/util/progress.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace peal::farm {

/// The modes of a body as a unit of work: the scene cannot be moved before they are found.
struct ModeUnit {
  std::size_t object = 0;      ///< index in the scene
  std::filesystem::path file;  ///< that stores them
  double work = 0.0;           ///< number of modes that are expected
};

/// The modes that finite elements must find before a scene can be moved: those of bodies that are
/// struck or move freely, each once, from the most work to the least. Whether a body at rest is hit
/// shows when the scene moves; those, and pieces of bodies that break, are left to whoever prepares
/// the render.
std::vector<ModeUnit> mode_units(const scene::Scene& scene);

/// Finds the modes that are not stored. Several processes may do so at the same time: each unit is
/// computed by one of them, and all return when all modes are there. Returns how many this process
/// has found. `tell` receives what users should know at once.
std::size_t find_modes(const scene::Scene& scene, util::Progress& progress,
                       const std::function<void(const std::string&)>& tell);

}  // namespace peal::farm
