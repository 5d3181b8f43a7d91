#include <peal/geometry/shapes/planar_mesh.h>
#include <peal/geometry/shapes/shape_limits.h>
#include <peal/geometry/shapes/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <unordered_map>

namespace peal::geometry {
namespace {

void check_sizes(const Vec3& size, const std::string& shape) {
  for (int k = 0; k < 3; ++k)
    require_positive(size[k], fmt::format("the {} size of {}", "xyz"[k], shape));
}

/// Splits a quadrilateral along its shorter diagonal.
void add_quad(TriMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  const auto diagonal2 = [&](std::uint32_t p, std::uint32_t q) {
    return (mesh.vertices[p] - mesh.vertices[q]).squaredNorm();
  };
  if (diagonal2(a, c) <= diagonal2(b, d) * (1.0 + 1e-9)) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  } else {
    mesh.triangles.push_back({a, b, d});
    mesh.triangles.push_back({b, c, d});
  }
}

using Lattice = std::array<int, 3>;

/// The surface of an n[0] x n[1] x n[2] block of cells, each lattice point placed by `place`.
/// Faces share the vertices of common lattice points: watertight by construction.
template <class Place>
TriMesh block_surface(const Lattice& n, Place&& place) {
  TriMesh mesh;
  std::unordered_map<std::uint64_t, std::uint32_t> index;
  const auto vertex = [&](const Lattice& p) {
    const std::uint64_t key =
        (static_cast<std::uint64_t>(p[0]) * (n[1] + 1) + p[1]) * (n[2] + 1) + p[2];
    const auto [entry, fresh] = index.try_emplace(key, mesh.vertices.size());
    if (fresh) mesh.vertices.push_back(place(p));
    return entry->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const bool top : {false, true}) {
      for (int i = 0; i < n[u]; ++i) {
        for (int j = 0; j < n[v]; ++j) {
          Lattice a{}, b{}, c{}, d{};
          a[axis] = b[axis] = c[axis] = d[axis] = top ? n[axis] : 0;
          a[u] = d[u] = i;
          b[u] = c[u] = i + 1;
          a[v] = b[v] = j;
          c[v] = d[v] = j + 1;
          if (top) {
            add_quad(mesh, vertex(a), vertex(b), vertex(c), vertex(d));
          } else {
            add_quad(mesh, vertex(a), vertex(d), vertex(c), vertex(b));
          }
        }
      }
    }
  }
  return mesh;
}

double block_triangles(const Vec3& cells) {
  return 4.0 * (cells.x() * cells.y() + cells.y() * cells.z() + cells.z() * cells.x());
}

/// One axis of a rounded box: `round` cells of an eighth circle, `straight` cells, `round` cells.
struct RoundedAxis {
  int round, straight;
  double half_straight;  ///< [m]

  int cells() const { return 2 * round + straight; }
  /// Position of the nearest point of the inner box [m].
  double inner(int i) const {
    if (straight == 0) return 0.0;
    const double s = static_cast<double>(std::clamp(i - round, 0, straight)) / straight;
    return half_straight * (2.0 * s - 1.0);
  }
  /// Tangent of the angle away from the face's normal, -1 to 1.
  double tangent(int i) const {
    const int beyond = i < round ? i - round : std::max(0, i - round - straight);
    // Exactly one at the rim, so that the three faces agree there.
    if (std::abs(beyond) == round) return beyond < 0 ? -1.0 : 1.0;
    return std::tan(0.25 * std::numbers::pi * beyond / round);
  }
};

/// Corner numbers of a face's lattice: barycentric (i, j) of frequency n on a shared edge or
/// corner must give the same vertex for both faces.
class Geodesic {
 public:
  Geodesic(double radius, int frequency) : radius_(radius), n_(frequency) {
    const double golden = std::numbers::phi;
    for (const double s : {-1.0, 1.0}) {
      for (const double t : {-golden, golden}) {
        corners_.push_back(Vec3(0.0, s, t));
        corners_.push_back(Vec3(s, t, 0.0));
        corners_.push_back(Vec3(t, 0.0, s));
      }
    }
    for (const Vec3& corner : corners_) add(corner);
    for (std::uint32_t a = 0; a < 12; ++a)
      for (std::uint32_t b = a + 1; b < 12; ++b)
        for (std::uint32_t c = b + 1; c < 12; ++c)
          if (near(a, b) && near(b, c) && near(c, a)) add_face(a, b, c);
  }

  TriMesh take() { return std::move(mesh_); }

 private:
  bool near(std::uint32_t a, std::uint32_t b) const {
    return (corners_[a] - corners_[b]).norm() < 2.1;  // the icosahedron's edges are 2 long
  }

  std::uint32_t add(const Vec3& direction) {
    mesh_.vertices.push_back(radius_ * direction.normalized());
    return static_cast<std::uint32_t>(mesh_.vertices.size() - 1);
  }

