#include <peal/wave/grid/lanes.h>
#include <peal/wave/scheme/cut_cells.h>
#include <peal/wave/scheme/step_arithmetic.h>
#include <peal/wave/scheme/volume_borrowing.h>

#include <algorithm>
#include <utility>

namespace peal::wave {
namespace {

/// The reserve of the smallest stable volumes for walls that move so many cells in a step: none
/// below Mach 0.05, all of it from Mach 0.3 on.
double reserve_for(double moved) {
  return 1 + std::clamp(3.5 * (moved - 0.03), 0.0, 0.5);
}

/// A vector of the values of the faces of a node.
template <class Real>
using FaceLanes = typename LanesOf<Real, face_lanes * sizeof(Real)>::type;

}  // namespace

template <class Real>
CutCells<Real>::CutCells(const Grid& grid, const FieldLayout& layout, const CutScheme& scheme)
    : grid_(grid), layout_(layout), scheme_(scheme), links_(scheme) {
  check_size(grid);
}

/// A node with the indices of its value and its neighbours; advance sets the rest.
template <class Real>
CutNode<Real> CutCells<Real>::node(std::size_t number) const {
  const NodeCoefficients& course = plan_.coefficients[number];
  CutNode<Real> node{.cell = plan_.indices[number]};
  for (int f = 0; f < cell_faces; ++f) {
    const bool ever_open = course.area[f] != 0 || course.area_change[f] != 0;
    node.step[f] = ever_open ? layout_.step(f) : 0;
  }
  return node;
}

template <class Real>
double CutCells<Real>::smallest_stable_volume(const CutNode<Real>& node) const {
  double g[face_lanes];
  for (int f = 0; f < face_lanes; ++f) {
    g[f] = stability_weight(static_cast<double>(node.area[f]), scheme_.gamma, scheme_.viscous);
  }
  return 0.5 * scheme_.lambda * scheme_.lambda * (((((g[0] + g[1]) + g[2]) + g[3]) + g[4]) + g[5]);
}

template <class Real>
void CutCells<Real>::enter(const CutInterval& interval, double moved) {
  reserve_ = reserve_for(moved);
  plan_ = plan_boundary(grid_, layout_, interval, plan_, volume_);
  volume_ = std::move(plan_.volume);
  nodes_.clear();
  for (std::size_t i = 0; i < plan_.coefficients.size(); ++i) nodes_.push_back(node(i));
  links_.enter(interval, plan_.indices);
  entered_ = true;
  differences_known_ = false;
}

template <class Real>
void CutCells<Real>::advance(double t) {
  opened_.clear();
  closed_ = std::exchange(plan_.sealed, {});
  time_ = t;
  links_.advance(t);
  if (std::exchange(entered_, false)) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) advance_node(i, t);
  } else {
    for (const std::uint32_t i : plan_.moving) advance_node(i, t);
  }
}

template <class Real>
void CutCells<Real>::advance_node(std::size_t i, double t) {
  CutNode<Real>& node = nodes_[i];
  const NodeCoefficients& c = plan_.coefficients[i];
  for (int f = 0; f < face_lanes; ++f) {
    node.area[f] = static_cast<Real>(open_area_at(c.area[f], c.area_change[f], t));
  }
  const double floor = reserve_ * (smallest_stable_volume(node) + links_.floor(i));
  const double now = stable_volume(floor, c.volume + t * c.volume_change);
  double before = std::exchange(volume_[i], now);
  if (before == volume_as_now) before = now;
  node.inertia = static_cast<Real>(inertia_of(before, now));
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
void CutCells<Real>::index(const CutGeometry& geometry) {
  plan_ = {};
  move(geometry);
  plan_.transfers.clear();
  sides_.reset(plan_.extras);
  if (scheme_.borrow) {
    std::vector<double> floor(plan_.listed);
    for (std::size_t i = 0; i < plan_.listed; ++i)
      floor[i] = smallest_stable_volume(nodes_[i]) + links_.floor(i);
    borrow_volume<Real>(grid_, plan_, nodes_, floor, volume_);
  }
  opened_.clear();
  closed_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].inertia = 1;
    if (volume_[i] > 0)
      nodes_[i].gain = static_cast<Real>(scheme_.lambda * scheme_.lambda / volume_[i]);
  }
}

template <class Real>
void CutCells<Real>::resolve_changes(std::span<Real> p, std::span<Real> p_old,
                                     std::span<const Real> source,
                                     std::span<const Real> source_before) {
  if (!plan_.transfers.empty() || !closed_.empty() || !opened_.empty()) differences_known_ = false;
  if (!plan_.transfers.empty()) sides_.transfer(plan_.transfers, plan_.extras, p, p_old);
  plan_.transfers.clear();
  for (const CellIndex index : closed_) sides_.set(index, 0, 0, p, p_old);
  if (!opened_.empty()) fill_opened(p, p_old, source, source_before);
}

