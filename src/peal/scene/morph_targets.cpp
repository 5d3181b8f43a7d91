#include <peal/scene/morph_targets.h>
#include <peal/scene/motion_scale.h>
#include <peal/util/sort_unique.h>

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

std::vector<double> key_times(const MorphTargets& morph) {
  std::vector<double> times;
  const auto collect = [&](const auto& track) {
    if (!never_changes(track)) times.insert(times.end(), track.times.begin(), track.times.end());
  };
  collect(morph.weights);
  for (std::size_t i = 0; morph.skin && i < morph.skin->links.size(); ++i) {
    const AnimatedTransform& link = morph.skin->links[i].transform;
    collect(link.translation);
    collect(link.rotation);
    collect(link.scale);
  }
  util::sort_unique(times);
  return times;
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
