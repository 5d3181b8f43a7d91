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

/// Something to be seen in a motion file.
struct MovingMesh {
  std::string name;
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< at rest, in its frame [m]; null: a place
  std::shared_ptr<const base::Motion> motion;
  std::shared_ptr<const base::Deformation> deformation;  ///< null for a rigid one
  /// In place of `mesh`, if its triangles change; null: they stay.
  std::shared_ptr<const base::SurfaceSequence> sequence = {};
  std::optional<base::TimeRange> exists = {};  ///< when it is to be seen; absent: always
};

/// A binary glTF 2.0 file of meshes and how they move from 0 to `duration` [s], `rate` frames a
/// second: what other programs need to draw the picture to Peal's sound. Moving frames are animated
/// nodes; a deforming mesh has a morph target a frame. Between frames all is linear. A surface that
/// changes its triangles has a child node for each of its meshes, which has its size while it is
/// the surface, and none at other times.
std::string motion_glb(std::span<const MovingMesh> meshes, double duration, double rate);

}  // namespace peal::render
