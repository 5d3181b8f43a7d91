#pragma once

#include <peal/base/motion.h>
#include <peal/base/surface_sequence.h>
#include <peal/base/time.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace peal::render {

/// A visible object of a motion file.
struct MovingMesh {
  std::string name;
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< at rest, in its frame [m]; null: a place
  std::shared_ptr<const base::Motion> motion;
  std::shared_ptr<const base::Deformation> deformation;  ///< null for a rigid one
  /// Replaces `mesh` if its triangles change; null: they stay.
  std::shared_ptr<const base::SurfaceSequence> sequence = {};
  std::optional<base::TimeRange> exists = {};  ///< when it is visible; absent: always
};

/// Makes a binary glTF 2.0 file of meshes and their motion from 0 to `duration` [s], with `rate`
/// frames a second: what other programs need to draw the picture to Peal's sound. Moving frames are
/// animated nodes; a deforming mesh has a morph target a frame. Interpolation between frames is
/// linear. A surface that changes its triangles has a child node for each of its meshes, with a
/// scale of 1 while it is the surface, and of 0 at other times.
std::string motion_glb(std::span<const MovingMesh> meshes, double duration, double rate);

}  // namespace peal::render
