#include <peal/util/parallel.h>
#include <peal/vibration/fem_assembly.h>
#include <peal/vibration/fem_error.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

namespace peal::vibration {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::Mat3;

/// The functions that order p + 1 adds to order p, as values at the nodes of LagrangeTet(p + 1):
/// on each edge one even or odd bubble, on each face p - 1, and those inside. They are bubbles of
/// the part of the tetrahedron times polynomials that are orthogonal to lower ones, so that they
/// differ much from what order p has.
struct AddedFunctions {
  LagrangeTet finer;
  MatrixXd coefficients;  ///< of each function (row) in the shape functions of `finer`
  std::vector<std::array<bool, 4>> on;  ///< the corners of the part that each function belongs to

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

/// Numbers of the added functions in the whole mesh.
class AddedNumbers {
 public:
  AddedNumbers(const CurvedTetMesh& mesh, int order)
      : mesh_(mesh),
        on_face_(order - 1),
        faces_begin_(static_cast<Index>(mesh.edges.size())),
        insides_begin_(faces_begin_ + on_face_ * static_cast<Index>(mesh.faces.size())) {}

  Index count() const { return insides_begin_ + static_cast<Index>(mesh_.tets.size()); }

  /// Function `a` of AddedFunctions in a tetrahedron.
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
      : added(order), rule_(order + 1), geometry_(2), density_(material.density) {
    const double e = material.young_modulus, nu = material.poisson_ratio;
    lambda_ = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    mu_ = e / (2.0 * (1.0 + nu));
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

  /// Stiffness of the added functions (rows) against those of the space and the added ones
  /// (columns), three displacements each; mass likewise, one number each.
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
        const double trace = mu_ * (s[0](a, b) + s[4](a, b) + s[8](a, b));
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j)
            stiffness(3 * a + i, 3 * b + j) =
                lambda_ * s[3 * i + j](a, b) + mu_ * s[3 * j + i](a, b);
          stiffness(3 * a + i, 3 * b + i) += trace;
        }
      }
    }
  }

  AddedFunctions added;

 private:
  TetQuadrature rule_;
  LagrangeTet geometry_;
  double density_, lambda_, mu_;
  MatrixXd values_;  ///< functions of the space, then added ones, at the points
  std::array<MatrixXd, 3> derivatives_, map_derivatives_;
};

/// Six points in a triangle that integrate polynomials of degree 4 (Strang & Fix 1973): the other
/// and the odd barycentric coordinate of each set of three, and the weights, which sum to 1.
constexpr double face_points[2][2] = {{0.445948490915965, 0.108103018168070},
                                      {0.091576213509771, 0.816847572980459}};
constexpr double face_weights[2] = {0.223381589678011, 0.109951743655322};

