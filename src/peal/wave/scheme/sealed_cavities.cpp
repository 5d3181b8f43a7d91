#include <peal/util/disjoint_sets.h>
#include <peal/wave/scheme/sealed_cavities.h>

#include <algorithm>
#include <array>
#include <map>
#include <numbers>
#include <optional>

namespace peal::wave {

namespace {

constexpr double edge = 20.0;  ///< cutoff of the high-pass filter [Hz]
constexpr double ajar = 0.02;  ///< open fraction of a face up to which it counts as closed
/// The open fraction of a cell that a wall is about to fill, and may uncover on its other side.
constexpr double nearly_solid = 0.2;

/// Consecutive uncut cells of a row.
struct AirRun {
  int y, z;
  int begin, end;  ///< along x
};

/// A block of rows of cells along x.
struct RowBlock {
  std::array<int, 2> low, high;  ///< along y and z: low <= row < high

  void extend(int y, int z) {
    low = {std::min(low[0], y), std::min(low[1], z)};
    high = {std::max(high[0], y + 1), std::max(high[1], z + 1)};
  }
};

/// The rows in which any cell is cut or solid, and one more all around; everything beyond is
/// outside.
RowBlock rows_around(const Grid& grid, const CutInterval& interval) {
  RowBlock rows{{grid.size[1], grid.size[2]}, {0, 0}};
  for (const OpenCell& open : interval.from) rows.extend(open.cell[1], open.cell[2]);
  for (const SolidRun& run : interval.solid) rows.extend(run.y, run.z);
  for (int d = 0; d < 2; ++d) {
    rows.low[d] = std::max(rows.low[d] - 1, 0);
    rows.high[d] = std::min(rows.high[d] + 1, grid.size[d + 1]);
  }
  return rows;
}

/// The connectivity of the air of an interval, as runs of uncut cells and cut nodes. The cost grows
/// with the rows around bodies and the nodes, not with the cells.
class AirGraph {
 public:
  AirGraph(const Grid& grid, const CutInterval& interval)
      : grid_(grid),
        interval_(interval),
        block_(rows_around(grid, interval)),
        runs_(runs_between(grid, block_, interval)),
        sets_(outside() + 1u) {
    find_rows();
    join_rows();
    for (std::size_t i = 0; i < interval.from.size(); ++i) join_node(i);
    for (std::size_t i = 0; i < interval.links_from.size(); ++i) {
      const Link &from = interval.links_from[i], &to = interval.links_to[i];
      if (std::min(from.area, to.area) >= ajar) sets_.join(node(from.a), node(from.b));
    }
  }

  const std::vector<AirRun>& runs() const { return runs_; }
  std::uint32_t set_of_run(std::size_t i) { return sets_.root(static_cast<std::uint32_t>(i)); }
  std::uint32_t set_of_node(std::size_t i) { return sets_.root(node(i)); }
  std::uint32_t set_outside() { return sets_.root(outside()); }

 private:
  static std::vector<AirRun> runs_between(const Grid& grid, const RowBlock& block,
                                          const CutInterval& interval) {
    std::vector<AirRun> runs;
    auto cut = interval.from.begin();
    auto solid = interval.solid.begin();
    for (int z = block.low[1]; z < block.high[1]; ++z) {
      for (int y = block.low[0]; y < block.high[0]; ++y) {
        const auto in_row = [&](int other_y, int other_z) { return other_y == y && other_z == z; };
        int begin = 0;
        const auto end_at = [&](int x, int next) {
          if (x > begin) runs.push_back({y, z, begin, x});
          begin = std::max(begin, next);
        };
        while (true) {
          const bool has_cut = cut != interval.from.end() && in_row(cut->cell[1], cut->cell[2]);
          const bool has_solid = solid != interval.solid.end() && in_row(solid->y, solid->z);
          if (has_cut && (!has_solid || cut->cell[0] < solid->begin)) {
            end_at(cut->cell[0], cut->cell[0] + 1);
            ++cut;
          } else if (has_solid) {
            end_at(std::max(solid->begin, 0), solid->end);
            ++solid;
          } else {
            break;
          }
        }
        end_at(grid.size[0], grid.size[0]);
      }
    }
    return runs;
  }

  // The elements are the runs, then the nodes, then the outside.
  std::uint32_t node(std::size_t i) const { return static_cast<std::uint32_t>(runs_.size() + i); }
  std::uint32_t outside() const { return node(interval_.from.size()); }

  bool at_rim(const AirRun& run) const {
    return run.begin == 0 || run.end == grid_.size[0] || run.y == block_.low[0] ||
           run.y + 1 == block_.high[0] || run.z == block_.low[1] || run.z + 1 == block_.high[1];
  }

