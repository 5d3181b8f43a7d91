#include <peal/base/surface_sequence.h>

#include <algorithm>

namespace peal::base {

std::size_t SurfaceSequence::number_at(double t) const {
  const std::span<const double> times = changes();
  return static_cast<std::size_t>(std::ranges::upper_bound(times, t) - times.begin());
}

geometry::TriMesh shape_at(const SurfaceSequence& sequence, double t) {
  const std::size_t number = sequence.number_at(t);
  geometry::TriMesh shape = *sequence.mesh(number);
  sequence.vertices(number, t, shape.vertices);
  return shape;
}

}  // namespace peal::base
