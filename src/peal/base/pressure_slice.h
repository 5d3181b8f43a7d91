#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace peal::base {

/// Pictures of the pressure on a plane, asked of a radiator that computes the field in the air.
struct SliceRequest {
  int axis = 2;                    ///< the plane lies across this axis: 0 x, 1 y, 2 z
  std::optional<double> position;  ///< along the axis [m]; without, the middle of what is computed
  double rate = 30.0;              ///< frames per second of the scene's time [1/s]
  double begin = 0.0;              ///< of the first frame, at the earliest [s]
  double end = std::numeric_limits<double>::infinity();  ///< of the last, at the latest [s]
};

/// The pressure in one layer of cells at one time.
struct PressureSlice {
  double time = 0.0;  ///< [s]
  int axis = 2;       ///< the layer lies across this axis: 0 x, 1 y, 2 z
  geometry::Vec3 origin = geometry::Vec3::Zero();  ///< lowest corner of the layer [m]
  double cell_size = 0.0;                          ///< [m]
  int width = 0, height = 0;  ///< cells along the first and the second of the other two axes
  /// [Pa], rows along the first axis; 0 where there is no air, NaN where it is not computed: a
  /// domain that follows a body does not cover the plane.
  std::vector<float> values;
  /// Solid part of each cell, 0 to 1; frames of a scene at rest share it.
  std::shared_ptr<const std::vector<float>> solid;

  double position() const { return origin[axis] + 0.5 * cell_size; }  ///< along the axis [m]
  /// The two axes that span the layer.
  static std::array<int, 2> plane_axes(int across) {
    return {across == 0 ? 1 : 0, across == 2 ? 1 : 2};
  }
};

}  // namespace peal::base
