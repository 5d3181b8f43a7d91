#pragma once

#include <peal/base/motion.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/scene/scene.h>

#include <memory>
#include <vector>

namespace peal::render {

/// The objects that rigid bodies meet, themselves included, and which one each body of a simulation
/// is.
struct Participants {
  std::vector<std::size_t> objects;
  std::vector<dynamics::RigidBodySettings> bodies;
  std::vector<dynamics::RigidJoint> joints;
};

/// `motions` has one entry an object. Throws InputError with the place of what cannot be.
Participants participants(const scene::Scene& scene,
                          const std::vector<std::shared_ptr<const base::Motion>>& motions);

/// Of an object that moves freely; throws InputError if it has none.
geometry::MassProperties mass_of(const scene::Object& object);

}  // namespace peal::render
