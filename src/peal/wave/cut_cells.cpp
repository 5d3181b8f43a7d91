#include <peal/wave/cut_cells.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace peal::wave {
namespace {

/// Faces with less are closed: round-off must not open a cell.
constexpr double kClosed = 1e-9;

/// Of a cell that closes quickly; see the head of the header.
constexpr double kLargestInertia = 2;

Cell beyond(Cell cell, int face) {
  cell[face / 2] += face % 2 ? 1 : -1;
  return cell;
}

}  // namespace

FieldLayout FieldLayout::packed(const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.size[0]);
  return {.offset = 0, .stride = {1, nx, nx * static_cast<std::size_t>(grid.size[1])}};
}

template <class Real>
CutCells<Real>::CutCells(const Grid& grid, const FieldLayout& layout, const CutScheme& scheme)
    : grid_(grid), layout_(layout), scheme_(scheme) {}

/// The grid's own outside is a wall.
template <class Real>
typename CutCells<Real>::Course CutCells<Real>::course(const OpenCell& from,
                                                       const OpenCell& to) const {
  Course c{.cell = from.cell, .volume = from.volume, .volume_change = to.volume - from.volume};
  for (int f = 0; f < kFaces; ++f) {
    const bool inside = grid_.contains(beyond(c.cell, f));
    c.area[f] = inside ? from.area[f] : 0;
    c.area_change[f] = inside ? to.area[f] - from.area[f] : 0;
  }
  return c;
}

/// Where the node and its neighbours are; the rest is set by advance.
template <class Real>
CutNode<Real> CutCells<Real>::node(const Course& course) const {
  CutNode<Real> node{.cell = static_cast<std::uint32_t>(layout_.at(course.cell))};
  for (int f = 0; f < kFaces; ++f) {
    const bool ever_open = course.area[f] != 0 || course.area_change[f] != 0;
    node.neighbour[f] =
        ever_open ? static_cast<std::uint32_t>(layout_.at(beyond(course.cell, f))) : node.cell;
  }
  return node;
}

template <class Real>
double CutCells<Real>::smallest_stable_volume(const CutNode<Real>& node) const {
  double g = 0;
  for (Real real : node.area) {
    const double a = static_cast<double>(real);
    g += a * (1 + 2 * scheme_.gamma * (1 - a));
  }
  return 0.5 * scheme_.lambda * scheme_.lambda * g;
}

template <class Real>
std::optional<std::size_t> CutCells<Real>::number_of(const Cell& cell) const {
  const auto listed = std::span(courses_).first(listed_);
  const auto found = std::ranges::lower_bound(listed, grid_.index(cell), {},
                                              [&](const Course& c) { return grid_.index(c.cell); });
  if (found == listed.end() || found->cell != cell) return std::nullopt;
  return static_cast<std::size_t>(found - listed.begin());
}

/// Sets Vs of the next list to what its cells have now. Cells that are no longer cut stay at the
/// end of the list, whole, to hand over their volume, or are sealed if they have become solid.
template <class Real>
void CutCells<Real>::take_over_volumes(std::vector<Course>& next, const CutInterval& interval) {
  const std::size_t listed = next.size();
  std::vector<double> volume(listed), left_volume;
  std::size_t old = 0;
  const auto leave_until = [&](std::size_t index) {
    for (; old < listed_ && grid_.index(courses_[old].cell) < index; ++old) {
      const Cell& cell = courses_[old].cell;
      if (is_solid(interval.solid, cell)) {
        sealed_.push_back(nodes_[old].cell);
        continue;
      }
      const OpenCell whole{.cell = cell, .volume = 1, .area = {1, 1, 1, 1, 1, 1}};
      next.push_back(course(whole, whole));
      left_volume.push_back(volume_[old]);
    }
  };
  for (std::size_t i = 0; i < listed; ++i) {
    const Cell cell = next[i].cell;
    leave_until(grid_.index(cell));
    if (old < listed_ && courses_[old].cell == cell)
      volume[i] = volume_[old++];
    else
      volume[i] = is_solid(solid_, cell) ? 0 : 1;
  }
  leave_until(grid_.cells());
  volume.insert(volume.end(), left_volume.begin(), left_volume.end());
  volume_ = std::move(volume);
  listed_ = listed;
}

