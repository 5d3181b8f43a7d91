#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/util/disjoint_sets.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace peal::geometry {
namespace {

bool repeats_a_vertex(const Triangle& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

/// One side of a triangle, filed under the lower vertex of its edge.
struct TriangleSide {
  std::uint32_t high;
  std::uint32_t triangle;
  std::uint8_t k;
};

IndexLists rings_of(const TriMesh& mesh) {
  IndexLists rings;
  rings.offsets.assign(mesh.vertices.size() + 1, 0);
  for (const Triangle& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle) ++rings.offsets[v + 1];
  std::partial_sum(rings.offsets.begin(), rings.offsets.end(), rings.offsets.begin());
  rings.items.resize(rings.offsets.back());
  std::vector<std::uint32_t> next(rings.offsets.begin(), rings.offsets.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t])
      rings.items[next[v]++] = static_cast<std::uint32_t>(t);
  return rings;
}

/// All sides of all triangles, bucketed by lower vertex, each bucket sorted by higher vertex.
std::pair<std::vector<std::uint32_t>, std::vector<TriangleSide>> sorted_sides(const TriMesh& mesh) {
  std::vector<std::uint32_t> begin(mesh.vertices.size() + 1, 0);
  const auto for_each_side = [&](auto&& visit) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle& triangle = mesh.triangles[t];
      if (repeats_a_vertex(triangle)) continue;
      for (std::uint8_t k = 0; k < 3; ++k) {
        const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
        visit(std::min(a, b), TriangleSide{std::max(a, b), static_cast<std::uint32_t>(t), k});
      }
    }
  };
  for_each_side([&](std::uint32_t low, const TriangleSide&) { ++begin[low + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<TriangleSide> sides(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for_each_side([&](std::uint32_t low, const TriangleSide& side) { sides[next[low]++] = side; });
  for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
    std::sort(sides.begin() + begin[v], sides.begin() + begin[v + 1],
              [](const TriangleSide& a, const TriangleSide& b) {
                return std::tie(a.high, a.triangle) < std::tie(b.high, b.triangle);
              });
  }
  return {std::move(begin), std::move(sides)};
}

/// Walks along rims: from a boundary edge to the next one around the fan of a vertex.
class RimWalker {
 public:
  RimWalker(const TriMesh& mesh, const MeshTopology& topology)
      : mesh_(mesh), topology_(topology), used_(topology.edges.size(), false) {}

  bool used(std::uint32_t edge) const { return used_[edge]; }

  BoundaryLoop walk(std::uint32_t first) {
    const std::uint32_t triangle = topology_.edge_triangles[first][0];
    auto [start, vertex] = topology_.edges[first];
    if (!runs_upward(mesh_, triangle, side_of(triangle, first))) std::swap(start, vertex);
    used_[first] = true;
    BoundaryLoop loop{.vertices = {start}};
    loop.closed = follow(first, vertex, loop.vertices);
    if (loop.closed) return loop;
    std::vector<std::uint32_t> backward;
    follow(first, start, backward);
    std::reverse(backward.begin(), backward.end());
    backward.pop_back();  // `start`, already there
    loop.vertices.insert(loop.vertices.begin(), backward.begin(), backward.end());
    return loop;
  }

 private:
  /// Appends vertices from `vertex` on; true if the walk came back to `first`.
  bool follow(std::uint32_t first, std::uint32_t vertex, std::vector<std::uint32_t>& path) {
    std::uint32_t edge = first;
    for (;;) {
      const std::optional<std::uint32_t> next = next_rim_edge(edge, vertex);
      if (next == first) return true;
      path.push_back(vertex);
      if (!next || used_[*next]) return false;
      edge = *next;
      used_[edge] = true;
      vertex = topology_.edges[edge][0] + topology_.edges[edge][1] - vertex;
    }
  }

  std::optional<std::uint32_t> next_rim_edge(std::uint32_t edge, std::uint32_t vertex) const {
    std::uint32_t triangle = topology_.edge_triangles[edge][0];
    for (;;) {
      edge = other_edge_at(triangle, edge, vertex);
      const auto around = topology_.edge_triangles[edge];
      if (around.size() == 1) return edge;
      if (around.size() > 2) return std::nullopt;
      triangle = around[0] == triangle ? around[1] : around[0];
    }
  }

  int side_of(std::uint32_t triangle, std::uint32_t edge) const {
    const auto& sides = topology_.triangle_edges[triangle];
    return sides[0] == edge ? 0 : sides[1] == edge ? 1 : 2;
  }

  std::uint32_t other_edge_at(std::uint32_t triangle, std::uint32_t edge,
                              std::uint32_t vertex) const {
    for (const std::uint32_t candidate : topology_.triangle_edges[triangle]) {
      const auto& ends = topology_.edges[candidate];
      if (candidate != edge && (ends[0] == vertex || ends[1] == vertex)) return candidate;
    }
    return edge;
  }

  const TriMesh& mesh_;
  const MeshTopology& topology_;
  std::vector<bool> used_;
};

}  // namespace

MeshTopology mesh_topology(const TriMesh& mesh) {
  constexpr std::uint32_t none = MeshTopology::none;
  MeshTopology topology;
  topology.vertex_triangles = rings_of(mesh);
  topology.triangle_edges.assign(mesh.triangles.size(), {none, none, none});
  topology.triangle_neighbours.assign(mesh.triangles.size(), {none, none, none});

  const auto [begin, sides] = sorted_sides(mesh);
  topology.edges.reserve(sides.size() / 2);
  topology.edge_triangles.offsets.reserve(sides.size() / 2 + 1);
  topology.edge_triangles.items.reserve(sides.size());
  for (std::uint32_t low = 0; low + 1 < begin.size(); ++low) {
    for (std::uint32_t i = begin[low]; i < begin[low + 1];) {
      const auto edge = static_cast<std::uint32_t>(topology.edges.size());
      topology.edges.push_back({low, sides[i].high});
      const std::uint32_t first = i;
      for (; i < begin[low + 1] && sides[i].high == sides[first].high; ++i) {
        topology.triangle_edges[sides[i].triangle][sides[i].k] = edge;
        topology.edge_triangles.items.push_back(sides[i].triangle);
      }
      topology.edge_triangles.offsets.push_back(i);
      if (i - first != 2) continue;
      const TriangleSide &a = sides[first], &b = sides[first + 1];
      topology.triangle_neighbours[a.triangle][a.k] = b.triangle;
      topology.triangle_neighbours[b.triangle][b.k] = a.triangle;
    }
  }
  return topology;
}

bool runs_upward(const TriMesh& mesh, std::size_t triangle, int k) {
  const Triangle& t = mesh.triangles[triangle];
  return t[k] < t[(k + 1) % 3];
}

bool consistently_oriented(const TriMesh& mesh, const MeshTopology& topology, std::uint32_t edge) {
  const auto around = topology.edge_triangles[edge];
  const auto upward = [&](std::uint32_t triangle) {
    const auto& sides = topology.triangle_edges[triangle];
    return runs_upward(mesh, triangle, sides[0] == edge ? 0 : sides[1] == edge ? 1 : 2);
  };
  return upward(around[0]) != upward(around[1]);
}

std::vector<BoundaryLoop> boundary_loops(const TriMesh& mesh, const MeshTopology& topology) {
  std::vector<BoundaryLoop> loops;
  RimWalker walker(mesh, topology);
  for (std::uint32_t edge = 0; edge < topology.edges.size(); ++edge) {
    if (topology.is_boundary(edge) && !walker.used(edge)) loops.push_back(walker.walk(edge));
  }
  return loops;
}

Components connected_components(const TriMesh& mesh, const MeshTopology& topology,
                                Connection connection) {
  util::DisjointSets sets(mesh.triangles.size());
  const IndexLists& meeting =
      connection == Connection::shared_edge ? topology.edge_triangles : topology.vertex_triangles;
  for (std::size_t i = 0; i < meeting.size(); ++i) {
    const auto triangles = meeting[i];
    for (std::size_t j = 1; j < triangles.size(); ++j) sets.join(triangles[0], triangles[j]);
  }
  Components components;
  components.of_triangle.resize(mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t root = sets.root(t);
    components.of_triangle[t] = root == t ? components.count++ : components.of_triangle[root];
  }
  return components;
}

}  // namespace peal::geometry
