#include <peal/util/error.h>
#include <peal/util/sort_unique.h>
#include <peal/wave/boundary/boundary_plan.h>
#include <peal/wave/boundary/cut_sides.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::wave {
namespace {

/// The change below which a node is at rest: nodes of walls that rest or move along their own
/// surface change by round-off.
constexpr double resting_change = 1e-12;

/// The nodes of one cell in a list: one, or the subcells of a split cell.
struct NodeGroup {
  Cell cell;
  std::size_t first = 0, count = 0;
  const SplitCell* split = nullptr;
};

std::vector<NodeGroup> groups(std::span<const NodeCoefficients> coefficients,
                              std::span<const SplitCell> split) {
  std::vector<NodeGroup> all;
  for (std::size_t i = 0; i < coefficients.size();) {
    NodeGroup group{.cell = coefficients[i].cell, .first = i, .count = 1};
    if (!split.empty() && split.front().first == i) {
      group.split = &split.front();
      group.count = static_cast<std::size_t>(group.split->sides);
      split = split.subspan(1);
    }
    i += group.count;
    all.push_back(group);
  }
  return all;
}

/// The coefficients of a node between two keys. The outside of the grid counts as a wall.
NodeCoefficients course(const Grid& grid, const OpenCell& from, const OpenCell& to) {
  const auto change = [](double before, double after) {
    return std::abs(after - before) < resting_change ? 0 : after - before;
  };
  NodeCoefficients c{
      .cell = from.cell, .volume = from.volume, .volume_change = change(from.volume, to.volume)};
  for (int f = 0; f < cell_faces; ++f) {
    const bool inside = grid.contains(beyond(c.cell, f));
    c.area[f] = inside ? from.area[f] : 0;
    c.area_change[f] = inside ? change(from.area[f], to.area[f]) : 0;
  }
  return c;
}

/// Makes the plan of an interval from that of the previous one.
class BoundaryPlanner {
 public:
  BoundaryPlanner(const Grid& grid, const FieldLayout& layout, const CutInterval& interval,
                  const BoundaryPlan& before, std::span<const double> volume)
      : grid_(grid), layout_(layout), interval_(interval), before_(before), volume_(volume) {}

  BoundaryPlan make() {
    for (std::size_t i = 0; i < interval_.from.size(); ++i)
      out_.coefficients.push_back(course(grid_, interval_.from[i], interval_.to[i]));
    take_over_volumes();
    check_count();
    out_.solid = interval_.solid;
    out_.split = interval_.split_from;
    out_.split_end = interval_.split_to;
    find_distances();
    find_solid_neighbours();
    find_moving();
    return std::move(out_);
  }

 private:
  /// Sets Vs of the list to the present values of its cells.
  void take_over_volumes() {
    out_.listed = out_.coefficients.size();
    out_.volume.resize(out_.listed);
    const std::vector<NodeGroup> before =
        groups(std::span(before_.coefficients).first(before_.listed), before_.split_end);
    const std::vector<NodeGroup> after = groups(out_.coefficients, interval_.split_from);
    auto old = before.begin();
    const auto leave_until = [&](std::size_t index) {
      for (; old != before.end() && grid_.index(old->cell) < index; ++old) leave(*old);
    };
    for (const NodeGroup& group : after) {
      leave_until(grid_.index(group.cell));
      const bool known = old != before.end() && old->cell == group.cell;
      hand_over(known ? &*old++ : nullptr, group, is_solid(before_.solid, group.cell) ? 0 : 1);
    }
    leave_until(grid_.cells());
  }

  /// Handles a cell that is no longer cut.
  void leave(const NodeGroup& old) {
    if (is_solid(interval_.solid, old.cell)) {
      out_.sealed.push_back(layout_.at(old.cell));
      return;
    }
    const OpenCell whole{.cell = old.cell, .volume = 1, .area = {1, 1, 1, 1, 1, 1}};
    out_.volume.push_back(0);
    out_.coefficients.push_back(course(grid_, whole, whole));
    hand_over(&old, {.cell = old.cell, .first = out_.coefficients.size() - 1, .count = 1}, 0);
  }

  /// Transfers volumes, and values with them, in proportion to the lattice points that two subcells
  /// share.
  void hand_over(const NodeGroup* from, const NodeGroup& to, double volume_of_uncut) {
    const CellIndex field = layout_.at(to.cell);
    if ((!from || from->count == 1) && to.count == 1) {
      out_.volume[to.first] = from ? volume_[from->first] : volume_of_uncut;
      return;
    }
    const PointSubcells whole = undivided(false);
    const PointSubcells& sides_from = from && from->split ? from->split->side : whole;
    const PointSubcells& sides_to = to.split ? to.split->side : whole;
    int shared[16][16] = {}, total[16] = {};
    for (int p = 0; p < all_lattice_points; ++p) {
      ++shared[sides_from[p]][sides_to[p]];
      if (sides_to[p] != 0) ++total[sides_from[p]];
    }
    for (std::size_t n = 0; n < to.count; ++n) {
      const CellIndex index = n == 0 ? field : extra_index | out_.extras++;
      out_.transfers.push_back({index, field, 0});
      for (std::size_t q = 0; q < (from ? from->count : 1); ++q) {
        const double held = from ? volume_[from->first + q] : volume_of_uncut;
        if (total[q + 1] == 0 || shared[q + 1][n + 1] == 0 || held == 0) continue;
        const double weight = held * shared[q + 1][n + 1] / total[q + 1];
        const CellIndex source = q == 0 || !from ? field : before_.indices[from->first + q];
        const bool alone = shared[q + 1][n + 1] == total[q + 1];
        double& own = out_.volume[to.first + n];
        own = alone && own == 0 ? weight : volume_as_now;
        out_.transfers.push_back({index, source, weight});
      }
    }
  }

