#include <peal/fem/assembly.h>
#include <peal/fem/elasticity.h>
#include <peal/fem/inner_corners.h>
#include <peal/fem/mode_errors.h>
#include <peal/util/parallel.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

namespace peal::fem {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Mat3;

/// The functions that order p + 1 adds to order p, as values at the nodes of LagrangeTet(p + 1):
/// one even or odd bubble on each edge, p - 1 on each face, and those inside. They are bubbles of
/// their part of the tetrahedron times polynomials orthogonal to lower ones, so that they differ
/// strongly from the functions of order p.
struct AddedFunctions {
  LagrangeTet finer;
  MatrixXd coefficients;  ///< coefficients of each function (row) in the shape functions of `finer`
  std::vector<std::array<bool, 4>> on;  ///< corners of the part to which each function belongs

  explicit AddedFunctions(int order) : finer(order + 1) {
    std::vector<VectorXd> rows;
    const auto add = [&](const std::array<bool, 4>& corners, const auto& value) {
      VectorXd row(static_cast<Index>(finer.nodes().size()));
      for (Index a = 0; a < row.size(); ++a) {
        Eigen::Vector4d l;
        for (int k = 0; k < 4; ++k) l[k] = double(finer.nodes()[a][k]) / finer.order();
        row[a] = value(l);
      }
      rows.push_back(row);
      on.push_back(corners);
    };
    for (const auto& [a, b] : tet_edges) {
      std::array<bool, 4> corners{};
      corners[a] = corners[b] = true;
      add(corners, [&, a = a, b = b](const Eigen::Vector4d& l) {
        // Integrated Legendre polynomials: their kernels 1, x, 5 x^2 - 1, 7 x^3 - 3 x.
        const double x = l[b] - l[a],
                     kernels[] = {1.0, x, 5.0 * x * x - 1.0, x * (7.0 * x * x - 3.0)};
        return l[a] * l[b] * kernels[order - 1];
      });
    }
    for (int k = 0; k < 4; ++k) {
      std::array<bool, 4> corners{true, true, true, true};
      corners[k] = false;
      const std::array<int, 3> f{k == 0 ? 1 : 0, k <= 1 ? 2 : 1, k <= 2 ? 3 : 2};
      const auto bubble = [f](const Eigen::Vector4d& l) { return l[f[0]] * l[f[1]] * l[f[2]]; };
      if (order == 2) add(corners, bubble);
      if (order == 3) {
        add(corners, [&](const Eigen::Vector4d& l) { return bubble(l) * (l[f[0]] - l[f[1]]); });
        add(corners, [&](const Eigen::Vector4d& l) {
          return bubble(l) * (2.0 * l[f[2]] - l[f[0]] - l[f[1]]);
        });
      }
    }
    if (order == 3) {
      add({true, true, true, true},
          [](const Eigen::Vector4d& l) { return l[0] * l[1] * l[2] * l[3]; });
    }
    coefficients.resize(static_cast<Index>(rows.size()), static_cast<Index>(finer.nodes().size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      coefficients.row(static_cast<Index>(i)) = rows[i].transpose();
  }
};

/// The numbering of the added functions in the whole mesh.
class AddedNumbers {
 public:
  AddedNumbers(const CurvedTetMesh& mesh, int order)
      : mesh_(mesh),
        on_face_(order - 1),
        faces_begin_(static_cast<Index>(mesh.edges.size())),
        insides_begin_(faces_begin_ + on_face_ * static_cast<Index>(mesh.faces.size())) {}

  Index count() const { return insides_begin_ + static_cast<Index>(mesh_.tets.size()); }

  /// The number of function `a` of AddedFunctions in a tetrahedron.
  Index operator()(std::size_t tet, Index a) const {
    if (a < 6) return mesh_.tet_edge[tet][a];
    const Index k = a - 6;
    if (k < 4 * on_face_)
      return faces_begin_ + on_face_ * mesh_.tet_face[tet][k / on_face_] + k % on_face_;
    return insides_begin_ + static_cast<Index>(tet);
  }

 private:
  const CurvedTetMesh& mesh_;
  Index on_face_, faces_begin_, insides_begin_;
};

/// Integrals over one element, in the functions of the rows and columns.
class ElementRows {
 public:
  ElementRows(int order, const base::Material& material)
      : added(order),
        rule_(order + 1),
        geometry_(2),
        elasticity_(material),
        density_(material.density) {
    const LagrangeTet own(order);
    const MatrixXd own_values = own.values(rule_.points);
    values_.resize(own_values.rows() + added.coefficients.rows(), rule_.points.cols());
    values_ << own_values, added.coefficients * added.finer.values(rule_.points);
    for (int k = 0; k < 3; ++k) {
      derivatives_[k].resizeLike(values_);
      derivatives_[k] << own.derivatives(rule_.points, k),
          added.coefficients * added.finer.derivatives(rule_.points, k);
      map_derivatives_[k] = geometry_.derivatives(rule_.points, k);
    }
  }

  /// Stiffness between the added functions (rows) and those of the space and the added ones
  /// (columns), with three displacements each; the same for mass, with one number each.
  void integrate(const CurvedTetMesh& mesh, std::size_t tet, MatrixXd& stiffness,
                 MatrixXd& mass) const {
    const auto points = map_points(mesh, tet, geometry_);
    const Index all = values_.rows(), rows = added.coefficients.rows();
    std::array<MatrixXd, 3> along;
    MatrixXd values(all, rule_.weights.size());
    for (MatrixXd& matrix : along) matrix.resize(all, rule_.weights.size());
    for (Index q = 0; q < rule_.weights.size(); ++q) {
      Mat3 jacobian;
      for (int k = 0; k < 3; ++k) jacobian.col(k) = points * map_derivatives_[k].col(q);
      const double root = std::sqrt(rule_.weights[q] * std::abs(jacobian.determinant()));
      const Mat3 inverse = root * jacobian.inverse();
      values.col(q) = root * values_.col(q);
      for (int i = 0; i < 3; ++i) {
        along[i].col(q) = inverse(0, i) * derivatives_[0].col(q) +
                          inverse(1, i) * derivatives_[1].col(q) +
                          inverse(2, i) * derivatives_[2].col(q);
      }
    }
    mass.noalias() = density_ * values.bottomRows(rows) * values.transpose();
    std::array<MatrixXd, 9> s;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        s[3 * i + j].noalias() = along[i].bottomRows(rows) * along[j].transpose();
    stiffness.resize(3 * rows, 3 * all);
    for (Index a = 0; a < rows; ++a) {
      for (Index b = 0; b < all; ++b) {
        std::array<double, 9> products;
        for (std::size_t k = 0; k < 9; ++k) products[k] = s[k](a, b);
        Mat3 block = Mat3::Zero();
        elasticity_.add_stiffness(products, block);
        stiffness.block<3, 3>(3 * a, 3 * b) = block;
      }
    }
  }

  AddedFunctions added;

 private:
  TetQuadrature rule_;
  LagrangeTet geometry_;
  Elasticity elasticity_;
  double density_;
  /// Values of the functions of the space, then of the added ones, at the points.
  MatrixXd values_;
  std::array<MatrixXd, 3> derivatives_, map_derivatives_;
};

/// Whether each displacement of an element's added functions is fixed, which it is if all nodes of
/// the space on the same edge or face are fixed.
std::vector<bool> held_added(const Space& space, const Matrices& matrices,
                             const LagrangeTet& element, const AddedFunctions& added,
                             std::size_t tet) {
  std::vector<bool> held(3 * added.on.size(), !matrices.held.empty());
  if (matrices.held.empty()) return held;
  for (std::size_t a = 0; a < added.on.size(); ++a) {
    for (std::size_t n = 0; n < element.nodes().size(); ++n) {
      bool inside = true;
      for (int k = 0; k < 4; ++k) inside &= added.on[a][k] || element.nodes()[n][k] == 0;
      if (!inside) continue;
      const std::int32_t node = space.element_nodes[tet * element.nodes().size() + n];
      for (int k = 0; k < 3; ++k)
        if (!matrices.held[3 * node + k]) held[3 * a + k] = false;
    }
  }
  return held;
}

}  // namespace

MatrixXd discretisation_errors(const CurvedTetMesh& mesh, const Space& space,
                               const Matrices& matrices, const base::Material& material,
                               const Eigenpairs& pairs) {
  const ElementRows element_rows(space.order, material);
  const LagrangeTet element(space.order);
  const AddedNumbers number(mesh, space.order);
  const Index modes = pairs.values.size(), rows = element_rows.added.coefficients.rows();
  const auto own = static_cast<Index>(space.nodes_per_element());

  // The residual in the added functions, and their stiffness.
  MatrixXd residual = MatrixXd::Zero(modes, 3 * number.count());
  VectorXd weight = VectorXd::Zero(number.count());
  struct Share {
    MatrixXd residual;
    Eigen::LLT<MatrixXd> factor;
    VectorXd weight;
  };
  std::vector<Share> shares(mesh.tets.size());
  constexpr std::size_t batch = 256;
  for (std::size_t first = 0; first < mesh.tets.size(); first += batch) {
    const std::size_t last = std::min(first + batch, mesh.tets.size());
    util::parallel_for(static_cast<std::int64_t>(last - first), [&](std::int64_t i) {
      const std::size_t t = first + static_cast<std::size_t>(i);
      Share& share = shares[t];
      MatrixXd stiffness, mass;
      element_rows.integrate(mesh, t, stiffness, mass);
      MatrixXd x(3 * own, modes);
      for (Index n = 0; n < own; ++n) {
        x.middleRows<3>(3 * n) =
            pairs.vectors.middleRows<3>(3 * Index{space.element_nodes[t * own + n]});
      }
      share.residual.noalias() = -stiffness.leftCols(3 * own) * x;
      for (Index a = 0; a < rows; ++a)
        for (Index n = 0; n < own; ++n)
          share.residual.middleRows<3>(3 * a) +=
              mass(a, n) * x.middleRows<3>(3 * n) * pairs.values.asDiagonal();
      MatrixXd local = stiffness.rightCols(3 * rows);
      const auto held = held_added(space, matrices, element, element_rows.added, t);
      for (Index k = 0; k < 3 * rows; ++k) {
        if (!held[k]) continue;
        share.residual.row(k).setZero();
        const double diagonal = local(k, k);
        local.row(k).setZero();
        local.col(k).setZero();
        local(k, k) = diagonal;
      }
      share.weight.resize(rows);
      for (Index a = 0; a < rows; ++a) share.weight[a] = local.diagonal().segment<3>(3 * a).sum();
      share.factor.compute(local);
    });
    for (std::size_t t = first; t < last; ++t) {
      for (Index a = 0; a < rows; ++a) {
        residual.middleCols<3>(3 * number(t, a)) +=
            shares[t].residual.middleRows<3>(3 * a).transpose();
        weight[number(t, a)] += shares[t].weight[a];
      }
    }
  }

  // The response of each element.
  MatrixXd energy(modes, static_cast<Index>(mesh.tets.size()));
  util::parallel_for(static_cast<std::int64_t>(mesh.tets.size()), [&](std::int64_t t) {
    Share& share = shares[t];
    for (Index a = 0; a < rows; ++a) {
      const Index n = number(static_cast<std::size_t>(t), a);
      share.residual.middleRows<3>(3 * a) =
          share.weight[a] / weight[n] * residual.middleCols<3>(3 * n).transpose();
    }
    share.factor.matrixL().solveInPlace(share.residual);
    energy.col(t) = share.residual.colwise().squaredNorm().transpose();
  });
  energy *= inner_corner_factors(mesh, space.order).asDiagonal();
  return (0.5 * pairs.values.cwiseInverse()).asDiagonal() * energy;
}

}  // namespace peal::fem
