#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/scene/animation.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::scene {

/// A joint that moves a vertex, and its weight.
struct JointWeight {
  std::uint32_t joint = 0;  ///< index into the skin's joints
  double weight = 0.0;      ///< positive; those of a vertex sum to 1

  bool operator==(const JointWeight&) const = default;
};

/// The joints of every vertex: entries `first[v]` to `first[v + 1] - 1` belong to vertex v.
struct JointWeights {
  std::vector<std::uint32_t> first = {0};
  std::vector<JointWeight> entries;

  std::size_t vertices() const { return first.size() - 1; }
  std::span<const JointWeight> of(std::size_t vertex) const {
    return std::span(entries).subspan(first[vertex], first[vertex + 1] - first[vertex]);
  }
  /// Appends the next vertex.
  void add(std::span<const JointWeight> vertex);
};

/// A mesh that follows the joints of a skeleton (glTF 2.0, section 3.7.3): a vertex v goes to
///   transform * sum_j weight_j * G_j(t) * inverse_bind_j * v,
/// where G_j is the product of the transforms from the root of the file down to joint j. The node
/// that holds the mesh has no part in it.
struct Skin {
  struct Link {
    int parent = -1;  ///< index into `links`, before this one; -1 for a root
    AnimatedTransform transform;
  };
  struct Joint {
    std::size_t link = 0;
    geometry::Affine inverse_bind = geometry::Affine::Identity();
  };

  std::vector<Link> links;  ///< the joints and all their ancestors
  std::vector<Joint> joints;
  JointWeights weights;
  geometry::Mat3 transform = geometry::Mat3::Identity();  ///< to the object's frame: scales
};

/// The matrices transform * G_j * inverse_bind_j of all joints, from those of the links relative
/// to their parents.
std::vector<geometry::Affine> joint_matrices(const Skin& skin,
                                             std::span<const geometry::Affine> links);

/// Moves all vertices with their joints.
void follow_joints(const JointWeights& weights, std::span<const geometry::Affine> matrices,
                   std::span<geometry::Vec3> vertices);

/// The links' matrices before the first key.
std::vector<geometry::Affine> first_links(const Skin& skin);

/// True if no link ever moves.
bool never_changes(const Skin& skin);

/// No vertex within `radius` of the mesh's origin ever goes farther from the file's origin than
/// this [m]; infinite or NaN if the numbers are too large to tell.
double farthest_reach(const Skin& skin, double radius);

/// translate * rotate * scale
geometry::Affine link_matrix(const geometry::Vec3& translation, const geometry::Quat& rotation,
                             const geometry::Vec3& scale);

}  // namespace peal::scene
