#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <limits>
#include <span>

namespace peal::geometry {

/// Lists of different lengths in two flat arrays: list `i` is items[offsets[i] .. offsets[i + 1]).
struct IndexLists {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> items;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {items.data() + offsets[i], items.data() + offsets[i + 1]};
  }
};

/// The adjacency of a mesh. Triangles that repeat a vertex have no area: they have no edges and no
/// neighbours, so that they can neither hide nor create a hole. All indices must be in range.
struct MeshTopology {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Unique edges, lower vertex first, in ascending order.
  std::vector<std::array<std::uint32_t, 2>> edges;
  /// The triangles of each edge, ascending: one on a boundary, two inside a manifold surface.
  IndexLists edge_triangles;
  /// Edge k of a triangle joins its vertices k and k + 1 (mod 3); `none` if it has no edges.
  std::vector<std::array<std::uint32_t, 3>> triangle_edges;
  /// The triangle across edge k; `none` on a boundary or where more than two triangles meet.
  std::vector<std::array<std::uint32_t, 3>> triangle_neighbours;
  /// The triangles of each vertex, ascending (triangles without edges included).
  IndexLists vertex_triangles;

  bool is_boundary(std::uint32_t edge) const { return edge_triangles[edge].size() == 1; }
  bool is_manifold(std::uint32_t edge) const { return edge_triangles[edge].size() == 2; }
};

/// Computes the topology in linear time in the number of triangles.
MeshTopology mesh_topology(const TriMesh& mesh);

/// True if the triangle runs along its edge k from the edge's lower to its higher vertex.
bool runs_upward(const TriMesh& mesh, std::size_t triangle, int k);

/// Two triangles of a manifold edge have the same orientation if they run along it in opposite
/// directions.
bool consistently_oriented(const TriMesh& mesh, const MeshTopology& topology, std::uint32_t edge);

/// The rim of a hole, or of an open sheet.
struct BoundaryLoop {
  std::vector<std::uint32_t> vertices;  ///< in order, along the direction of the first triangle
  bool closed = true;                   ///< false if the rim ends at a non-manifold edge
};

/// Every boundary edge is in exactly one loop. Where several rims meet in one vertex they are
/// distinguished by walking around the fan of triangles at that vertex.
std::vector<BoundaryLoop> boundary_loops(const TriMesh& mesh, const MeshTopology& topology);

struct Components {
  std::vector<std::uint32_t> of_triangle;  ///< label, numbered by first triangle
  std::uint32_t count = 0;
};

enum class Connection { shared_edge, shared_vertex };

Components connected_components(const TriMesh& mesh, const MeshTopology& topology,
                                Connection connection);

}  // namespace peal::geometry