/// Solid cells next to nodes are kept at zero, so that everything behind them stays so.
template <class Real>
void CutCells<Real>::find_solid_neighbours() {
  behind_.clear();
  for (std::size_t i = 0; i < listed_; ++i)
    for (int f = 0; f < kFaces; ++f) {
      const Cell next = beyond(courses_[i].cell, f);
      const bool shut = nodes_[i].neighbour[f] == nodes_[i].cell;
      if (shut && grid_.contains(next) && is_solid(solid_, next))
        behind_.push_back(static_cast<std::uint32_t>(layout_.at(next)));
    }
  std::ranges::sort(behind_);
  behind_.erase(std::unique(behind_.begin(), behind_.end()), behind_.end());
}

template <class Real>
void CutCells<Real>::enter(const CutInterval& interval) {
  std::vector<Course> next;
  for (std::size_t i = 0; i < interval.from.size(); ++i)
    next.push_back(course(interval.from[i], interval.to[i]));
  take_over_volumes(next, interval);
  courses_ = std::move(next);
  solid_ = interval.solid;
  nodes_.clear();
  for (const Course& c : courses_) nodes_.push_back(node(c));
  find_solid_neighbours();
}

template <class Real>
void CutCells<Real>::advance(double t) {
  opened_.clear();
  closed_ = std::exchange(sealed_, {});
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    CutNode<Real>& node = nodes_[i];
    const Course& c = courses_[i];
    for (int f = 0; f < kFaces; ++f) {
      const double area = c.area[f] + t * c.area_change[f];
      node.area[f] = static_cast<Real>(area < kClosed ? 0 : area);
    }
    const double floor = smallest_stable_volume(node);
    const double now = floor > 0 ? std::max(floor, c.volume + t * c.volume_change) : 0;
    const double before = std::exchange(volume_[i], now);
    node.inertia = now > 0 ? static_cast<Real>(std::min(before / now, kLargestInertia)) : 0;
    node.gain = now > 0 ? static_cast<Real>(scheme_.lambda * scheme_.lambda / now) : 0;
    if (before == 0 && now > 0) opened_.push_back(static_cast<std::uint32_t>(i));
    if (before > 0 && now == 0) closed_.push_back(node.cell);
  }
}

template <class Real>
void CutCells<Real>::move(const CutGeometry& geometry) {
  enter(interval(grid_, geometry, geometry));
  advance(0);
}

template <class Real>
void CutCells<Real>::place(const CutGeometry& geometry) {
  listed_ = 0;
  move(geometry);
  if (scheme_.borrow) borrow_volume();
  opened_.clear();
  closed_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].inertia = 1;
    if (volume_[i] > 0)
      nodes_[i].gain = static_cast<Real>(scheme_.lambda * scheme_.lambda / volume_[i]);
  }
}

/// Each raised cell takes what it added from its cut neighbours, by open area times what they have
/// above their own floor, and never more than that.
template <class Real>
void CutCells<Real>::borrow_volume() {
  std::vector<double> floor(listed_), owed(listed_);
  for (std::size_t i = 0; i < listed_; ++i) {
    floor[i] = smallest_stable_volume(nodes_[i]);
    owed[i] = volume_[i] - courses_[i].volume;
  }
  for (std::size_t i = 0; i < listed_; ++i)
    if (owed[i] > 0) borrow_for(i, owed[i], floor);
}

template <class Real>
void CutCells<Real>::borrow_for(std::size_t i, double owed, std::span<const double> floor) {
  std::array<std::size_t, kFaces> lender{};
  std::array<double, kFaces> weight{};
  double total = 0;
  for (int f = 0; f < kFaces; ++f) {
    if (nodes_[i].area[f] == 0) continue;
    const auto j = number_of(beyond(courses_[i].cell, f));
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
    const Real next = here + (node.inertia * (here - here_old) + node.gain * flux);
    updated_[i] = node.gain > 0 ? next : 0;
    node.inertia = 1;
  }
}

template <class Real>
void CutCells<Real>::overwrite(std::span<Real> p_new) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) p_new[nodes_[i].cell] = updated_[i];
  for (std::uint32_t cell : behind_) p_new[cell] = 0;
}

template <class Real>
std::vector<Real> wall_source(std::size_t cells, std::span<const Wall> walls,
                              std::span<const double> acceleration, double cell_size,
                              double density) {
  std::vector<Real> source(cells);
  for (std::size_t w = 0; w < walls.size(); ++w)
    source[walls[w].cell] += static_cast<Real>(cell_size * density * acceleration[w]);
  return source;
}

template class CutCells<float>;
template class CutCells<double>;
template std::vector<float> wall_source(std::size_t, std::span<const Wall>, std::span<const double>,
                                        double, double);
template std::vector<double> wall_source(std::size_t, std::span<const Wall>,
                                         std::span<const double>, double, double);

}  // namespace peal::wave
