#include <peal/fem/matrices.h>
#include <peal/util/parallel.h>

#include <algorithm>

namespace peal::fem {

namespace {

using geometry::Mat3;

/// Columns that a product processes together, as rows of the transpose: the values of one node are
/// then contiguous in memory.
constexpr Eigen::Index lanes = 16;
using Lanes = Eigen::Matrix<double, lanes, Eigen::Dynamic>;
using NodeLanes = Eigen::Matrix<double, lanes, 3>;

/// Rows that a thread processes at a time.
constexpr std::int32_t rows_at_once = 512;

/// Calls add(entry, x of the column's node, y of the row's node, mirrored) for all entries of each
/// row. `mirrored` is set above the diagonal, where the block is the transpose of the stored one.
template <class Add>
Eigen::MatrixXd times(const NodeGraph& graph, const Eigen::MatrixXd& x, const Add& add) {
  Eigen::MatrixXd y(x.rows(), x.cols());
  Lanes in = Lanes::Zero(lanes, x.rows());
  const std::int32_t nodes = graph.nodes();
  const std::int64_t parts = (nodes + rows_at_once - 1) / rows_at_once;
  for (Eigen::Index first = 0; first < x.cols(); first += lanes) {
    const Eigen::Index count = std::min(lanes, x.cols() - first);
    in.topRows(count) = x.middleCols(first, count).transpose();
    util::parallel_for(parts, [&](std::int64_t i) {
      const auto begin = static_cast<std::int32_t>(i) * rows_at_once;
      for (std::int32_t r = begin; r < std::min(begin + rows_at_once, nodes); ++r) {
        NodeLanes sum = NodeLanes::Zero();
        for (std::int32_t e = graph.row_begin[r]; e < graph.row_begin[r + 1]; ++e)
          add(e, in.data() + lanes * 3 * Eigen::Index{graph.column[e]}, sum.data(), false);
        for (std::int32_t k = graph.mirror_begin[r]; k < graph.mirror_begin[r + 1]; ++k) {
          add(graph.mirror_entry[k], in.data() + lanes * 3 * Eigen::Index{graph.mirror_row[k]},
              sum.data(), true);
        }
        y.block(3 * r, first, 3, count) = sum.topRows(count).transpose();
      }
    });
  }
  return y;
}

}  // namespace

void NodeGraph::mirror() {
  mirror_begin.assign(nodes() + 1, 0);
  for (std::int32_t r = 0; r < nodes(); ++r)
    for (std::int32_t e = row_begin[r]; e < row_begin[r + 1]; ++e)
      if (column[e] != r) ++mirror_begin[column[e] + 1];
  for (std::int32_t r = 0; r < nodes(); ++r) mirror_begin[r + 1] += mirror_begin[r];
  mirror_entry.resize(mirror_begin.back());
  mirror_row.resize(mirror_begin.back());
  std::vector<std::int32_t> next(mirror_begin.begin(), mirror_begin.end() - 1);
  for (std::int32_t r = 0; r < nodes(); ++r) {
    for (std::int32_t e = row_begin[r]; e < row_begin[r + 1]; ++e) {
      if (column[e] == r) continue;
      mirror_entry[next[column[e]]] = e;
      mirror_row[next[column[e]]++] = r;
    }
  }
}

Eigen::MatrixXd Matrices::times_stiffness(const Eigen::MatrixXd& x) const {
  return times(graph, x, [&](std::int32_t e, const double* in, double* out, bool mirrored) {
    Eigen::Map<NodeLanes> y(out);
    const Eigen::Map<const NodeLanes> v(in);
    // Computes y^T += x^T A^T by rows of lanes.
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double a = mirrored ? stiffness[e](j, i) : stiffness[e](i, j);
        y.col(i) += a * v.col(j);
      }
    }
  });
}

Eigen::MatrixXd Matrices::times_mass(const Eigen::MatrixXd& x) const {
  Eigen::MatrixXd y = times(graph, x, [&](std::int32_t e, const double* in, double* out, bool) {
    Eigen::Map<NodeLanes>(out) += mass[e] * Eigen::Map<const NodeLanes>(in);
  });
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) y.row(static_cast<Eigen::Index>(i)).setZero();
  return y;
}

BlockMatrix Matrices::shifted(double shift) const {
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

void constrain(Matrices& matrices, std::vector<bool> held) {
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

}  // namespace peal::fem
