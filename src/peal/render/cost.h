#pragma once

#include <peal/scene/scene.h>

#include <string>
#include <vector>

namespace peal::render {

/// How long render() will take on this machine.
struct CostEstimate {
  std::vector<std::string> choices;  ///< what the radiator chose, one sentence each
  double work = 0.0;                 ///< in plan.work_unit
  std::string work_unit;
  double seconds = 0.0;       ///< on all allowed threads
  double x_real_time = 0.0;   ///< seconds of sound per second of work
  double memory_bytes = 0.0;  ///< of the sound itself, all receivers
};

/// What the user should know before a render: what was converted or assumed, what is not heard.
/// Opens the recordings, and the frames of mesh sequences, so that their problems are found.
std::vector<std::string> notices(const scene::Scene& scene);

/// By a short trial of the scene's radiator.
CostEstimate estimate_cost(const scene::Scene& scene);

}  // namespace peal::render
