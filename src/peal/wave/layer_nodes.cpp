#include <peal/wave/layer_nodes.h>

namespace peal::wave {
template <class Real>
LayerNodes<Real>::LayerNodes(const Cell& size, const FieldLayout& layout,
                             AbsorbingLayer<Real>& layer, double courant)
    : size_(size),
      layout_(layout),
      layer_(layer),
      courant2_(static_cast<Real>(courant * courant)) {}

template <class Real>
void LayerNodes<Real>::select(std::span<const CutNode<Real>> nodes) {
  selected_.clear();
  const std::size_t end = layout_.at({size_[0] - 1, size_[1] - 1, size_[2] - 1}) + 1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].cell >= end) continue;
    std::size_t rest = nodes[i].cell - layout_.offset;
    Cell cell;
    for (const int axis : {2, 1, 0}) {
      cell[axis] = static_cast<int>(rest / layout_.stride[axis]);
      rest %= layout_.stride[axis];
    }
    if (!layer_.contains(cell)) continue;
    Selected selected{.node = static_cast<std::uint32_t>(i)};
    for (int axis = 0; axis < 3; ++axis) selected.axes[axis] = layer_.axis_memory(axis, cell);
    selected_.push_back(selected);
  }
}

template <class Real>
void LayerNodes<Real>::before(std::span<const CutNode<Real>> nodes) {
  for (Selected& s : selected_) {
    const bool opened = nodes[s.node].inertia == 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (opened) s.axes[axis].clear();
      s.xi[axis] = s.axes[axis].xi ? *s.axes[axis].xi : Real(0);
    }
  }
}

/// What the layer adds to p_new along an axis; sets what the layer itself could not know.
template <class Real>
Real LayerNodes<Real>::axis_term(const CutNode<Real>& node, int axis, Selected& selected,
                                 std::span<const Real> p) const {
  const AxisMemory& memory = selected.axes[axis];
  if (!memory.xi) return 0;
  const Real low = node.area[2 * axis], high = node.area[2 * axis + 1], here = p[node.cell];
  if (low == 0 && memory.psi_low) *memory.psi_low = 0;
  if (high == 0 && memory.psi_high) *memory.psi_high = 0;
  const Real bend = node.gain * (high * memory.high() - low * memory.low());
  const Real flux = node.gain * (high * (p[node.neighbour[2 * axis + 1]] - here) -
                                 low * (here - p[node.neighbour[2 * axis]]));
  *memory.xi = memory.b * selected.xi[axis] + memory.a * ((flux + bend) / courant2_);
  if (node.gain == 0) *memory.xi = 0;
  return bend + courant2_ * *memory.xi;
}

template <class Real>
void LayerNodes<Real>::after(std::span<const CutNode<Real>> nodes, std::span<const Real> p,
                             std::span<Real> p_new) {
  for (Selected& s : selected_) {
    const CutNode<Real>& node = nodes[s.node];
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += axis_term(node, axis, s, p);
    p_new[node.cell] += sum;
  }
}

template class LayerNodes<float>;
template class LayerNodes<double>;

}  // namespace peal::wave
