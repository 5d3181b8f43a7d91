#include <peal/fem/dense_algebra.h>
#include <peal/fem/long_product.h>
#include <peal/fem/symmetric_eigen.h>
#include <peal/fem/triangle_element.h>
#include <peal/util/error.h>
#include <peal/vibration/graded_mesh.h>
#include <peal/vibration/polygon_membrane.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

namespace peal::vibration {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;
using std::numbers::pi;

constexpr int element_order = 10;
/// Phase of a wave along an edge [rad]. For order 10 the phase error is 4e-10 (Ainsworth 2004).
constexpr double radians_per_edge = 6.0;
/// Of the energy near a corner; graded_mesh() leaves out up to seven times as much.
constexpr double corner_error = 1e-9;
/// Outlines with more corners than some can be jagged: each of their corners is singular, and
/// counts less. Small elements, which need no high order for waves, then have a low one.
/// Frequencies of 600 jagged corners are then good to 0.02 %.
constexpr std::size_t some_corners = 60;
constexpr double corner_error_of_many = 1e-5, wave_error_of_many = 1e-9;
constexpr int least_order = 3;
constexpr std::size_t most_polygon_modes = 300;

/// Lowest eigenvalues of K x = lambda M x, with M-orthonormal vectors: block Lanczos, which finds
/// multiple eigenvalues, on K^-1 M.
struct LowestModes {
  VectorXd values;
  MatrixXd vectors;
};

LowestModes lowest_modes(const Sparse& K, const Sparse& M, Index count) {
  constexpr Index width = 8;
  constexpr double tolerance = 1e-11;
  const Index n = K.rows();
  count = std::min(count, n);
  const Eigen::SimplicialLDLT<Sparse> factor(K);
  const Index room = std::min(n, 3 * count + 12 * width);
  MatrixXd V(n, room);
  MatrixXd T = MatrixXd::Zero(room, room);
  // M-orthonormal columns; those that are nearly in the span of earlier ones are replaced by random
  // vectors.
  const auto append = [&](Index at, MatrixXd W) -> MatrixXd {
    for (int pass = 0; pass < 2; ++pass) {
      if (at > 0)
        fem::subtract_product(W, V.leftCols(at), fem::transposed_product(V.leftCols(at), M * W));
    }
    // Cholesky of the Gram matrix, twice.
    MatrixXd coupling = MatrixXd::Identity(W.cols(), W.cols());
    for (int pass = 0; pass < 2; ++pass) {
      const std::optional<MatrixXd> lower = fem::cholesky_factor(fem::transposed_product(W, M * W));
      if (!lower) throw util::NumericsError("the modes of the membrane did not converge");
      fem::divide_by_transposed(W, *lower);
      coupling = fem::transposed_times(*lower, coupling);
    }
    V.middleCols(at, W.cols()) = W;
    return coupling;
  };
  // A fixed random start.
  MatrixXd start(n, width);
  std::uint64_t state = 88172645463325252ull;
  for (double& x : start.reshaped()) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    x = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  append(0, factor.solve(M * start));
  Index size = width;
  while (true) {
    const MatrixXd W = factor.solve(M * V.middleCols(size - width, width));
    T.block(0, size - width, size, width) = fem::transposed_product(V.leftCols(size), M * W);
    T.block(size - width, 0, width, size) =
        T.block(0, size - width, size, width).transpose().eval();
    const bool full = size + width > room;
    const MatrixXd coupling = full ? MatrixXd::Zero(width, width) : append(size, W);
    if (full || (size > count + width && (size / width) % 3 == 0)) {
      const fem::SymmetricEigen ritz = fem::symmetric_eigen(T.topLeftCorner(size, size));
      const MatrixXd best = ritz.vectors.rightCols(count);
      const VectorXd residual = fem::product(coupling, best.bottomRows(width)).colwise().norm();
      const VectorXd value = ritz.values.tail(count);
      if (full || (residual.array() < tolerance * value.array()).all()) {
        return {value.reverse().cwiseInverse(),
                fem::product(V.leftCols(size), best).rowwise().reverse()};
      }
    }
    size += width;
  }
}

/// High-order finite elements on a graded mesh, zero on all rims.
class PolygonMembrane : public IdealShape {
 public:
  PolygonMembrane(const geometry::Polygon& outline, const std::vector<geometry::Polygon>& holes,
                  double tension, double areal_density, const ModeLimits& limits)
      : element_(element_order) {
    double around = 0.0, area = 0.0;
    const auto add = [&](const geometry::Polygon& rim, double sign) {
      for (std::size_t i = 0; i < rim.size(); ++i)
        around += (rim[(i + 1) % rim.size()] - rim[i]).norm();
      area += sign * std::abs(geometry::signed_area(rim));
    };
    add(outline, 1.0);
    for (const geometry::Polygon& hole : holes) add(hole, -1.0);
    mass_ = area * areal_density;
    const double speed = std::sqrt(tension / areal_density);
    // Weyl's law N = (A k^2 - P k) / (4 pi) and its inverse.
    const double k_asked = 2.0 * pi * limits.max_frequency / speed;
    const std::size_t most = std::min(limits.most, most_polygon_modes);
    const double k_most =
        (around + std::sqrt(around * around + 16.0 * pi * area * (static_cast<double>(most) + 3))) /
        (2.0 * area);
    const double k = std::min(k_asked, 1.05 * k_most);
    const double expected = std::max(0.0, (area * k * k - around * k) / (4.0 * pi));
    std::size_t corners = outline.size();
    for (const geometry::Polygon& hole : holes) corners += hole.size();
    const bool has_many = corners > some_corners;
    mesh_ = graded_mesh(outline, holes, radians_per_edge / k,
                        has_many ? corner_error_of_many : corner_error);
    number_functions(has_many ? k : std::numeric_limits<double>::infinity());

    // Solve with and without the last order: the difference is the estimated error.
    const auto count = std::min(static_cast<Index>(most), static_cast<Index>(1.1 * expected) + 8);
    const LowestModes fine = solve(element_order, count), coarse = solve(element_order - 1, count);
    for (Index i = 0; i < fine.values.size(); ++i) {
      const double frequency = speed * std::sqrt(fine.values[i]) / (2.0 * pi);
      if (frequency > limits.max_frequency) break;
      const double error = 0.5 * std::abs(coarse.values[i] / fine.values[i] - 1.0);
      modes_.push_back({.frequency = frequency, .relative_error = error});
    }
    is_cut_ = static_cast<Index>(modes_.size()) == fine.values.size();
    vectors_ = fine.vectors.leftCols(static_cast<Index>(modes_.size())) / std::sqrt(areal_density);
  }

