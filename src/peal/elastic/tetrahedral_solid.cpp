#include <peal/elastic/element_blocks.h>
#include <peal/elastic/solid.h>
#include <peal/elastic/tet_kernel.h>
#include <peal/elastic/tet_mass.h>
#include <peal/fem/lame.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace peal::elastic {
namespace {

using geometry::Mat3;
using geometry::Tet;
using geometry::Vec3;

/// Columns are the edges from corner 0.
Mat3 tet_edges_of(const geometry::TetMesh& mesh, const Tet& tet) {
  Mat3 D;
  for (int k = 0; k < 3; ++k) D.col(k) = mesh.vertices[tet[k + 1]] - mesh.vertices[tet[0]];
  return D;
}

/// Right-handed copies of the tetrahedra.
std::vector<Tet> checked_tets(const geometry::TetMesh& mesh, const std::string& name) {
  std::vector<Tet> tets = mesh.tets;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const Mat3 D = tet_edges_of(mesh, tets[e]);
    const double longest = D.colwise().norm().maxCoeff();
    if (!(std::abs(D.determinant()) > 1e-9 * longest * longest * longest)) {
      throw util::InputError({name, fmt::format("tetrahedron {}", e)},
                             "it is flat: its four corners lie in a plane",
                             "Mesh the body again with better elements.");
    }
    if (D.determinant() < 0.0) std::swap(tets[e][2], tets[e][3]);
  }
  return tets;
}

/// The edges D in axes of their own: the first along the first axis, the second in the plane of
/// two.
Mat3 upper_triangle(const Mat3& D) {
  Mat3 axes;
  axes.col(0) = D.col(0).normalized();
  axes.col(2) = D.col(0).cross(D.col(1)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return (axes.transpose() * D).triangularView<Eigen::Upper>();
}

/// Constants of TetPoint.
template <class Kernel>
std::array<double, Kernel::constants> tet_constants(const Mat3& D, const fem::Lame& lame) {
  const double s = std::pow(lame.mu * D.determinant() / (6.0 * Kernel::points), 0.25);
  const Mat3 B = s * Kernel::slope_unit * upper_triangle(D).inverse();
  return {B(0, 0), B(0, 1), B(0, 2), B(1, 1),
          B(1, 2), B(2, 2), s * s,   lame.lambda / (2.0 * lame.mu)};
}

template <class Kernel>
std::unique_ptr<InternalForces> make_forces(
    const Nodes& rest, const std::vector<std::array<std::uint32_t, Kernel::nodes>>& elements,
    const std::vector<Mat3>& edges, const fem::Lame& lame) {
  using Blocks = ElementBlocks<Kernel>;
  std::vector<typename Blocks::Element> list;
  std::vector<typename Blocks::Constants> constants;
  for (std::uint32_t e = 0; e < elements.size(); ++e) {
    list.push_back({elements[e], e, e});
    constants.push_back(tet_constants<Kernel>(edges[e], lame));
  }
  return std::make_unique<Blocks>(rest, std::move(list), std::move(constants));
}

}  // namespace

Solid make_tetrahedral_solid(const geometry::TetMesh& mesh, const base::Material& material,
                             int order, const std::string& name) {
  const fem::Lame lame = fem::checked_lame(material, name);
  geometry::TetMesh right{mesh.vertices, checked_tets(mesh, name)};
  std::vector<Mat3> edges;
  for (const Tet& tet : right.tets) edges.push_back(tet_edges_of(mesh, tet));
  const geometry::CurvedTetMesh straight = geometry::straight(right);
  std::vector<Vec3> indices = mesh.vertices;
  // A node in the middle of each edge.
  if (order == 2) indices.insert(indices.end(), straight.middles.begin(), straight.middles.end());
  Solid solid = bare_solid(indices, material, name);
  std::vector<geometry::Triangle> outside;
  if (order == 1) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const double mass = material.density * (edges[e].determinant() / 6.0);
      for (const std::uint32_t node : right.tets[e]) solid.mass[node] += 0.25 * mass;
    }
    solid.forces = make_forces<TetKernel<Tet4>>(solid.rest, right.tets, edges, lame);
    outside = straight.boundary;
  } else {
    const auto corners = static_cast<std::uint32_t>(mesh.vertices.size());
    std::map<std::array<std::uint32_t, 2>, std::uint32_t> middle;
    for (std::uint32_t e = 0; e < straight.edges.size(); ++e) {
      middle[straight.edges[e]] = corners + e;
    }
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
      return middle.at({std::min(a, b), std::max(a, b)});
    };
    std::vector<QuadraticTet> elements;
    std::vector<double> volumes;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      auto& nodes = elements.emplace_back();
      std::ranges::copy(right.tets[e], nodes.begin());
      for (std::size_t k = 0; k < 6; ++k) {
        const auto [a, b] = geometry::tet_edges[k];
        nodes[4 + k] =
            between(nodes[static_cast<std::size_t>(a)], nodes[static_cast<std::size_t>(b)]);
      }
      volumes.push_back(edges[e].determinant() / 6.0);
    }
    add_mass(elements, volumes, solid);
    solid.forces = make_forces<TetKernel<Tet10>>(solid.rest, elements, edges, lame);
    for (const auto& [a, b, c] : straight.boundary) {
      const std::uint32_t ab = between(a, b), bc = between(b, c), ca = between(c, a);
      outside.insert(outside.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
  }
  set_surface(solid, geometry::solid_surface(indices, outside));
  return solid;
}

}  // namespace peal::elastic
