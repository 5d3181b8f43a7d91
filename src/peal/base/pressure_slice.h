#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace peal::base {

/// A request for images of the pressure on a plane, for radiators that compute the field in the
/// air.
struct SliceRequest {
  int axis = 2;  ///< axis normal to the plane: 0 x, 1 y, 2 z
  /// Position along the axis [m]; default: the middle of the computed region.
  std::optional<double> position;
  double rate = 30.0;  ///< frames per second of the scene's time [1/s]
  double begin = 0.0;  ///< earliest time of the first frame [s]
  double end = std::numeric_limits<double>::infinity();  ///< latest time of the last frame [s]
};

/// The pressure in one layer of cells at one time.
struct PressureSlice {
  double time = 0.0;                               ///< [s]
  int axis = 2;                                    ///< axis normal to the layer: 0 x, 1 y, 2 z
  geometry::Vec3 origin = geometry::Vec3::Zero();  ///< lowest corner of the layer [m]
  double cell_size = 0.0;                          ///< [m]
  int width = 0, height = 0;  ///< cells along the first and the second of the other two axes
  /// Pressures [Pa], rows along the first axis; 0 where there is no air, NaN where nothing is
  /// computed: a domain that follows a body does not cover everything.
  std::vector<float> values;
  /// Solid fraction of each cell, 0 to 1; frames of a scene at rest share it.
  std::shared_ptr<const std::vector<float>> solid;

  /// Position of the layer along the axis [m].
  double position() const { return origin[axis] + 0.5 * cell_size; }
  /// The two axes that span the layer.
  static std::array<int, 2> plane_axes(int across) {
    return {across == 0 ? 1 : 0, across == 2 ? 1 : 2};
  }
};

}  // namespace peal::base
