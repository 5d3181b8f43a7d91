#include <peal/scene/scene.h>

#include <algorithm>
#include <cmath>

namespace peal::scene {

std::int64_t sample_count(const Scene& scene) {
  return std::max<std::int64_t>(1, std::llround(scene.rate.samples(scene.duration)));
}

}  // namespace peal::scene