/// Fills cells that have opened with the mean of their neighbours, as described at the head of the
/// header.
template <class Real>
void CutCells<Real>::fill_opened(std::span<Real> p, std::span<Real> p_old,
                                 std::span<const Real> source,
                                 std::span<const Real> source_before) {
  const NodePressures<Real> now{p, sides_.now()}, old{p_old, sides_.before()};
  std::vector<CellIndex> shut;
  for (const std::uint32_t i : opened_) shut.push_back(nodes_[i].cell);
  std::ranges::sort(shut);
  struct Sum {
    Real area = 0, now, before;
  };
  std::vector<Sum> sums;
  const auto add = [&](Sum& sum, Real area, CellIndex from) {
    if (area == 0 || std::ranges::binary_search(shut, from)) return;
    sum.area += area;
    sum.now += area * now.at(from);
    sum.before += area * old.at(from);
  };
  for (std::uint32_t i : opened_) {
    const bool has_source = i < source.size();
    Sum& sum = sums.emplace_back(
        Sum{.now = has_source ? source[i] : 0, .before = has_source ? source_before[i] : 0});
    for (int f = 0; f < cell_faces; ++f) add(sum, nodes_[i].area[f], nodes_[i].neighbour(f));
  }
  for (const NodeLink<Real>& link : links()) {
    if (link.inner) continue;
    const auto to_end = [&](std::uint32_t end, CellIndex from) {
      const auto found = std::ranges::lower_bound(opened_, end);
      if (found != opened_.end() && *found == end)
        add(sums[static_cast<std::size_t>(found - opened_.begin())], link.area, from);
    };
    to_end(link.a, link.place_b);
    to_end(link.b, link.place_a);
  }
  for (std::size_t k = 0; k < opened_.size(); ++k) {
    const Sum& sum = sums[k];
    sides_.set(nodes_[opened_[k]].cell, sum.area > 0 ? sum.now / sum.area : 0,
               sum.area > 0 ? sum.before / sum.area : 0, p, p_old);
  }
}

/// p_j - p_i of all faces; the two unused lanes are zero. `p` is that of the node's cell, or of any
/// other cell where all faces are closed.
template <class Real>
[[gnu::always_inline]] inline FaceLanes<Real> face_differences(const CutNode<Real>& node,
                                                               const Real* p, Real here) {
  const auto& n = node.step;
  const FaceLanes<Real> there = {p[n[0]], p[n[1]], p[n[2]], p[n[3]], p[n[4]], p[n[5]], here, here};
  return there - here;
}

template <class Real>
void CutCells<Real>::update(std::span<const Real> p, std::span<const Real> p_old,
                            std::span<const Real> source) {
  updated_.resize(nodes_.size());
  if (!links_.empty()) links_.find_fluxes({p, sides_.now()}, {p_old, sides_.before()});
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
  // Copy these, because the compiler must assume that a store might change the originals.
  CutNode<Real>* const nodes = nodes_.data();
  const std::size_t count = nodes_.size(), driven = source.size();
  const Real *const sources = source.data(), *const link_flux = links_.fluxes();
  const Real *const now = p.data(), *const old = p_old.data();
  const Real *const sides_now = sides_.now().data(), *const sides_before = sides_.before().data();
  Real* const updated = updated_.data();
  auto* const differences = differences_.data();
  for (std::size_t i = 0; i < count; ++i) {
    CutNode<Real>& node = nodes[i];
    const bool extra = node.is_extra();
    const CellIndex at = extra ? 0 : node.cell;
    const Real here = extra ? sides_now[node.cell & ~extra_index] : now[at];
    const Real here_old = extra ? sides_before[node.cell & ~extra_index] : old[at];
    const auto area = load<Faces>(node.area.data());
    const Faces difference = face_differences(node, now + at, here);
    Faces fluxes = difference;
    if constexpr (damped) {
      const Faces before =
          known ? load<Faces>(differences[i].data()) : face_differences(node, old + at, here_old);
      fluxes = damped_difference<Faces>(area, difference, before, gamma, viscous);
      store(differences[i].data(), difference);
    }
    fluxes *= area;
    const Faces pairs = fluxes + __builtin_shufflevector(fluxes, fluxes, 1, 0, 3, 2, 5, 4, 7, 6);
    Real flux = (pairs[0] + pairs[2]) + pairs[4];
    if (i < driven) flux += sources[i];
    if (link_flux) flux += link_flux[i];
    updated[i] = next_pressure(here, here_old, node.inertia, node.gain, flux);
    if (node.inertia != 1) node.inertia = 1;  // rare: a store would write the node back to memory
  }
}

template <class Real>
void CutCells<Real>::overwrite(std::span<Real> p_new) {
  for (std::size_t i = 0; i < plan_.indices.size(); ++i) {
    const CellIndex index = plan_.indices[i];
    if (index & extra_index)
      sides_.advance(index, updated_[i]);
    else
      p_new[index] = updated_[i];
  }
  for (const CellIndex index : plan_.behind) p_new[index] = 0;
}

template <class Real>
Real CutCells<Real>::pressure_at(std::span<const Real> p, const Vec3& position) const {
  return NodePressures<Real>{p, sides_.now()}.at(plan_.index_at(grid_, layout_, position, time_));
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
