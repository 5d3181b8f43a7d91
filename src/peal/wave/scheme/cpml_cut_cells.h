#pragma once

#include <peal/wave/grid/field_layout.h>
#include <peal/wave/scheme/cpml.h>
#include <peal/wave/scheme/cut_cells.h>
#include <peal/wave/scheme/layer_selection.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// Cut cells inside the PML, so that bodies may cross it. They have the recursion of the layer
/// (cpml.h) with the open areas and volumes of the cut-cell scheme (cut_cells.h):
///
///     v = sum over the axis' faces and links of A (D + psi) / Vs,   xi <- b xi + a v
///     p_new = p_new of the cut cells + lambda^2 (sum over axes of
///               (sum over its faces and links of A psi / Vs) + xi)
///
/// so everything else that drives a node (walls, damping, the other side of a rim) is unchanged.
/// The volume is inside the recursion, which matters in motion only: memory from when a cell was
/// larger must not be divided by its smaller volume.
///
/// psi of an open face depends on pressures alone, and the layer itself advances it. The pressure
/// behind a closed face is not that of air, so its psi is kept at 0, and a cell that opens starts
/// with psi = 0 on all its faces and xi = 0. psi of links, and xi of the further subcells of split
/// cells, are stored here.
///
/// In a step of the cut cells:
///
///     select(cells), if the list has changed;   before(cells);   CutCells::update;
///     the plain scheme;   CutCells::overwrite;   after(cells, ...)
///
/// `before` must precede update, which clears the list of opened cells.
template <class Real>
class CpmlCutCells {
 public:
  /// The layer must not move in memory.
  CpmlCutCells(Cpml<Real>& layer, double courant);

  /// Finds the nodes and links in the layer. Those that existed before keep their memory.
  void select(const CutCells<Real>& cells);

  void before(const CutCells<Real>& cells);
  void after(CutCells<Real>& cells, std::span<const Real> p, std::span<Real> p_new);

  std::size_t count() const { return selected_.size(); }  ///< nodes in the layer

 private:
  using AxisMemory = typename Cpml<Real>::AxisMemory;
  struct Selected {
    std::uint32_t node;  ///< index in the list
    std::array<AxisMemory, 3> axes{};
    std::array<Real, 3> xi{};         ///< before the step
    std::array<Real, 3> own_xi{};     ///< of a further subcell, which the layer has no memory for
    std::array<Real, 3> link_flux{};  ///< sum over links of A D
    std::array<Real, 3> link_bend{};  ///< sum over links of A psi
  };
  struct CpmlLink {
    std::uint32_t link;  ///< index in the list
    int axis;
    Real a, b;  ///< coefficients of psi
    Real psi = 0;
    std::uint32_t low, high;  ///< its ends in selected_, or `none`
  };
  static constexpr std::uint32_t none = LayerSelection::none;

  void add_links(const CutCells<Real>& cells, std::span<const Real> p);
  Real axis_term(const CutNode<Real>& node, int axis, const Selected& selected,
                 std::span<const Real> p) const;

  Cpml<Real>& layer_;
  Real courant2_;
  LayerSelection selection_;
  std::vector<Selected> selected_;  ///< by node of the selection
  std::vector<CpmlLink> links_;     ///< by link of the selection
};

extern template class CpmlCutCells<float>;
extern template class CpmlCutCells<double>;

}  // namespace peal::wave
