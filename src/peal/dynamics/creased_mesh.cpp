#include <peal/dynamics/creased_mesh.h>
#include <peal/geometry/io/read_weld.h>
#include <peal/geometry/mesh/smooth_surface.h>
#include <peal/util/disjoint_sets.h>

#include <algorithm>
#include <cmath>

namespace peal::dynamics {

using geometry::Triangle;

namespace {

constexpr double flat_angle = 1e-3;  ///< [rad]
/// Least area of a flat face over the surface; less may be the two halves of a quadrilateral of a
/// round face.
constexpr double flat_part_of_surface = 0.03;

/// How far the handle of a Bezier curve reaches that is to be the arc of a circle over the chord
/// `chord` [m], which meets the tangent at an angle of this cosine: 4/3 tan(angle / 2) radii.
double handle(double chord, double cosine) {
  return chord * (2.0 / 3.0) / (1.0 + cosine);
}

}  // namespace

CubicArc::CubicArc(const Vec3& a, const Vec3& b, const Vec3& from_a, const Vec3& from_b) {
  const Vec3 chord = b - a;
  const double length = chord.norm();
  const auto reach = [&](const Vec3& from, const Vec3& tangent, const Vec3& to) -> Vec3 {
    const double cosine = length > 0.0 ? tangent.dot(to) / length : 0.0;
    if (cosine < 0.5) return from + to / 3.0;  // no arc at all: straight
    return from + handle(length, cosine) * tangent;
  };
  points = {a, reach(a, from_a, chord), reach(b, from_b, -chord), b};
}

Vec3 CubicArc::at(double t) const {
  const double s = 1.0 - t;
  return s * s * s * points[0] + 3.0 * s * s * t * points[1] + 3.0 * s * t * t * points[2] +
         t * t * t * points[3];
}

Vec3 CubicArc::slope(double t) const {
  const double s = 1.0 - t;
  return 3.0 * (s * s * (points[1] - points[0]) + 2.0 * s * t * (points[2] - points[1]) +
                t * t * (points[3] - points[2]));
}

CreasedMesh::CreasedMesh(const geometry::TriMesh& source) {
  geometry::VertexWelder weld(mesh.vertices);
  for (const Triangle& t : source.triangles) {
    const Triangle one = {weld(source.vertices[t[0]]), weld(source.vertices[t[1]]),
                          weld(source.vertices[t[2]])};
    const Vec3 &a = mesh.vertices[one[0]], &b = mesh.vertices[one[1]], &c = mesh.vertices[one[2]];
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    if ((b - a).cross(c - a).norm() > 1e-7 * longest * longest) mesh.triangles.push_back(one);
  }
  topology = geometry::mesh_topology(mesh);
  find_edges();
  find_normals();
}

void CreasedMesh::find_edges() {
  edges.assign(topology.edges.size(), Edge::smooth);
  sharp_at.resize(mesh.vertices.size());
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (!topology.is_manifold(e)) continue;
    const auto sides = topology.edge_triangles[e];
    const Vec3 n0 = geometry::area_vector(mesh, sides[0]).normalized();
    const Vec3 n1 = geometry::area_vector(mesh, sides[1]).normalized();
    if (n0.dot(n1) >= std::cos(geometry::sharpest_bend)) continue;
    const bool convex = n0.dot(geometry::triangle_centre(mesh, sides[1]) -
                               mesh.vertices[topology.edges[e][0]]) < 0.0;
    edges[e] = convex ? Edge::convex : Edge::concave;
    for (const std::uint32_t v : topology.edges[e]) sharp_at[v].push_back(e);
  }
}

