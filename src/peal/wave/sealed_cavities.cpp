#include <peal/wave/sealed_cavities.h>

#include <algorithm>
#include <numbers>

namespace peal::wave {

namespace {

constexpr double edge = 20.0;  ///< of the high-pass [Hz]
constexpr double ajar = 0.02;  ///< open part of a face that counts as closed
constexpr std::int32_t uncut_cell = -1, solid_cell = -2;

/// Who is joined with whom: uncut cells by their index, then cut nodes.
class AirGraph {
 public:
  AirGraph(const Grid& grid, const CutInterval& interval) : grid_(grid), interval_(interval) {
    node_.assign(grid.cells(), uncut_cell);
    for (const SolidRun& run : interval.solid) {
      const std::size_t row = grid.index({0, run.y, run.z});
      std::fill(node_.begin() + static_cast<std::ptrdiff_t>(row) + std::max(run.begin, 0),
                node_.begin() + static_cast<std::ptrdiff_t>(row) + std::min(run.end, grid.size[0]),
                solid_cell);
    }
    for (std::size_t i = interval.from.size(); i-- > 0;) {
      node_[grid.index(interval.from[i].cell)] = static_cast<std::int32_t>(i);
    }
    links_.resize(interval.from.size());
    for (std::size_t i = 0; i < interval.links_from.size(); ++i) {
      const Link &from = interval.links_from[i], &to = interval.links_to[i];
      if (std::min(from.area, to.area) < ajar) continue;
      links_[from.a].push_back(from.b);
      links_[from.b].push_back(from.a);
    }
    seen_.assign(grid.cells() + interval.from.size(), false);
  }

  std::size_t size() const { return seen_.size(); }
  std::size_t cells() const { return node_.size(); }
  bool is_air(std::size_t id) const {
    if (id >= cells()) return volume(id) > 0.0;
    return node_[id] == uncut_cell;
  }
  bool seen(std::size_t id) const { return seen_[id]; }
  double volume(std::size_t id) const {
    if (id < cells()) return 1.0;
    const std::size_t i = id - cells();
    return 0.5 * (interval_.from[i].volume + interval_.to[i].volume);
  }

  /// Everything joined with `start`, which was not seen before.
  template <class Visit>
  void flood(std::size_t start, Visit&& visit) {
    std::vector<std::size_t> stack = {start};
    seen_[start] = true;
    while (!stack.empty()) {
      const std::size_t id = stack.back();
      stack.pop_back();
      visit(id);
      const auto push = [&](std::size_t next) {
        if (seen_[next]) return;
        seen_[next] = true;
        stack.push_back(next);
      };
      if (id >= cells()) {
        for (const std::uint32_t other : links_[id - cells()]) push(cells() + other);
      }
      for (int f = 0; f < kFaces; ++f) push_across(id, f, push);
    }
  }

 private:
  Cell cell_of(std::size_t id) const {
    if (id >= cells()) return interval_.from[id - cells()].cell;
    return grid_.cell(id);
  }
  double open(std::size_t node, int face) const {
    return std::min(interval_.from[node].area[face], interval_.to[node].area[face]);
  }
  template <class Push>
  void push_across(std::size_t id, int face, const Push& push) const {
    const Cell next = beyond(cell_of(id), face);
    if (!grid_.contains(next)) return;
    if (id >= cells() && open(id - cells(), face) < ajar) return;
    const std::size_t index = grid_.index(next);
    const std::int32_t node = node_[index];
    if (node == solid_cell) return;
    if (node == uncut_cell) return push(index);
    const auto number = static_cast<std::size_t>(node);
    if (open(number, face ^ 1) >= ajar) push(cells() + number);
  }

  const Grid& grid_;
  const CutInterval& interval_;
  std::vector<std::int32_t> node_;  ///< by cell: uncut_cell, solid_cell, or its first node
  std::vector<std::vector<std::uint32_t>> links_;
  std::vector<bool> seen_;
};

/// Air at the rim of the grid is the outside.
void flood_outside(AirGraph& graph, const Grid& grid) {
  const auto [nx, ny, nz] = grid.size;
  for (int z = 0; z < nz; ++z) {
    for (int y = 0; y < ny; ++y) {
      const bool whole_row = y == 0 || z == 0 || y == ny - 1 || z == nz - 1;
      for (int x = 0; x < nx; x += whole_row ? 1 : std::max(1, nx - 1)) {
        const std::size_t id = grid.index({x, y, z});
        if (graph.is_air(id) && !graph.seen(id)) graph.flood(id, [](std::size_t) {});
      }
    }
  }
}

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
  AirGraph graph(grid_, interval);
  flood_outside(graph, grid_);
  for (std::size_t id = 0; id < graph.size(); ++id) {
    if (graph.seen(id) || !graph.is_air(id)) continue;
    Cavity cavity;
    graph.flood(id, [&](std::size_t member) {
      if (!graph.is_air(member)) return;
      const std::uint32_t place = member < graph.cells()
                                      ? static_cast<std::uint32_t>(layout_.at(grid_.cell(member)))
                                      : nodes[member - graph.cells()].cell;
      const double volume = graph.volume(member);
      cavity.members.push_back({place, static_cast<float>(volume)});
      cavity.volume += volume;
    });
    // A cell's corner between touching bodies is not worth a filter.
    if (cavity.volume > 1.0) cavities_.push_back(std::move(cavity));
  }
}

template <class Real>
void SealedCavities<Real>::keep_field_only() {
  for (Cavity& cavity : cavities_) {
    std::erase_if(cavity.members, [](const Member& m) { return (m.place & kExtraPlace) != 0; });
    cavity.volume = 0.0;
    for (const Member& m : cavity.members) cavity.volume += static_cast<double>(m.volume);
  }
}

template <class Real>
void SealedCavities<Real>::filter(std::span<Real> p, std::span<const Real> p_old,
                                  std::span<Real> extra, std::span<const Real> extra_old) const {
  for (const Cavity& cavity : cavities_) {
    double now = 0.0, before = 0.0;
    for (const Member& m : cavity.members) {
      const std::uint32_t at = m.place & ~kExtraPlace;
      const bool beside = m.place & kExtraPlace;
      const auto volume = static_cast<double>(m.volume);
      now += volume * static_cast<double>(beside ? extra[at] : p[at]);
      before += volume * static_cast<double>(beside ? extra_old[at] : p_old[at]);
    }
    const double delta = (slow_ * (now - before) + slow2_ * before) / cavity.volume;
    const auto shift = static_cast<Real>(delta);
    for (const Member& m : cavity.members) {
      (m.place & kExtraPlace ? extra[m.place & ~kExtraPlace] : p[m.place]) -= shift;
    }
  }
}

template class SealedCavities<float>;
template class SealedCavities<double>;

}  // namespace peal::wave