  /// Checks the number of nodes, which lists and links count in 32 bits.
  void check_count() const {
    const std::size_t count = out_.coefficients.size();
    if (count < std::numeric_limits<std::uint32_t>::max()) return;
    throw util::InputError(
        {"", "radiation"},
        fmt::format("{:.3g} of {:.3g} cells are cut by surfaces, which is too many",
                    static_cast<double>(count), static_cast<double>(grid_.cells())),
        "Lower \"max_frequency\", raise \"accuracy\", or give a smaller \"domain\".");
  }

  void find_distances() {
    for (const NodeCoefficients& c : out_.coefficients) out_.indices.push_back(layout_.at(c.cell));
    CellIndex extra = 0;
    for (const SplitCell& d : out_.split)
      for (int s = 1; s < d.sides; ++s)
        out_.indices[d.first + static_cast<std::uint32_t>(s)] = extra_index | extra++;
  }

  /// Finds the solid cells next to nodes. They are kept at zero, so that everything behind them
  /// stays zero.
  void find_solid_neighbours() {
    for (const NodeCoefficients& c : std::span(out_.coefficients).first(out_.listed))
      for (int f = 0; f < cell_faces; ++f) {
        const Cell next = beyond(c.cell, f);
        const bool shut = c.area[f] == 0 && c.area_change[f] == 0;
        if (shut && grid_.contains(next) && is_solid(out_.solid, next))
          out_.behind.push_back(layout_.at(next));
      }
    util::sort_unique(out_.behind);
  }

  void find_moving() {
    std::vector<std::uint8_t> moves(out_.coefficients.size());
    std::ranges::transform(out_.coefficients, moves.begin(), &NodeCoefficients::moves);
    for (std::size_t i = 0; i < interval_.links_from.size(); ++i) {
      const Link& from = interval_.links_from[i];
      if (from.area != interval_.links_to[i].area) moves[from.a] = moves[from.b] = 1;
    }
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (moves[i]) out_.moving.push_back(static_cast<std::uint32_t>(i));
  }

  const Grid& grid_;
  const FieldLayout& layout_;
  const CutInterval& interval_;
  const BoundaryPlan& before_;
  std::span<const double> volume_;
  BoundaryPlan out_;
};

}  // namespace

bool NodeCoefficients::moves() const {
  return volume_change != 0 || area_change != std::array<double, face_lanes>{};
}

std::optional<std::size_t> BoundaryPlan::number_of(const Grid& grid, const Cell& cell) const {
  const auto nodes = std::span(coefficients).first(listed);
  const auto found = std::ranges::lower_bound(
      nodes, grid.index(cell), {}, [&](const NodeCoefficients& c) { return grid.index(c.cell); });
  if (found == nodes.end() || found->cell != cell) return std::nullopt;
  return static_cast<std::size_t>(found - nodes.begin());
}

CellIndex BoundaryPlan::index_at(const Grid& grid, const FieldLayout& layout, const Vec3& position,
                                 double t) const {
  const Cell cell = grid.cell_of(position);
  const std::vector<SplitCell>& cells = t < 0.5 ? split : split_end;
  const auto found = std::ranges::lower_bound(
      cells, grid.index(cell), {}, [&](const SplitCell& d) { return grid.index(d.cell); });
  if (found == cells.end() || found->cell != cell) return layout.at(cell);
  const Vec3 index = grid.to_cells(position) - Vec3(cell[0], cell[1], cell[2]);
  double nearest = 1e9;
  std::uint32_t node = found->first;
  for (int z = 0; z < lattice_points; ++z)
    for (int y = 0; y < lattice_points; ++y)
      for (int x = 0; x < lattice_points; ++x) {
        const int side = found->side[lattice_point(x, y, z)];
        const double distance =
            (Vec3(lattice_offsets[x], lattice_offsets[y], lattice_offsets[z]) - index).norm();
        if (side == 0 || distance >= nearest) continue;
        nearest = distance;
        node = found->first + static_cast<std::uint32_t>(side) - 1;
      }
  return indices[node];
}

BoundaryPlan plan_boundary(const Grid& grid, const FieldLayout& layout, const CutInterval& interval,
                           const BoundaryPlan& before, std::span<const double> volume) {
  return BoundaryPlanner(grid, layout, interval, before, volume).make();
}

}  // namespace peal::wave
