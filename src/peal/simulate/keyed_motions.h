#pragma once

#include <peal/base/motion.h>
#include <peal/base/surface_sequence.h>
#include <peal/scene/scene.h>

#include <memory>
#include <vector>

namespace peal::simulate {

/// Motions of objects, one entry an object.
using Motions = std::vector<std::shared_ptr<const base::Motion>>;

/// The motion that the scene prescribes for each object: its keyframes, or its initial pose.
Motions keyed_motions(const scene::Scene& scene);

/// The prescribed shape of an object over time: its vertices, or a sequence of meshes with
/// triangles of their own; both null if it keeps its shape.
struct KeyedShape {
  std::shared_ptr<const base::Deformation> deformation;
  std::shared_ptr<const base::SurfaceSequence> sequence;
};

/// Finds the prescribed shape of an object; reads all frames of a mesh sequence to find out which
/// kind it is. Throws InputError that names the file of an invalid frame.
KeyedShape keyed_shape(const scene::Object& object);

/// The origin of the frame in which deformable bodies are simulated: their initial position in
/// whole metres, or the origin of the world if that is near. Far from the origin, positions would
/// have fewer digits for deformation.
geometry::Vec3 simulation_origin(const scene::Scene& scene, const Motions& motions);

/// The motion in a frame whose axes are those of the world and whose origin is at `origin` [m].
std::shared_ptr<const base::Motion> seen_from(const geometry::Vec3& origin,
                                              std::shared_ptr<const base::Motion> motion);

}  // namespace peal::simulate