/// Triangles of large flat faces, which stay flat up to where the round ones begin.
std::vector<bool> CreasedMesh::find_flat() const {
  util::DisjointSets faces(mesh.triangles.size());
  std::vector<Vec3> areas;
  double all = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    areas.push_back(geometry::area_vector(mesh, t));
    all += areas.back().norm();
  }
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (edges[e] != Edge::smooth || !topology.is_manifold(e)) continue;
    const auto sides = topology.edge_triangles[e];
    const Vec3 &a = areas[sides[0]], &b = areas[sides[1]];
    if (a.cross(b).norm() < flat_angle * a.norm() * b.norm()) faces.join(sides[0], sides[1]);
  }
  std::vector<double> area(areas.size(), 0.0);
  for (std::uint32_t t = 0; t < areas.size(); ++t) area[faces.root(t)] += areas[t].norm();
  std::vector<bool> flat;
  for (std::uint32_t t = 0; t < areas.size(); ++t) {
    flat.push_back(area[faces.root(t)] > flat_part_of_surface * all);
  }
  return flat;
}

/// Around each vertex and between sharp edges: the mean of the triangles.
void CreasedMesh::find_normals() {
  const std::vector<bool> is_flat = find_flat();
  normals.assign(mesh.triangles.size(), {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()});
  const auto corner_of = [&](std::uint32_t t, std::uint32_t v) {
    const Triangle& one = mesh.triangles[t];
    return one[0] == v ? 0 : one[1] == v ? 1 : 2;
  };
  std::vector<std::uint32_t> fan, waiting;
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    for (const std::uint32_t first : topology.vertex_triangles[v]) {
      if (!normals[first][corner_of(first, v)].isZero()) continue;
      fan.clear();
      waiting = {first};
      Vec3 sum = Vec3::Zero(), flat_sum = Vec3::Zero();
      while (!waiting.empty()) {
        const std::uint32_t t = waiting.back();
        waiting.pop_back();
        if (std::ranges::find(fan, t) != fan.end()) continue;
        fan.push_back(t);
        const Triangle& one = mesh.triangles[t];
        const int k = corner_of(t, v);
        const Vec3 a = mesh.vertices[one[(k + 1) % 3]] - mesh.vertices[v];
        const Vec3 b = mesh.vertices[one[(k + 2) % 3]] - mesh.vertices[v];
        const Vec3 part = geometry::corner_normal(a, b);
        sum += part;
        if (is_flat[t]) flat_sum += part;
        for (const int side : {k, (k + 2) % 3}) {  // the two edges at v
          const std::uint32_t e = topology.triangle_edges[t][side];
          const std::uint32_t next = topology.triangle_neighbours[t][side];
          if (next != geometry::MeshTopology::none && edges[e] == Edge::smooth)
            waiting.push_back(next);
        }
      }
      if (!flat_sum.isZero(0.0)) sum = flat_sum;
      const Vec3 normal = sum.norm() > 0.0 ? Vec3(sum.normalized())
                                           : Vec3(geometry::area_vector(mesh, first).normalized());
      for (const std::uint32_t t : fan) normals[t][corner_of(t, v)] = normal;
    }
  }
}

std::uint32_t CreasedMesh::other_end(std::uint32_t edge, std::uint32_t vertex) const {
  const auto& [a, b] = topology.edges[edge];
  return a == vertex ? b : a;
}

bool CreasedMesh::goes_on(std::uint32_t vertex) const {
  const auto& at = sharp_at[vertex];
  if (at.size() != 2 || edges[at[0]] != edges[at[1]]) return false;
  const Vec3 a = mesh.vertices[vertex] - mesh.vertices[other_end(at[0], vertex)];
  const Vec3 b = mesh.vertices[other_end(at[1], vertex)] - mesh.vertices[vertex];
  return a.dot(b) > std::cos(geometry::sharpest_bend) * a.norm() * b.norm();
}

Vec3 CreasedMesh::tangent(std::uint32_t edge, std::uint32_t vertex) const {
  const Vec3 along = mesh.vertices[other_end(edge, vertex)] - mesh.vertices[vertex];
  if (!goes_on(vertex)) return along.normalized();
  const auto& at = sharp_at[vertex];
  const std::uint32_t before = at[0] == edge ? at[1] : at[0];
  const Vec3 back = mesh.vertices[vertex] - mesh.vertices[other_end(before, vertex)];
  // An inversion about the vertex makes the circle a line of its direction.
  return (along / along.squaredNorm() + back / back.squaredNorm()).normalized();
}

}  // namespace peal::dynamics
