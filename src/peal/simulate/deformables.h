#pragma once

#include <peal/elastic/simulation.h>
#include <peal/elastic/surface_record.h>
#include <peal/scene/scene.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/progress.h>

#include <optional>
#include <string>
#include <vector>

namespace peal::simulate {

bool has_deformables(const scene::Scene& scene);

/// Whether free rigid bodies are simulated together with deformable ones, which they may touch.
bool meets_deformables(const scene::Scene& scene);

/// Lists what deform() would have to simulate, one sentence a body; empty if the result is in the
/// user's cache. Builds everything that would be simulated, so that problems of the scene are
/// found, but simulates nothing. Adds to `notices` how bodies are divided and held, and problems of
/// stored results.
std::vector<std::string> unknown_deformations(const scene::Scene& scene,
                                              std::vector<std::string>& notices);

/// Estimates the cost of the simulation that deform() would run; none if its result is cached.
std::optional<elastic::SimulationCost> deformation_cost(const scene::Scene& scene);

/// Simulates the deformable bodies of a scene and the bodies that they touch, and stores the
/// recorded surfaces in the user's cache under a fingerprint of all that they depend on: another
/// radiator or listener finds them there. Unfinished simulations are stored there, too, and resume
/// the next time. Adds surfaces, and the motions of free rigid bodies that may touch them, to
/// `motion`, contacts between these to the log of `contacts`, and what the user should know to
/// `notices`. Throws InputError that names the object.
void deform(const scene::Scene& scene, const MovingOptions& options, base::MotionResult& motion,
            base::ContactResult& contacts, util::Progress& progress,
            std::vector<std::string>& notices);

}  // namespace peal::simulate
