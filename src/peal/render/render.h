#pragma once

#include <peal/base/radiator.h>
#include <peal/scene/scene.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace peal::render {

/// What one listener heard.
struct Heard {
  std::string listener;
  base::Audio audio;
};

/// The sound of a scene, and what was decided on the way.
struct Sound {
  std::vector<Heard> listeners;  ///< in the order of the scene
  base::RadiationPlan plan;
  std::vector<std::string> notices;
};

/// The whole data path in memory: scene -> motion -> shaders -> radiator -> listeners. Radiators
/// that take long keep finished work in `cache`, if given, and find it there again.
Sound render(const scene::Scene& scene, util::Progress& progress,
             const std::optional<std::filesystem::path>& cache = {});

}  // namespace peal::render
