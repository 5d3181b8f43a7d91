#include <peal/vibration/fem_matrix.h>

#include <algorithm>

namespace peal::vibration {

namespace {

using geometry::Mat3;

/// Columns that a product works on at once, as rows of the transpose: what one node needs then lies
/// together in memory.
constexpr Eigen::Index lanes = 16;
using Lanes = Eigen::Matrix<double, lanes, Eigen::Dynamic>;
using NodeLanes = Eigen::Matrix<double, lanes, 3>;

/// Calls add(entry, x of the column's node, y of the row's node) and, off the diagonal, the same
/// for the mirrored entry with `mirrored` set.
template <class Add>
Eigen::MatrixXd times(const NodeGraph& graph, const Eigen::MatrixXd& x, const Add& add) {
  Eigen::MatrixXd y(x.rows(), x.cols());
  Lanes in = Lanes::Zero(lanes, x.rows()), out(lanes, x.rows());
  for (Eigen::Index first = 0; first < x.cols(); first += lanes) {
    const Eigen::Index count = std::min(lanes, x.cols() - first);
    in.topRows(count) = x.middleCols(first, count).transpose();
    out.setZero();
    for (std::int32_t r = 0; r < graph.nodes(); ++r) {
      const NodeLanes x_row = in.middleCols<3>(3 * r);
      NodeLanes sum = out.middleCols<3>(3 * r);
      const std::int32_t last = graph.row_begin[r + 1] - 1;
      for (std::int32_t e = graph.row_begin[r]; e < last; ++e) {
        const Eigen::Index c = 3 * Eigen::Index{graph.column[e]};
        add(e, in.data() + lanes * c, sum.data(), false);
        add(e, x_row.data(), out.data() + lanes * c, true);
      }
      add(last, x_row.data(), sum.data(), false);
      out.middleCols<3>(3 * r) = sum;
    }
    y.middleCols(first, count) = out.topRows(count).transpose();
  }
  return y;
}

}  // namespace

Eigen::MatrixXd FemMatrices::times_stiffness(const Eigen::MatrixXd& x) const {
  return times(graph, x, [&](std::int32_t e, const double* in, double* out, bool mirrored) {
    Eigen::Map<NodeLanes> y(out);
    const Eigen::Map<const NodeLanes> v(in);
    // Rows of lanes: y^T += x^T A^T.
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double a = mirrored ? stiffness[e](j, i) : stiffness[e](i, j);
        y.col(i) += a * v.col(j);
      }
    }
  });
}

Eigen::MatrixXd FemMatrices::times_mass(const Eigen::MatrixXd& x) const {
  Eigen::MatrixXd y = times(graph, x, [&](std::int32_t e, const double* in, double* out, bool) {
    Eigen::Map<NodeLanes>(out) += mass[e] * Eigen::Map<const NodeLanes>(in);
  });
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) y.row(static_cast<Eigen::Index>(i)).setZero();
  return y;
}

BlockMatrix FemMatrices::shifted(double shift) const {
  BlockMatrix sum{graph, stiffness};
  for (std::int32_t r = 0; r < graph.nodes(); ++r) {
    for (std::int32_t e = graph.row_begin[r]; e < graph.row_begin[r + 1]; ++e) {
      const std::int32_t c = graph.column[e];
      for (int i = 0; i < 3; ++i) {
        const bool is_held = !held.empty() && (held[3 * r + i] || held[3 * c + i]);
        if (!is_held) sum.blocks[e](i, i) += shift * mass[e];
        if (is_held && r == c) sum.blocks[e](i, i) = 1.0;
      }
    }
  }
  return sum;
}

void hold(FemMatrices& matrices, std::vector<bool> held) {
  const NodeGraph& graph = matrices.graph;
  for (std::int32_t r = 0; r < graph.nodes(); ++r) {
    for (std::int32_t e = graph.row_begin[r]; e < graph.row_begin[r + 1]; ++e) {
      Mat3& block = matrices.stiffness[e];
      for (int i = 0; i < 3; ++i) {
        if (held[3 * r + i]) block.row(i).setZero();
        if (held[3 * graph.column[e] + i]) block.col(i).setZero();
      }
    }
  }
  matrices.held = std::move(held);
}

}  // namespace peal::vibration
