#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/vector.h>

#include <optional>

namespace peal::scene {

/// A box with sharp edges that is rotated against the axes.
struct SlantedBox {
  geometry::Vec3 size;                               ///< along its own axes [m]
  geometry::Vec3 centre;                             ///< along its own axes, from the origin [m]
  geometry::Quat turn = geometry::Quat::Identity();  ///< from its own axes to those of the mesh
  bool is_mended = false;                            ///< faces of the mesh were inside out
};

/// The box of which a mesh is the surface, whichever side its faces take for the outside. Its axes
/// are called after those of the mesh that they are nearest to.
std::optional<SlantedBox> recognised_slanted_box(const geometry::TriMesh& mesh);

}  // namespace peal::scene