  /// Vertex s of n along the edge from corner a to corner b.
  std::uint32_t on_edge(std::uint32_t a, std::uint32_t b, int s) {
    if (s == 0) return a;
    if (s == n_) return b;
    if (a > b) return on_edge(b, a, n_ - s);
    const std::uint64_t key = (static_cast<std::uint64_t>(a) * 12 + b) * n_ + s;
    const auto found = edge_vertices_.find(key);
    if (found != edge_vertices_.end()) return found->second;
    return edge_vertices_[key] = add((n_ - s) * corners_[a] + s * corners_[b]);
  }

  void add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (corners_[a].dot(corners_[b].cross(corners_[c])) < 0.0) std::swap(b, c);
    std::vector<std::uint32_t> above, row;
    for (int i = 0; i <= n_; ++i) {  // row i has i + 1 vertices, from edge a-b to edge a-c
      row.clear();
      for (int j = 0; j <= i; ++j) row.push_back(lattice_vertex(a, b, c, i, j));
      for (int j = 0; j < i; ++j) {
        mesh_.triangles.push_back({above[j], row[j], row[j + 1]});
        if (j + 1 < i) mesh_.triangles.push_back({above[j], row[j + 1], above[j + 1]});
      }
      above = row;
    }
  }

  std::uint32_t lattice_vertex(std::uint32_t a, std::uint32_t b, std::uint32_t c, int i, int j) {
    if (j == 0) return on_edge(a, b, i);
    if (j == i) return on_edge(a, c, i);
    if (i == n_) return on_edge(b, c, j);
    return add((n_ - i) * corners_[a] + (i - j) * corners_[b] + j * corners_[c]);
  }

  double radius_;
  int n_;
  std::vector<Vec3> corners_;
  std::unordered_map<std::uint64_t, std::uint32_t> edge_vertices_;
  TriMesh mesh_;
};

}  // namespace

TriMesh box_mesh(const Vec3& size, double edge_length) {
  require_positive(edge_length, "an edge length");
  check_sizes(size, "a box");
  require_triangle_budget(block_triangles(size / edge_length), edge_length);
  Lattice n;
  for (int k = 0; k < 3; ++k) n[k] = pieces(size[k], edge_length);
  return block_surface(n, [&](const Lattice& p) {
    Vec3 x;
    for (int k = 0; k < 3; ++k) x[k] = size[k] * (static_cast<double>(p[k]) / n[k] - 0.5);
    return x;
  });
}

TriMesh rounded_box_mesh(const Vec3& size, double radius, double edge_length) {
  require_positive(edge_length, "an edge length");
  check_sizes(size, "a rounded box");
  require_positive(radius, "the radius of a rounded box");
  if (radius > 0.5 * size.minCoeff() * (1.0 + 1e-12)) {
    throw std::invalid_argument(
        fmt::format("the radius of a rounded box ({}) must be at most half its smallest side ({})",
                    in_metres(radius), in_metres(0.5 * size.minCoeff())));
  }
  require_triangle_budget(block_triangles(size / edge_length), edge_length);
  std::array<RoundedAxis, 3> axes;
  Lattice n;
  for (int k = 0; k < 3; ++k) {
    const double straight = size[k] - 2.0 * radius;
    const bool has_straight = straight > 1e-9 * size[k];
    axes[k] = {pieces(0.25 * std::numbers::pi * radius, edge_length),
               has_straight ? pieces(straight, edge_length) : 0,
               has_straight ? 0.5 * straight : 0.0};
    n[k] = axes[k].cells();
  }
  return block_surface(n, [&](const Lattice& p) {
    Vec3 inner, away;
    for (int k = 0; k < 3; ++k) {
      inner[k] = axes[k].inner(p[k]);
      away[k] = axes[k].tangent(p[k]);
    }
    return Vec3(inner + radius * away.normalized());
  });
}

TriMesh sphere_mesh(double radius, double edge_length) {
  require_positive(edge_length, "an edge length");
  require_positive(radius, "the radius of a sphere");
  // The longest edges are in the middle of the icosahedron's faces: its edge over the radius of
  // its inscribed sphere, both relative to the circumscribed one (1.0515 / 0.7947), over n.
  const double frequency = 1.32316 * radius / edge_length;
  require_triangle_budget(20.0 * frequency * frequency, edge_length);
  return Geodesic(radius, pieces(1.32316 * radius, edge_length)).take();
}

TriMesh plane_mesh(double size_x, double size_z, double edge_length) {
  require_positive(edge_length, "an edge length");
  require_positive(size_x, "the x size of a plane");
  require_positive(size_z, "the z size of a plane");
  require_triangle_budget(2.0 * (size_x / edge_length) * (size_z / edge_length), edge_length);
  const int nx = pieces(size_x, edge_length), nz = pieces(size_z, edge_length);
  TriMesh mesh;
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= nz; ++j)
      mesh.vertices.push_back({size_x * (static_cast<double>(i) / nx - 0.5), 0.0,
                               size_z * (static_cast<double>(j) / nz - 0.5)});
  const auto vertex = [&](int i, int j) { return static_cast<std::uint32_t>(i * (nz + 1) + j); };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < nz; ++j)
      add_quad(mesh, vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j));
  return mesh;
}

}  // namespace peal::geometry
