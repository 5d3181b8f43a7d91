#pragma once

#include <peal/wave/field.h>
#include <peal/wave/leapfrog_row.h>
#include <peal/wave/sides.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace peal::wave {

struct LayerSettings {
  int cells = 8;             ///< thickness N; 6 are enough for -70 dB at normal incidence
  double reflection = 1e-5;  ///< R0, the continuous layer's reflection at normal incidence
  double pole_shift =
      2e-3;  ///< alpha, per step; waves slower than alpha / (2 pi tau) are not damped
};

/// A convolutional perfectly matched layer for the second-order wave equation (Roden & Gedney 2000
/// give the recursion for Maxwell's equations; here it acts on faces, then on cells).
///
/// Along each axis, with the difference D of the pressures on both sides of a face:
///
///     face:  psi <- b psi + a D,    flux = A (D + psi)
///     cell:  v = sum of the axis' two fluxes,    xi <- b xi + a v
///     p_new = 2 p - p_old + lambda^2 / V * (sum over axes of v + xi)
///
///     b = exp(-d - alpha),  a = d / (d + alpha) (b - 1)
///     d = d0 (depth / N)^2,  d0 = -3 lambda ln(R0) / (2 N)
///
/// and p = 0 beyond the last cell. With alpha = 0 anything static may stay in the layer for ever
/// and rounding sets it moving: noise of 1 grew to 1.6 in 1e5 steps in float. With alpha > 0 it
/// seeps out. Memory exists inside the layer only, one psi (of the face on the outer side) and one
/// xi for each cell and axis. Here A = V = 1; nodes where a body cuts the layer are overwritten
/// with the help of `axis_memory` (layer_nodes.h): psi does not depend on A, so it is right for
/// them too, only xi and p_new are not.
template <class Real>
class AbsorbingLayer {
 public:
  /// Sides that are not Side::absorbing_layer have no layer. The grid must be at least two layers
  /// long on every axis that has one.
  AbsorbingLayer(const Cell& size, const Sides& sides, double courant,
                 const LayerSettings& settings = {});

  /// The rows [first, second) of a plane that lie in no y or z layer.
  std::pair<int, int> plain_rows(int z) const;
  /// Advances the memory of the row's y and z layers and puts their terms in the Laplacian to
  /// `extra`. Returns false, with `extra` untouched, if the row is in neither. A step must call
  /// this once for each row that is not plain, y and z ascending.
  bool row_terms(int y, int z, const Star<Real>& w, Real* extra);

  /// The same for the x layers at both ends of a plane's rows, added to the finished rows. `w` is
  /// the first row, of `stride` values; its rows are read one value beyond their ends.
  void end_terms(int z, const Real* w, std::size_t stride, Real courant2, Real* p_new);

  /// What the recursion knows of one cell along one axis. Stays valid as long as the layer.
  struct AxisMemory {
    Real *psi_low = nullptr, *psi_high = nullptr;  ///< of the cell's two faces; null for 0
    Real outwards = 0;   ///< 1 at a high side, -1 at a low one: the direction of D for psi
    Real* xi = nullptr;  ///< null outside the layer
    Real a = 0, b = 0;   ///< of the cell

    /// psi for D towards higher coordinates.
    Real low() const { return psi_low ? outwards * *psi_low : Real(0); }
    Real high() const { return psi_high ? outwards * *psi_high : Real(0); }
    void clear() const {
      for (Real* value : {psi_low, psi_high, xi}) {
        if (value) *value = 0;
      }
    }
  };
  AxisMemory axis_memory(int axis, const Cell& cell);
  bool contains(const Cell& cell) const {
    return place(0, cell[0]).side >= 0 || place(1, cell[1]).side >= 0 ||
           place(2, cell[2]).side >= 0;
  }

  std::size_t bytes() const;

 private:
  /// Rows of one layer: psi and xi of cell k (0 = outermost) in row `index(k, other)`.
  struct Slab {
    AlignedArray<Real> psi, xi;
  };
  /// Where a coordinate lies in the layers of its axis.
  struct Place {
    int side = -1;  ///< 0 low, 1 high, -1 in neither
    int depth = 0;  ///< cells from the outside
  };

  Place place(int axis, int coordinate) const {
    const int from_high = size_[axis] - 1 - coordinate;
    if (coordinate < cells_ && sides_[2 * axis] == Side::absorbing_layer) return {0, coordinate};
    if (from_high < cells_ && sides_[2 * axis + 1] == Side::absorbing_layer) return {1, from_high};
    return {};
  }
  std::size_t row_index(int axis, int depth, int y, int z) const;
  Real* end_block(int side, int y, int z);
  template <bool Add>
  void slab_terms(int axis, Place place, int y, int z, const Star<Real>& w, Real* extra);

  Cell size_;
  Sides sides_;
  int cells_;
  std::size_t stride_;
  std::vector<Real> face_a_, face_b_;  ///< by depth of the cell inside the face; [cells_] is 0
  std::vector<Real> cell_a_, cell_b_;  ///< by depth
  std::array<std::array<Slab, 2>, 3> slabs_;  ///< [axis][side]; x uses psi alone, see end_block

  /// Coefficients of an x layer in the order of x: own face, inner face, cell.
  struct EndCoefficients {
    std::vector<Real> own_a, own_b, inner_a, inner_b, cell_a, cell_b;
  };
  int end_width_ = 0;  ///< cells of an x layer, rounded up to whole vectors
  std::array<EndCoefficients, 2> ends_;
};

extern template class AbsorbingLayer<float>;
extern template class AbsorbingLayer<double>;

}  // namespace peal::wave
