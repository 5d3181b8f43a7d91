#pragma once

#include <peal/wave/scheme/cut_cells.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace peal::wave {

/// The nodes and links of an interval that lie in the absorbing layer, and which of them existed
/// in the interval before. It knows no values.
class LayerSelection {
 public:
  static constexpr std::uint32_t none = ~0u;

  /// A cell and the number of one of its subcells, which identify a node from list to list.
  using Name = std::array<int, 4>;
  struct Node {
    std::uint32_t node;  ///< index in the list of nodes
    Name name;
    std::uint32_t before;  ///< its index here in the interval before, or `none`
    Cell cell() const { return {name[0], name[1], name[2]}; }
  };
  struct NodePair {
    std::uint32_t link;  ///< index in the list of links
    int axis;
    int from;                 ///< coordinate of the lower cell along the axis
    std::uint32_t low, high;  ///< its ends in nodes(), or `none`
    std::uint32_t before;     ///< its index here in the interval before, or `none`
  };

  /// Selects the nodes in cells for which `contains` is true, and the links with an end there.
  template <class Real, class Contains>
  void select(const CutCells<Real>& cells, const Contains& contains) {
    const std::map<Name, std::uint32_t> known = numbered_nodes();
    const std::map<std::pair<Name, Name>, std::uint32_t> known_links = numbered_links();
    nodes_.clear();
    const std::size_t count = cells.nodes().size();
    std::vector<std::uint32_t> selected_as(count, none);
    for (std::size_t i = 0, side = 0; i < count; ++i) {
      const Cell& cell = cells.cell_of(i);
      side = i > 0 && cells.cell_of(i - 1) == cell ? side + 1 : 0;
      if (!contains(cell)) continue;
      selected_as[i] = static_cast<std::uint32_t>(nodes_.size());
      const Name name{cell[0], cell[1], cell[2], static_cast<int>(side)};
      const auto found = known.find(name);
      nodes_.push_back(
          {static_cast<std::uint32_t>(i), name, found == known.end() ? none : found->second});
    }
    links_.clear();
    for (std::size_t i = 0; i < cells.links().size(); ++i) {
      const NodeLink<Real>& link = cells.links()[i];
      const std::uint32_t low = selected_as[link.a], high = selected_as[link.b];
      if (link.inner || (low == none && high == none)) continue;
      const Cell &from = cells.cell_of(link.a), &to = cells.cell_of(link.b);
      int axis = 0;
      while (axis < 2 && from[axis] == to[axis]) ++axis;
      NodePair& own = links_.emplace_back(
          NodePair{static_cast<std::uint32_t>(i), axis, from[axis], low, high, none});
      if (low == none || high == none) continue;
      const auto found = known_links.find({nodes_[low].name, nodes_[high].name});
      if (found != known_links.end()) own.before = found->second;
    }
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<NodePair>& links() const { return links_; }

 private:
  /// Further subcells have a memory of their own; that of all other nodes is the layer's.
  std::map<Name, std::uint32_t> numbered_nodes() const {
    std::map<Name, std::uint32_t> result;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].name[3] > 0) result[nodes_[i].name] = i;
    return result;
  }
  std::map<std::pair<Name, Name>, std::uint32_t> numbered_links() const {
    std::map<std::pair<Name, Name>, std::uint32_t> result;
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      const NodePair& link = links_[i];
      if (link.low != none && link.high != none)
        result[{nodes_[link.low].name, nodes_[link.high].name}] = i;
    }
    return result;
  }

  std::vector<Node> nodes_;
  std::vector<NodePair> links_;
};

}  // namespace peal::wave
