#include <peal/wave/scheme/cpml_cut_cells.h>

namespace peal::wave {

template <class Real>
CpmlCutCells<Real>::CpmlCutCells(Cpml<Real>& layer, double courant)
    : layer_(layer), courant2_(static_cast<Real>(courant * courant)) {}

template <class Real>
void CpmlCutCells<Real>::select(const CutCells<Real>& cells) {
  const std::map<Name, std::array<Real, 3>> own_xi = remembered_sides();
  const std::map<std::pair<Name, Name>, Real> psi = remembered_links();
  selected_.clear();
  const std::span<const CutNode<Real>> nodes = cells.nodes();
  std::vector<std::uint32_t> selected_as(nodes.size(), none);
  for (std::size_t i = 0, side = 0; i < nodes.size(); ++i) {
    const Cell& cell = cells.cell_of(i);
    side = i > 0 && cells.cell_of(i - 1) == cell ? side + 1 : 0;
    if (!layer_.contains(cell)) continue;
    selected_as[i] = static_cast<std::uint32_t>(selected_.size());
    Selected& s = selected_.emplace_back(
        Selected{.node = static_cast<std::uint32_t>(i),
                 .name = {cell[0], cell[1], cell[2], static_cast<int>(side)}});
    for (int axis = 0; axis < 3; ++axis) s.axes[axis] = layer_.axis_memory(axis, cell);
  }
  for (Selected& s : selected_) {
    if (!nodes[s.node].is_extra()) continue;
    if (const auto found = own_xi.find(s.name); found != own_xi.end()) s.own_xi = found->second;
    for (int axis = 0; axis < 3; ++axis) {
      AxisMemory& memory = s.axes[axis];
      memory.psi_low = memory.psi_high = nullptr;
      if (memory.xi) memory.xi = &s.own_xi[axis];
    }
  }
  select_links(cells, selected_as, psi);
}

template <class Real>
auto CpmlCutCells<Real>::remembered_sides() const -> std::map<Name, std::array<Real, 3>> {
  std::map<Name, std::array<Real, 3>> result;
  for (const Selected& s : selected_) {
    if (s.name[3] > 0) result[s.name] = s.own_xi;
  }
  return result;
}

template <class Real>
auto CpmlCutCells<Real>::remembered_links() const -> std::map<std::pair<Name, Name>, Real> {
  std::map<std::pair<Name, Name>, Real> result;
  for (const CpmlLink& link : links_) {
    if (link.low != none && link.high != none)
      result[{selected_[link.low].name, selected_[link.high].name}] = link.psi;
  }
  return result;
}

template <class Real>
void CpmlCutCells<Real>::select_links(const CutCells<Real>& cells,
                                      std::span<const std::uint32_t> selected_as,
                                      const std::map<std::pair<Name, Name>, Real>& psi) {
  links_.clear();
  for (std::size_t i = 0; i < cells.links().size(); ++i) {
    const NodeLink<Real>& link = cells.links()[i];
    const std::uint32_t low = selected_as[link.a], high = selected_as[link.b];
    if (link.inner || (low == none && high == none)) continue;
    const Cell &from = cells.cell_of(link.a), &to = cells.cell_of(link.b);
    int axis = 0;
    while (axis < 2 && from[axis] == to[axis]) ++axis;
    const auto [a, b] = layer_.face_recursion(axis, from[axis]);
    CpmlLink& own = links_.emplace_back(CpmlLink{.link = static_cast<std::uint32_t>(i),
                                                 .axis = axis,
                                                 .a = a,
                                                 .b = b,
                                                 .low = low,
                                                 .high = high});
    if (low == none || high == none) continue;
    const auto found = psi.find({selected_[low].name, selected_[high].name});
    if (found != psi.end()) own.psi = found->second;
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
