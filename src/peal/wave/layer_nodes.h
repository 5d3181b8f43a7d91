#pragma once

#include <peal/wave/absorbing_layer.h>
#include <peal/wave/cut_cells.h>
#include <peal/wave/field.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// Where a field's values lie in field.values().
template <class Real>
FieldLayout layout_of(const Field<Real>& field) {
  return {
      .offset = static_cast<std::size_t>(field.row(0, 0) - field.values().data()),
      .stride = {1, field.stride(), field.stride() * static_cast<std::size_t>(field.size()[1])}};
}

/// Cut cells inside the absorbing layer, so that bodies may cross it. The layer's recursion
/// (absorbing_layer.h) with the open areas and volumes of the cut-cell scheme (cut_cells.h):
///
///     v = sum over the axis' two faces of A (D + psi) / Vs,   xi <- b xi + a v
///     p_new = p_new of the cut cells + lambda^2 (sum over axes of
///               (sum over its two faces of A psi / Vs) + xi)
///
/// so whatever else drives a node (walls, damping, links to other nodes) stays as it is. The volume
/// is inside the recursion, which matters in motion only: what a cell remembers from when it was
/// larger must not be divided by what is left of it.
///
/// psi of an open face depends on pressures alone, and the layer itself advances it. Behind a
/// closed face the pressure is none of the air's: its psi is kept at 0, and a cell that opens
/// starts with psi = 0 on all its faces and xi = 0.
///
/// In a step of the cut cells:
///
///     select(nodes), if the list has changed;   before(nodes);   CutCells::update;
///     the plain scheme;   CutCells::overwrite;   after(nodes, ...)
///
/// `before` must precede update, which forgets what has opened. Nodes whose place is not in the
/// field are left to the cut cells.
template <class Real>
class LayerNodes {
 public:
  /// The layer is that of a field of this size and layout, and must stay where it is.
  LayerNodes(const Cell& size, const FieldLayout& layout, AbsorbingLayer<Real>& layer,
             double courant);

  /// Finds the nodes in the layer.
  void select(std::span<const CutNode<Real>> nodes);

  void before(std::span<const CutNode<Real>> nodes);
  void after(std::span<const CutNode<Real>> nodes, std::span<const Real> p, std::span<Real> p_new);

  std::size_t count() const { return selected_.size(); }  ///< nodes in the layer

 private:
  using AxisMemory = typename AbsorbingLayer<Real>::AxisMemory;
  struct Selected {
    std::uint32_t node;  ///< number in the list
    std::array<AxisMemory, 3> axes;
    std::array<Real, 3> xi;  ///< before the step
  };

  Real axis_term(const CutNode<Real>& node, int axis, Selected& selected,
                 std::span<const Real> p) const;

  Cell size_;
  FieldLayout layout_;
  AbsorbingLayer<Real>& layer_;
  Real courant2_;
  std::vector<Selected> selected_;
};

extern template class LayerNodes<float>;
extern template class LayerNodes<double>;

}  // namespace peal::wave
