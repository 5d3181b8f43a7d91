#include <peal/wave/cut_cells.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace peal::wave {
namespace {

/// Faces with less are closed: round-off must not open a cell.
constexpr double kClosed = 1e-9;

std::optional<std::size_t> number_of(const Grid& grid, const std::vector<OpenCell>& cells,
                                     const Cell& cell) {
  const std::size_t index = grid.index(cell);
  const auto found = std::ranges::lower_bound(
      cells, index, {}, [&](const OpenCell& c) { return grid.index(c.cell); });
  if (found == cells.end() || found->cell != cell) return std::nullopt;
  return static_cast<std::size_t>(found - cells.begin());
}

Cell beyond(Cell cell, int face) {
  cell[face / 2] += face % 2 ? 1 : -1;
  return cell;
}

/// Open areas as the scheme uses them: the grid's own outside is a wall.
std::array<double, kFaces> usable_areas(const Grid& grid, const OpenCell& open) {
  std::array<double, kFaces> area = open.area;
  for (int f = 0; f < kFaces; ++f)
    if (area[f] < kClosed || !grid.contains(beyond(open.cell, f))) area[f] = 0;
  return area;
}

double smallest_stable_volume(const std::array<double, kFaces>& area, const CutScheme& scheme) {
  double g = 0;
  for (double a : area) g += a * (1 + 2 * scheme.gamma * (1 - a));
  return 0.5 * scheme.lambda * scheme.lambda * g;
}

}  // namespace

FieldLayout FieldLayout::packed(const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.size[0]),
             ny = static_cast<std::size_t>(grid.size[1]);
  return {.offset = 0, .stride = {1, nx, nx * ny}};
}

template <class Real>
CutCells<Real>::CutCells(const Grid& grid, const FieldLayout& layout, const CutScheme& scheme)
    : grid_(grid), layout_(layout), scheme_(scheme) {}

/// Vs of any cell in the present geometry; 0 for a cell without open faces.
template <class Real>
double CutCells<Real>::volume_of(const Cell& cell) const {
  if (const auto number = number_of(grid_, geometry_.cells, cell)) return volume_[*number];
  return is_solid(geometry_.solid, cell) ? 0 : 1;
}

template <class Real>
CutNode<Real> CutCells<Real>::node_of(const OpenCell& open) const {
  CutNode<Real> node{.cell = static_cast<std::uint32_t>(layout_.at(open.cell))};
  const auto area = usable_areas(grid_, open);
  for (int f = 0; f < kFaces; ++f) {
    node.area[f] = static_cast<Real>(area[f]);
    node.neighbour[f] =
        area[f] > 0 ? static_cast<std::uint32_t>(layout_.at(beyond(open.cell, f))) : node.cell;
  }
  return node;
}

/// Nodes, stable volumes and the solid cells behind the walls, for geometry at rest.
template <class Real>
void CutCells<Real>::rebuild(const CutGeometry& geometry) {
  geometry_ = geometry;
  nodes_.clear();
  behind_.clear();
  volume_.clear();
  for (const OpenCell& open : geometry.cells) {
    nodes_.push_back(node_of(open));
    const double floor = smallest_stable_volume(usable_areas(grid_, open), scheme_);
    volume_.push_back(floor > 0 ? std::max(open.volume, floor) : 0);
    if (floor == 0) behind_.push_back(nodes_.back().cell);
    for (int f = 0; f < kFaces; ++f) {
      const Cell next = beyond(open.cell, f);
      if (nodes_.back().area[f] == 0 && grid_.contains(next) && is_solid(geometry.solid, next))
        behind_.push_back(static_cast<std::uint32_t>(layout_.at(next)));
    }
  }
  std::ranges::sort(behind_);
  behind_.erase(std::unique(behind_.begin(), behind_.end()), behind_.end());
}

/// Each raised cell takes what it added from its cut neighbours, by open area times what they have
/// above their own floor, and never more than that.
template <class Real>
void CutCells<Real>::borrow_volume(std::span<const double> floor) {
  std::vector<double> owed(volume_.size());
  for (std::size_t i = 0; i < owed.size(); ++i) owed[i] = volume_[i] - geometry_.cells[i].volume;
  for (std::size_t i = 0; i < owed.size(); ++i)
    if (owed[i] > 0) borrow_for(i, owed[i], floor);
}

template <class Real>
void CutCells<Real>::borrow_for(std::size_t i, double owed, std::span<const double> floor) {
  std::array<std::size_t, kFaces> lender{};
  std::array<double, kFaces> weight{};
  double total = 0;
  for (int f = 0; f < kFaces; ++f) {
    if (nodes_[i].area[f] == 0) continue;
    const auto j = number_of(grid_, geometry_.cells, beyond(geometry_.cells[i].cell, f));
    if (!j) continue;
    lender[f] = *j;
    weight[f] = static_cast<double>(nodes_[i].area[f]) * (volume_[*j] - floor[*j]);
    total += weight[f];
  }
  for (int f = 0; f < kFaces; ++f) {
    if (weight[f] <= 0) continue;
    const double spare = volume_[lender[f]] - floor[lender[f]];
    volume_[lender[f]] -= std::min(spare, owed * weight[f] / total);
  }
}

