#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace peal::base {

/// One way in which a body vibrates by itself.
struct Mode {
  double frequency = 0.0;       ///< undamped [Hz]
  double decay_rate = 0.0;      ///< d [1/s]: the amplitude falls as exp(-d t)
  double relative_error = 0.0;  ///< estimate of how far `frequency` may be off [1]
};

/// How a body rings: one oscillator a mode, q'' + 2 d q' + w^2 q = sum over forces F of shape(x) .
/// F, and the displacement is u(x, t) = sum over modes of shape(x) q(t). Shapes are
/// mass-normalised.
struct ModalModel {
  std::vector<Mode> modes;    ///< ascending in frequency; rigid motions are left out
  geometry::TriMesh surface;  ///< where the shapes are known, body frame [m]
  Eigen::MatrixXf shapes;  ///< x, y, z of each vertex one after another, a column a mode [kg^-1/2]
  double mass = 0.0;       ///< of the whole body [kg]

  /// x, y, z of every mode at a point of the surface, a column a mode [kg^-1/2].
  Eigen::Matrix3Xf shapes_at(std::uint32_t triangle, const geometry::Vec3& barycentrics) const;
  /// Leaves the lowest `count` modes.
  void keep_lowest(std::size_t count);
};

/// How many modes there are up to a frequency [Hz].
std::size_t count_up_to(const std::vector<Mode>& modes, double frequency);

}  // namespace peal::base
