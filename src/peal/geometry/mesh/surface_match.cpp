#include <peal/geometry/mesh/surface_match.h>

namespace peal::geometry {

std::vector<Vec3> displacements_onto(const SurfaceQuery& from, const SurfaceQuery& to) {
  const std::vector<Vec3>& vertices = from.mesh().vertices;
  std::vector<Vec3> displacements(vertices.size(), Vec3::Zero());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const SurfacePoint there = to.closest_point(vertices[i]);
    const Vec3 back = from.closest_point(there.point).point;
    if ((back - vertices[i]).norm() <= 0.5 * there.distance)
      displacements[i] = there.point - vertices[i];
  }
  return displacements;
}

}  // namespace peal::geometry
