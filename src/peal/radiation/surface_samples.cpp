#include <peal/geometry/triangle.h>
#include <peal/radiation/surface_samples.h>

#include <algorithm>
#include <cmath>

namespace peal::radiation {

namespace {

using geometry::Vec3;

using geometry::Corners;

Corners corners_of(const geometry::Triangle& triangle, std::span<const Vec3> vertices) {
  return {vertices[triangle[0]], vertices[triangle[1]], vertices[triangle[2]]};
}

Vec3 area_of(const Corners& corners) {
  return 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]);
}

double longest_edge(const Corners& corners) {
  double longest = 0.0;
  for (int k = 0; k < 3; ++k) {
    longest = std::max(longest, (corners[(k + 1) % 3] - corners[k]).norm());
  }
  return longest;
}

/// Barycentric coordinates of the centres of the n^2 triangles that n cuts along each edge make.
std::vector<Vec3> centres_of_parts(int n) {
  std::vector<Vec3> centres;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n - i; ++j) {
      // Upright, then the one upside down that shares its slanting edge.
      for (const double third : {1.0 / 3.0, 2.0 / 3.0}) {
        if (third > 0.5 && i + j + 2 > n) continue;
        const double u = (i + third) / n, v = (j + third) / n;
        centres.emplace_back(1.0 - u - v, u, v);
      }
    }
  }
  return centres;
}

}  // namespace

SurfaceSamples sample_surface(const geometry::TriMesh& mesh, double spacing) {
  SurfaceSamples samples;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Corners corners = corners_of(mesh.triangles[t], mesh.vertices);
    if (!(area_of(corners).norm() > 0.0)) continue;
    const int cuts = std::max(1, static_cast<int>(std::ceil(longest_edge(corners) / spacing)));
    for (const Vec3& at : centres_of_parts(cuts)) {
      samples.points.push_back({.triangle = static_cast<std::uint32_t>(t), .barycentric = at});
      samples.share.push_back(1.0 / (cuts * cuts));
    }
  }
  move_to(samples, mesh, mesh.vertices);
  return samples;
}

void move_to(SurfaceSamples& samples, const geometry::TriMesh& mesh,
             std::span<const Vec3> vertices) {
  samples.area.resize(samples.points.size());
  for (std::size_t i = 0; i < samples.points.size(); ++i) {
    base::SurfacePoint& point = samples.points[i];
    const Corners now = corners_of(mesh.triangles[point.triangle], vertices);
    point.position = geometry::interpolate(now, point.barycentric);
    const Vec3 area = area_of(now);
    point.normal = area.normalized();
    samples.area[i] = samples.share[i] * area.norm();
  }
}

}  // namespace peal::radiation
