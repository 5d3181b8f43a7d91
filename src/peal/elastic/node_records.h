#pragma once

#include <peal/elastic/nodes.h>
#include <peal/util/lanes.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace peal::elastic {

/// Positions and forces of some nodes, with the coordinates of each node side by side. Elements
/// whose nodes are scattered in memory read a node, and add to its force, with one access.
class NodeRecords {
 public:
  using Lanes = util::Widest<double>;
  static constexpr int lanes = util::widest_lanes<double>;
  /// Indices of the records of one node of each of several elements.
  using Indices = std::array<std::uint32_t, lanes>;
  /// Stands for no node. Its record, the last, is neither read nor handed over.
  static constexpr auto no_node = std::numeric_limits<std::uint32_t>::max();

  NodeRecords() = default;
  /// `nodes` may be in any order and repeat.
  explicit NodeRecords(std::vector<std::uint32_t> nodes) : nodes_(std::move(nodes)) {
    nodes_.push_back(no_node);
    util::sort_unique(nodes_);
    positions_.resize(nodes_.size());
    forces_.resize(nodes_.size());
    nodes_.pop_back();
  }

  std::uint32_t index_of(std::uint32_t node) const {
    return static_cast<std::uint32_t>(std::lower_bound(nodes_.begin(), nodes_.end(), node) -
                                      nodes_.begin());
  }

  void read(const Nodes& positions) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const std::uint32_t node = nodes_[n];
      positions_[n] = Record{positions.x[node], positions.y[node], positions.z[node], 0.0};
    }
  }

  /// Gathers x, y and z of several records.
  [[gnu::always_inline]] std::array<Lanes, 3> gather(const Indices& indices) const {
    return gather<lanes>(indices.data());
  }

  [[gnu::always_inline]] void add(const Indices& indices, const Lanes (&f)[3]) {
    constexpr auto all = std::make_integer_sequence<int, lanes>();
    const Lanes xy[2] = {firsts(f[0], f[1], all), seconds(f[0], f[1], all)};
    const Lanes z[2] = {firsts(f[2], Lanes{}, all), seconds(f[2], Lanes{}, all)};
    [&]<int... lane>(std::integer_sequence<int, lane...>) {
      ((forces_[indices[lane]] +=
        __builtin_shufflevector(xy[lane % 2], z[lane % 2], lane / 2 * 2, lane / 2 * 2 + 1,
                                lanes + lane / 2 * 2, lanes + lane / 2 * 2 + 1)),
       ...);
    }
    (all);
  }

  /// Adds the gathered forces to `forces`, and clears them.
  void give(Nodes& forces) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const std::uint32_t node = nodes_[n];
      const Record f = std::exchange(forces_[n], Record{});
      forces.x[node] += f[0], forces.y[node] += f[1], forces.z[node] += f[2];
    }
    forces_.back() = Record{};
  }

 private:
  template <int count>
  using Vector = typename util::LanesOf<double, count * sizeof(double)>::type;
  /// x, y, z and padding.
  using Record = Vector<4>;

  /// Interleaves the first of every two lanes of `a` and `b`; seconds() does the same with the
  /// second.
  template <class V, int... lane>
  [[gnu::always_inline]] static V firsts(const V& a, const V& b,
                                         std::integer_sequence<int, lane...> all) {
    return __builtin_shufflevector(a, b, (lane / 2 * 2 + lane % 2 * int{all.size()})...);
  }
  template <class V, int... lane>
  [[gnu::always_inline]] static V seconds(const V& a, const V& b,
                                          std::integer_sequence<int, lane...> all) {
    return __builtin_shufflevector(a, b, (lane / 2 * 2 + 1 + lane % 2 * int{all.size()})...);
  }

  /// Shuffles keep the width of vectors; GCC 12 needs three times as many for others.
  template <int count>
  [[gnu::always_inline]] std::array<Vector<count>, 3> gather(const std::uint32_t* indices) const {
    constexpr auto all = std::make_integer_sequence<int, count>();
    if constexpr (count == 2) {
      const Record &a = positions_[indices[0]], &b = positions_[indices[1]];
      return {Vector<2>{a[0], b[0]}, Vector<2>{a[1], b[1]}, Vector<2>{a[2], b[2]}};
    } else if constexpr (count == 4) {
      const Record &a = positions_[indices[0]], &b = positions_[indices[1]];
      const Record &c = positions_[indices[2]], &d = positions_[indices[3]];
      const Record xz[2] = {firsts(a, b, all), firsts(c, d, all)};
      const Record y[2] = {seconds(a, b, all), seconds(c, d, all)};
      return {__builtin_shufflevector(xz[0], xz[1], 0, 1, 4, 5),
              __builtin_shufflevector(y[0], y[1], 0, 1, 4, 5),
              __builtin_shufflevector(xz[0], xz[1], 2, 3, 6, 7)};
    } else {
      const auto a = gather<count / 2>(indices), b = gather<count / 2>(indices + count / 2);
      const auto join = [&]<int... lane>(int i, std::integer_sequence<int, lane...>) {
        return __builtin_shufflevector(a[i], b[i], lane...);
      };
      return {join(0, all), join(1, all), join(2, all)};
    }
  }

  std::vector<std::uint32_t> nodes_;
  std::vector<Record> positions_, forces_;
};

}  // namespace peal::elastic