/// Whether each displacement of an element's added functions is held: all nodes of the space on the
/// same edge or face are.
std::vector<bool> held_added(const FemSpace& space, const FemMatrices& matrices,
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

MatrixXd discretisation_errors(const CurvedTetMesh& mesh, const FemSpace& space,
                               const FemMatrices& matrices, const base::Material& material,
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

  // What each element answers.
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
  return (0.5 * pairs.values.cwiseInverse()).asDiagonal() * energy;
}

GeometryErrors geometry_errors(const CurvedTetMesh& mesh, const FemSpace& space,
                               const base::Material& material, const Eigenpairs& pairs,
                               const SmoothSurface& smooth) {
  const double e = material.young_modulus, nu = material.poisson_ratio;
  const double lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = e / (2.0 * (1.0 + nu));
  const LagrangeTet element(space.order), geometry(2);
  const Index modes = pairs.values.size(), own = static_cast<Index>(space.nodes_per_element());
  std::vector<int> uses(mesh.faces.size(), 0);
  for (const auto& faces : mesh.tet_face)
    for (const std::uint32_t f : faces) ++uses[f];
  std::vector<std::array<std::size_t, 2>> outer;  // tetrahedron, corner opposite of the face
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (std::size_t k = 0; k < 4; ++k)
      if (uses[mesh.tet_face[t][k]] == 1) outer.push_back({t, k});

  // One set of points a face, for each corner that it may lie opposite of.
  std::array<Eigen::Matrix3Xd, 4> points;
  std::array<MatrixXd, 4> values;
  std::array<std::array<MatrixXd, 3>, 4> derivatives, map_derivatives;
  std::array<std::array<int, 3>, 4> corners{};
  for (int k = 0; k < 4; ++k) {
    for (int c = 0, i = 0; c < 4; ++c)
      if (c != k) corners[k][i++] = c;
    points[k].resize(3, 6);
    for (int q = 0; q < 6; ++q) {
      Eigen::Vector4d l = Eigen::Vector4d::Zero();
      for (int i = 0; i < 3; ++i) l[corners[k][i]] = face_points[q / 3][i == q % 3 ? 1 : 0];
      points[k].col(q) = l.tail<3>();
    }
    values[k] = element.values(points[k]);
    for (int axis = 0; axis < 3; ++axis) {
      derivatives[k][axis] = element.derivatives(points[k], axis);
      map_derivatives[k][axis] = geometry.derivatives(points[k], axis);
    }
  }
  MatrixXd fit(modes, static_cast<Index>(outer.size())), facets = fit;
  util::parallel_for(static_cast<std::int64_t>(outer.size()), [&](std::int64_t i) {
    const auto [t, corner] = outer[static_cast<std::size_t>(i)];
    const int k = static_cast<int>(corner);
    const auto bent = map_points(mesh, t, geometry);
    const MatrixXd places = bent * geometry.values(points[k]);
    fit.col(i).setZero();
    facets.col(i).setZero();
    for (int q = 0; q < 6; ++q) {
      Eigen::Matrix<double, 3, 4> by_corner;  // derivative of the position along barycentrics
      by_corner.col(0).setZero();
      Mat3 jacobian;
      for (int axis = 0; axis < 3; ++axis)
        jacobian.col(axis) = bent * map_derivatives[k][axis].col(q);
      by_corner.rightCols<3>() = jacobian;
      const auto& [a, b, c] = corners[k];
      geometry::Vec3 area = 0.5 * geometry::Vec3(by_corner.col(b) - by_corner.col(a))
                                      .cross(geometry::Vec3(by_corner.col(c) - by_corner.col(a)));
      if (area.dot(by_corner.col(k) - by_corner.col(a)) > 0.0) area = -area;  // outward
      const geometry::Vec3 normal = area.normalized();
      const auto on = smooth.on_sheet(places.col(q), normal);
      if (!on) continue;
      const double weight = face_weights[q / 3] * area.norm();
      const double to_smooth = weight * normal.dot(on->position - places.col(q));
      const double to_flat = weight * normal.dot(on->flat - on->position);
      const Mat3 inverse = jacobian.inverse();
      MatrixXd gradients(own, 3);
      for (int axis = 0; axis < 3; ++axis)
        gradients.col(axis) = inverse(0, axis) * derivatives[k][0].col(q) +
                              inverse(1, axis) * derivatives[k][1].col(q) +
                              inverse(2, axis) * derivatives[k][2].col(q);
      for (Index m = 0; m < modes; ++m) {
        Mat3 gradient = Mat3::Zero();
        geometry::Vec3 u = geometry::Vec3::Zero();
        for (Index n = 0; n < own; ++n) {
          const auto at =
              pairs.vectors.col(m).segment<3>(3 * Index{space.element_nodes[t * own + n]});
          gradient += at * gradients.row(n);
          u += values[k](n, q) * at;
        }
        const Mat3 strain = 0.5 * (gradient + gradient.transpose());
        const double trace = strain.trace();
        const double density = lambda * trace * trace + 2.0 * mu * strain.squaredNorm() -
                               pairs.values[m] * material.density * u.squaredNorm();
        fit(m, i) += density * to_smooth;
        facets(m, i) += density * to_flat;
      }
    }
  });
  const VectorXd scale = 0.5 * pairs.values.cwiseInverse();
  return {fit.rowwise().sum().cwiseProduct(scale), facets.rowwise().sum().cwiseProduct(scale)};
}

}  // namespace peal::vibration
