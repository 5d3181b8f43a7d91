#include <peal/geometry/mesh/smooth_surface.h>
#include <peal/geometry/repair/shell_repair.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace peal::geometry {

namespace {

/// Edges longer than this times the wanted length are halved.
constexpr double halved_above = 1.4;
const double cosine_of_bend = std::cos(sharpest_bend);

using EdgeEnds = std::array<std::uint32_t, 2>;

EdgeEnds ends_of(std::uint32_t a, std::uint32_t b) {
  return a < b ? EdgeEnds{a, b} : EdgeEnds{b, a};
}

/// The longest edge of a triangle, of equals the one with the lowest ends: neighbours agree.
std::size_t longest_edge(const TriMesh& mesh, const Triangle& t) {
  std::size_t best = 0;
  double most = -1.0;
  EdgeEnds ends{};
  for (std::size_t k = 0; k < 3; ++k) {
    const EdgeEnds key = ends_of(t[k], t[(k + 1) % 3]);
    const double length = (mesh.vertices[key[1]] - mesh.vertices[key[0]]).squaredNorm();
    if (length > most || (length == most && key < ends)) {
      most = length;
      best = k;
      ends = key;
    }
  }
  return best;
}

/// Halves longest edges (Rivara 1984), which leaves no angle smaller than half the smallest before.
class ShellHalver {
 public:
  ShellHalver(const ShellMesh& shell, double edge_length)
      : shell_(shell), limit_(square(halved_above * edge_length)) {}

  ShellMesh run() {
    while (halve_once()) {
    }
    return std::move(shell_);
  }

 private:
  static double square(double x) { return x * x; }

  double length2(const EdgeEnds& ends) const {
    return (shell_.middle.vertices[ends[1]] - shell_.middle.vertices[ends[0]]).squaredNorm();
  }

  /// One round: marks edges until every triangle with a marked edge has its longest one marked, and
  /// cuts.
  bool halve_once() {
    const TriMesh& mesh = shell_.middle;
    std::map<EdgeEnds, std::uint32_t> marked;
    std::map<EdgeEnds, std::vector<std::uint32_t>> faces;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k)
        faces[ends_of(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3])].push_back(t);
    }
    std::vector<EdgeEnds> waiting;
    const auto mark = [&](const EdgeEnds& ends) {
      if (marked.emplace(ends, 0).second) waiting.push_back(ends);
    };
    for (const Triangle& t : mesh.triangles) {
      const std::size_t k = longest_edge(mesh, t);
      const EdgeEnds ends = ends_of(t[k], t[(k + 1) % 3]);
      if (length2(ends) > limit_) mark(ends);
    }
    if (waiting.empty()) return false;
    while (!waiting.empty()) {
      const EdgeEnds ends = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t t : faces[ends]) {
        const std::size_t k = longest_edge(mesh, mesh.triangles[t]);
        mark(ends_of(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]));
      }
    }
    add_vertices(faces, marked);
    cut(marked);
    return true;
  }

  /// The middle of an edge on the smooth surface through its ends (Boubekeur & Alexa 2008 with the
  /// factor 1/2, which is exact for circles), where faces around it bend by less than 30 degrees.
  Vec3 middle_of(const EdgeEnds& ends, const std::vector<std::uint32_t>& faces,
                 const std::vector<std::vector<std::uint32_t>>& around,
                 const std::vector<Vec3>& face_normals) const {
    const TriMesh& mesh = shell_.middle;
    const Vec3 &a = mesh.vertices[ends[0]], &b = mesh.vertices[ends[1]];
    const Vec3 flat = 0.5 * (a + b);
    const auto n = [&](std::uint32_t face) { return face_normals[face]; };
    if (faces.size() == 2 && n(faces[0]).dot(n(faces[1])) < cosine_of_bend) return flat;
    Vec3 mean = Vec3::Zero();
    for (const std::uint32_t face : faces) mean += n(face);
    mean.normalize();
    const auto normal_at = [&](std::uint32_t v) -> Vec3 {
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t t : around[v]) {
        if (n(t).dot(mean) < cosine_of_bend) continue;
        const Triangle& corners = mesh.triangles[t];
        const std::size_t k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
        sum += corner_normal(mesh.vertices[corners[(k + 1) % 3]] - mesh.vertices[v],
                             mesh.vertices[corners[(k + 2) % 3]] - mesh.vertices[v]);
      }
      return sum.normalized();
    };
    const Vec3 na = normal_at(ends[0]), nb = normal_at(ends[1]);
    return flat + 0.125 * (na * na.dot(a - b) + nb * nb.dot(b - a));
  }

  void add_vertices(const std::map<EdgeEnds, std::vector<std::uint32_t>>& faces,
                    std::map<EdgeEnds, std::uint32_t>& marked) {
    const TriMesh& mesh = shell_.middle;
    std::vector<std::vector<std::uint32_t>> around(mesh.vertices.size());
    std::vector<Vec3> normals;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      for (const std::uint32_t v : mesh.triangles[t]) around[v].push_back(t);
      normals.push_back(area_vector(mesh, t).normalized());
    }
    std::vector<Vec3> places;
    for (auto& one : marked) {
      one.second = static_cast<std::uint32_t>(mesh.vertices.size() + places.size());
      places.push_back(middle_of(one.first, faces.at(one.first), around, normals));
      shell_.thickness.push_back(0.5 *
                                 (shell_.thickness[one.first[0]] + shell_.thickness[one.first[1]]));
    }
    shell_.middle.vertices.insert(shell_.middle.vertices.end(), places.begin(), places.end());
  }

  /// Cuts a triangle at its longest edge first, then the halves at their other marked edges.
  void cut(const std::map<EdgeEnds, std::uint32_t>& marked) {
    std::vector<Triangle> whole = std::move(shell_.middle.triangles), done;
    const auto new_vertex = [&](std::uint32_t a, std::uint32_t b) {
      const auto found = marked.find(ends_of(a, b));
      return found == marked.end() ? none : found->second;
    };
    for (const Triangle& t : whole) {
      const std::size_t k = longest_edge(shell_.middle, t);
      const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      const std::uint32_t m = new_vertex(a, b);
      if (m == none) {
        done.push_back(t);
        continue;
      }
      const std::uint32_t p = new_vertex(b, c), q = new_vertex(c, a);
      if (p == none) {
        done.push_back({m, b, c});
      } else {
        done.push_back({m, b, p});
        done.push_back({m, p, c});
      }
      if (q == none) {
        done.push_back({a, m, c});
      } else {
        done.push_back({a, m, q});
        done.push_back({q, m, c});
      }
    }
    shell_.middle.triangles = std::move(done);
  }

  static constexpr std::uint32_t none = ~0u;

  ShellMesh shell_;
  double limit_;  ///< [m^2]
};

}  // namespace

ShellMesh refined_shell(const ShellMesh& shell, double edge_length) {
  return ShellHalver(shell, edge_length).run();
}

}  // namespace peal::geometry
