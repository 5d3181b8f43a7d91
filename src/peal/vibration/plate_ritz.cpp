#include <peal/fem/dense_algebra.h>
#include <peal/fem/quadrature.h>
#include <peal/fem/symmetric_eigen.h>
#include <peal/util/error.h>
#include <peal/vibration/edge_polynomials.h>
#include <peal/vibration/plate_ritz.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

namespace peal::vibration {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double ritz_wanted_error = 1e-6;
constexpr double ritz_largest_error = 1e-3;  ///< modes with larger errors are discarded
constexpr double ritz_largest_block = 800;   ///< largest number of unknowns; more would be too slow

int edge_fold(PlateEdge edge) {
  return edge == PlateEdge::clamped ? 2 : edge == PlateEdge::supported ? 1 : 0;
}

/// Basis functions along one side of the plate, s = -1 ... 1: the modes of a bar with the same end
/// conditions, as far as `count` polynomials can represent them. They are orthonormal and
/// diagonalise the bending energy. (With the polynomials themselves, the energy of the highest
/// would swamp the low modes in rounding error.)
class PlateSide {
 public:
  PlateSide(PlateEdge low, PlateEdge high, int count)
      : is_symmetric(low == high), polynomials_(edge_fold(low), edge_fold(high), count) {
    using Eigen::seq;
    const fem::Quadrature rule = fem::gauss_legendre(count + 5);
    Matrix energy = Matrix::Zero(count, count);
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      const auto f = polynomials_.at(rule.points[i]);
      energy += rule.weights[i] * f.col(2) * f.col(2).transpose();
    }
    // Even and odd functions are separate, at even and odd indices.
    combine_ = Matrix::Zero(count, count);
    const int step = is_symmetric ? 2 : 1;
    for (int first = 0; first < step; ++first) {
      const auto part = seq(first, count - 1, step);
      const Matrix block = energy(part, part);
      combine_(part, part) = Eigen::SelfAdjointEigenSolver<Matrix>(block).eigenvectors();
    }
    bend = slope = mixed = MatrixXd::Zero(count, count);
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      const Eigen::MatrixX3d f = at(rule.points[i]);
      bend += rule.weights[i] * f.col(2) * f.col(2).transpose();
      slope += rule.weights[i] * f.col(1) * f.col(1).transpose();
      mixed += rule.weights[i] * f.col(2) * f.col(0).transpose();
    }
  }

  int count() const { return polynomials_.count(); }
  /// Values and first two derivatives at s.
  Eigen::MatrixX3d at(double s) const {
    return (combine_.transpose() * polynomials_.at(s)).cast<double>();
  }

  bool is_symmetric;
  MatrixXd bend;   ///< integral of f_i'' f_k''
  MatrixXd slope;  ///< integral of f_i' f_k'
  MatrixXd mixed;  ///< integral of f_i'' f_k

 private:
  using Matrix = Eigen::Matrix<EdgePolynomials::Real, Eigen::Dynamic, Eigen::Dynamic>;

  EdgePolynomials polynomials_;
  Matrix combine_;  ///< one column per mode
};

/// A mode as coefficients of products of the sides' polynomials.
struct RitzMode {
  double square = 0.0;  ///< w^2 rho h / D [1/m^4]
  double error = 0.0;   ///< relative error of the frequency
  MatrixXd part;        ///< coefficients, x by z
};

/// Products of functions of given parity (or of all, if a side is not symmetric).
struct ParityBlock {
  std::vector<Index> x, z;

  static std::vector<Index> numbers(int count, std::optional<int> parity) {
    std::vector<Index> list;
    for (Index i = parity.value_or(0); i < count; i += parity ? 2 : 1) list.push_back(i);
    return list;
  }
  Index size() const { return static_cast<Index>(x.size() * z.size()); }
};

