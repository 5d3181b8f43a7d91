#include <peal/util/sort_unique.h>
#include <peal/wave/boundary/cut_sides.h>
#include <peal/wave/grid/lanes.h>
#include <peal/wave/scheme/cut_cells.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace peal::wave {
namespace {

/// Less is no motion: what moves along its own surface, or rests, changes by round-off.
constexpr double kResting = 1e-12;

/// In place of a volume: of sides that have just been joined or parted, which move no wall.
constexpr double kAsNow = -1;

/// Of a cell that closes quickly; see the head of the header.
constexpr double kLargestInertia = 2;

/// What belongs to the faces of a node.
template <class Real>
using FaceLanes = typename LanesOf<Real, kFaceLanes * sizeof(Real)>::type;

}  // namespace

FieldLayout FieldLayout::packed(const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.size[0]);
  return {.offset = 0, .stride = {1, nx, nx * static_cast<std::size_t>(grid.size[1])}};
}

template <class Real>
CutCells<Real>::CutCells(const Grid& grid, const FieldLayout& layout, const CutScheme& scheme)
    : grid_(grid), layout_(layout), scheme_(scheme), links_(scheme) {}

/// The grid's own outside is a wall.
template <class Real>
typename CutCells<Real>::Course CutCells<Real>::course(const OpenCell& from,
                                                       const OpenCell& to) const {
  const auto change = [](double before, double after) {
    return std::abs(after - before) < kResting ? 0 : after - before;
  };
  Course c{
      .cell = from.cell, .volume = from.volume, .volume_change = change(from.volume, to.volume)};
  for (int f = 0; f < kFaces; ++f) {
    const bool inside = grid_.contains(beyond(c.cell, f));
    c.area[f] = inside ? from.area[f] : 0;
    c.area_change[f] = inside ? change(from.area[f], to.area[f]) : 0;
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
  double g[kFaceLanes];
  for (int f = 0; f < kFaceLanes; ++f) {
    const auto a = static_cast<double>(node.area[f]);
    const double closed = a < 1 ? 1 - a : 0;
    g[f] = a * (1 + 2 * scheme_.gamma * closed + 2 * scheme_.viscous);
  }
  return 0.5 * scheme_.lambda * scheme_.lambda * (((((g[0] + g[1]) + g[2]) + g[3]) + g[4]) + g[5]);
}

template <class Real>
std::optional<std::size_t> CutCells<Real>::number_of(const Cell& cell) const {
  const auto listed = std::span(courses_).first(listed_);
  const auto found = std::ranges::lower_bound(listed, grid_.index(cell), {},
                                              [&](const Course& c) { return grid_.index(c.cell); });
  if (found == listed.end() || found->cell != cell) return std::nullopt;
  return static_cast<std::size_t>(found - listed.begin());
}

template <class Real>
auto CutCells<Real>::groups(std::span<const Course> courses, std::span<const DividedCell> divided)
    -> std::vector<Group> {
  std::vector<Group> all;
  for (std::size_t i = 0; i < courses.size();) {
    Group group{.cell = courses[i].cell, .first = i, .count = 1};
    if (!divided.empty() && divided.front().first == i) {
      group.divided = &divided.front();
      group.count = static_cast<std::size_t>(group.divided->sides);
      divided = divided.subspan(1);
    }
    i += group.count;
    all.push_back(group);
  }
  return all;
}

/// Sets Vs of the next list to what its cells have now. Cells that are no longer cut stay at the
/// end of the list, whole, to hand over their volume, or are sealed if they have become solid.
template <class Real>
void CutCells<Real>::take_over_volumes(std::vector<Course>& next, const CutInterval& interval) {
  const std::size_t listed = next.size();
  std::vector<double> volume(listed);
  const std::vector<Group> before = groups(std::span(courses_).first(listed_), divided_);
  const std::vector<Group> after = groups(next, interval.divided_from);
  auto old = before.begin();
  const auto leave_until = [&](std::size_t index) {
    for (; old != before.end() && grid_.index(old->cell) < index; ++old) {
      if (is_solid(interval.solid, old->cell)) {
        sealed_.push_back(static_cast<std::uint32_t>(layout_.at(old->cell)));
        continue;
      }
      const OpenCell whole{.cell = old->cell, .volume = 1, .area = {1, 1, 1, 1, 1, 1}};
      volume.push_back(0);
      next.push_back(course(whole, whole));
      hand_over(&*old, {.cell = old->cell, .first = next.size() - 1, .count = 1}, 0, volume);
    }
  };
  for (const Group& group : after) {
    leave_until(grid_.index(group.cell));
    const bool known = old != before.end() && old->cell == group.cell;
    hand_over(known ? &*old++ : nullptr, group, is_solid(solid_, group.cell) ? 0 : 1, volume);
  }
  leave_until(grid_.cells());
  volume_ = std::move(volume);
  listed_ = listed;
}

/// Volumes go by the points of the lattice that two sides share, values with them.
template <class Real>
void CutCells<Real>::hand_over(const Group* from, const Group& to, double volume_of_uncut,
                               std::vector<double>& volume) {
  const auto field = static_cast<std::uint32_t>(layout_.at(to.cell));
  if ((!from || from->count == 1) && to.count == 1) {
    volume[to.first] = from ? volume_[from->first] : volume_of_uncut;
    return;
  }
  const PointSides whole = undivided(false);
  const PointSides& sides_from = from && from->divided ? from->divided->side : whole;
  const PointSides& sides_to = to.divided ? to.divided->side : whole;
  int shared[16][16] = {}, total[16] = {};
  for (int p = 0; p < kAllPoints; ++p) {
    ++shared[sides_from[p]][sides_to[p]];
    if (sides_to[p] != 0) ++total[sides_from[p]];
  }
  for (std::size_t n = 0; n < to.count; ++n) {
    const std::uint32_t place =
        n == 0 ? field : kExtraPlace | static_cast<std::uint32_t>(extras_++);
    handovers_.push_back({place, field, 0});
    for (std::size_t q = 0; q < (from ? from->count : 1); ++q) {
      const double held = from ? volume_[from->first + q] : volume_of_uncut;
      if (total[q + 1] == 0 || shared[q + 1][n + 1] == 0 || held == 0) continue;
      const double weight = held * shared[q + 1][n + 1] / total[q + 1];
      const std::uint32_t source = q == 0 || !from ? field : nodes_[from->first + q].cell;
      const bool alone = shared[q + 1][n + 1] == total[q + 1];
      double& own = volume[to.first + n];
      own = alone && own == 0 ? weight : kAsNow;
      handovers_.push_back({place, source, weight});
    }
  }
}

/// Solid cells next to nodes are kept at zero, so that everything behind them stays so.
template <class Real>
void CutCells<Real>::find_solid_neighbours() {
  behind_.clear();
  for (std::size_t i = 0; i < listed_; ++i)
    for (int f = 0; f < kFaces; ++f) {
      const Cell next = beyond(courses_[i].cell, f);
      const bool shut = courses_[i].area[f] == 0 && courses_[i].area_change[f] == 0;
      if (shut && grid_.contains(next) && is_solid(solid_, next))
        behind_.push_back(static_cast<std::uint32_t>(layout_.at(next)));
    }
  util::sort_unique(behind_);
}

template <class Real>
void CutCells<Real>::enter(const CutInterval& interval) {
  std::vector<Course> next;
  for (std::size_t i = 0; i < interval.from.size(); ++i)
    next.push_back(course(interval.from[i], interval.to[i]));
  handovers_.clear();
  extras_ = 0;
  take_over_volumes(next, interval);
  courses_ = std::move(next);
  solid_ = interval.solid;
  add_nodes(interval);
  links_.enter(interval, places_);
  find_solid_neighbours();
  find_moving();
  differences_known_ = false;
}

template <class Real>
void CutCells<Real>::add_nodes(const CutInterval& interval) {
  nodes_.clear();
  for (const Course& c : courses_) nodes_.push_back(node(c));
  std::uint32_t extra = 0;
  for (const DividedCell& d : interval.divided_from)
    for (int s = 1; s < d.sides; ++s)
      nodes_[d.first + static_cast<std::uint32_t>(s)].cell = kExtraPlace | extra++;
  divided_now_ = interval.divided_from;
  divided_ = interval.divided_to;
  places_.clear();
  for (const CutNode<Real>& n : nodes_) places_.push_back(n.cell);
}

template <class Real>
void CutCells<Real>::find_moving() {
  moving_.clear();
  const std::array<double, kFaceLanes> none{};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Course& c = courses_[i];
    if (c.volume_change != 0 || c.area_change != none)
      moving_.push_back(static_cast<std::uint32_t>(i));
  }
  entered_ = true;
}

