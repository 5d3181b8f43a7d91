#include <peal/fem/assembly.h>
#include <peal/fem/elasticity.h>
#include <peal/util/parallel.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace peal::fem {

namespace {

using Eigen::MatrixXd;
using geometry::Mat3;
using geometry::Vec3;

/// Data common to all elements of one order and quadrature.
struct Reference {
  Eigen::VectorXd weights;
  MatrixXd values;                      ///< shape functions by points
  std::array<MatrixXd, 3> derivatives;  ///< derivatives along the reference axes
  /// Derivatives of the ten quadratic functions of the geometry.
  std::array<MatrixXd, 3> map_derivatives;
  MatrixXd mass;                                    ///< integral of N_a N_b
  std::array<std::array<MatrixXd, 3>, 3> products;  ///< integrals of dN_a/di dN_b/dj

  Reference(const LagrangeTet& element, const LagrangeTet& geometry, int points) {
    const TetQuadrature rule(points);
    weights = rule.weights;
    values = element.values(rule.points);
    for (int k = 0; k < 3; ++k) {
      derivatives[k] = element.derivatives(rule.points, k);
      map_derivatives[k] = geometry.derivatives(rule.points, k);
    }
    mass = values * weights.asDiagonal() * values.transpose();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        products[i][j] = derivatives[i] * weights.asDiagonal() * derivatives[j].transpose();
  }
};

/// The integrals of one element: gradients[3 i + j] of dN_a/dx_i dN_b/dx_j, and mass without
/// density.
struct ElementIntegrals {
  std::array<MatrixXd, 9> gradients;
  MatrixXd mass;
};

bool is_straight(const CurvedTetMesh& mesh, std::size_t tet) {
  for (const std::uint32_t e : mesh.tet_edge[tet]) {
    const Vec3 &a = mesh.vertices[mesh.edges[e][0]], &b = mesh.vertices[mesh.edges[e][1]];
    if ((mesh.middles[e] - 0.5 * (a + b)).norm() > 1e-10 * (b - a).norm()) return false;
  }
  return true;
}

/// Integrals of a straight element: gradients are those of the reference element under one linear
/// map.
ElementIntegrals straight_integrals(const CurvedTetMesh& mesh, std::size_t tet,
                                    const Reference& reference) {
  Mat3 sides;
  for (int k = 0; k < 3; ++k) {
    sides.col(k) = mesh.vertices[mesh.tets[tet][k + 1]] - mesh.vertices[mesh.tets[tet][0]];
  }
  const double scale = std::abs(sides.determinant());
  const Mat3 inverse = sides.inverse();  // d reference k / d x_i = inverse(k, i)
  ElementIntegrals result;
  result.mass = scale * reference.mass;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      MatrixXd& sum = result.gradients[3 * i + j];
      sum.setZero(reference.mass.rows(), reference.mass.cols());
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          sum += scale * inverse(k, i) * inverse(l, j) * reference.products[k][l];
    }
  }
  return result;
}

/// Integrals of a curved element by quadrature.
ElementIntegrals bent_integrals(const CurvedTetMesh& mesh, std::size_t tet,
                                const LagrangeTet& geometry, const Reference& reference) {
  const auto points = map_points(mesh, tet, geometry);
  const Eigen::Index nodes = reference.values.rows(), count = reference.weights.size();
  std::array<MatrixXd, 3> along;  // gradients along x, y, z times the root of the weight
  for (MatrixXd& matrix : along) matrix.resize(nodes, count);
  MatrixXd values(nodes, count);
  for (Eigen::Index q = 0; q < count; ++q) {
    Mat3 jacobian;
    for (int k = 0; k < 3; ++k) jacobian.col(k) = points * reference.map_derivatives[k].col(q);
    const double root = std::sqrt(reference.weights[q] * std::abs(jacobian.determinant()));
    const Mat3 inverse = root * jacobian.inverse();
    values.col(q) = root * reference.values.col(q);
    for (int i = 0; i < 3; ++i) {
      along[i].col(q) = inverse(0, i) * reference.derivatives[0].col(q) +
                        inverse(1, i) * reference.derivatives[1].col(q) +
                        inverse(2, i) * reference.derivatives[2].col(q);
    }
  }
  ElementIntegrals result;
  result.mass.noalias() = values * values.transpose();
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      result.gradients[3 * i + j].noalias() = along[i] * along[j].transpose();
      if (j > i) result.gradients[3 * j + i] = result.gradients[3 * i + j].transpose();
    }
  }
  return result;
}

