#include <peal/wave/mirrors.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

namespace {

struct Cluster {
  Plane plane;
  double area = 0.0;  ///< [cell face]
};

constexpr double parallel = 0.999;      ///< cosine of normals that count as one
constexpr double perpendicular = 0.02;  ///< cosine of normals at right angles, at most
constexpr double same_plane = 0.1;      ///< distance of walls from their plane [cells]
constexpr double most = 0.95;           ///< part of the walls that the planes must hold

/// In front of the plane [m].
double height(const Plane& plane, const Vec3& x) {
  return plane.normal.dot(x - plane.point);
}

bool is_outside(const Cell& cell, const Domain& domain) {
  for (int d = 0; d < 3; ++d) {
    if (cell[d] < domain.low[d] || cell[d] >= domain.high[d]) return true;
  }
  return false;
}

}  // namespace

Mirrors find_mirrors(const CutGeometry& geometry, const Domain& domain) {
  const Grid& grid = domain.grid;
  const Vec3 middle =
      grid.origin + 0.5 * grid.cell_size *
                        Vec3(domain.low[0] + domain.high[0], domain.low[1] + domain.high[1],
                             domain.low[2] + domain.high[2]);
  std::vector<Cluster> clusters;
  double total = 0.0;
  for (const Wall& wall : geometry.walls) {
    const bool crosses = std::ranges::find(domain.crossing, wall.body) != domain.crossing.end();
    if (!crosses || !is_outside(geometry.cells[wall.cell].cell, domain)) continue;
    const double area = wall.area_vector.norm();
    if (area < 1e-6) continue;
    const Vec3 normal = wall.area_vector / area;
    const Plane plane{wall.centre, normal};
    if (height(plane, middle) <= 0.0) continue;  // the far side of a table
    total += area;
    const auto same = std::ranges::find_if(clusters, [&](const Cluster& c) {
      return c.plane.normal.dot(normal) > parallel &&
             std::abs(height(c.plane, wall.centre)) < same_plane * grid.cell_size;
    });
    if (same != clusters.end()) {
      same->area += area;
    } else {
      clusters.push_back({plane, area});
    }
  }
  std::ranges::stable_sort(clusters, std::greater(), &Cluster::area);
  Mirrors mirrors;
  double held = 0.0;
  for (const Cluster& cluster : clusters) {
    const bool fits = std::ranges::all_of(mirrors.planes, [&](const Plane& p) {
      return std::abs(p.normal.dot(cluster.plane.normal)) < perpendicular;
    });
    if (!fits || cluster.area < 0.02 * total || mirrors.planes.size() == 3) continue;
    mirrors.planes.push_back(cluster.plane);
    held += cluster.area;
  }
  mirrors.complete = held >= most * total;
  return mirrors;
}

}  // namespace peal::wave