template <class Real>
void CutCells<Real>::place(const CutGeometry& geometry) {
  rebuild(geometry);
  opened_.clear();
  closed_.clear();
  if (scheme_.borrow) {
    std::vector<double> floor;
    for (const OpenCell& open : geometry.cells)
      floor.push_back(smallest_stable_volume(usable_areas(grid_, open), scheme_));
    borrow_volume(floor);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].inertia = 1;
    nodes_[i].gain =
        volume_[i] > 0 ? static_cast<Real>(scheme_.lambda * scheme_.lambda / volume_[i]) : Real(0);
  }
}

/// Cells of the present geometry that the next one no longer cuts: they stay one more step, to hand
/// over their volume. Those that have become solid are closed.
template <class Real>
std::vector<OpenCell> CutCells<Real>::cells_left_whole(const CutGeometry& next) {
  std::vector<OpenCell> left;
  for (std::size_t i = 0; i < geometry_.cells.size(); ++i) {
    const Cell& cell = geometry_.cells[i].cell;
    if (number_of(grid_, next.cells, cell)) continue;
    if (is_solid(next.solid, cell))
      closed_.push_back(nodes_[i].cell);
    else
      left.push_back({.cell = cell, .volume = 1, .area = {1, 1, 1, 1, 1, 1}});
  }
  return left;
}

template <class Real>
void CutCells<Real>::move(const CutGeometry& geometry) {
  opened_.clear();
  closed_.clear();
  const std::vector<OpenCell> left = cells_left_whole(geometry);
  std::vector<double> before;
  for (const OpenCell& open : geometry.cells) before.push_back(volume_of(open.cell));
  for (const OpenCell& open : left) before.push_back(volume_of(open.cell));

  rebuild(geometry);
  for (const OpenCell& open : left) nodes_.push_back(node_of(open));
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double now = i < volume_.size() ? volume_[i] : 1;
    nodes_[i].inertia = now > 0 ? static_cast<Real>(before[i] / now) : Real(0);
    nodes_[i].gain = now > 0 ? static_cast<Real>(scheme_.lambda * scheme_.lambda / now) : Real(0);
    if (before[i] == 0 && now > 0) opened_.push_back(static_cast<std::uint32_t>(i));
    if (before[i] > 0 && now == 0) closed_.push_back(nodes_[i].cell);
  }
}

template <class Real>
void CutCells<Real>::resolve_changes(std::span<Real> p, std::span<Real> p_old,
                                     std::span<const Real> source,
                                     std::span<const Real> source_before) const {
  for (std::uint32_t cell : closed_) p[cell] = p_old[cell] = 0;
  std::vector<std::uint32_t> shut;
  for (std::uint32_t i : opened_) shut.push_back(nodes_[i].cell);
  std::ranges::sort(shut);
  std::vector<std::pair<Real, Real>> values;
  for (std::uint32_t i : opened_) {
    const CutNode<Real>& node = nodes_[i];
    const bool has_source = i < source.size();
    Real area = 0, now = has_source ? source[i] : 0, before = has_source ? source_before[i] : 0;
    for (int f = 0; f < kFaces; ++f) {
      if (node.area[f] == 0 || std::ranges::binary_search(shut, node.neighbour[f])) continue;
      area += node.area[f];
      now += node.area[f] * p[node.neighbour[f]];
      before += node.area[f] * p_old[node.neighbour[f]];
    }
    values.emplace_back(area > 0 ? now / area : 0, area > 0 ? before / area : 0);
  }
  for (std::size_t k = 0; k < opened_.size(); ++k)
    std::tie(p[nodes_[opened_[k]].cell], p_old[nodes_[opened_[k]].cell]) = values[k];
}

template <class Real>
void CutCells<Real>::update(std::span<const Real> p, std::span<const Real> p_old,
                            std::span<const Real> source) {
  const Real gamma = static_cast<Real>(scheme_.gamma);
  updated_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    CutNode<Real>& node = nodes_[i];
    const Real here = p[node.cell], here_old = p_old[node.cell];
    Real flux = i < source.size() ? source[i] : 0;
    for (int f = 0; f < kFaces; ++f) flux += node.area[f] * (p[node.neighbour[f]] - here);
    if (gamma != 0)
      for (int f = 0; f < kFaces; ++f) {
        const std::uint32_t j = node.neighbour[f];
        flux += gamma * node.area[f] * (1 - node.area[f]) * ((p[j] - here) - (p_old[j] - here_old));
      }
    updated_[i] = here + (node.inertia * (here - here_old) + node.gain * flux);
    node.inertia = 1;
  }
}

template <class Real>
void CutCells<Real>::overwrite(std::span<Real> p_new) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) p_new[nodes_[i].cell] = updated_[i];
  for (std::uint32_t cell : behind_) p_new[cell] = 0;
}

template <class Real>
std::vector<Real> wall_source(const CutGeometry& geometry, std::span<const double> acceleration,
                              double cell_size, double density) {
  std::vector<Real> source(geometry.cells.size());
  for (std::size_t w = 0; w < geometry.walls.size(); ++w)
    source[geometry.walls[w].cell] += static_cast<Real>(cell_size * density * acceleration[w]);
  return source;
}

template class CutCells<float>;
template class CutCells<double>;
template std::vector<float> wall_source(const CutGeometry&, std::span<const double>, double,
                                        double);
template std::vector<double> wall_source(const CutGeometry&, std::span<const double>, double,
                                         double);

}  // namespace peal::wave
