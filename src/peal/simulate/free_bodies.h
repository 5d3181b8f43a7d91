#pragma once

#include <peal/base/motion_result.h>
#include <peal/scene/scene.h>
#include <peal/simulate/impact_bodies.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/progress.h>

#include <string>
#include <vector>

namespace peal::simulate {

/// Moves the free bodies of a scene, by simulation or as stored before: sets their motion in
/// `result`, and solver, energy and weakest impulses in `contacts`. Returns the contacts.
base::ContactLog move_free_bodies(const scene::Scene& scene, const MovingOptions& options,
                                  ImpactBodies& impact_bodies, util::Progress& progress,
                                  base::ContactResult& contacts, base::MotionResult& result,
                                  std::vector<std::string>& notices);

}  // namespace peal::simulate
