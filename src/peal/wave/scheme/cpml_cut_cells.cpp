#include <peal/wave/scheme/cpml_cut_cells.h>

#include <utility>

namespace peal::wave {

template <class Real>
CpmlCutCells<Real>::CpmlCutCells(Cpml<Real>& layer, double courant)
    : layer_(layer), courant2_(static_cast<Real>(courant * courant)) {}

template <class Real>
void CpmlCutCells<Real>::select(const CutCells<Real>& cells) {
  selection_.select(cells, [&](const Cell& cell) { return layer_.contains(cell); });
  const std::vector<Selected> selected_before = std::exchange(selected_, {});
  const std::vector<CpmlLink> links_before = std::exchange(links_, {});
  selected_.reserve(selection_.nodes().size());  // the layer points into its items
  for (const LayerSelection::Node& one : selection_.nodes()) {
    Selected& s = selected_.emplace_back(Selected{.node = one.node});
    for (int axis = 0; axis < 3; ++axis) s.axes[axis] = layer_.axis_memory(axis, one.cell());
    if (!cells.nodes()[one.node].is_extra()) continue;
    if (one.before != none) s.own_xi = selected_before[one.before].own_xi;
    for (int axis = 0; axis < 3; ++axis) {
      AxisMemory& memory = s.axes[axis];
      memory.psi_low = memory.psi_high = nullptr;
      if (memory.xi) memory.xi = &s.own_xi[axis];
    }
  }
  for (const LayerSelection::NodePair& one : selection_.links()) {
    const auto [a, b] = layer_.face_recursion(one.axis, one.from);
    links_.push_back({.link = one.link,
                      .axis = one.axis,
                      .a = a,
                      .b = b,
                      .psi = one.before == none ? Real(0) : links_before[one.before].psi,
                      .low = one.low,
                      .high = one.high});
  }
}

template <class Real>
void CpmlCutCells<Real>::before(const CutCells<Real>& cells) {
  for (Selected& s : selected_) {
    const bool opened = cells.nodes()[s.node].inertia == 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (opened) s.axes[axis].clear();
      s.xi[axis] = s.axes[axis].xi ? *s.axes[axis].xi : Real(0);
    }
  }
}

/// Adds up the fluxes through links to the nodes at their ends, and the terms of the layer for
/// these links.
template <class Real>
void CpmlCutCells<Real>::add_links(const CutCells<Real>& cells, std::span<const Real> p) {
  for (Selected& s : selected_) s.link_flux = s.link_bend = {};
  for (CpmlLink& own : links_) {
    const NodeLink<Real>& link = cells.links()[own.link];
    const Real difference =
        cells.value_before(p, link.place_b) - cells.value_before(p, link.place_a);
    own.psi = link.area > 0 ? own.b * own.psi + own.a * difference : Real(0);
    const auto add = [&](std::uint32_t end, Real area) {
      if (end == none) return;
      selected_[end].link_flux[own.axis] += area * difference;
      selected_[end].link_bend[own.axis] += area * own.psi;
    };
    add(own.low, link.area);
    add(own.high, -link.area);
  }
}

/// The term of the layer in p_new along an axis; sets the memory that the layer itself cannot
/// compute.
template <class Real>
Real CpmlCutCells<Real>::axis_term(const CutNode<Real>& node, int axis, const Selected& selected,
                                   std::span<const Real> p) const {
  const AxisMemory& memory = selected.axes[axis];
  if (!memory.xi) return node.gain * selected.link_bend[axis];
  Real flux = selected.link_flux[axis], bend = selected.link_bend[axis];
  if (!node.is_extra()) {
    const Real low = node.area[2 * axis], high = node.area[2 * axis + 1], here = p[node.cell];
    if (low == 0 && memory.psi_low) *memory.psi_low = 0;
    if (high == 0 && memory.psi_high) *memory.psi_high = 0;
    bend += high * memory.high() - low * memory.low();
    flux += high * (p[node.neighbour(2 * axis + 1)] - here) -
            low * (here - p[node.neighbour(2 * axis)]);
  }
  *memory.xi = memory.b * selected.xi[axis] + memory.a * (node.gain * (flux + bend) / courant2_);
  if (node.gain == 0) *memory.xi = 0;
  return node.gain * bend + courant2_ * *memory.xi;
}

template <class Real>
void CpmlCutCells<Real>::after(CutCells<Real>& cells, std::span<const Real> p,
                               std::span<Real> p_new) {
  if (!links_.empty()) add_links(cells, p);
  for (Selected& s : selected_) {
    const CutNode<Real>& node = cells.nodes()[s.node];
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += axis_term(node, axis, s, p);
    (node.is_extra() ? cells.extra()[node.cell & ~extra_index] : p_new[node.cell]) += sum;
  }
}

template class CpmlCutCells<float>;
template class CpmlCutCells<double>;

}  // namespace peal::wave
