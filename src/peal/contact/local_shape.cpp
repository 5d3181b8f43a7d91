#include <peal/contact/hertz.h>
#include <peal/contact/local_shape.h>
#include <peal/geometry/mesh/curvature.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/smooth_surface.h>

#include <algorithm>
#include <cmath>

namespace peal::contact {

using geometry::TriMesh;
using geometry::Vec3;

namespace {

double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double t = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p - a - t * along).norm();
}

}  // namespace

LocalShape::LocalShape(const TriMesh& mesh, double fillet) : surface_(mesh), fillet_(fillet) {
  const geometry::Curvature curvature = geometry::discrete_curvature(mesh);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double h = curvature.mean[v];
    const double spread = std::sqrt(std::max(h * h - curvature.gaussian[v], 0.0));
    k1_.push_back(h + spread);
    k2_.push_back(h - spread);
  }
  find_sharp_edges();
}

void LocalShape::find_sharp_edges() {
  const TriMesh& mesh = surface_.mesh();
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  is_sharp_.assign(mesh.vertices.size(), false);
  std::vector<std::uint32_t> sharp;
  std::vector<std::vector<std::uint32_t>> at_vertex(mesh.vertices.size());
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    if (!topology.is_manifold(e)) continue;
    const auto sides = topology.edge_triangles[e];
    const Vec3 n0 = geometry::area_vector(mesh, sides[0]),
               n1 = geometry::area_vector(mesh, sides[1]);
    if (n0.dot(n1) >= std::cos(geometry::sharpest_bend) * n0.norm() * n1.norm()) continue;
    sharp.push_back(e);
    for (const std::uint32_t v : topology.edges[e]) {
      is_sharp_[v] = true;
      at_vertex[v].push_back(e);
    }
  }
  // A rim bends where two of its edges meet; at a corner, where more or sharper ones do, the
  // fillet decides.
  for (const std::uint32_t e : sharp) {
    const auto [i, j] = topology.edges[e];
    const Vec3 along = mesh.vertices[j] - mesh.vertices[i];
    double bend = 0.0;
    for (const std::uint32_t v : {i, j}) {
      if (at_vertex[v].size() != 2) continue;
      const std::uint32_t other = at_vertex[v][0] == e ? at_vertex[v][1] : at_vertex[v][0];
      const auto [k, l] = topology.edges[other];
      const Vec3 next = mesh.vertices[l] - mesh.vertices[k];
      const double cosine = std::abs(along.dot(next)) / (along.norm() * next.norm());
      const double angle = std::acos(std::min(cosine, 1.0));
      if (angle < geometry::sharpest_bend)
        bend = std::max(bend, 2.0 * angle / (along.norm() + next.norm()));
    }
    edges_.push_back({mesh.vertices[i], mesh.vertices[j], bend});
  }
}

double LocalShape::radius(const Vec3& point) const {
  // On an edge, or on several: a corner.
  const double near = 2.0 * fillet_;
  const SharpEdge* edge = nullptr;
  for (const SharpEdge& one : edges_) {
    if (distance_to_segment(point, one.a, one.b) > near) continue;
    if (edge != nullptr) {
      const Vec3 u = (one.b - one.a).normalized(), v = (edge->b - edge->a).normalized();
      if (std::abs(u.dot(v)) < std::cos(geometry::sharpest_bend)) return fillet_;
    }
    edge = &one;
  }
  if (edge != nullptr) return side_radius(1.0 / fillet_, edge->curvature, fillet_);

  // On a smooth surface: the mean of the corners of the triangle that are on no edge.
  const geometry::SurfacePoint at = surface_.closest_point(point);
  const geometry::Triangle& corners = surface_.mesh().triangles[at.triangle];
  double weight = 0.0, k1 = 0.0, k2 = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (is_sharp_[corners[k]]) continue;
    weight += at.barycentrics[k];
    k1 += at.barycentrics[k] * k1_[corners[k]];
    k2 += at.barycentrics[k] * k2_[corners[k]];
  }
  if (!(weight > 1e-9)) return side_radius(0.0, 0.0, fillet_);
  return side_radius(k1 / weight, k2 / weight, fillet_);
}

}  // namespace peal::contact