template <class Real>
void CutCells<Real>::advance(double t) {
  opened_.clear();
  closed_ = std::exchange(sealed_, {});
  time_ = t;
  links_.advance(t);
  // Links change what the nodes at their ends need.
  if (std::exchange(entered_, false) || !links_.empty()) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) advance_node(i, t);
  } else {
    for (const std::uint32_t i : moving_) advance_node(i, t);
  }
}

template <class Real>
void CutCells<Real>::advance_node(std::size_t i, double t) {
  CutNode<Real>& node = nodes_[i];
  const Course& c = courses_[i];
  for (int f = 0; f < kFaceLanes; ++f) {
    const double area = c.area[f] + t * c.area_change[f];
    node.area[f] = static_cast<Real>(area < kClosed ? 0 : area);
  }
  const double floor = smallest_stable_volume(node) + links_.floor(i);
  const double now = floor > 0 ? std::max(floor, c.volume + t * c.volume_change) : 0;
  double before = std::exchange(volume_[i], now);
  if (before == kAsNow) before = now;
  node.inertia = now > 0 ? static_cast<Real>(std::min(before / now, kLargestInertia)) : 0;
  node.gain = now > 0 ? static_cast<Real>(scheme_.lambda * scheme_.lambda / now) : 0;
  if (before == 0 && now > 0) opened_.push_back(static_cast<std::uint32_t>(i));
  if (before > 0 && now == 0) closed_.push_back(node.cell);
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
  handovers_.clear();
  extra_.assign(extras_, Real(0));
  extra_old_.assign(extras_, Real(0));
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
    floor[i] = smallest_stable_volume(nodes_[i]) + links_.floor(i);
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
void CutCells<Real>::settle_handovers(std::span<Real> p, std::span<Real> p_old) {
  std::vector<Real> extra(extras_), extra_old(extras_);
  struct Sum {
    std::uint32_t to;
    double weight = 0, now = 0, before = 0;
  };
  std::vector<Sum> sums;
  for (const Handover& h : handovers_) {
    if (sums.empty() || sums.back().to != h.to) sums.push_back({.to = h.to});
    if (h.weight == 0) continue;
    sums.back().weight += h.weight;
    sums.back().now += h.weight * static_cast<double>(value(p, extra_, h.from));
    sums.back().before += h.weight * static_cast<double>(value(p_old, extra_old_, h.from));
  }
  for (const Sum& sum : sums) {
    const Real now = static_cast<Real>(sum.weight > 0 ? sum.now / sum.weight : 0);
    const Real before = static_cast<Real>(sum.weight > 0 ? sum.before / sum.weight : 0);
    (sum.to & kExtraPlace ? extra[sum.to & ~kExtraPlace] : p[sum.to]) = now;
    (sum.to & kExtraPlace ? extra_old[sum.to & ~kExtraPlace] : p_old[sum.to]) = before;
  }
  extra_ = std::move(extra);
  extra_old_ = std::move(extra_old);
  handovers_.clear();
}

template <class Real>
void CutCells<Real>::resolve_changes(std::span<Real> p, std::span<Real> p_old,
                                     std::span<const Real> source,
                                     std::span<const Real> source_before) {
  if (!handovers_.empty() || !closed_.empty() || !opened_.empty()) differences_known_ = false;
  if (!handovers_.empty()) settle_handovers(p, p_old);
  const auto set = [&](std::uint32_t place, Real now, Real before) {
    (place & kExtraPlace ? extra_[place & ~kExtraPlace] : p[place]) = now;
    (place & kExtraPlace ? extra_old_[place & ~kExtraPlace] : p_old[place]) = before;
  };
  for (std::uint32_t place : closed_) set(place, 0, 0);
  if (opened_.empty()) return;
  std::vector<std::uint32_t> shut;
  for (std::uint32_t i : opened_) shut.push_back(nodes_[i].cell);
  std::ranges::sort(shut);
  struct Sum {
    Real area = 0, now, before;
  };
  std::vector<Sum> sums;
  const auto add = [&](Sum& sum, Real area, std::uint32_t from) {
    if (area == 0 || std::ranges::binary_search(shut, from)) return;
    sum.area += area;
    sum.now += area * value(p, extra_, from);
    sum.before += area * value(p_old, extra_old_, from);
  };
  for (std::uint32_t i : opened_) {
    const bool has_source = i < source.size();
    Sum& sum = sums.emplace_back(
        Sum{.now = has_source ? source[i] : 0, .before = has_source ? source_before[i] : 0});
    for (int f = 0; f < kFaces; ++f) add(sum, nodes_[i].area[f], nodes_[i].neighbour[f]);
  }
  for (const NodeLink<Real>& link : links()) {
    if (link.inner) continue;
    const auto to_end = [&](std::uint32_t end, std::uint32_t from) {
      const auto found = std::ranges::lower_bound(opened_, end);
      if (found != opened_.end() && *found == end)
        add(sums[static_cast<std::size_t>(found - opened_.begin())], link.area, from);
    };
    to_end(link.a, link.place_b);
    to_end(link.b, link.place_a);
  }
  for (std::size_t k = 0; k < opened_.size(); ++k) {
    const Sum& sum = sums[k];
    set(nodes_[opened_[k]].cell, sum.area > 0 ? sum.now / sum.area : 0,
        sum.area > 0 ? sum.before / sum.area : 0);
  }
}

/// p_j - p_i of all faces; the two lanes that are left over are zero.
template <class Real>
[[gnu::always_inline]] inline FaceLanes<Real> face_differences(const CutNode<Real>& node,
                                                               const Real* p, Real here) {
  const auto& n = node.neighbour;
  const FaceLanes<Real> there = {p[n[0]], p[n[1]], p[n[2]], p[n[3]], p[n[4]], p[n[5]], here, here};
  return there - here;
}

template <class Real>
void CutCells<Real>::update(std::span<const Real> p, std::span<const Real> p_old,
                            std::span<const Real> source) {
  updated_.resize(nodes_.size());
  if (!links_.empty()) links_.find_fluxes({p, extra_}, {p_old, extra_old_});
  if (scheme_.gamma == 0 && scheme_.viscous == 0) {
    update_nodes<false, false>(p, p_old, source);
  } else {
    differences_.resize(nodes_.size());
    differences_known_ ? update_nodes<true, true>(p, p_old, source)
                       : update_nodes<true, false>(p, p_old, source);
    differences_known_ = true;
  }
  links_.pull_together(volume_, updated_);
}

template <class Real>
template <bool damped, bool known>
void CutCells<Real>::update_nodes(std::span<const Real> p, std::span<const Real> p_old,
                                  std::span<const Real> source) {
  using Faces = FaceLanes<Real>;
  const Real gamma = static_cast<Real>(scheme_.gamma), viscous = static_cast<Real>(scheme_.viscous);
  // Copies, because for all the compiler knows a store might change the originals.
  CutNode<Real>* const nodes = nodes_.data();
  const std::size_t count = nodes_.size(), driven = source.size();
  const Real *const sources = source.data(), *const link_flux = links_.fluxes();
  Real* const updated = updated_.data();
  auto* const differences = differences_.data();
  for (std::size_t i = 0; i < count; ++i) {
    CutNode<Real>& node = nodes[i];
    const Real here = value(p, extra_, node.cell);
    const Real here_old = value(p_old, extra_old_, node.cell);
    const auto area = load<Faces>(node.area.data());
    const Faces difference = face_differences(node, p.data(), here);
    Faces fluxes = difference;
    if constexpr (damped) {
      const Faces before = known ? load<Faces>(differences[i].data())
                                 : face_differences(node, p_old.data(), here_old);
      fluxes += (gamma * (1 - area) + viscous) * (difference - before);
      store(differences[i].data(), difference);
    }
    fluxes *= area;
    const Faces pairs = fluxes + __builtin_shufflevector(fluxes, fluxes, 1, 0, 3, 2, 5, 4, 7, 6);
    Real flux = (pairs[0] + pairs[2]) + pairs[4];
    if (i < driven) flux += sources[i];
    if (link_flux) flux += link_flux[i];
    const Real next = here + (node.inertia * (here - here_old) + node.gain * flux);
    updated[i] = node.gain > 0 ? next : 0;
    if (node.inertia != 1) node.inertia = 1;  // seldom: a store makes the node's memory travel
  }
}

template <class Real>
void CutCells<Real>::overwrite(std::span<Real> p_new) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::uint32_t place = places_[i];
    if (place & kExtraPlace)
      extra_old_[place & ~kExtraPlace] = std::exchange(extra_[place & ~kExtraPlace], updated_[i]);
    else
      p_new[place] = updated_[i];
  }
  for (std::uint32_t cell : behind_) p_new[cell] = 0;
}

template <class Real>
Real CutCells<Real>::pressure_at(std::span<const Real> p, const Vec3& position) const {
  const Cell cell = grid_.cell_of(position);
  const std::vector<DividedCell>& divided = time_ < 0.5 ? divided_now_ : divided_;
  const auto found = std::ranges::lower_bound(
      divided, grid_.index(cell), {}, [&](const DividedCell& d) { return grid_.index(d.cell); });
  if (found == divided.end() || found->cell != cell) return p[layout_.at(cell)];
  const Vec3 place = grid_.to_cells(position) - Vec3(cell[0], cell[1], cell[2]);
  double nearest = 1e9;
  std::uint32_t node = found->first;
  for (int z = 0; z < kLatticePoints; ++z)
    for (int y = 0; y < kLatticePoints; ++y)
      for (int x = 0; x < kLatticePoints; ++x) {
        const int side = found->side[lattice_point(x, y, z)];
        const double distance = (Vec3(kLatticeAt[x], kLatticeAt[y], kLatticeAt[z]) - place).norm();
        if (side == 0 || distance >= nearest) continue;
        nearest = distance;
        node = found->first + static_cast<std::uint32_t>(side) - 1;
      }
  return value(p, extra_, nodes_[node].cell);
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
