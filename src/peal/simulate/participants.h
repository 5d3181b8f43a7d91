#pragma once

#include <peal/dynamics/rigid_solver.h>
#include <peal/scene/scene.h>
#include <peal/simulate/keyed_motions.h>

#include <vector>

namespace peal::simulate {

/// The objects that rigid bodies meet, themselves included, and which one each body of a simulation
/// is.
struct Participants {
  std::vector<std::size_t> objects;
  std::vector<dynamics::RigidBodySettings> bodies;
  std::vector<dynamics::RigidJoint> joints;
};

/// `motions` are seen from `origin` [m], in the frame of the simulation. Throws InputError with the
/// place of what cannot be.
Participants participants(const scene::Scene& scene, const Motions& motions,
                          const geometry::Vec3& origin = geometry::Vec3::Zero());

/// Of an object that moves freely; throws InputError if it has none.
geometry::MassProperties mass_of(const scene::Object& object);

}  // namespace peal::simulate
