#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/scene/animation.h>
#include <peal/scene/skin.h>

#include <optional>
#include <span>
#include <vector>

namespace peal::scene {

using Weights = Eigen::VectorXd;  ///< one for each morph target

/// A surface blended from shapes (glTF 2.0, section 3.7.2.2): the position of vertex i at time t is
///   base_i + sum_k w_k(t) displacement_ki,
/// which then follows the joints of the skin if there is one.
struct MorphTargets {
  std::vector<geometry::Vec3> base;                        ///< [m]
  std::vector<std::vector<geometry::Vec3>> displacements;  ///< by target, for a weight of 1 [m]
  Track<Weights> weights;                                  ///< on the scene's clock
  std::optional<Skin> skin;
};

/// Computes all vertices for the given weights.
void mix(const std::vector<geometry::Vec3>& base,
         const std::vector<std::vector<geometry::Vec3>>& displacements, const Weights& weights,
         std::span<geometry::Vec3> out);

/// Times of the keys of everything that changes, ascending, each once [s].
std::vector<double> key_times(const MorphTargets& morph);

/// Morph targets that are scaled, rotated or mirrored.
MorphTargets transformed(MorphTargets morph, const geometry::Mat3& transform);

}  // namespace peal::scene
