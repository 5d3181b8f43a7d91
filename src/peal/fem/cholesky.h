#pragma once

#include <peal/fem/cholesky_kernel.h>
#include <peal/fem/matrices.h>

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace peal::fem {

/// A = L L^T of a sparse, positive definite matrix (docs/decisions/sparse-cholesky.md).
///
/// Nodes are ordered by nested dissection (METIS); columns of L with the same rows are stored
/// together as dense panels (supernodes) and factorised front by front (Duff & Reid 1983), so that
/// nearly all work consists of products of dense matrices. The result does not depend on the number
/// of threads.
class Cholesky {
 public:
  /// Throws util::NumericsError if `a` is not positive definite.
  explicit Cholesky(const BlockMatrix& a);

  /// Replaces the columns of x by A^-1 x; 16 columns at once are the most economical.
  void solve(Eigen::Ref<Eigen::MatrixXd> x) const;

  /// The number of stored entries of L.
  std::size_t size() const { return size_; }

 private:
  /// Columns of L with the same rows.
  struct Panel {
    std::int32_t first = 0, last = 0;  ///< nodes first .. last - 1, whose columns these are
    std::vector<std::int32_t> rows;    ///< further nodes below, ascending
    std::int32_t parent = -1;          ///< panel that receives its update, -1 at a root
    std::size_t begin = 0;             ///< index of its first value; PanelShape defines the layout

    PanelShape shape() const {
      return {3 * Eigen::Index{last - first}, 3 * static_cast<Eigen::Index>(rows.size())};
    }
  };

  void analyse(const NodeGraph& graph);
  void factorise(const BlockMatrix& a);

  std::vector<std::int32_t> position_;  ///< position of each node of A in the elimination order
  std::vector<Panel> panels_;           ///< children before parents
  std::unique_ptr<double[]> values_;
  std::size_t size_ = 0;
};

}  // namespace peal::fem
