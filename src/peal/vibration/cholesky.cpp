#include <peal/util/error.h>
#include <peal/vibration/cholesky.h>
#include <peal/vibration/cholesky_kernel.h>
#include <peal/vibration/cholesky_order.h>

#include <Eigen/Cholesky>
#include <algorithm>

namespace peal::vibration {

namespace {

using Index = Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Panels = Map<MatrixXd, 0, Eigen::OuterStride<>>;

/// A stretch of rows that lie together in a child's update and in its parent's front.
struct Run {
  Index from, to, length;  ///< [displacements]
};

/// Where the rows of a child lie in its parent, whose nodes have the places `local`.
std::vector<Run> runs_of(const std::vector<std::int32_t>& rows,
                         const std::vector<std::int32_t>& local) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Index to = 3 * Index{local[rows[i]]};
    if (!runs.empty() && runs.back().to + runs.back().length == to) {
      runs.back().length += 3;
    } else {
      runs.push_back({3 * static_cast<Index>(i), to, 3});
    }
  }
  return runs;
}

/// Adds the lower triangle of a child's update to its parent's panel and update.
void add_update(const MatrixXd& update, const std::vector<Run>& runs, Panels panel,
                MatrixXd& further) {
  const Index width = panel.cols();
  for (std::size_t c = 0; c < runs.size(); ++c) {
    for (Index k = 0; k < runs[c].length; ++k) {
      const double* source = update.col(runs[c].from + k).data();
      const Index column = runs[c].to + k;
      const bool in_panel = column < width;
      double* target =
          in_panel ? panel.col(column).data() : further.col(column - width).data() - width;
      for (std::size_t r = c; r < runs.size(); ++r) {
        const Index skip = r == c ? k : 0;
        const double* from = source + runs[r].from;
        double* to = target + runs[r].to;
        for (Index i = skip; i < runs[r].length; ++i) to[i] += from[i];
      }
    }
  }
}

}  // namespace

Cholesky::Cholesky(const BlockMatrix& a) {
  analyse(a.graph);
  factorise(a);
}

void Cholesky::analyse(const NodeGraph& graph) {
  EliminationOrder order = elimination_order(graph);
  place_ = std::move(order.place);
  std::vector<std::int32_t> panel_of(place_.size());
  std::size_t size = 0;
  for (EliminationOrder::Group& group : order.groups) {
    Panel panel{group.first, group.last, std::move(group.rows), -1, size};
    std::fill(panel_of.begin() + group.first, panel_of.begin() + group.last,
              static_cast<std::int32_t>(panels_.size()));
    size += static_cast<std::size_t>(panel.height() * panel.width());
    panels_.push_back(std::move(panel));
  }
  for (Panel& panel : panels_)
    if (!panel.rows.empty()) panel.parent = panel_of[panel.rows.front()];
  values_.assign(size, 0.0);
}