MatrixXd plate_stiffness(const ParityBlock& block, const PlateSide& x, const PlateSide& z,
                         const Vec2& size, double nu) {
  const double px = std::pow(2.0 / size.x(), 2), pz = std::pow(2.0 / size.y(), 2);
  const auto nx = static_cast<Index>(block.x.size()), nz = static_cast<Index>(block.z.size());
  MatrixXd K(nx * nz, nx * nz);
  for (Index i = 0; i < nx; ++i) {
    for (Index k = 0; k < nx; ++k) {
      const Index a = block.x[static_cast<std::size_t>(i)],
                  c = block.x[static_cast<std::size_t>(k)];
      for (Index j = 0; j < nz; ++j) {
        for (Index l = 0; l < nz; ++l) {
          const Index b = block.z[static_cast<std::size_t>(j)];
          const Index d = block.z[static_cast<std::size_t>(l)];
          K(i * nz + j, k * nz + l) =
              (b == d ? px * px * x.bend(a, c) : 0.0) + (a == c ? pz * pz * z.bend(b, d) : 0.0) +
              px * pz *
                  (nu * (x.mixed(a, c) * z.mixed(d, b) + x.mixed(c, a) * z.mixed(b, d)) +
                   2.0 * (1.0 - nu) * x.slope(a, c) * z.slope(b, d));
        }
      }
    }
  }
  return K;
}

class RitzPlate : public IdealShape {
 public:
  RitzPlate(const RectangularPlate& plate, const ModeLimits& limits) : size_(plate.size) {
    mass_ = size_.x() * size_.y() * plate.areal_density;
    const double unit =
        std::sqrt(plate.bending_stiffness / plate.areal_density) / (2.0 * std::numbers::pi);
    const double highest = limits.max_frequency / unit;  // k^2 [1/m^2]
    choose_and_solve(plate, highest, limits.most);
    found_.erase(found_.begin(), found_.begin() + rigid_motions(plate));

    // Compute frequencies and shapes, and discard inaccurate modes.
    const auto bad = std::ranges::find_if(
        found_, [](const RitzMode& mode) { return mode.error > ritz_largest_error; });
    const auto trusted = static_cast<std::size_t>(bad - found_.begin());
    const std::size_t count = std::min(trusted, limits.most);
    is_cut_ = count < found_.size() || !reaches_limit_;
    found_.resize(count);
    for (RitzMode& mode : found_) {
      modes_.push_back({.frequency = unit * std::sqrt(mode.square), .relative_error = mode.error});
      mode.part *= 2.0 / std::sqrt(mass_);
    }
  }

  void displacement(const Vec2& at, std::span<double> out) const override {
    const Vec2 s = 2.0 * at.cwiseQuotient(size_);
    if (s.cwiseAbs().maxCoeff() > 1.0 + 1e-9) {
      std::ranges::fill(out, 0.0);
      return;
    }
    const VectorXd x = x_->at(s.x()).col(0), z = z_->at(s.y()).col(0);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = x.dot(found_[i].part * z);
  }

 private:
  /// Adds polynomials until all modes below `highest` are accurate enough, or the limit of unknowns
  /// is reached.
  void choose_and_solve(const RectangularPlate& plate, double highest, std::size_t most) {
    // Half waves along a side at the highest frequency, or at that of the last mode.
    const double area = size_.x() * size_.y();
    const double k2 =
        std::min(highest, 4.0 * std::numbers::pi * (static_cast<double>(most) + 20.0) / area);
    Vec2 count = 1.3 / std::numbers::pi * std::sqrt(k2) * size_;
    const bool half_x = plate.low_x == plate.high_x, half_z = plate.low_z == plate.high_z;
    double extra = 12.0;
    for (bool last = false; !last;) {
      count += Vec2::Constant(extra);
      extra = 6.0;
      const double block = count.prod() / ((half_x ? 2 : 1) * (half_z ? 2 : 1));
      last = block >= ritz_largest_block;
      if (last) count *= std::sqrt(ritz_largest_block / block);
      const auto even = [](double n) { return std::max(8, 2 * static_cast<int>(0.5 * n)); };
      x_.emplace(plate.low_x, plate.high_x, even(count.x()));
      z_.emplace(plate.low_z, plate.high_z, even(count.y()));
      solve(plate, highest);
      const auto used = static_cast<long>(std::min(most + 3, found_.size()));
      last = last || std::all_of(found_.begin() + std::min(rigid_motions(plate), used),
                                 found_.begin() + used, [](const RitzMode& mode) {
                                   return mode.error <= ritz_wanted_error;
                                 });
    }
  }