NodeGraph graph_of(const Space& space) {
  const std::size_t per_element = space.nodes_per_element();
  const std::size_t elements = space.element_nodes.size() / per_element;
  // Elements of each node, then neighbours of each node.
  std::vector<std::int32_t> begin(space.nodes.size() + 1, 0);
  for (const std::int32_t node : space.element_nodes) ++begin[node + 1];
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) begin[i + 1] += begin[i];
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1), of_node(begin.back());
  for (std::size_t e = 0; e < elements; ++e) {
    for (std::size_t a = 0; a < per_element; ++a) {
      of_node[next[space.element_nodes[e * per_element + a]]++] = static_cast<std::int32_t>(e);
    }
  }
  NodeGraph graph;
  std::vector<std::int32_t> mark(space.nodes.size(), -1);
  for (std::int32_t r = 0; r < static_cast<std::int32_t>(space.nodes.size()); ++r) {
    const auto row = static_cast<std::ptrdiff_t>(graph.column.size());
    for (std::int32_t k = begin[r]; k < begin[r + 1]; ++k) {
      for (std::size_t a = 0; a < per_element; ++a) {
        const std::int32_t c = space.element_nodes[of_node[k] * per_element + a];
        if (c > r || mark[c] == r) continue;
        mark[c] = r;
        graph.column.push_back(c);
      }
    }
    std::sort(graph.column.begin() + row, graph.column.end());
    graph.row_begin.push_back(static_cast<std::int32_t>(graph.column.size()));
  }
  graph.mirror();
  return graph;
}

/// Adds the contribution of an element.
void add_element(const ElementIntegrals& integrals, const std::int32_t* nodes,
                 const Elasticity& elasticity, double density, Matrices& matrices) {
  const auto count = static_cast<int>(integrals.mass.rows());
  const auto& s = integrals.gradients;
  for (int a = 0; a < count; ++a) {
    const auto row = matrices.graph.column.begin() + matrices.graph.row_begin[nodes[a]];
    const auto end = matrices.graph.column.begin() + matrices.graph.row_begin[nodes[a] + 1];
    for (int b = 0; b < count; ++b) {
      if (nodes[b] > nodes[a]) continue;
      const auto entry = std::lower_bound(row, end, nodes[b]) - matrices.graph.column.begin();
      std::array<double, 9> products;
      for (std::size_t k = 0; k < 9; ++k) products[k] = s[k](a, b);
      elasticity.add_stiffness(products, matrices.stiffness[entry]);
      matrices.mass[entry] += density * integrals.mass(a, b);
    }
  }
}

}  // namespace

Eigen::Matrix<double, 3, 10> map_points(const CurvedTetMesh& mesh, std::size_t tet,
                                        const LagrangeTet& geometry) {
  Eigen::Matrix<double, 3, 10> points;
  for (int a = 0; a < 10; ++a) {
    const auto& weights = geometry.nodes()[a];
    std::array<int, 2> corners{};
    int count = 0;
    for (int k = 0; k < 4; ++k)
      if (weights[k] > 0) corners[count++] = k;
    if (count == 1) {
      points.col(a) = mesh.vertices[mesh.tets[tet][corners[0]]];
    } else {
      int e = 0;
      while (tet_edges[e] != corners) ++e;
      points.col(a) = mesh.middles[mesh.tet_edge[tet][e]];
    }
  }
  return points;
}

Matrices assemble(const CurvedTetMesh& mesh, const Space& space, const base::Material& material) {
  const LagrangeTet element(space.order), geometry(2);
  // The mass of straight elements has degree 2 p. That of curved elements has three more from the
  // varying volume, and quotients.
  const Reference exact(element, geometry, space.order + 1);
  const Reference finer(element, geometry, space.order + 2);
  const Elasticity elasticity(material);

  Matrices matrices;
  matrices.graph = graph_of(space);
  matrices.stiffness.assign(matrices.graph.column.size(), Mat3::Zero());
  matrices.mass.assign(matrices.graph.column.size(), 0.0);
  // Elements are integrated in parallel and added in their order.
  constexpr std::size_t batch = 256;
  std::vector<ElementIntegrals> integrals(batch);
  for (std::size_t first = 0; first < mesh.tets.size(); first += batch) {
    const std::size_t count = std::min(batch, mesh.tets.size() - first);
    util::parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t k) {
      const std::size_t tet = first + static_cast<std::size_t>(k);
      integrals[k] = is_straight(mesh, tet) ? straight_integrals(mesh, tet, exact)
                                            : bent_integrals(mesh, tet, geometry, finer);
    });
    for (std::size_t k = 0; k < count; ++k) {
      add_element(integrals[k],
                  space.element_nodes.data() + (first + k) * space.nodes_per_element(), elasticity,
                  material.density, matrices);
    }
  }
  return matrices;
}

}  // namespace peal::fem