void Cholesky::factorise(const BlockMatrix& a) {
  const std::int32_t nodes = a.graph.nodes();
  // Entries of A by the column that is eliminated first.
  struct Entry {
    std::int32_t row, block;
    bool transposed;
  };
  std::vector<std::int32_t> begin(nodes + 1, 0);
  const auto for_each_entry = [&](const auto& visit) {
    for (std::int32_t r = 0; r < nodes; ++r) {
      for (std::int32_t e = a.graph.row_begin[r]; e < a.graph.row_begin[r + 1]; ++e) {
        const std::int32_t i = place_[r], j = place_[a.graph.column[e]];
        visit(std::min(i, j), Entry{std::max(i, j), e, i < j});
      }
    }
  };
  for_each_entry([&](std::int32_t column, const Entry&) { ++begin[column + 1]; });
  for (std::int32_t j = 0; j < nodes; ++j) begin[j + 1] += begin[j];
  std::vector<Entry> entries(a.graph.column.size());
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  for_each_entry([&](std::int32_t column, const Entry& entry) { entries[next[column]++] = entry; });

  std::vector<std::int32_t> local(nodes);
  std::vector<std::vector<std::int32_t>> children(panels_.size());
  std::vector<MatrixXd> updates(panels_.size());
  for (std::size_t s = 0; s < panels_.size(); ++s) {
    const Panel& p = panels_[s];
    const Index width = p.width(), height = p.height(), below = height - width;
    Panels panel(values_.data() + p.begin, height, width, Eigen::OuterStride<>(height));
    for (std::int32_t j = p.first; j < p.last; ++j) local[j] = j - p.first;
    for (std::size_t i = 0; i < p.rows.size(); ++i)
      local[p.rows[i]] = p.last - p.first + static_cast<std::int32_t>(i);

    // Gather: entries of A, then what the children left.
    for (std::int32_t j = p.first; j < p.last; ++j) {
      for (std::int32_t k = begin[j]; k < begin[j + 1]; ++k) {
        const Entry& entry = entries[k];
        auto target = panel.block<3, 3>(3 * local[entry.row], 3 * local[j]);
        if (entry.transposed) {
          target += a.blocks[entry.block].transpose();
        } else {
          target += a.blocks[entry.block];
        }
      }
    }
    MatrixXd further = MatrixXd::Zero(below, below);
    for (const std::int32_t child : children[s]) {
      add_update(updates[child], runs_of(panels_[child].rows, local), panel, further);
      updates[child].resize(0, 0);
    }

    // Factorise the front's own columns, pass the rest on.
    Eigen::Ref<MatrixXd> diagonal = panel.topRows(width);
    const Eigen::LLT<Eigen::Ref<MatrixXd>> factor(diagonal);
    if (factor.info() != Eigen::Success) {
      throw util::NumericsError("a stiffness matrix is not positive definite");
    }
    if (below == 0) continue;
    auto lower = panel.bottomRows(below);
    diagonal.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(lower);
    further.selfadjointView<Eigen::Lower>().rankUpdate(lower, -1.0);
    updates[s] = std::move(further);
    children[p.parent].push_back(static_cast<std::int32_t>(s));
  }
}

void Cholesky::solve(Eigen::Ref<MatrixXd> x) const {
  const auto nodes = static_cast<Index>(place_.size());
  Index most = 0;
  for (const Panel& p : panels_) most = std::max(most, p.height());
  Eigen::VectorXd y = Eigen::VectorXd::Zero(rhs_lanes * 3 * nodes), z(rhs_lanes * most);
  constexpr Index node_size = 3 * rhs_lanes;

  for (Index first = 0; first < x.cols(); first += rhs_lanes) {
    const Index count = std::min(rhs_lanes, x.cols() - first);
    const auto rows_of = [&](Index node) {
      return Map<Eigen::Matrix<double, rhs_lanes, 3>>(y.data() + node_size * place_[node])
          .topRows(count);
    };
    for (Index node = 0; node < nodes; ++node)
      rows_of(node) = x.block(3 * node, first, 3, count).transpose();
    for (const Panel& p : panels_) {
      const Index own = rhs_lanes * p.width();
      z.head(own) = y.segment(node_size * p.first, own);
      forward({values_.data() + p.begin, p.height(), p.width()}, z.data());
      y.segment(node_size * p.first, own) = z.head(own);
      const double* part = z.data() + own;
      for (const std::int32_t row : p.rows) {
        y.segment<node_size>(node_size * row) -=
            Map<const Eigen::Matrix<double, node_size, 1>>(part);
        part += node_size;
      }
    }
    for (auto p = panels_.rbegin(); p != panels_.rend(); ++p) {
      const Index own = rhs_lanes * p->width();
      z.head(own) = y.segment(node_size * p->first, own);
      Index at = own;
      for (const std::int32_t row : p->rows) {
        z.segment<node_size>(at) = y.segment<node_size>(node_size * row);
        at += node_size;
      }
      backward({values_.data() + p->begin, p->height(), p->width()}, z.data());
      y.segment(node_size * p->first, own) = z.head(own);
    }
    for (Index node = 0; node < nodes; ++node)
      x.block(3 * node, first, 3, count) = rows_of(node).transpose();
  }
}

}  // namespace peal::vibration
