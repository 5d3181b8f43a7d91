#include <peal/fem/space.h>

#include <algorithm>
#include <map>

namespace peal::fem {

namespace {

using geometry::Vec3;

/// The point of a tetrahedron's quadratic map at barycentric coordinates `l`.
Vec3 mapped(const CurvedTetMesh& mesh, std::size_t tet, const Eigen::Vector4d& l) {
  Vec3 x = Vec3::Zero();
  for (int k = 0; k < 4; ++k) x += l[k] * (2.0 * l[k] - 1.0) * mesh.vertices[mesh.tets[tet][k]];
  for (int e = 0; e < 6; ++e) {
    x += 4.0 * l[tet_edges[e][0]] * l[tet_edges[e][1]] * mesh.middles[mesh.tet_edge[tet][e]];
  }
  return x;
}

/// Numbers nodes consistently between tetrahedra: the corners of a tetrahedron are in ascending
/// order, so that an edge or a face is traversed in the same direction from either side.
class NodeNumbers {
 public:
  NodeNumbers(const CurvedTetMesh& mesh, int order)
      : mesh_(mesh),
        on_edge_(order - 1),
        on_face_((order - 1) * (order - 2) / 2),
        inside_((order - 1) * (order - 2) * (order - 3) / 6),
        order_(order) {
    edges_begin_ = static_cast<std::int32_t>(mesh.vertices.size());
    faces_begin_ = edges_begin_ + on_edge_ * static_cast<std::int32_t>(mesh.edges.size());
    insides_begin_ = faces_begin_ + on_face_ * static_cast<std::int32_t>(mesh.faces.size());
    count_ = insides_begin_ + inside_ * static_cast<std::int32_t>(mesh.tets.size());
  }

  std::int32_t count() const { return count_; }

  /// The number of a node. `weights` are its barycentric coordinates in units of 1 / order; `inner`
  /// is the number of earlier inner nodes of the tetrahedron.
  std::int32_t operator()(std::size_t tet, const std::array<int, 4>& weights, int inner) const {
    std::array<int, 4> used{};
    int corners = 0;
    for (int k = 0; k < 4; ++k)
      if (weights[k] > 0) used[corners++] = k;
    if (corners == 1) return static_cast<std::int32_t>(mesh_.tets[tet][used[0]]);
    if (corners == 2) {
      int e = 0;
      while (tet_edges[e] != std::array{used[0], used[1]}) ++e;
      const auto edge = static_cast<std::int32_t>(mesh_.tet_edge[tet][e]);
      return edges_begin_ + on_edge_ * edge + weights[used[1]] - 1;
    }
    if (corners == 3) {
      const int opposite = 6 - used[0] - used[1] - used[2];
      const auto face = static_cast<std::int32_t>(mesh_.tet_face[tet][opposite]);
      const int i = weights[used[1]] - 1, j = weights[used[2]] - 1, rows = order_ - 2;
      return faces_begin_ + on_face_ * face + i * rows - i * (i - 1) / 2 + j;
    }
    return insides_begin_ + inside_ * static_cast<std::int32_t>(tet) + inner;
  }

 private:
  const CurvedTetMesh& mesh_;
  std::int32_t on_edge_, on_face_, inside_, order_;
  std::int32_t edges_begin_, faces_begin_, insides_begin_, count_;
};

/// Divides outer faces into flat triangles between their nodes.
void find_surface(const CurvedTetMesh& mesh, const NodeNumbers& number, Space& space) {
  std::map<std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>> outer;  // sorted -> outward
  for (const auto& triangle : mesh.boundary) {
    auto key = triangle;
    std::sort(key.begin(), key.end());
    outer[key] = triangle;
  }
  std::vector<std::uint32_t> vertex_of(space.nodes.size(), ~0u);
  const auto vertex = [&](std::int32_t node) {
    if (vertex_of[node] == ~0u) {
      vertex_of[node] = static_cast<std::uint32_t>(space.surface.vertices.size());
      space.surface.vertices.push_back(space.nodes[node]);
      space.surface_node.push_back(node);
    }
    return vertex_of[node];
  };
  const int p = space.order;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (int corner = 0; corner < 4; ++corner) {
      const auto found = outer.find(mesh.faces[mesh.tet_face[t][corner]]);
      if (found == outer.end()) continue;
      std::array<int, 3> local{};  // the outward face's corners within the tetrahedron
      for (int k = 0; k < 3; ++k) {
        local[k] =
            static_cast<int>(std::find(mesh.tets[t].begin(), mesh.tets[t].end(), found->second[k]) -
                             mesh.tets[t].begin());
      }
      const auto at = [&](int i, int j) {
        std::array<int, 4> weights{};
        weights[local[0]] = p - i - j;
        weights[local[1]] = i;
        weights[local[2]] = j;
        return vertex(number(t, weights, 0));
      };
      for (int i = 0; i < p; ++i) {
        for (int j = 0; i + j < p; ++j) {
          space.surface.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
          if (i + j + 1 < p) {
            space.surface.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
          }
        }
      }
    }
  }
}

}  // namespace

Space make_space(const CurvedTetMesh& mesh, int order) {
  const LagrangeTet element(order);
  const NodeNumbers number(mesh, order);
  Space space;
  space.order = order;
  space.nodes.resize(number.count());
  space.element_nodes.reserve(mesh.tets.size() * element.nodes().size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    int inner = 0;
    for (const auto& weights : element.nodes()) {
      const bool is_inner =
          std::all_of(weights.begin(), weights.end(), [](int w) { return w > 0; });
      const std::int32_t node = number(t, weights, inner);
      inner += is_inner;
      const Eigen::Vector4d l(weights[0], weights[1], weights[2], weights[3]);
      space.nodes[node] = mapped(mesh, t, l / order);
      space.element_nodes.push_back(node);
    }
  }
  find_surface(mesh, number, space);
  return space;
}

}  // namespace peal::fem
