#pragma once

#include <peal/base/motion_result.h>
#include <peal/scene/scene.h>
#include <peal/simulate/impact_bodies.h>

#include <string>
#include <vector>

namespace peal::simulate {

/// Impacts that keyed motion shows, if someone asks for the sound of a moving body or of what it
/// may hit. Free bodies are not among them: what they meet is simulated. Says what was found.
base::ContactLog inferred_log(const scene::Scene& scene, const base::MotionResult& motion,
                              ImpactBodies& impact_bodies, std::vector<std::string>& notices);

}  // namespace peal::simulate
