#include <peal/elastic/contact_surface.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/smooth_surface.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace peal::elastic {

using geometry::Vec3;

ContactSurface::ContactSurface(const Solid& solid, std::size_t number, const ContactSide& sides)
    : name(solid.name),
      mesh(solid.surface),
      surface_node(solid.surface_node),
      mass(solid.mass),
      area(solid.mass.size()),
      hardness(solid.mass.size()),
      compliance(fem::contact_compliance(solid.material)),
      side(sides) {
  assert(surface_node.size() == mesh.vertices.size() && "each vertex of a surface is a node");
  add_samples(number);
  add_edges();
}

/// Adds faces and samples. Half of the surface belongs to the centres of faces, half to vertices.
void ContactSurface::add_samples(std::size_t number) {
  std::vector<Sample> vertices(mesh.vertices.size()), centres;
  around.resize(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const std::uint32_t node = surface_node[v];
    vertices[v].spot = {.solid = number, .nodes = {node, node, node}, .weights = Vec3::UnitX()};
    vertices[v].rest = mesh.vertices[v];
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const double face_area = geometry::area_vector(mesh, t).norm();
    const Vec3 centre = geometry::triangle_centre(mesh, t);
    Face face{.nodes = {}, .size = std::sqrt(2.0 * face_area)};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t v = mesh.triangles[t][k];
      face.nodes[k] = surface_node[v];
      face.reach = std::max(face.reach, (mesh.vertices[v] - centre).norm());
      vertices[v].area += face_area / 6.0;
      vertices[v].size += face.size;
      around[v].push_back(static_cast<std::uint32_t>(t));
    }
    size = std::max(size, face.size);
    faces.push_back(face);
    centres.push_back({{.solid = number, .nodes = face.nodes}, centre, 0.5 * face_area, face.size});
  }
  for (std::size_t v = 0; v < vertices.size(); ++v)
    vertices[v].size /= std::max(1.0, static_cast<double>(around[v].size()));
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) around.push_back({t});
  samples = std::move(vertices);
  samples.insert(samples.end(), centres.begin(), centres.end());
  for (const Sample& sample : samples) {
    if (sample.area == 0.0) continue;
    finest = std::min(finest, sample.size);
    for (int k = 0; k < 3; ++k) {
      const double share = sample.spot.weights[k] * sample.area;
      area[sample.spot.nodes[k]] += share;
      hardness[sample.spot.nodes[k]] += share / sample.size;
    }
  }
}

void ContactSurface::add_edges() {
  const geometry::MeshTopology topology = geometry::mesh_topology(mesh);
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    if (!topology.is_manifold(e)) continue;
    const auto [u, v] = topology.edges[e];
    const auto triangles = topology.edge_triangles[e];
    const Vec3 one = geometry::area_vector(mesh, triangles[0]);
    const Vec3 other = geometry::area_vector(mesh, triangles[1]);
    const bool is_sharp =
        one.dot(other) < std::cos(geometry::sharpest_bend) * one.norm() * other.norm();
    const Vec3 beyond = geometry::triangle_centre(mesh, triangles[1]) - mesh.vertices[u];
    if (!is_sharp || beyond.dot(one) > 0.0) continue;  // flat, or a valley
    const double length = (mesh.vertices[v] - mesh.vertices[u]).norm();
    edges.push_back({.nodes = {surface_node[u], surface_node[v]},
                     .faces = {triangles[0], triangles[1]},
                     .rest = 0.5 * (mesh.vertices[u] + mesh.vertices[v]),
                     .direction = (mesh.vertices[v] - mesh.vertices[u]) / length,
                     .length = length});
    for (const std::uint32_t node : edges.back().nodes) hardness[node] += 0.5 * length;
  }
}

SharpEdge ContactSurface::sharp_edge(std::uint32_t number, const Nodes& x) const {
  const Edge& edge = edges[number];
  SharpEdge now;
  for (std::size_t k = 0; k < 2; ++k) {
    now.ends[k] = x.at(edge.nodes[k]);
    now.normals[k] = outward_of(corners_at(faces[edge.faces[k]].nodes, x)).normalized();
  }
  return now;
}

}  // namespace peal::elastic
