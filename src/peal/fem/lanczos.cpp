#include <peal/fem/cholesky.h>
#include <peal/fem/dense_algebra.h>
#include <peal/fem/lanczos.h>
#include <peal/fem/long_product.h>
#include <peal/fem/symmetric_eigen.h>
#include <peal/util/error.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace peal::fem {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Vectors per block: the factor is read once for all of them.
constexpr Index block_width = 16;

/// Ritz values of the projected problem.
struct Ritz {
  VectorXd theta;      ///< 1 / (lambda + shift), descending
  MatrixXd vectors;    ///< in the Krylov basis
  VectorXd residuals;  ///< |A x - theta x| / theta
};

class BlockLanczos {
 public:
  BlockLanczos(const Matrices& matrices, const MatrixXd& known, const LanczosSettings& settings)
      : matrices_(matrices),
        known_(known),
        known_mass_(matrices.times_mass(known)),
        settings_(settings),
        factor_(matrices.shifted(settings.shift)) {}

  Eigenpairs run() {
    start();
    Index next_look = 0;
    for (;;) {
      const bool exhausted = !step();
      // The cost of a convergence check grows with the cube of the dimension, that of a step with
      // the size of the factor.
      const double look = 10.0 * std::pow(double(t_.rows()), 3),
                   further = 4.0 * double(block_width) * double(factor_.size());
      if (!exhausted && t_.rows() < next_look && look > 0.2 * further) continue;
      next_look = t_.rows() + t_.rows() / 10;
      const Ritz ritz = this->ritz(exhausted);
      const Index wanted = converged(ritz, exhausted);
      if (wanted >= 0) return result(ritz, wanted);
      if (settings_.early && converged_ >= settings_.early_count) {
        Eigenpairs lowest = result(ritz, settings_.early_count);
        if (!std::exchange(settings_.early, nullptr)(lowest)) return lowest;
      }
      if (exhausted) break;
    }
    throw util::NumericsError("the vibration modes did not converge");
  }

 private:
  Index size() const { return matrices_.size(); }

  /// The number of free displacements, less the known eigenvectors.
  Index free_size() const {
    return size() - std::count(matrices_.held.begin(), matrices_.held.end(), true) - known_.cols();
  }

  void start() {
    const Index width = std::min(block_width, free_size());
    if (width <= 0) throw util::NumericsError("the body is fixed everywhere: nothing can vibrate");
    MatrixXd block(size(), width);
    for (Index c = 0; c < width; ++c) {
      for (Index r = 0; r < size(); ++r) {
        const bool held = !matrices_.held.empty() && matrices_.held[r];
        block(r, c) = held ? 0.0 : util::random_uniform(settings_.seed, c, r) - 0.5;
      }
    }
    factor_.solve(block);  // smooth it: rough parts cost steps
    remove_known(block);
    remove_known(block);
    orthonormalise(block);
    reserve(block.cols() * 20);
    append(block);
  }

  void reserve(Index columns) {
    columns = std::min(columns, free_size());
    if (columns > basis_.cols()) basis_.conservativeResize(size(), columns);
  }

  void append(const MatrixXd& block) {
    if (filled_ + block.cols() > basis_.cols()) reserve(filled_ + filled_ / 2 + block.cols());
    basis_.middleCols(filled_, block.cols()) = block;
    last_begin_ = filled_;
    filled_ += block.cols();
  }

  void remove_known(MatrixXd& block) const {
    if (known_.cols() > 0) subtract_product(block, known_, transposed_product(known_mass_, block));
  }

  /// Makes the columns of a block M-orthonormal; returns R with block_before = block_after R.
  /// Directions of (numerically) zero length are dropped.
  MatrixXd orthonormalise(MatrixXd& block) {
    MatrixXd r = MatrixXd::Identity(block.cols(), block.cols());
    last_mass_ = matrices_.times_mass(block);
    for (int pass = 0; pass < 2; ++pass) {
      MatrixXd gram = transposed_product(block, last_mass_);
      gram = (0.5 * (gram + gram.transpose())).eval();
      const std::optional<MatrixXd> lower = cholesky_factor(gram);
      if (lower && lower->diagonal().minCoeff() > 1e-6 * std::sqrt(gram.diagonal().maxCoeff())) {
        divide_by_transposed(block, *lower);
        divide_by_transposed(last_mass_, *lower);
        r = transposed_times(*lower, r);
        continue;
      }
      // The block is nearly rank-deficient: use the eigenvectors of the Gram matrix.
      const SymmetricEigen along = symmetric_eigen(gram);
      const VectorXd lengths = along.values.cwiseMax(0.0).cwiseSqrt();
      Index kept = 0;
      while (kept < lengths.size() &&
             lengths[lengths.size() - 1 - kept] > 1e-7 * lengths.maxCoeff())
        ++kept;
      const MatrixXd directions = along.vectors.rightCols(kept);
      block = product(block, directions) * lengths.tail(kept).cwiseInverse().asDiagonal();
      last_mass_ = matrices_.times_mass(block);
      r = product(lengths.tail(kept).asDiagonal() * directions.transpose(), r);
      --pass;  // two clean passes at the end
      if (kept == 0) break;
    }
    return r;
  }

