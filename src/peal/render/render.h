#pragma once

#include <peal/base/radiator.h>
#include <peal/scene/scene.h>

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

/// The whole data path in memory: scene -> motion -> shaders -> radiator -> listeners.
Sound render(const scene::Scene& scene, util::Progress& progress);

/// How long render() will take on this machine.
struct CostEstimate {
  double work = 0.0;  ///< in plan.work_unit
  std::string work_unit;
  double seconds = 0.0;       ///< on all allowed threads
  double x_real_time = 0.0;   ///< seconds of sound per second of work
  double memory_bytes = 0.0;  ///< of the sound itself, all receivers
};

/// Times a short stretch in the middle of the scene and scales it up.
CostEstimate estimate_cost(const scene::Scene& scene);

}  // namespace peal::render
