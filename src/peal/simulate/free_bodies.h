#pragma once

#include <peal/base/motion_result.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/scene/scene.h>
#include <peal/simulate/impact_bodies.h>
#include <peal/simulate/keyed_motions.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/progress.h>

#include <cstddef>
#include <string>
#include <vector>

namespace peal::simulate {

/// The objects that rigid bodies touch, including themselves, and the object of each body of a
/// simulation.
struct Participants {
  std::vector<std::size_t> objects;
  std::vector<dynamics::RigidBodySettings> bodies;
  std::vector<dynamics::RigidJoint> joints;
};

/// Finds the participants. `motions` are seen from `origin` [m], in the frame of the simulation.
/// Throws InputError with the location of what is impossible.
Participants participants(const scene::Scene& scene, const Motions& motions,
                          const geometry::Vec3& origin = geometry::Vec3::Zero());

/// Mass properties of an object that moves freely; throws InputError if it has no mass.
geometry::MassProperties mass_of(const scene::Object& object);

/// Moves the free bodies of a scene, by simulation or as stored before: sets their motion in
/// `result`, and solver, energy and weakest impulses in `contacts`. Returns the contacts.
base::ContactLog move_free_bodies(const scene::Scene& scene, const MovingOptions& options,
                                  ImpactBodies& impact_bodies, util::Progress& progress,
                                  base::ContactResult& contacts, base::MotionResult& result,
                                  std::vector<std::string>& notices);

}  // namespace peal::simulate
