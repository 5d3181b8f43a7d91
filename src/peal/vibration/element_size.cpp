#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/util/parallel.h>
#include <peal/vibration/element_size.h>
#include <peal/vibration/mode_density.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <utility>

namespace peal::vibration {

namespace {

using geometry::TriMesh;
using geometry::Vec3;

/// Number of triangles below which the cost is small.
constexpr double few_triangles = 150.0;
/// Area of an equilateral triangle, in squares of its edges.
constexpr double equilateral = 0.433;
/// How fast edge lengths grow with the distance from a spot that wants short ones [1].
constexpr double length_gradient = 1.0;
/// Volume of a typical tetrahedron of a bulky body, in cubes of its edges.
constexpr double tet_volume = 0.1;

/// Raises lengths to those that neighbours allow: max over y of L(y) - gradient |x - y|, along
/// edges (Dijkstra 1959).
void limit_gradient(const TriMesh& mesh, std::vector<double>& lengths) {
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  std::vector<std::vector<std::uint32_t>> neighbours(mesh.vertices.size());
  for (const auto& [a, b] : topology.edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  std::priority_queue<std::pair<double, std::uint32_t>> open;
  for (std::uint32_t v = 0; v < lengths.size(); ++v) open.push({lengths[v], v});
  while (!open.empty()) {
    const auto [length, v] = open.top();
    open.pop();
    if (length < lengths[v]) continue;
    for (const std::uint32_t w : neighbours[v]) {
      const double there = length - length_gradient * (mesh.vertices[v] - mesh.vertices[w]).norm();
      if (there <= lengths[w]) continue;
      lengths[w] = there;
      open.push({there, w});
    }
  }
}

}  // namespace

double shortest_wave(const base::Material& material, double thickness, double frequency) {
  const double nu = material.poisson_ratio;
  const double bending = std::pow(base::softest_young_modulus(material) * thickness * thickness /
                                      (12.0 * material.density * (1.0 - nu * nu)),
                                  0.25) *
                         std::sqrt(2.0 * std::numbers::pi / frequency);
  return std::min(bending, 0.9 * shear_speed(material) / frequency);
}

std::vector<double> thicknesses(const geometry::SurfaceQuery& surface) {
  const TriMesh& mesh = surface.mesh();
  const double size = bounds(mesh).diagonal().norm(), skip = 1e-7 * size;
  std::vector<double> thickness(mesh.triangles.size(), size);
  util::parallel_for_small(thickness.size(), [&](std::size_t t) {
    const Vec3 area = area_vector(mesh, t);
    if (!(area.norm() > 0.0)) return;
    const Vec3 inward = -area.normalized();
    const auto hit = surface.intersect({triangle_centre(mesh, t) + skip * inward, inward});
    if (hit) thickness[t] = hit->t + skip;
  });
  return thickness;
}

std::vector<double> edge_lengths(const TriMesh& mesh, const std::vector<double>& thickness,
                                 const base::Material& material, double frequency,
                                 double per_wave) {
  const double least = std::sqrt(surface_area(mesh) / (equilateral * few_triangles));
  std::vector<double> lengths(mesh.vertices.size(), bounds(mesh).diagonal().norm());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    double wave = shortest_wave(material, thickness[t], frequency) / per_wave;
    // Flat elements are stiffer in bending: measured errors grow as (l / t)^2 (k l)^6, so that l =
    // l_0 (4 t / l)^(1/3) keeps them constant where elements are more than four times as long as
    // thick.
    if (wave > 4.0 * thickness[t]) wave = std::pow(wave, 0.75) * std::pow(4.0 * thickness[t], 0.25);
    const double length = std::min(wave, std::max(least, 1.5 * thickness[t]));
    for (const std::uint32_t v : mesh.triangles[t]) lengths[v] = std::min(lengths[v], length);
  }
  limit_gradient(mesh, lengths);
  return lengths;
}

double expected_unknowns(const TriMesh& mesh, const std::vector<double>& thickness,
                         const std::vector<double>& lengths) {
  double tets = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const double length = (lengths[a] + lengths[b] + lengths[c]) / 3.0;
    const double per_area =
        std::max(tets_per_triangle / equilateral, 0.5 * thickness[t] / (tet_volume * length));
    tets += area_vector(mesh, t).norm() * per_area / (length * length);
  }
  return unknowns_per_tet * tets;
}

}  // namespace peal::vibration
