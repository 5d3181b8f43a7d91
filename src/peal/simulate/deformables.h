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

/// Whether free rigid bodies are simulated together with deformable ones, which they may meet.
bool meets_deformables(const scene::Scene& scene);

/// What deform() would have to simulate, one sentence a body; none if what it would find is in the
/// user's cache. Builds all that it would simulate, so that problems of the scene are found, and
/// simulates nothing. Adds what is wrong with stored results to `notices`.
std::vector<std::string> unknown_deformations(const scene::Scene& scene,
                                              std::vector<std::string>& notices);

/// How deform() would simulate what is not known, and what it takes; none if all is known.
std::optional<elastic::SimulationCost> deformation_cost(const scene::Scene& scene);

/// Simulates the deformable bodies of a scene, with what they meet, and keeps what their surfaces
/// did in the user's cache, by everything that it depends on: another radiator or listener finds it
/// there. What is not finished is kept there, too, and goes on from there the next time. Adds
/// surfaces, and the motions of free rigid bodies that may meet them, to `motion`, what these did
/// to each other to the log of `contacts`, and what the user should know to `notices`. Throws
/// InputError that names the object.
void deform(const scene::Scene& scene, const MovingOptions& options, base::MotionResult& motion,
            base::ContactResult& contacts, util::Progress& progress,
            std::vector<std::string>& notices);

}  // namespace peal::simulate
