#pragma once

#include <peal/geometry/mesh/vector.h>

#include <vector>

namespace peal::scene {

/// Interpolation from key to key: the three kinds of glTF 2.0 (appendix C of its specification).
enum class Interpolation { step, linear, cubic_spline };

/// Keyed values of one quantity. A track with one key is constant; without keys it has the default
/// value.
template <class T>
struct Track {
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times;  ///< [s] on the scene's clock, strictly ascending
  std::vector<T> values;
  std::vector<T> in_tangents;   ///< cubic_spline only: derivative [unit/s] on arriving at the key
  std::vector<T> out_tangents;  ///< cubic_spline only: derivative [unit/s] on leaving it

  bool empty() const { return values.empty(); }
  bool is_constant() const { return values.size() < 2; }
};

/// One node's transform: translate * rotate * scale, each fixed or keyed.
/// Rotation tracks hold quaternions as (x, y, z, w), so that tangents need not be of unit length.
struct AnimatedTransform {
  Track<geometry::Vec3> translation;  ///< [m]
  Track<Eigen::Vector4d> rotation;
  Track<geometry::Vec3> scale;
};

/// Motion of an object: the transforms from the root of the scene down to the object. Empty: it
/// stays at the origin.
struct MotionPath {
  std::vector<AnimatedTransform> chain;
};

}  // namespace peal::scene