  /// Advances the last block and appends the new block. Returns false if the space is exhausted.
  bool step() {
    MatrixXd block = last_mass_.leftCols(filled_ - last_begin_);
    factor_.solve(block);
    remove_known(block);
    MatrixXd column = MatrixXd::Zero(filled_, block.cols());
    const VectorXd before = block.colwise().norm();
    // In exact arithmetic only the last two blocks have components in it; then rounding errors are
    // removed from all blocks.
    for (const Index first : {last_begin_ - coupling_.cols(), Index{0}}) {
      const auto known = basis_.middleCols(first, filled_ - first);
      const MatrixXd part = transposed_product(known, matrices_.times_mass(block));
      subtract_product(block, known, part);
      column.bottomRows(filled_ - first) += part;
    }
    // T grows by this block's row and column; only its last rows contain more than rounding errors.
    const Index width = filled_ - last_begin_;
    t_.conservativeResize(filled_, filled_);
    t_.rightCols(width).setZero();
    t_.bottomRows(width).setZero();
    const MatrixXd own = column.bottomRows(width);
    t_.bottomRightCorner(width, width) = 0.5 * (own + own.transpose());
    if (coupling_.size() > 0) {
      // The coupling stands below the diagonal: row of the new block, column of the one before.
      t_.block(last_begin_, last_begin_ - coupling_.cols(), coupling_.rows(), coupling_.cols()) =
          coupling_;
      t_.block(last_begin_ - coupling_.cols(), last_begin_, coupling_.cols(), coupling_.rows()) =
          coupling_.transpose();
    }
    const bool nothing_new =
        (block.colwise().norm().array() <= 1e-12 * before.transpose().array()).all();
    if (nothing_new || filled_ >= free_size()) return false;
    coupling_ = orthonormalise(block);
    const Index room = free_size() - filled_;
    if (block.cols() > room) {
      block.conservativeResize(size(), room);
      coupling_.conservativeResize(room, coupling_.cols());
    }
    if (block.cols() == 0) return false;
    append(block);
    return true;
  }

  Ritz ritz(bool exhausted) const {
    const SymmetricEigen projected = symmetric_eigen(t_);
    Ritz ritz{projected.values.reverse(), projected.vectors.rowwise().reverse(), {}};
    ritz.residuals.setZero(ritz.theta.size());
    if (exhausted) return ritz;
    const Index width = coupling_.cols();
    ritz.residuals =
        product(coupling_, ritz.vectors.bottomRows(width)).colwise().norm().transpose();
    ritz.residuals.array() /= ritz.theta.array().abs();
    return ritz;
  }

  double value(double theta) const { return 1.0 / theta - settings_.shift; }

  /// The number of pairs to return, or -1 if it is not known yet. All wanted pairs and the first
  /// one beyond `max_value` must have converged, so that none is missing in between.
  Index converged(const Ritz& ritz, bool exhausted) {
    Index good = 0, inside = 0;
    while (good < ritz.theta.size() && ritz.theta[good] > 0.0 &&
           ritz.residuals[good] <= settings_.tolerance)
      ++good;
    converged_ = good;
    const double limit =
        settings_.max_value > 0.0 ? settings_.max_value : std::numeric_limits<double>::infinity();
    while (inside < ritz.theta.size() && ritz.theta[inside] > 0.0 &&
           value(ritz.theta[inside]) <= limit)
      ++inside;
    const Index count = settings_.count > 0 ? settings_.count : ritz.theta.size();
    const Index wanted = std::min(inside, count);
    if (settings_.progress) {
      settings_.progress(std::min(1.0, double(good) / double(std::max<Index>(wanted, 1))));
    }
    const bool all_there = wanted == count ? good >= count : good > inside;
    return all_there || exhausted ? wanted : -1;
  }

