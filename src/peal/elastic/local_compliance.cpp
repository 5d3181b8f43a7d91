#include <peal/elastic/local_compliance.h>
#include <peal/elastic/scaled_stiffness.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace peal::elastic {
namespace {

using geometry::Vec3;

constexpr double patch_radius = 4.0;  ///< radius of the compliant patch over the size of the face
constexpr int most_iterations = 500;  ///< of conjugate gradients
constexpr double small_residual =
    1e-2;  ///< over that of the start; the error of work is its square

struct Patch {
  FreeAxes free;
  bool has_other_side = false;  ///< the wall is thinner than the patch is wide
};

/// Nodes near a point of the surface with an outward normal.
Patch patch_around(const Solid& solid, const Vec3& at, const Vec3& normal, double radius) {
  const std::size_t n = solid.rest.size();
  std::vector<double> free(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) free[i] = (solid.rest.at(i) - at).norm() < radius ? 1.0 : 0.0;
  std::vector<Vec3> outward(solid.surface.vertices.size(), Vec3::Zero());
  for (std::size_t t = 0; t < solid.surface.triangles.size(); ++t) {
    for (const std::uint32_t v : solid.surface.triangles[t])
      outward[v] += geometry::area_vector(solid.surface, t);
  }
  Patch patch;
  for (std::size_t v = 0; v < outward.size(); ++v) {
    const std::uint32_t node = solid.surface_node[v];
    if (free[node] == 0.0 || outward[v].dot(normal) > -0.5 * outward[v].norm()) continue;
    free[node] = 0.0;
    patch.has_other_side = true;
  }
  patch.free = {free, free, free};
  return patch;
}

/// Returns b . A^-1 b by conjugate gradients.
double compliance_by_gradients(ScaledStiffness A, const std::vector<double>& b) {
  const auto dot = [](const std::vector<double>& p, const std::vector<double>& q) {
    return std::inner_product(p.begin(), p.end(), q.begin(), 0.0);
  };
  std::vector<double> r = b, p = b, q(b.size());
  const double start = dot(b, b);
  double square = start, sum = 0.0;
  for (int i = 0; i < most_iterations && square > small_residual * small_residual * start; ++i) {
    A.apply(p, q);
    const double resisted = dot(p, q);
    if (!(resisted > 0.0)) break;  // too few nodes are fixed, and the rest rotates freely
    const double step = square / resisted;
    sum += step * square;  // the increase of b . x
    for (std::size_t k = 0; k < r.size(); ++k) r[k] -= step * q[k];
    const double next = dot(r, r);
    for (std::size_t k = 0; k < r.size(); ++k) p[k] = r[k] + next / square * p[k];
    square = next;
  }
  return sum;
}

}  // namespace

double local_compliance(const Solid& solid, const std::array<std::uint32_t, 3>& nodes,
                        const Vec3& weights) {
  const Vec3 a = solid.rest.at(nodes[0]), b = solid.rest.at(nodes[1]), c = solid.rest.at(nodes[2]);
  const Vec3 twice_area = (b - a).cross(c - a), normal = twice_area.normalized();
  const double radius = patch_radius * std::sqrt(twice_area.norm());
  const Patch patch =
      patch_around(solid, weights[0] * a + weights[1] * b + weights[2] * c, normal, radius);
  Nodes force(solid.rest.size());
  for (int k = 0; k < 3; ++k) force.add(nodes[static_cast<std::size_t>(k)], weights[k] * normal);
  ScaledStiffness A(solid, patch.free, solid.rest);
  const double near = compliance_by_gradients(A, A.scaled(force));
  if (patch.has_other_side) return near;
  const double nu = solid.material.poisson_ratio;
  return near + (1.0 - nu * nu) / (std::numbers::pi * solid.material.young_modulus * radius);
}

}  // namespace peal::elastic
