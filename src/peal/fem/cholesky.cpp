#include <peal/fem/cholesky.h>
#include <peal/fem/cholesky_order.h>
#include <peal/util/error.h>

#include <algorithm>

namespace peal::fem {

namespace {

using Index = Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;

/// A range of rows that are contiguous both in a child's update and in its parent's front.
struct Run {
  Index from, to, length;  ///< [displacements]
};

/// The ranges that map the rows of a child to its parent, whose nodes have the positions `local`.
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

/// A front of the elimination: the columns of a panel with all their rows, and their update of the
/// rows below.
struct Front {
  Index width, below;
  double* panel;    ///< width + below rows, width columns
  double* further;  ///< padded(below) rows and columns, lower triangle
};

/// Adds the lower triangle of a child's update, whose columns are `height` long, to its parent's
/// front.
void add_update(const double* update, Index height, const std::vector<Run>& runs,
                const Front& front) {
  for (std::size_t c = 0; c < runs.size(); ++c) {
    for (Index k = 0; k < runs[c].length; ++k) {
      const double* source = update + (runs[c].from + k) * height;
      const Index column = runs[c].to + k;
      double* target =
          column < front.width
              ? front.panel + column * (front.width + front.below)
              : front.further + (column - front.width) * padded(front.below) - front.width;
      for (std::size_t r = c; r < runs.size(); ++r) {
        const Index skip = r == c ? k : 0;
        const double* from = source + runs[r].from;
        double* to = target + runs[r].to;
        for (Index i = skip; i < runs[r].length; ++i) to[i] += from[i];
      }
    }
  }
}

/// The number of entries of a panel's update.
Index update_size(const PanelShape& shape) {
  return padded(shape.below) * padded(shape.below);
}

}  // namespace

Cholesky::Cholesky(const BlockMatrix& a) {
  analyse(a.graph);
  factorise(a);
}

void Cholesky::analyse(const NodeGraph& graph) {
  EliminationOrder order = elimination_order(graph);
  position_ = std::move(order.position);
  std::vector<std::int32_t> panel_of(position_.size());
  for (EliminationOrder::Group& group : order.groups) {
    Panel panel{group.first, group.last, std::move(group.rows), -1, size_};
    std::fill(panel_of.begin() + group.first, panel_of.begin() + group.last,
              static_cast<std::int32_t>(panels_.size()));
    size_ += static_cast<std::size_t>(panel.shape().size());
    panels_.push_back(std::move(panel));
  }
  for (Panel& panel : panels_)
    if (!panel.rows.empty()) panel.parent = panel_of[panel.rows.front()];
  values_ = std::make_unique_for_overwrite<double[]>(size_);
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
        const std::int32_t i = position_[r], j = position_[a.graph.column[e]];
        visit(std::min(i, j), Entry{std::max(i, j), e, i < j});
      }
    }
  };
  for_each_entry([&](std::int32_t column, const Entry&) { ++begin[column + 1]; });
  for (std::int32_t j = 0; j < nodes; ++j) begin[j + 1] += begin[j];
  std::vector<Entry> entries(a.graph.column.size());
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  for_each_entry([&](std::int32_t column, const Entry& entry) { entries[next[column]++] = entry; });

  // Pending updates are on a stack: children come directly before their parent, the last one on
  // top.
  std::vector<std::vector<std::int32_t>> children(panels_.size());
  Index most_panel = 0, most_update = 0, stacked = 0, most_stacked = 0;
  for (std::size_t s = 0; s < panels_.size(); ++s) {
    const PanelShape shape = panels_[s].shape();
    if (panels_[s].parent >= 0) children[panels_[s].parent].push_back(static_cast<std::int32_t>(s));
    for (const std::int32_t child : children[s]) stacked -= update_size(panels_[child].shape());
    stacked += update_size(shape);
    most_panel = std::max(most_panel, (shape.width + shape.below) * shape.width);
    most_update = std::max(most_update, update_size(shape));
    most_stacked = std::max(most_stacked, stacked);
  }
  Eigen::VectorXd panel_space(most_panel), further_space(most_update), stack(most_stacked);
  std::vector<std::int32_t> local(nodes);
  stacked = 0;
  for (std::size_t s = 0; s < panels_.size(); ++s) {
    const Panel& p = panels_[s];
    const PanelShape shape = p.shape();
    const Index width = shape.width, below = shape.below;
    for (std::int32_t j = p.first; j < p.last; ++j) local[j] = j - p.first;
    for (std::size_t i = 0; i < p.rows.size(); ++i)
      local[p.rows[i]] = p.last - p.first + static_cast<std::int32_t>(i);

    // Assemble the entries of A, then the updates of the children.
    panel_space.head((width + below) * width).setZero();
    further_space.head(update_size(shape)).setZero();
    Map<MatrixXd> panel(panel_space.data(), width + below, width);
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
    for (auto child = children[s].rbegin(); child != children[s].rend(); ++child) {
      const PanelShape from = panels_[*child].shape();
      stacked -= update_size(from);
      add_update(stack.data() + stacked, padded(from.below), runs_of(panels_[*child].rows, local),
                 {width, below, panel_space.data(), further_space.data()});
    }

    // Factorise the front's own columns and pass on the update.
    double* values = values_.get() + p.begin;
    pack(shape, panel.data(), width + below, values);
    if (!eliminate(shape, values)) {
      throw util::NumericsError("a stiffness matrix is not positive definite");
    }
    subtract_square(shape, values, further_space.data());
    stack.segment(stacked, update_size(shape)) = further_space.head(update_size(shape));
    stacked += update_size(shape);
  }
}

