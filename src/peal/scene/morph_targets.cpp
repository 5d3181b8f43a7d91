#include <peal/scene/morph_targets.h>

#include <algorithm>

namespace peal::scene {

using geometry::Vec3;

void mix(const std::vector<Vec3>& base, const std::vector<std::vector<Vec3>>& displacements,
         const Weights& weights, std::span<Vec3> out) {
  std::ranges::copy(base, out.begin());
  for (std::size_t k = 0; k < displacements.size(); ++k) {
    const double weight = weights[static_cast<Eigen::Index>(k)];
    if (weight == 0.0) continue;
    for (std::size_t i = 0; i < base.size(); ++i) out[i] += weight * displacements[k][i];
  }
}

MorphTargets transformed(MorphTargets morph, const geometry::Mat3& transform) {
  if (morph.skin) {
    morph.skin->transform = transform * morph.skin->transform;
    return morph;
  }
  for (Vec3& vertex : morph.base) vertex = transform * vertex;
  for (std::vector<Vec3>& target : morph.displacements) {
    for (Vec3& displacement : target) displacement = transform * displacement;
  }
  return morph;
}

}  // namespace peal::scene
