#include <peal/elastic/forced_strain.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace peal::elastic {

using geometry::Vec3;

namespace {

constexpr std::size_t sources_each = 8;    ///< nodes of a constraint from which paths start
constexpr std::size_t most_targets = 256;  ///< nodes of a constraint to which they lead
constexpr double look_every = 2e-3;        ///< [s]
constexpr int most_looks = 2000;

/// Edges of the recorded surface at rest, by vertex.
class EdgeGraph {
 public:
  explicit EdgeGraph(const geometry::TriMesh& mesh) : mesh_(mesh), around_(mesh.vertices.size()) {
    for (const geometry::Triangle& triangle : mesh.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        around_[triangle[k]].push_back(triangle[(k + 1) % 3]);
        around_[triangle[(k + 1) % 3]].push_back(triangle[k]);
      }
    }
  }

  /// Length of the shortest path from a vertex to each (Dijkstra's algorithm) [m].
  std::vector<double> lengths_from(std::uint32_t source) const {
    using Reached = std::pair<double, std::uint32_t>;
    std::vector<double> length(around_.size(), std::numeric_limits<double>::infinity());
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    length[source] = 0.0;
    next.push({0.0, source});
    while (!next.empty()) {
      const auto [so_far, v] = next.top();
      next.pop();
      if (so_far > length[v]) continue;
      for (const std::uint32_t u : around_[v]) {
        const double there = so_far + (mesh_.vertices[u] - mesh_.vertices[v]).norm();
        if (there >= length[u]) continue;
        length[u] = there;
        next.push({there, u});
      }
    }
    return length;
  }

 private:
  const geometry::TriMesh& mesh_;
  std::vector<std::vector<std::uint32_t>> around_;
};

/// A held node on the recorded surface.
struct HeldVertex {
  std::size_t constraint;
  std::size_t point;     ///< of the constraint
  std::uint32_t vertex;  ///< of the recorded surface
  Vec3 rest;             ///< of the point [m]
};

/// The vertex of the recorded surface that a node belongs to, or the number of all.
std::uint32_t vertex_of(const Solid& solid, std::uint32_t node) {
  const auto n = static_cast<std::uint32_t>(solid.recorded().vertices.size());
  if (!solid.middle.empty()) return node % n;
  const auto found = std::ranges::lower_bound(solid.surface_node, node);
  return found != solid.surface_node.end() && *found == node
             ? static_cast<std::uint32_t>(found - solid.surface_node.begin())
             : n;
}

std::vector<HeldVertex> held_vertices(const Solid& solid, std::span<const Constraint> constraints) {
  std::vector<HeldVertex> held;
  const auto n = static_cast<std::uint32_t>(solid.recorded().vertices.size());
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const std::vector<std::uint32_t>& nodes = constraints[c].nodes;
    const std::size_t stride = nodes.size() / most_targets + 1;
    for (std::size_t i = 0; i < nodes.size(); i += stride) {
      const std::uint32_t vertex = vertex_of(solid, nodes[i]);
      if (vertex == n) continue;
      const Vec3 rest =
          constraints[c].is_hinge ? solid.middle.vertices[vertex] : solid.rest.at(nodes[i]);
      held.push_back({c, i, vertex, rest});
    }
  }
  return held;
}

/// Two held nodes and the way between them in the solid.
struct HeldPair {
  std::size_t from, to;  ///< held vertices
  double length;         ///< [m]
};

std::vector<HeldPair> held_pairs(const Solid& solid, std::span<const HeldVertex> held) {
  const EdgeGraph graph(solid.recorded());
  std::vector<HeldPair> pairs;
  for (std::size_t first = 0; first < held.size();) {
    std::size_t end = first;
    while (end < held.size() && held[end].constraint == held[first].constraint) ++end;
    const std::size_t stride = (end - first) / sources_each + 1;
    for (std::size_t i = first; i < end; i += stride) {
      const std::vector<double> length = graph.lengths_from(held[i].vertex);
      for (std::size_t k = 0; k < held.size(); ++k) {
        // Both sides of a wall belong to one vertex, and are farther from those of others than it
        // is.
        const double apart = std::max(length[held[k].vertex], (held[k].rest - held[i].rest).norm());
        if (held[k].vertex != held[i].vertex && std::isfinite(apart))
          pairs.push_back({i, k, apart});
      }
    }
    first = end;
  }
  return pairs;
}

}  // namespace

ForcedStrain forced_strain(const Solid& solid, std::span<const Constraint> constraints,
                           const geometry::Affine& start, double end) {
  ForcedStrain worst;
  if (std::ranges::none_of(constraints, [](const Constraint& one) { return bool(one.motion); }))
    return worst;
  const std::vector<HeldVertex> held = held_vertices(solid, constraints);
  const std::vector<HeldPair> pairs = held_pairs(solid, held);
  std::vector<std::vector<Vec3>> rest(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    for (const std::uint32_t node : constraints[c].nodes)
      rest[c].push_back(constraints[c].is_hinge ? solid.middle.vertices[vertex_of(solid, node)]
                                                : solid.rest.at(node));
  }
  const int looks = std::clamp(static_cast<int>(std::ceil(end / look_every)), 1, most_looks);
  std::vector<Vec3> now(held.size());
  std::vector<std::vector<Vec3>> moved;
  for (int look = 0; look <= looks; ++look) {
    const double t = end * look / looks;
    moved = rest;
    for (std::size_t c = 0; c < constraints.size(); ++c) {
      if (constraints[c].motion) {
        constraints[c].motion(t, moved[c]);
      } else {
        for (Vec3& point : moved[c]) point = start * point;
      }
    }
    for (std::size_t k = 0; k < held.size(); ++k) now[k] = moved[held[k].constraint][held[k].point];
    for (const HeldPair& pair : pairs) {
      const double strain = (now[pair.to] - now[pair.from]).norm() / pair.length - 1.0;
      if (strain <= worst.strain) continue;
      const HeldVertex &a = held[pair.from], &b = held[pair.to];
      worst = {strain, t, {a.constraint, b.constraint}, {a.rest, b.rest}};
    }
  }
  return worst;
}

}  // namespace peal::elastic
