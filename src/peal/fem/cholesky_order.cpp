#include <peal/fem/cholesky_order.h>
#include <peal/util/error.h>

#include <metis.h>

#include <algorithm>
#include <mutex>
#include <numeric>

namespace peal::fem {

namespace {

using Nodes = std::vector<std::int32_t>;

/// Neighbours of each node on both sides, without itself.
struct Adjacency {
  Nodes begin, items;
};

Adjacency adjacency(const NodeGraph& graph) {
  Adjacency all;
  const std::int32_t n = graph.nodes();
  all.begin.assign(n + 1, 0);
  const auto for_each_pair = [&](const auto& visit) {
    for (std::int32_t r = 0; r < n; ++r) {
      for (std::int32_t e = graph.row_begin[r]; e + 1 < graph.row_begin[r + 1]; ++e) {
        visit(r, graph.column[e]);
        visit(graph.column[e], r);
      }
    }
  };
  for_each_pair([&](std::int32_t a, std::int32_t) { ++all.begin[a + 1]; });
  std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
  all.items.resize(all.begin.back());
  Nodes next(all.begin.begin(), all.begin.end() - 1);
  for_each_pair([&](std::int32_t a, std::int32_t b) { all.items[next[a]++] = b; });
  return all;
}

/// The position of each node in the nested dissection order.
Nodes nested_dissection(Adjacency& graph) {
  static_assert(sizeof(idx_t) == sizeof(std::int32_t));
  idx_t n = static_cast<idx_t>(graph.begin.size()) - 1;
  Nodes order(n), position(n);
  if (graph.items.empty()) {  // METIS wants edges
    std::iota(position.begin(), position.end(), 0);
    return position;
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  // METIS shares the state of its random numbers between threads.
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  if (METIS_NodeND(&n, graph.begin.data(), graph.items.data(), nullptr, options, order.data(),
                   position.data()) != METIS_OK) {
    throw util::NumericsError("METIS could not order the nodes of a mesh");
  }
  return position;
}

/// The parent of each position in the elimination tree (Liu 1990), -1 at roots.
Nodes elimination_tree(const Adjacency& graph, const Nodes& node, const Nodes& position) {
  const auto n = static_cast<std::int32_t>(node.size());
  Nodes parent(n, -1), ancestor(n, -1);
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int32_t e = graph.begin[node[j]]; e < graph.begin[node[j] + 1]; ++e) {
      std::int32_t i = position[graph.items[e]];
      while (i != -1 && i < j) {
        const std::int32_t next = ancestor[i];
        ancestor[i] = j;
        if (next == -1) parent[i] = j;
        i = next;
      }
    }
  }
  return parent;
}

/// Positions in a postorder: every subtree is contiguous and ends with its root.
Nodes postorder(const Nodes& parent) {
  const auto n = static_cast<std::int32_t>(parent.size());
  Nodes first_child(n, -1), sibling(n, -1), number(n), stack;
  for (std::int32_t i = n - 1; i >= 0; --i) {
    if (parent[i] < 0) continue;
    sibling[i] = first_child[parent[i]];
    first_child[parent[i]] = i;
  }
  std::int32_t count = 0;
  for (std::int32_t root = 0; root < n; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const std::int32_t top = stack.back();
      if (first_child[top] >= 0) {
        stack.push_back(first_child[top]);
        first_child[top] = sibling[first_child[top]];
      } else {
        number[top] = count++;
        stack.pop_back();
      }
    }
  }
  return number;
}

Nodes inverse(const Nodes& permutation) {
  Nodes result(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i)
    result[permutation[i]] = static_cast<std::int32_t>(i);
  return result;
}

using Group = EliminationOrder::Group;

/// Chains of columns whose structure differs only by the eliminated column itself.
std::vector<Group> fundamental_groups(const Adjacency& graph, const Nodes& node,
                                      const Nodes& position, const Nodes& parent) {
  const auto n = static_cast<std::int32_t>(node.size());
  std::vector<Nodes> rows(n);
  Nodes children_begin(n + 1, 0), mark(n, -1);
  std::vector<Nodes> children(n);
  for (std::int32_t j = 0; j < n; ++j)
    if (parent[j] >= 0) children[parent[j]].push_back(j);
  std::vector<Group> groups;
  for (std::int32_t j = 0; j < n; ++j) {
    Nodes& own = rows[j];
    mark[j] = j;
    const auto take = [&](std::int32_t i) {
      if (i > j && mark[i] != j) {
        mark[i] = j;
        own.push_back(i);
      }
    };
    for (std::int32_t e = graph.begin[node[j]]; e < graph.begin[node[j] + 1]; ++e)
      take(position[graph.items[e]]);
    for (const std::int32_t child : children[j])
      for (const std::int32_t i : rows[child]) take(i);
    const bool continues = j > 0 && parent[j - 1] == j && rows[j - 1].size() == own.size() + 1;
    for (const std::int32_t child : children[j]) Nodes().swap(rows[child]);
    if (continues) {
      groups.back().last = j + 1;
      groups.back().rows = own;
    } else {
      groups.push_back({j, j + 1, own});
    }
  }
  for (Group& group : groups) std::sort(group.rows.begin(), group.rows.end());
  return groups;
}

/// Whether a panel of `width` displacements may contain this fraction of zeros. Narrow panels cost
/// more in overhead than zeros cost in arithmetic.
bool worth_joining(double width, double zeros) {
  if (width <= 16.0) return true;
  if (width <= 48.0) return zeros < 0.6;
  if (width <= 96.0) return zeros < 0.25;
  return zeros < 0.06;
}

/// Merges groups with the parent that follows them.
std::vector<Group> joined_groups(std::vector<Group> groups) {
  const auto size_of = [](double width, double rows) {
    return width * (width + 1.0) / 2.0 + width * rows;
  };
  std::vector<Group> result;  // in reverse
  double filled = 0.0;        // true entries of the last result
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    const double own = size_of(group->last - group->first, static_cast<double>(group->rows.size()));
    if (!result.empty() && !group->rows.empty()) {
      Group& parent = result.back();
      const bool follows = group->rows.front() >= parent.first && group->rows.front() < parent.last;
      const double width = parent.last - group->first;
      const double whole = size_of(width, static_cast<double>(parent.rows.size()));
      if (follows && worth_joining(3.0 * width, 1.0 - (filled + own) / whole)) {
        parent.first = group->first;
        filled += own;
        continue;
      }
    }
    result.push_back(std::move(*group));
    filled = own;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace

EliminationOrder elimination_order(const NodeGraph& graph) {
  Adjacency neighbours = adjacency(graph);
  EliminationOrder order;
  order.position = nested_dissection(neighbours);
  Nodes parent = elimination_tree(neighbours, inverse(order.position), order.position);
  const Nodes number = postorder(parent);
  for (std::int32_t& position : order.position) position = number[position];
  Nodes renumbered(parent.size());
  for (std::size_t i = 0; i < parent.size(); ++i)
    renumbered[number[i]] = parent[i] < 0 ? -1 : number[parent[i]];
  order.groups = joined_groups(
      fundamental_groups(neighbours, inverse(order.position), order.position, renumbered));
  return order;
}

}  // namespace peal::fem
