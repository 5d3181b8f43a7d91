#include <peal/scene/motion_scale.h>
#include <peal/scene/skin.h>

#include <algorithm>
#include <cmath>

namespace peal::scene {

using geometry::Affine;
using geometry::Quat;
using geometry::Vec3;

namespace {

/// No component of the track's values ever exceeds this.
double largest_component(const Track<Vec3>& track, const Vec3& otherwise) {
  if (track.empty()) return otherwise.lpNorm<Eigen::Infinity>();
  double value = 0.0, tangent = 0.0, interval = 0.0;
  for (const Vec3& key : track.values) value = std::max(value, key.lpNorm<Eigen::Infinity>());
  for (const auto* tangents : {&track.in_tangents, &track.out_tangents})
    for (const Vec3& slope : *tangents)
      tangent = std::max(tangent, slope.lpNorm<Eigen::Infinity>());
  for (std::size_t i = 1; i < track.times.size(); ++i)
    interval = std::max(interval, track.times[i] - track.times[i - 1]);
  // The two tangents of a Hermite spline add at most 4/27 of their length each, and its values
  // lie between the keys.
  return value + 8.0 / 27.0 * interval * tangent;
}

template <class T>
T first_value(const Track<T>& track, const T& otherwise) {
  return track.empty() ? otherwise : track.values.front();
}

}  // namespace

void JointWeights::add(std::span<const JointWeight> vertex) {
  entries.insert(entries.end(), vertex.begin(), vertex.end());
  first.push_back(static_cast<std::uint32_t>(entries.size()));
}

Affine link_matrix(const Vec3& translation, const Quat& rotation, const Vec3& scale) {
  Affine matrix = Affine::Identity();
  matrix.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  matrix.translation() = translation;
  return matrix;
}

std::vector<Affine> joint_matrices(const Skin& skin, std::span<const Affine> links) {
  std::vector<Affine> global(links.begin(), links.end());
  for (std::size_t i = 0; i < global.size(); ++i) {
    const int parent = skin.links[i].parent;
    if (parent >= 0) global[i] = global[static_cast<std::size_t>(parent)] * links[i];
  }
  std::vector<Affine> matrices;
  matrices.reserve(skin.joints.size());
  for (const Skin::Joint& joint : skin.joints)
    matrices.push_back(Affine(skin.transform) * global[joint.link] * joint.inverse_bind);
  return matrices;
}

void follow_joints(const JointWeights& weights, std::span<const Affine> matrices,
                   std::span<Vec3> vertices) {
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vec3 bound = vertices[v];
    Vec3 moved = Vec3::Zero();
    for (const auto& [joint, weight] : weights.of(v)) moved += weight * (matrices[joint] * bound);
    vertices[v] = moved;
  }
}

std::vector<Affine> first_links(const Skin& skin) {
  std::vector<Affine> links;
  links.reserve(skin.links.size());
  for (const auto& [parent, transform] : skin.links) {
    links.push_back(link_matrix(
        first_value<Vec3>(transform.translation, Vec3::Zero()),
        Quat(first_value<Eigen::Vector4d>(transform.rotation, Eigen::Vector4d::UnitW())),
        first_value<Vec3>(transform.scale, Vec3::Ones())));
  }
  return links;
}

bool never_changes(const Skin& skin) {
  return std::ranges::all_of(skin.links, [](const Skin::Link& link) {
    return never_changes(link.transform.translation) && never_changes(link.transform.rotation) &&
           never_changes(link.transform.scale);
  });
}

double farthest_reach(const Skin& skin, double radius) {
  struct Bound {
    double stretch = 1.0;  // of lengths in the link's frame
    double distance = 0.0;
  };
  std::vector<Bound> bounds;
  for (const auto& [parent, transform] : skin.links) {
    const Bound above = parent < 0 ? Bound{} : bounds[static_cast<std::size_t>(parent)];
    bounds.push_back({above.stretch * largest_component(transform.scale, Vec3::Ones()),
                      above.distance + above.stretch * std::sqrt(3.0) *
                                           largest_component(transform.translation, Vec3::Zero())});
  }
  double farthest = 0.0;
  for (const Skin::Joint& joint : skin.joints) {
    const Bound& bound = bounds[joint.link];
    const double in_joint =
        joint.inverse_bind.linear().norm() * radius + joint.inverse_bind.translation().norm();
    const double reach = bound.distance + bound.stretch * in_joint;
    if (!(reach <= farthest)) farthest = reach;
    if (!(farthest < 1e300)) break;
  }
  return farthest;
}

}  // namespace peal::scene