  void displacement(const Vec2& at, std::span<double> out) const override {
    Eigen::Map<VectorXd> values(out.data(), static_cast<Index>(out.size()));
    values.setZero();
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const Eigen::Matrix2d sides = sides_of(t);
      const Vec2 s = sides.inverse() * (at - mesh_.points[mesh_.triangles[t][0]]);
      if (s.minCoeff() < -1e-9 || s.sum() > 1.0 + 1e-9) continue;
      const VectorXd f = element_.at(s.x(), s.y()).col(0);
      for (Index i = 0; i < f.size(); ++i) {
        const Function& function = functions_[t][static_cast<std::size_t>(i)];
        if (function.number >= 0) {
          values += function.sign * f[i] * vectors_.row(function.number).transpose();
        }
      }
      return;
    }
  }

 private:
  /// The unknown of an element's function; -1: it is fixed at zero, or its order is not needed.
  struct Function {
    Index number = -1;
    double sign = 1.0;
    int order = 1;  ///< where all of the element's orders up to element_order are needed
  };

  Eigen::Matrix2d sides_of(std::size_t triangle) const {
    const auto& [a, b, c] = mesh_.triangles[triangle];
    Eigen::Matrix2d sides;
    sides << mesh_.points[b] - mesh_.points[a], mesh_.points[c] - mesh_.points[a];
    return sides;
  }

  /// The least order whose error for waves of wavenumber k [1/m] is small (Ainsworth 2004).
  int order_of(std::size_t triangle, double k) const {
    const Eigen::Matrix2d sides = sides_of(triangle);
    const double longest = std::max(
        {sides.col(0).norm(), sides.col(1).norm(), Vec2(sides.col(1) - sides.col(0)).norm()});
    int order = least_order;
    while (order < element_order &&
           std::pow(k * longest / (2.0 * order + 1.0), 2.0 * order) > wave_error_of_many)
      ++order;
    return order;
  }