  Eigenpairs result(const Ritz& ritz, Index wanted) const {
    Eigenpairs pairs;
    pairs.values.resize(wanted);
    for (Index i = 0; i < wanted; ++i) pairs.values[i] = value(ritz.theta[i]);
    pairs.vectors = product(basis_.leftCols(ritz.vectors.rows()), ritz.vectors.leftCols(wanted));
    if (settings_.polish && wanted > 0) polish(pairs);
    return pairs;
  }

  /// One more step of inverse iteration and a Rayleigh-Ritz projection. It removes the rough
  /// components that rounding left in the basis, which the stiffness amplifies most.
  void polish(Eigenpairs& pairs) const {
    MatrixXd x = matrices_.times_mass(pairs.vectors);
    factor_.solve(x);
    remove_known(x);
    x.array().rowwise() /= x.colwise().norm().array();
    const MatrixXd k = transposed_product(x, matrices_.times_stiffness(x)),
                   m = transposed_product(x, matrices_.times_mass(x));
    const SymmetricEigen best =
        symmetric_eigen(0.5 * (k + k.transpose()), 0.5 * (m + m.transpose()));
    pairs.values = best.values;
    pairs.vectors = product(x, best.vectors);
  }

  const Matrices& matrices_;
  MatrixXd known_, known_mass_;
  LanczosSettings settings_;
  Cholesky factor_;
  MatrixXd basis_;  ///< M-orthonormal; the first `filled_` columns are in use
  Index filled_ = 0, last_begin_ = 0;
  MatrixXd last_mass_;   ///< M times the last block
  MatrixXd t_;           ///< the projected operator, over all blocks that have been advanced
  Index converged_ = 0;  ///< lowest pairs that had converged at the last check
  MatrixXd coupling_;    ///< R: remainder of the last step = new block times R
};

struct RowSums {
  double stiffness = 0.0, mass = 0.0;
};

/// The largest sum of a row's |entries| of K and of M.
RowSums largest_row_sums(const Matrices& matrices) {
  const NodeGraph& graph = matrices.graph;
  VectorXd stiffness = VectorXd::Zero(matrices.size()), mass = VectorXd::Zero(graph.nodes());
  for (std::int32_t r = 0; r < graph.nodes(); ++r) {
    for (std::int32_t e = graph.row_begin[r]; e < graph.row_begin[r + 1]; ++e) {
      const std::int32_t c = graph.column[e];
      const geometry::Mat3 block = matrices.stiffness[e].cwiseAbs();
      stiffness.segment<3>(3 * r) += block.rowwise().sum();
      mass[r] += std::abs(matrices.mass[e]);
      if (c == r) continue;
      stiffness.segment<3>(3 * c) += block.colwise().sum().transpose();
      mass[c] += std::abs(matrices.mass[e]);
    }
  }
  return {stiffness.maxCoeff(), mass.maxCoeff()};
}

}  // namespace

Eigenpairs lowest_eigenpairs(const Matrices& matrices, const MatrixXd& known,
                             const LanczosSettings& settings) {
  return BlockLanczos(matrices, known, settings).run();
}

PairErrors pair_errors(const Matrices& matrices, const Eigenpairs& pairs, double shift) {
  const MatrixXd& x = pairs.vectors;
  const MatrixXd mass_x = matrices.times_mass(x);
  const MatrixXd left = matrices.times_stiffness(x) - mass_x * pairs.values.asDiagonal();
  PairErrors errors;
  const RowSums norms = largest_row_sums(matrices);
  errors.backward = (left.colwise().norm().transpose().array() /
                     ((norms.stiffness + norms.mass * pairs.values.array()) *
                      x.colwise().norm().transpose().array()))
                        .maxCoeff();
  MatrixXd answer = left;
  Cholesky(matrices.shifted(shift)).solve(answer);
  const VectorXd energy = left.cwiseProduct(answer).colwise().sum().transpose();
  errors.energy = std::sqrt((energy.array() / (pairs.values.array() + shift)).maxCoeff());
  errors.orthogonality = (transposed_product(x, mass_x) - MatrixXd::Identity(x.cols(), x.cols()))
                             .cwiseAbs()
                             .maxCoeff();
  return errors;
}

}  // namespace peal::fem
