#include <peal/geometry/volume/tet_mesh.h>
#include <peal/util/sort_unique.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace peal::geometry {

namespace {

/// Faces opposite of corner 0, 1, 2, 3.
constexpr std::array<std::array<int, 3>, 4> opposite_face{
    {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};

Mat3 corner_matrix(const std::vector<Vec3>& vertices, const Tet& tet) {
  Mat3 sides;
  for (int k = 0; k < 3; ++k) sides.col(k) = vertices[tet[k + 1]] - vertices[tet[0]];
  return sides;
}

/// Numbers the distinct items of a list; `items` becomes the sorted list of them.
template <class Item>
std::vector<std::uint32_t> numbered(std::vector<Item>& items) {
  const std::vector<Item> all = items;
  util::sort_unique(items);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(all.size());
  for (const Item& item : all) {
    numbers.push_back(static_cast<std::uint32_t>(
        std::lower_bound(items.begin(), items.end(), item) - items.begin()));
  }
  return numbers;
}

void find_edges(CurvedTetMesh& mesh) {
  for (const Tet& tet : mesh.tets)
    for (const auto& [a, b] : tet_edges) mesh.edges.push_back({tet[a], tet[b]});
  const std::vector<std::uint32_t> numbers = numbered(mesh.edges);
  mesh.tet_edge.resize(mesh.tets.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) mesh.tet_edge[i / 6][i % 6] = numbers[i];
  for (const auto& [a, b] : mesh.edges)
    mesh.middles.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
}

/// Corners in the order in which the face is counter-clockwise seen from outside.
std::array<std::uint32_t, 3> outward(const CurvedTetMesh& mesh, const Tet& tet, int corner) {
  const auto& [i, j, k] = opposite_face[corner];
  const Vec3 &a = mesh.vertices[tet[i]], &b = mesh.vertices[tet[j]], &c = mesh.vertices[tet[k]];
  const bool inward = (b - a).cross(c - a).dot(mesh.vertices[tet[corner]] - a) > 0.0;
  return inward ? std::array{tet[i], tet[k], tet[j]} : std::array{tet[i], tet[j], tet[k]};
}

void find_faces(CurvedTetMesh& mesh) {
  for (const Tet& tet : mesh.tets)
    for (const auto& [a, b, c] : opposite_face) mesh.faces.push_back({tet[a], tet[b], tet[c]});
  const std::vector<std::uint32_t> numbers = numbered(mesh.faces);
  mesh.tet_face.resize(mesh.tets.size());
  std::vector<int> uses(mesh.faces.size(), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    mesh.tet_face[i / 4][i % 4] = numbers[i];
    ++uses[numbers[i]];
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (uses[numbers[i]] != 1) continue;
    const Tet& tet = mesh.tets[i / 4];
    mesh.boundary.push_back(outward(mesh, tet, static_cast<int>(i % 4)));
    for (int e = 0; e < 6; ++e) {
      const bool touches_corner =
          tet_edges[e][0] == static_cast<int>(i % 4) || tet_edges[e][1] == static_cast<int>(i % 4);
      if (!touches_corner) mesh.boundary_edges.push_back(mesh.tet_edge[i / 4][e]);
    }
  }
  util::sort_unique(mesh.boundary_edges);
}

/// Derivative of the map from the reference tetrahedron at barycentric coordinates `l`: quadratic
/// shape functions, corners l (2 l - 1) and middles 4 l_a l_b.
Mat3 jacobian(const CurvedTetMesh& mesh, std::size_t tet, const Eigen::Vector4d& l) {
  Eigen::Matrix<double, 3, 4> by_l;
  for (int k = 0; k < 4; ++k) by_l.col(k) = (4.0 * l[k] - 1.0) * mesh.vertices[mesh.tets[tet][k]];
  for (int e = 0; e < 6; ++e) {
    const Vec3& middle = mesh.middles[mesh.tet_edge[tet][e]];
    const auto [a, b] = tet_edges[e];
    by_l.col(a) += 4.0 * l[b] * middle;
    by_l.col(b) += 4.0 * l[a] * middle;
  }
  return by_l.rightCols<3>().colwise() - by_l.col(0);
}

}  // namespace

CurvedTetMesh straight(const TetMesh& mesh) {
  CurvedTetMesh result;
  result.vertices = mesh.vertices;
  result.tets = mesh.tets;
  for (Tet& tet : result.tets) std::sort(tet.begin(), tet.end());
  find_edges(result);
  find_faces(result);
  return result;
}

double signed_volume(const TetMesh& mesh, const Tet& tet) {
  return corner_matrix(mesh.vertices, tet).determinant() / 6.0;
}

double volume(const TetMesh& mesh) {
  double sum = 0.0;
  for (const Tet& tet : mesh.tets) sum += std::abs(signed_volume(mesh, tet));
  return sum;
}

bool is_well_bent(const CurvedTetMesh& mesh, std::size_t tet, double least) {
  const double straight_volume = corner_matrix(mesh.vertices, mesh.tets[tet]).determinant();
  const auto fine_at = [&](const Eigen::Vector4d& l) {
    return jacobian(mesh, tet, l).determinant() / straight_volume >= least;
  };
  const Eigen::Vector4d centre = Eigen::Vector4d::Constant(0.25);
  const auto inward = [&](const Eigen::Vector4d& l) { return 0.85 * l + 0.15 * centre; };
  for (int k = 0; k < 4; ++k)
    if (!fine_at(inward(Eigen::Vector4d::Unit(k)))) return false;
  for (const auto& [a, b] : tet_edges) {
    if (!fine_at(inward(0.5 * (Eigen::Vector4d::Unit(a) + Eigen::Vector4d::Unit(b))))) return false;
  }
  return fine_at(centre);
}

}  // namespace peal::geometry
