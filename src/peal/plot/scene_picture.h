#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/plot/colour.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::plot {

/// A body at one time.
struct SeenBody {
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< triangles to draw
  std::vector<geometry::Vec3> positions;          ///< positions of its vertices in the world [m]
  Colour colour;
};

/// A picture of bodies at one time, shaded, in the parallel projection of SurfaceRaster.
struct ScenePicture {
  geometry::Box room;  ///< what the picture shows [m]; the same for all of a movie
  std::vector<SeenBody> bodies;
  std::string heading;     ///< large, above: the time
  std::string subheading;  ///< small, below it
};

/// Returns the bytes of a PNG file. Width and height are even and follow from the room alone.
std::string draw_scene(const ScenePicture& picture);

}  // namespace peal::plot