  /// All modes of all blocks up to k^2 = `highest`.
  void solve(const RectangularPlate& plate, double highest) {
    const PlateSide fewer_x(plate.low_x, plate.high_x, x_->count() - 2);
    const PlateSide fewer_z(plate.low_z, plate.high_z, z_->count() - 2);
    const auto parities = [](const PlateSide& side) {
      return side.is_symmetric ? std::vector<std::optional<int>>{0, 1}
                               : std::vector<std::optional<int>>{std::nullopt};
    };
    found_.clear();
    reaches_limit_ = false;
    for (const auto& px : parities(*x_)) {
      for (const auto& pz : parities(*z_)) {
        const ParityBlock block{ParityBlock::numbers(x_->count(), px),
                                ParityBlock::numbers(z_->count(), pz)};
        const ParityBlock fewer{ParityBlock::numbers(fewer_x.count(), px),
                                ParityBlock::numbers(fewer_z.count(), pz)};
        take_modes(block, solve_block(block, *x_, *z_, plate.poisson_ratio),
                   solve_block(fewer, fewer_x, fewer_z, plate.poisson_ratio).squares, highest);
      }
    }
    std::ranges::stable_sort(found_, {}, &RitzMode::square);
  }

  struct Solved {
    VectorXd squares;  ///< w^2 rho h / D [1/m^4], ascending
    MatrixXd parts;    ///< one column per mode
  };

  /// Eigenvalues of the inverse, (K + shift)^-1: the low modes are its largest and keep their
  /// digits. The shift makes the matrix regular in spite of rigid motions.
  Solved solve_block(const ParityBlock& block, const PlateSide& x, const PlateSide& z,
                     double nu) const {
    MatrixXd K = plate_stiffness(block, x, z, size_, nu);
    const double shift = std::pow(std::max(size_.x(), size_.y()), -4);
    K.diagonal().array() += shift;
    const std::optional<MatrixXd> lower = fem::cholesky_factor(K);
    if (!lower) throw util::NumericsError("the stiffness of the plate is not positive");
    const MatrixXd inverse = fem::inverse_of_lower(*lower), transposed = inverse.transpose();
    const fem::SymmetricEigen inverted = fem::symmetric_eigen(fem::product(inverse, transposed));
    Solved solved;
    solved.squares = inverted.values.reverse().cwiseInverse().array() - shift;
    solved.parts = fem::product(transposed, inverted.vectors.rowwise().reverse());
    solved.parts.colwise().normalize();
    return solved;
  }

  void take_modes(const ParityBlock& block, const Solved& solved, const VectorXd& coarse,
                  double highest) {
    for (Index m = 0; m < coarse.size(); ++m) {
      const double square = solved.squares[m];
      if (std::sqrt(std::abs(square)) > highest) {
        reaches_limit_ = true;
        return;
      }
      // Corners make the convergence algebraic, of about the sixth order or better: the remaining
      // error is up to three times the last change of the square, or 1.5 times that of the
      // frequency.
      RitzMode mode{square, 1.5 * std::abs(coarse[m] - square) / std::abs(square)};
      mode.part = MatrixXd::Zero(x_->count(), z_->count());
      for (std::size_t i = 0; i < block.x.size(); ++i) {
        for (std::size_t j = 0; j < block.z.size(); ++j) {
          mode.part(block.x[i], block.z[j]) =
              solved.parts(static_cast<Index>(i * block.z.size() + j), m);
        }
      }
      found_.push_back(std::move(mode));
    }
  }

  static long rigid_motions(const RectangularPlate& plate) {
    const std::array edges = {plate.low_x, plate.high_x, plate.low_z, plate.high_z};
    const auto held = 4 - std::ranges::count(edges, PlateEdge::free);
    const bool clamped = std::ranges::count(edges, PlateEdge::clamped) > 0;
    // A free plate has three; one supported edge leaves the rotation about it.
    return held == 0 ? 3 : held == 1 && !clamped ? 1 : 0;
  }

  Vec2 size_;
  bool reaches_limit_ = false;  ///< some mode lies above the limits' frequency
  std::optional<PlateSide> x_, z_;
  std::vector<RitzMode> found_;
};

}  // namespace

std::unique_ptr<IdealShape> plate_by_ritz(const RectangularPlate& plate, const ModeLimits& limits) {
  return std::make_unique<RitzPlate>(plate, limits);
}

}  // namespace peal::vibration