  /// Triangles have the order that waves of wavenumber k [1/m] need, edges that of the higher of
  /// their two triangles.
  void number_functions(double k) {
    using Edge = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Edge, int> uses;
    const auto edge_of = [&](std::size_t t, std::size_t e) {
      return Edge(std::minmax(mesh_.triangles[t][e], mesh_.triangles[t][(e + 1) % 3]));
    };
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      for (std::size_t e = 0; e < 3; ++e) ++uses[edge_of(t, e)];
    }
    std::vector<bool> on_rim(mesh_.points.size(), false);
    for (const auto& [edge, count] : uses) {
      if (count == 1) on_rim[edge.first] = on_rim[edge.second] = true;
    }
    std::vector<Index> corner(mesh_.points.size(), -1);
    for (std::size_t i = 0; i < corner.size(); ++i) {
      if (!on_rim[i]) corner[i] = unknowns_++;
    }
    std::vector<int> order;
    std::map<Edge, int> edge_order;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      order.push_back(order_of(t, k));
      for (std::size_t e = 0; e < 3; ++e) {
        int& highest = edge_order[edge_of(t, e)];
        highest = std::max(highest, order.back());
      }
    }
    std::map<Edge, Index> first;
    for (const auto& [edge, count] : uses) {
      first[edge] = count == 1 ? -1 : unknowns_;
      if (count > 1) unknowns_ += edge_order[edge] - 1;
    }
    functions_.assign(mesh_.triangles.size(), {});
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      auto& list = functions_[t];
      for (const std::uint32_t vertex : mesh_.triangles[t])
        list.push_back({corner[vertex], 1.0, 1});
      for (std::size_t e = 0; e < 3; ++e) {
        const Index start = first.at(edge_of(t, e));
        const int highest = edge_order[edge_of(t, e)];
        // Odd functions of an edge change sign with its direction.
        const bool turned = mesh_.triangles[t][e] > mesh_.triangles[t][(e + 1) % 3];
        for (int n = 0; n < element_order - 1; ++n) {
          const bool is_used = start >= 0 && n + 2 <= highest;
          list.push_back({is_used ? start + n : -1, turned && n % 2 == 1 ? -1.0 : 1.0,
                          n + 2 + element_order - highest});
        }
      }
      for (int m = 0; m < element_order - 2; ++m) {
        for (int n = 0; m + n < element_order - 2; ++n) {
          const bool is_used = m + n + 3 <= order[t];
          list.push_back({is_used ? unknowns_++ : -1, 1.0, m + n + 3 + element_order - order[t]});
        }
      }
    }
  }

  /// Solves with the functions up to a given order.
  LowestModes solve(int order, Index count) const {
    std::vector<Eigen::Triplet<double>> k, m;
    std::vector<Index> dense(static_cast<std::size_t>(unknowns_), -1);
    Index used = 0;
    for (const auto& list : functions_) {
      for (const Function& f : list) {
        if (f.number < 0 || f.order > order) continue;
        Index& place = dense[static_cast<std::size_t>(f.number)];
        if (place < 0) place = used++;
      }
    }
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      const Eigen::Matrix2d inverse = sides_of(t).inverse();
      const double det = std::abs(sides_of(t).determinant());
      const Eigen::Matrix2d g = det * inverse * inverse.transpose();
      const MatrixXd stiff = g(0, 0) * element_.stiffness()[0] + g(0, 1) * element_.stiffness()[1] +
                             g(1, 1) * element_.stiffness()[2];
      const auto& list = functions_[t];
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].number < 0 || list[i].order > order) continue;
        const Index row = dense[static_cast<std::size_t>(list[i].number)];
        for (std::size_t j = 0; j < list.size(); ++j) {
          if (list[j].number < 0 || list[j].order > order) continue;
          const Index column = dense[static_cast<std::size_t>(list[j].number)];
          const double sign = list[i].sign * list[j].sign;
          const auto a = static_cast<Index>(i), b = static_cast<Index>(j);
          k.emplace_back(row, column, sign * stiff(a, b));
          m.emplace_back(row, column, sign * det * element_.mass()(a, b));
        }
      }
    }
    Sparse K(used, used), M(used, used);
    K.setFromTriplets(k.begin(), k.end());
    M.setFromTriplets(m.begin(), m.end());
    // Unknowns of a graded mesh differ by many powers of ten: scale them to a unit diagonal.
    const VectorXd scale = K.diagonal().cwiseSqrt().cwiseInverse();
    K = scale.asDiagonal() * K * scale.asDiagonal();
    M = scale.asDiagonal() * M * scale.asDiagonal();
    const LowestModes found = lowest_modes(K, M, count);
    LowestModes all{found.values, MatrixXd::Zero(unknowns_, found.values.size())};
    for (Index i = 0; i < unknowns_; ++i) {
      const Index place = dense[static_cast<std::size_t>(i)];
      if (place >= 0) all.vectors.row(i) = scale[place] * found.vectors.row(place);
    }
    return all;
  }

  fem::TriangleElement element_;
  geometry::PlanarMesh mesh_;
  std::vector<std::vector<Function>> functions_;  ///< by triangle
  Index unknowns_ = 0;
  MatrixXd vectors_;  ///< a column a mode
};

}  // namespace

std::unique_ptr<IdealShape> polygon_membrane(const geometry::Polygon& outline, double tension,
                                             double areal_density, const ModeLimits& limits,
                                             const std::vector<geometry::Polygon>& holes) {
  return std::make_unique<PolygonMembrane>(outline, holes, tension, areal_density, limits);
}

}  // namespace peal::vibration
