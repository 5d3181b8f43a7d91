#pragma once

#include <peal/fem/matrices.h>

#include <vector>

namespace peal::fem {

/// The order in which nodes are eliminated, and the groups that are eliminated together.
struct EliminationOrder {
  /// Nodes first .. last - 1 (positions in the order), which are eliminated together. They are
  /// adjacent to each other and to `rows`, later positions in ascending order.
  struct Group {
    std::int32_t first = 0, last = 0;
    std::vector<std::int32_t> rows;
  };
  std::vector<std::int32_t> position;  ///< position of each node
  std::vector<Group> groups;  ///< groups in elimination order; the rows of each group come later
};

/// Nested dissection by METIS, then a postorder of the elimination tree (Liu 1990). Columns with
/// nearly the same rows are merged even if that stores some zeros, because wide panels are faster.
EliminationOrder elimination_order(const NodeGraph& graph);

}  // namespace peal::fem
