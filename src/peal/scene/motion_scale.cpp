#include <peal/geometry/mesh/rotation.h>
#include <peal/scene/motion_scale.h>

#include <Eigen/LU>
#include <algorithm>
#include <utility>

namespace peal::scene {

namespace {

using geometry::Mat3;
using geometry::Quat;
using geometry::Vec3;

constexpr double scale_noise = 1e-5;

Vec3 first_scale(const AnimatedTransform& link) {
  return link.scale.empty() ? Vec3::Ones() : link.scale.values.front();
}

bool scale_is_fixed(const AnimatedTransform& link) {
  const Vec3 first = first_scale(link);
  const double allowed = scale_noise * first.cwiseAbs().maxCoeff();
  const auto same = [&](const Vec3& scale) {
    return (scale - first).cwiseAbs().maxCoeff() <= allowed;
  };
  const auto small = [&](const Vec3& tangent) { return tangent.cwiseAbs().maxCoeff() <= allowed; };
  const auto& track = link.scale;
  return std::all_of(track.values.begin(), track.values.end(), same) &&
         std::all_of(track.in_tangents.begin(), track.in_tangents.end(), small) &&
         std::all_of(track.out_tangents.begin(), track.out_tangents.end(), small);
}

bool is_even(const Vec3& scale) {
  return scale.maxCoeff() - scale.minCoeff() <= scale_noise * scale.cwiseAbs().maxCoeff();
}

bool scale_is_even(const AnimatedTransform& link) {
  const auto& track = link.scale;
  return std::all_of(track.values.begin(), track.values.end(), is_even) &&
         std::all_of(track.in_tangents.begin(), track.in_tangents.end(), is_even) &&
         std::all_of(track.out_tangents.begin(), track.out_tangents.end(), is_even);
}

Quat first_rotation(const AnimatedTransform& link) {
  return link.rotation.empty() ? Quat::Identity() : Quat(link.rotation.values.front());
}

/// M = rotation * symmetric; a mirror is left to the symmetric part.
std::pair<Quat, Mat3> polar(const Mat3& linear) {
  const Mat3 rotation = geometry::nearest_rotation(linear);
  return {Quat(rotation).normalized(), rotation.transpose() * linear};
}

bool is_diagonal(const Mat3& matrix) {
  const Mat3 rest = matrix - Mat3(matrix.diagonal().asDiagonal());
  return rest.cwiseAbs().maxCoeff() <= 1e-12 * matrix.cwiseAbs().maxCoeff();
}

}  // namespace

MotionScale motion_scale(const MotionPath& path) {
  const auto& chain = path.chain;
  MotionScale result;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    if (!never_changes(chain[i].rotation)) result.turning = i + 1;
    if (!scale_is_fixed(chain[i])) result.problem = "its scale is animated";
  }
  // Even scales above the last turn can be pulled through the rotations ...
  double even = 1.0;
  for (std::size_t i = 0; i + 1 < result.turning; ++i) {
    even *= first_scale(chain[i]).mean();
    result.separable = result.separable && scale_is_even(chain[i]);
  }
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    if (!scale_is_fixed(chain[i]) && !scale_is_even(chain[i])) result.separable = false;
  }
  if (!result.separable && result.problem.empty()) {
    result.problem = "it turns inside a parent whose scale is uneven, which shears it";
  }
  // ... and what is below it is one fixed matrix.
  Mat3 tail = Mat3::Identity();
  Quat rotation = Quat::Identity();
  if (result.turning > 0) tail = first_scale(chain[result.turning - 1]).asDiagonal();
  for (std::size_t i = result.turning; i < chain.size(); ++i) {
    tail = tail * first_rotation(chain[i]).toRotationMatrix() * first_scale(chain[i]).asDiagonal();
    rotation = rotation * first_rotation(chain[i]);
  }
  // The frame a user expects is the one without the scales, where it describes the motion.
  result.orientation = rotation.normalized();
  result.shape = result.orientation.toRotationMatrix().transpose() * tail;
  if (!is_diagonal(result.shape)) std::tie(result.orientation, result.shape) = polar(tail);
  result.shape *= even;
  if (result.problem.empty() &&
      !(result.shape.cwiseAbs().maxCoeff() > 0.0 && std::abs(result.shape.determinant()) > 0.0)) {
    result.problem = "its scale is zero";
  }
  return result;
}

geometry::Affine geometry_scale(const MotionPath& path) {
  return geometry::Affine(motion_scale(path).shape);
}

}  // namespace peal::scene