void Cholesky::solve(Eigen::Ref<MatrixXd> x) const {
  const auto nodes = static_cast<Index>(position_.size());
  Index most = 0;
  for (const Panel& p : panels_) most = std::max(most, p.shape().height());
  Eigen::VectorXd y = Eigen::VectorXd::Zero(rhs_lanes * 3 * nodes),
                  z = Eigen::VectorXd::Zero(rhs_lanes * most);
  constexpr Index node_size = 3 * rhs_lanes;

  for (Index first = 0; first < x.cols(); first += rhs_lanes) {
    const Index count = std::min(rhs_lanes, x.cols() - first);
    const auto rows_of = [&](Index node) {
      return Map<Eigen::Matrix<double, rhs_lanes, 3>>(y.data() + node_size * position_[node])
          .topRows(count);
    };
    for (Index node = 0; node < nodes; ++node)
      rows_of(node) = x.block(3 * node, first, 3, count).transpose();
    for (const Panel& p : panels_) {
      const PanelShape shape = p.shape();
      const Index own = rhs_lanes * shape.width, begin = rhs_lanes * padded(shape.width);
      z.head(own) = y.segment(node_size * p.first, own);
      forward(shape, values_.get() + p.begin, z.data());
      y.segment(node_size * p.first, own) = z.head(own);
      const double* part = z.data() + begin;
      for (const std::int32_t row : p.rows) {
        y.segment<node_size>(node_size * row) -=
            Map<const Eigen::Matrix<double, node_size, 1>>(part);
        part += node_size;
      }
    }
    for (auto p = panels_.rbegin(); p != panels_.rend(); ++p) {
      const PanelShape shape = p->shape();
      const Index own = rhs_lanes * shape.width, begin = rhs_lanes * padded(shape.width);
      z.head(own) = y.segment(node_size * p->first, own);
      Index at = begin;
      for (const std::int32_t row : p->rows) {
        z.segment<node_size>(at) = y.segment<node_size>(node_size * row);
        at += node_size;
      }
      z.segment(at, rhs_lanes * shape.height() - at).setZero();
      backward(shape, values_.get() + p->begin, z.data());
      y.segment(node_size * p->first, own) = z.head(own);
    }
    for (Index node = 0; node < nodes; ++node)
      x.block(3 * node, first, 3, count) = rows_of(node).transpose();
  }
}

}  // namespace peal::fem
