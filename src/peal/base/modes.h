#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace peal::base {

/// A mode of vibration.
struct Mode {
  double frequency = 0.0;       ///< undamped [Hz]
  double decay_rate = 0.0;      ///< d [1/s]: the amplitude falls as exp(-d t)
  double relative_error = 0.0;  ///< estimated relative error of `frequency` [1]
};

/// The modal model of a body: one oscillator per mode, q'' + 2 d q' + w^2 q = sum over forces F of
/// shape(x) . F, and the displacement u(x, t) = sum over modes of shape(x) q(t). Shapes are
/// mass-normalised.
struct ModalModel {
  std::vector<Mode> modes;    ///< ascending in frequency; rigid motions are left out
  geometry::TriMesh surface;  ///< surface on which the shapes are known, body frame [m]
  Eigen::MatrixXf shapes;     ///< x, y, z of each vertex in turn, one column per mode [kg^-1/2]
  double mass = 0.0;          ///< mass of the whole body [kg]

  /// The shapes (x, y, z) of all modes at a point of the surface, one column per mode [kg^-1/2].
  Eigen::Matrix3Xf shapes_at(std::uint32_t triangle, const geometry::Vec3& barycentrics) const;
  /// Removes all but the lowest `count` modes.
  void keep_lowest(std::size_t count);
};

/// The number of modes up to a frequency [Hz].
std::size_t count_up_to(const std::vector<Mode>& modes, double frequency);

}  // namespace peal::base
