#include <peal/wave/layer_nodes.h>

#include <algorithm>

namespace peal::wave {
namespace {

/// sum over faces of gamma A (1 - A) times the change of the difference across the face.
template <class Real>
Real damping(const CutNode<Real>& node, std::span<const Real> p, std::span<const Real> p_old,
             Real gamma) {
  Real sum = 0;
  const Real change = p[node.cell] - p_old[node.cell];
  for (int f = 0; f < kFaces; ++f) {
    const std::uint32_t j = node.neighbour[f];
    sum += gamma * node.area[f] * (1 - node.area[f]) * ((p[j] - p_old[j]) - change);
  }
  return sum;
}

}  // namespace

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
void LayerNodes<Real>::before(std::span<const CutNode<Real>> nodes, std::span<const Real> p,
                              std::span<const Real> p_old, std::span<const Real> source,
                              double gamma) {
  for (Selected& s : selected_) {
    const CutNode<Real>& node = nodes[s.node];
    const bool opened = node.inertia == 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (opened) s.axes[axis].clear();
      s.xi[axis] = s.axes[axis].xi ? *s.axes[axis].xi : Real(0);
    }
    const Real here = p[node.cell];
    Real push = s.node < source.size() ? source[s.node] : 0;
    if (gamma != 0) push += damping(node, p, p_old, static_cast<Real>(gamma));
    s.drift = node.inertia * (here - p_old[node.cell]) + node.gain * push;
  }
}

/// lambda^2 (v + xi) of an axis; sets what the layer itself could not know.
template <class Real>
Real LayerNodes<Real>::axis_term(const CutNode<Real>& node, int axis, Selected& selected,
                                 std::span<const Real> p) const {
  const AxisMemory& memory = selected.axes[axis];
  const Real low = node.area[2 * axis], high = node.area[2 * axis + 1], here = p[node.cell];
  if (low == 0 && memory.psi_low) *memory.psi_low = 0;
  if (high == 0 && memory.psi_high) *memory.psi_high = 0;
  const Real flux = high * ((p[node.neighbour[2 * axis + 1]] - here) + memory.high()) -
                    low * ((here - p[node.neighbour[2 * axis]]) + memory.low());
  const Real push = node.gain * flux;
  if (!memory.xi) return push;
  *memory.xi =
      node.gain > 0 ? memory.b * selected.xi[axis] + memory.a * (push / courant2_) : Real(0);
  return push + courant2_ * *memory.xi;
}

template <class Real>
void LayerNodes<Real>::after(std::span<const CutNode<Real>> nodes, std::span<const Real> p,
                             std::span<Real> p_new) {
  for (Selected& s : selected_) {
    const CutNode<Real>& node = nodes[s.node];
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += axis_term(node, axis, s, p);
    p_new[node.cell] = node.gain > 0 ? p[node.cell] + (s.drift + sum) : 0;
  }
}

template class LayerNodes<float>;
template class LayerNodes<double>;

}  // namespace peal::wave
