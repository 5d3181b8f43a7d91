#pragma once

#include <peal/fem/matrices.h>

#include <vector>

namespace peal::fem {

/// In which order nodes are eliminated, and which of them as one.
struct EliminationOrder {
  /// Nodes first .. last - 1 (places in the order) are eliminated together; they touch each other
  /// and `rows`, later places in ascending order.
  struct Group {
    std::int32_t first = 0, last = 0;
    std::vector<std::int32_t> rows;
  };
  std::vector<std::int32_t> position;  ///< of each node
  std::vector<Group> groups;           ///< in order; each group's rows come later
};

/// Nested dissection by METIS, then a postorder of the elimination tree (Liu 1990). Columns with
/// nearly the same rows are joined even if that stores some zeros: wide panels are faster.
EliminationOrder elimination_order(const NodeGraph& graph);

}  // namespace peal::fem
