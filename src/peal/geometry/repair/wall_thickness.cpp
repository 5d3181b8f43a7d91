#include <peal/geometry/mesh/surface_query.h>
#include <peal/geometry/repair/wall_thickness.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace peal::geometry {

namespace {

constexpr std::size_t most_rays = 4000;

/// The thickness behind a triangle: where a ray inward has left all parts that it entered. nullopt
/// if the triangle lies inside of another part, or if the parts are open.
std::optional<double> thickness_behind(const SurfaceQuery& query, std::size_t triangle,
                                       double skip) {
  const Vec3 area = area_vector(query.mesh(), triangle);
  if (!(area.norm() > 0.0)) return std::nullopt;
  const Vec3 inward = -area.normalized();
  auto hits = query.all_hits({triangle_centre(query.mesh(), triangle) + skip * inward, inward});
  const auto leaves = [&](const RayHit& hit) {
    return area_vector(query.mesh(), hit.triangle).dot(inward) > 0.0;
  };
  // A ray through an edge meets both of its triangles.
  const auto is_same = [&](const RayHit& a, const RayHit& b) {
    return b.t - a.t < skip && leaves(a) == leaves(b);
  };
  hits.erase(std::unique(hits.begin(), hits.end(), is_same), hits.end());
  int depth = 0;  // behind the triangle: what is left in the end was entered before
  for (const RayHit& hit : hits) depth += leaves(hit) ? 1 : -1;
  if (depth != 1) return std::nullopt;
  for (const RayHit& hit : hits) {
    depth += leaves(hit) ? -1 : 1;
    if (depth == 0) return hit.t + skip;
  }
  return std::nullopt;
}

}  // namespace

double thin_wall(const TriMesh& mesh, double fraction) {
  const SurfaceQuery query(mesh);
  const double skip = 1e-6 * bounds(mesh).diagonal().norm();
  const std::size_t step = std::max<std::size_t>(1, mesh.triangles.size() / most_rays);
  std::vector<std::optional<double>> found((mesh.triangles.size() + step - 1) / step);
  util::parallel_for_small(
      found.size(), [&](std::size_t i) { found[i] = thickness_behind(query, i * step, skip); });
  std::vector<std::pair<double, double>> walls;  // thickness, area
  double sum = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) continue;
    const double area = area_vector(mesh, i * step).norm();
    walls.push_back({*found[i], area});
    sum += area;
  }
  std::ranges::sort(walls);
  double below = 0.0;
  for (const auto& [thickness, area] : walls) {
    below += area;
    if (below >= fraction * sum) return thickness;
  }
  return 0.0;
}

}  // namespace peal::geometry
