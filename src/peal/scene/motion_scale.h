#pragma once

#include <peal/scene/animation.h>

#include <string>

namespace peal::scene {

/// A path factored into a rigid frame and the shape in it. With M(t) the linear part
/// of the product of the whole chain,
///   M(t) = R_0(t) ... R_k(t) * orientation * shape,
/// where k + 1 = `turning` links may turn; later links do not change M in time.
struct MotionScale {
  std::size_t turning = 0;
  geometry::Quat orientation = geometry::Quat::Identity();
  geometry::Mat3 shape = geometry::Mat3::Identity();  ///< symmetric; det < 0 if it mirrors
  /// False if a link stretches unevenly what turns below it: then M(t) shears, and the formula
  /// above does not hold.
  bool separable = true;
  /// Reason why a mesh cannot follow this path rigidly ("its scale is animated"); empty if it can.
  std::string problem;
};

/// Scales that change by less than a hundred-thousandth are taken for the noise of an exporter.
MotionScale motion_scale(const MotionPath& path);

/// The fixed scale of a path, to be put into the mesh that follows it, since a pose has none.
/// Check motion_scale(path).problem first.
geometry::Affine geometry_scale(const MotionPath& path);

/// True if the values never change, however many keys say so.
template <class T>
bool never_changes(const Track<T>& track) {
  for (const T& value : track.values) {
    if (value != track.values.front()) return false;
  }
  for (const T& tangent : track.in_tangents) {
    if (!tangent.isZero(0.0)) return false;
  }
  for (const T& tangent : track.out_tangents) {
    if (!tangent.isZero(0.0)) return false;
  }
  return true;
}

}  // namespace peal::scene