  /// Joins runs at the edge of the block with the outside, and runs with those beside them in y and
  /// z. Most runs are at the edge and need no more.
  void join_rows() {
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      if (at_rim(runs_[i])) sets_.join(i, outside());
    }
    for (const int step : {1, grid_.size[1]}) {
      std::uint32_t a = 0, b = 0;
      while (a < runs_.size() && b < runs_.size()) {
        const AirRun &low = runs_[a], &high = runs_[b];
        const bool over_edge = step == 1 && low.y + 1 == grid_.size[1];
        const int row = low.y + grid_.size[1] * low.z + step,
                  other = high.y + grid_.size[1] * high.z;
        if (over_edge || row < other) {
          ++a;
        } else if (other < row) {
          ++b;
        } else {
          const bool touch = low.begin < high.end && high.begin < low.end;
          if (touch && !(at_rim(low) && at_rim(high))) sets_.join(a, b);
          ++(low.end < high.end ? a : b);
        }
      }
    }
  }

  double open(std::size_t node, int face) const {
    return std::min(interval_.from[node].area[face], interval_.to[node].area[face]);
  }
  void join_node(std::size_t i) {
    for (int face = 0; face < cell_faces; ++face) {
      if (open(i, face) < ajar) continue;
      const Cell next = beyond(interval_.from[i].cell, face);
      if (!grid_.contains(next)) continue;
      if (const auto run = run_of(next)) {
        sets_.join(node(i), *run);
        continue;
      }
      // Two nodes are joined once, at the higher face of the lower one.
      if (face % 2 == 0) continue;
      const auto other = node_of(next);
      if (other && open(*other, face ^ 1) >= ajar) sets_.join(node(i), node(*other));
    }
  }
  void find_rows() {
    const auto rows =
        static_cast<std::size_t>(grid_.size[1]) * static_cast<std::size_t>(grid_.size[2]);
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      while (rows_.size() <= row(runs_[i].y, runs_[i].z)) rows_.push_back(i);
    }
    rows_.resize(rows + 1, static_cast<std::uint32_t>(runs_.size()));
  }
  std::size_t row(int y, int z) const {
    return static_cast<std::size_t>(z) * static_cast<std::size_t>(grid_.size[1]) +
           static_cast<std::size_t>(y);
  }
  std::optional<std::uint32_t> run_of(const Cell& cell) const {
    const std::size_t at = row(cell[1], cell[2]);
    for (std::uint32_t i = rows_[at]; i < rows_[at + 1]; ++i) {
      if (cell[0] >= runs_[i].begin && cell[0] < runs_[i].end) return i;
    }
    return std::nullopt;
  }
  /// The first node of a cut cell.
  std::optional<std::size_t> node_of(const Cell& cell) const {
    const auto found =
        std::ranges::lower_bound(interval_.from, grid_.index(cell), {},
                                 [&](const OpenCell& open) { return grid_.index(open.cell); });
    if (found == interval_.from.end() || found->cell != cell) return std::nullopt;
    return static_cast<std::size_t>(found - interval_.from.begin());
  }

  const Grid& grid_;
  const CutInterval& interval_;
  RowBlock block_;
  std::vector<AirRun> runs_;
  std::vector<std::uint32_t> rows_;  ///< index of the first run in or after each row
  util::DisjointSets sets_;
};

}  // namespace

template <class Real>
SealedCavities<Real>::SealedCavities(const Grid& grid, const FieldLayout& layout, double time_step)
    : grid_(grid), layout_(layout) {
  const double slow = 2.0 * std::numbers::pi * edge * time_step;
  slow_ = 2.0 * slow;
  slow2_ = slow * slow;
}

template <class Real>
void SealedCavities<Real>::find(const CutInterval& interval, std::span<const CutNode<Real>> nodes) {
  cavities_.clear();
  passed_.clear();
  AirGraph graph(grid_, interval);
  const std::uint32_t outside = graph.set_outside();
  std::map<std::uint32_t, Cavity> closed;
  for (std::size_t i = 0; i < graph.runs().size(); ++i) {
    const std::uint32_t set = graph.set_of_run(i);
    if (set == outside) continue;
    const AirRun& run = graph.runs()[i];
    const CellIndex begin = layout_.at({run.begin, run.y, run.z});
    const int length = run.end - run.begin;
    closed[set].runs.push_back({begin, begin + static_cast<CellIndex>(length)});
    closed[set].volume += length;
  }
  for (std::size_t i = 0; i < interval.from.size(); ++i) {
    const std::uint32_t set = graph.set_of_node(i);
    const double volume = 0.5 * (interval.from[i].volume + interval.to[i].volume);
    if (set == outside || volume <= 0.0) continue;
    closed[set].cut.push_back({nodes[i].cell, static_cast<float>(volume)});
    closed[set].volume += volume;
  }
  for (auto& [set, cavity] : closed) {
    // A corner of a cell between touching bodies does not need a filter.
    if (cavity.volume > 1.0) cavities_.push_back(std::move(cavity));
  }
  // A wall that divides a cell at present may have left it when the next interval begins.
  if (!cavities_.empty()) add_passed(interval);
}

