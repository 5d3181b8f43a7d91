#pragma once

#include <peal/base/motion.h>
#include <peal/base/surface_sequence.h>
#include <peal/scene/scene.h>

#include <memory>
#include <vector>

namespace peal::simulate {

/// One entry an object.
using Motions = std::vector<std::shared_ptr<const base::Motion>>;

/// The motion that the scene's file prescribes for each object: its keyframes, or where it starts.
Motions keyed_motions(const scene::Scene& scene);

/// How the file prescribes the shape of an object: its vertices, or a sequence of meshes with
/// triangles of their own; both null if it keeps its shape.
struct KeyedShape {
  std::shared_ptr<const base::Deformation> deformation;
  std::shared_ptr<const base::SurfaceSequence> sequence;
};

/// Reads all frames of a mesh sequence to find out which it is. Throws InputError that names the
/// file of a frame that is wrong.
KeyedShape keyed_shape(const scene::Object& object);

/// The origin of the frame in which deformable bodies are simulated: where they start, in whole
/// metres; that of the world if it is near. Far from the origin positions have fewer digits for
/// how bodies deform.
geometry::Vec3 simulation_origin(const scene::Scene& scene, const Motions& motions);

/// The motion in a frame whose axes are those of the world and whose origin is at `origin` [m].
std::shared_ptr<const base::Motion> seen_from(const geometry::Vec3& origin,
                                              std::shared_ptr<const base::Motion> motion);

}  // namespace peal::simulate
