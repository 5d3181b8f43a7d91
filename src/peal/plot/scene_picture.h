#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/plot/colour.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::plot {

/// A body where it is at one instant.
struct SeenBody {
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< whose triangles are seen
  std::vector<geometry::Vec3> positions;          ///< of its vertices in the world [m]
  Colour colour;
};

/// Bodies at one instant: shaded, without perspective, seen as in SurfaceRaster.
struct ScenePicture {
  geometry::Box room;  ///< what the picture shows [m]; the same for all of a movie
  std::vector<SeenBody> bodies;
  std::string heading;     ///< large, above: the time
  std::string subheading;  ///< small, below it
};

/// The bytes of a PNG file. Width and height are even and follow from the room alone.
std::string draw_scene(const ScenePicture& picture);

}  // namespace peal::plot