template <class Real>
void SealedCavities<Real>::add_passed(const CutInterval& interval) {
  for (const auto* key : {&interval.split_from, &interval.split_to})
    for (const SplitCell& d : *key) passed_.push_back(layout_.at(d.cell));
  for (std::size_t i = 0; i < interval.from.size(); ++i)
    if (std::min(interval.from[i].volume, interval.to[i].volume) < nearly_solid)
      passed_.push_back(layout_.at(interval.from[i].cell));
}

/// Removes cells from the cavity, including further subcells of split cells.
template <class Real>
void SealedCavities<Real>::Cavity::remove(std::span<const CellIndex> indices) {
  std::vector<Run> kept;
  volume = 0.0;
  for (Run run : runs) {
    const auto keep_until = [&](CellIndex end) {
      if (end > run.begin) kept.push_back({run.begin, end});
      volume += static_cast<double>(end - run.begin);
    };
    auto at = std::ranges::lower_bound(indices, run.begin);
    for (; at != indices.end() && *at < run.end; ++at) {
      if (*at < run.begin) continue;  // a repeated index
      keep_until(*at);
      run.begin = *at + 1;
    }
    keep_until(run.end);
  }
  runs = std::move(kept);
  std::erase_if(cut, [&](const CutMember& m) {
    return (m.index & extra_index) != 0 || std::ranges::binary_search(indices, m.index);
  });
  for (const CutMember& m : cut) volume += static_cast<double>(m.volume);
}

template <class Real>
void SealedCavities<Real>::keep_unpassed(const CutInterval& interval) {
  if (cavities_.empty()) return;
  add_passed(interval);
  std::ranges::sort(passed_);
  for (Cavity& cavity : cavities_) cavity.remove(passed_);
  passed_.clear();
}

template <class Real>
void SealedCavities<Real>::filter(std::span<Real> p, std::span<const Real> p_old,
                                  std::span<Real> extra, std::span<const Real> extra_old) const {
  for (const Cavity& cavity : cavities_) {
    if (cavity.runs.empty() && cavity.cut.empty()) continue;
    double now = 0.0, before = 0.0;
    for (std::size_t first = 0; first < cavity.runs.size(); first += runs_at_once) {
      double group_now = 0.0, group_before = 0.0;
      const std::size_t last = std::min(first + runs_at_once, cavity.runs.size());
      for (std::size_t i = first; i < last; ++i)
        for (CellIndex at = cavity.runs[i].begin; at < cavity.runs[i].end; ++at) {
          group_now += static_cast<double>(p[at]);
          group_before += static_cast<double>(p_old[at]);
        }
      now += group_now;
      before += group_before;
    }
    for (std::size_t first = 0; first < cavity.cut.size(); first += cut_at_once) {
      double group_now = 0.0, group_before = 0.0;
      const std::size_t last = std::min(first + cut_at_once, cavity.cut.size());
      for (std::size_t i = first; i < last; ++i) {
        const CutMember& m = cavity.cut[i];
        const CellIndex at = m.index & ~extra_index;
        const bool beside = m.index & extra_index;
        const auto volume = static_cast<double>(m.volume);
        group_now += volume * static_cast<double>(beside ? extra[at] : p[at]);
        group_before += volume * static_cast<double>(beside ? extra_old[at] : p_old[at]);
      }
      now += group_now;
      before += group_before;
    }
    const double delta = (slow_ * (now - before) + slow2_ * before) / cavity.volume;
    const auto shift = static_cast<Real>(delta);
    for (const Run& run : cavity.runs)
      for (CellIndex at = run.begin; at < run.end; ++at) p[at] -= shift;
    for (const CutMember& m : cavity.cut) {
      (m.index & extra_index ? extra[m.index & ~extra_index] : p[m.index]) -= shift;
    }
  }
}

template class SealedCavities<float>;
template class SealedCavities<double>;

}  // namespace peal::wave
