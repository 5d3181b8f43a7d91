#pragma once

#include <peal/wave/grid/field.h>
#include <peal/wave/grid/sides.h>
#include <peal/wave/scheme/leapfrog_row.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace peal::wave {

struct CpmlSettings {
  int cells = 5;  ///< thickness N
};

/// d / lambda and alpha D / lambda, D: longest side [cells]; see Cpml.
struct CpmlProfile {
  double damping = 0.0, shift = 0.0;
};

/// The profile at a number of half cells within the layer: odd for cells, even for faces.
///
/// A layer of 5 cells has the values that reflect waves of 4 to 300 cells per wavelength at 0 to 80
/// degrees, and near fields, the least, according to the exact reflection of the discrete layer
/// (scripts/layer-profile). From 6 cells per wavelength on, it reflects as little as 6 cells with
/// the usual profile (-46 dB at 6.4 cells, -67 dB from 10 to 80, up to 65 degrees); waves of 5
/// cells are reflected by -29 instead of -39 dB. Other layers have the usual profile:
///
///     d = -3 lambda ln(R0) / (2 N) (depth / N)^2,  R0 = 1e-5
///     alpha = 5 (lambda / D) (1 - 0.9 depth / N)
CpmlProfile cpml_profile(const CpmlSettings& settings, int half_cells);

/// The coefficients a and b of the recursions in a layer of a grid (see Cpml).
template <class Real>
struct LayerCoefficients {
  std::vector<Real> face_a, face_b;  ///< by depth of the cell inside the face; the last one is 0
  std::vector<Real> cell_a, cell_b;  ///< by depth
};
template <class Real>
LayerCoefficients<Real> layer_coefficients(const Cell& size, double courant,
                                           const CpmlSettings& settings);

/// A convolutional perfectly matched layer for the second-order wave equation (Roden & Gedney 2000
/// give the recursion for Maxwell's equations; here it acts on faces, then on cells).
///
/// Along each axis, with the difference D of the pressures on both sides of a face:
///
///     face:  psi <- b psi + a D,    flux = A (D + psi)
///     cell:  v = sum of the axis' two fluxes,    xi <- b xi + a v
///     p_new = 2 p - p_old + lambda^2 / V * (sum over axes of v + xi)
///
///     b = exp(-d - alpha),  a = d / (d + alpha) (b - 1),  d and alpha by depth: cpml_profile()
///
/// and p = 0 beyond the last cell. For fields slower than alpha, the layer is a long real one
/// instead of a damping one. That is right for sound that is still a near field throughout the box,
/// which a layer that damps everything reflects (with alpha = 2e-3 throughout, a dipole in a box of
/// 117 cells was off by 2.8 % at a wavelength of 550 cells; now 0.05 %, as with a layer of 20
/// cells). Waves that fit into the box are faster than alpha almost everywhere in the layer. With
/// alpha = 0, static fields may stay in the layer for ever and are excited by rounding: noise of 1
/// grew to 1.6 in 1e5 steps in float. With alpha > 0 they decay. Memory exists inside the layer
/// only, one psi and one xi for each cell and axis. Here A = V = 1. Nodes where a body cuts the
/// layer are overwritten with the help of `axis_memory` (cpml_cut_cells.h): psi does not depend on
/// A, so it is correct for them too; only xi and p_new are not.
///
/// Cells of a y or z layer get their terms within the sweep over the rows (SlabRow), y and z
/// ascending: a cell advances the face above it, and the face below it is already advanced.
template <class Real>
class Cpml {
 public:
  /// Sides other than Side::absorbing_layer have no layer. Throws std::invalid_argument if the grid
  /// is shorter than two layers along an axis that has one.
  Cpml(const Cell& size, const Sides& sides, double courant, const CpmlSettings& settings = {});

  /// The rows outside the y layers, [first, second): [0, first) and [second, size) are in layers.
  std::pair<int, int> rows_between() const {
    const int low = sides_[2] == Side::absorbing_layer ? cells_ : 0;
    const int high = sides_[3] == Side::absorbing_layer ? cells_ : 0;
    return {low, size_[1] - high};
  }
  bool has_ends() const {
    return sides_[0] == Side::absorbing_layer || sides_[1] == Side::absorbing_layer;
  }
  /// Whether the x layers can be processed with their rows, see RowEnds.
  bool ends_fit_rows() const {
    return sides_[0] == Side::absorbing_layer && sides_[1] == Side::absorbing_layer &&
           end_width_ == lanes<Real> && size_[0] % lanes<Real> == 0 &&
           size_[0] >= wide_lanes<Real> + lanes<Real>;
  }
  /// The memory of the ends of a row, and of the following rows.
  RowEnds<Real> row_ends(int y, int z) {
    return {.low = {.memory = end_block(0, y, z), .coefficients = &row_ends_[0]},
            .high = {.memory = end_block(1, y, z), .coefficients = &row_ends_[1]}};
  }
  bool plane_in_layer(int z) const { return index(2, z).side >= 0; }

  /// The memory of a row in a layer along `axis` (1 or 2), and by its strides that of the following
  /// rows in the same layer. It must be advanced once per step, in the order of the coordinates.
  SlabRow<Real> slab_row(int axis, int y, int z) {
    const LayerPosition at = index(axis, axis == 1 ? y : z);
    return {.psi_low = psi_row(axis, at.side, at.index, y, z),
            .psi_high = psi_row(axis, at.side, at.index + 1, y, z),
            .xi = xi_row(axis, at.side, at.index, y, z),
            .coefficients = &slab_coefficients_[at.side][at.index],
            .stride = static_cast<std::ptrdiff_t>(stride_),
            .coefficient_stride = axis == 1 ? 1 : 0};
  }
  /// Advances the faces at the grid's low end of an axis, which are not the upper faces of any row,
  /// for `rows` rows of cells from `centre` on. Call it before the cells' own rows.
  void advance_lowest_faces(int axis, int y, int z, int rows, const Real* centre,
                            std::size_t stride);

  /// For x layers that do not fit their rows: advances those of the rows [begin, end) of a plane
  /// and adds their terms to the finished rows. `w` is row `begin`, of `stride` values, and is read
  /// one value beyond its ends.
  void end_terms(int begin, int end, int z, const Real* w, std::size_t stride, Real courant2,
                 Real* p_new);

  /// The memory of the recursion for one cell along one axis. The pointers stay valid as long as
  /// the layer exists.
  struct AxisMemory {
    Real *psi_low = nullptr, *psi_high = nullptr;  ///< of the cell's two faces; null for 0
    Real* xi = nullptr;                            ///< null outside the layer
    Real a = 0, b = 0;                             ///< coefficients of the cell

    /// psi of the low and the high face, for D towards higher coordinates.
    Real low() const { return psi_low ? *psi_low : Real(0); }
    Real high() const { return psi_high ? *psi_high : Real(0); }
    void clear() const {
      for (Real* value : {psi_low, psi_high, xi}) {
        if (value) *value = 0;
      }
    }
  };
  AxisMemory axis_memory(int axis, const Cell& cell);
  /// Coefficients a and b of the face between a coordinate and the next one; a is 0 outside the
  /// layer.
  struct FaceRecursion {
    Real a = 0, b = 0;
  };
  FaceRecursion face_recursion(int axis, int low) const;
  bool contains(const Cell& cell) const {
    return index(0, cell[0]).side >= 0 || index(1, cell[1]).side >= 0 ||
           index(2, cell[2]).side >= 0;
  }

  std::size_t bytes() const { return memory_.bytes(); }

 private:
  /// The position of a coordinate in the layers of its axis.
  struct LayerPosition {
    int side = -1;  ///< 0 low, 1 high, -1 in neither
    int depth = 0;  ///< cells from the outside
    int index = 0;  ///< cells from the lowest cell of the layer
  };

  LayerPosition index(int axis, int coordinate) const {
    const int from_high = size_[axis] - 1 - coordinate;
    if (coordinate < cells_ && sides_[2 * axis] == Side::absorbing_layer)
      return {0, coordinate, coordinate};
    if (from_high < cells_ && sides_[2 * axis + 1] == Side::absorbing_layer)
      return {1, from_high, cells_ - 1 - from_high};
    return {};
  }
  /// The memory of a y or z layer: psi of faces 0 to cells_, xi of cells 0 to cells_ - 1, both in
  /// the order of the coordinate. psi of the innermost face is always 0.
  struct Slab {
    std::size_t psi = 0, xi = 0;  ///< offsets in memory_
  };
  // Rows that the sweep visits successively are adjacent: y layers are stored plane by plane, z
  // layers as planes.
  Real* psi_row(int axis, int side, int face, int y, int z) {
    const std::size_t row = axis == 1 ? static_cast<std::size_t>(z) * (cells_ + 1) + face
                                      : static_cast<std::size_t>(face) * size_[1] + y;
    return memory_.data() + slabs_[axis][side].psi + row * stride_;
  }
  Real* xi_row(int axis, int side, int cell, int y, int z) {
    const std::size_t row = axis == 1 ? static_cast<std::size_t>(z) * cells_ + cell
                                      : static_cast<std::size_t>(cell) * size_[1] + y;
    return memory_.data() + slabs_[axis][side].xi + row * stride_;
  }
  /// psi of the outer faces of an x layer in a row, in the order of x, followed by xi `end_width_`
  /// values later.
  Real* end_block(int side, int y, int z) {
    const std::size_t row = static_cast<std::size_t>(z) * size_[1] + y;
    return memory_.data() + slabs_[0][side].psi + row * 2 * end_width_;
  }
  void check_size() const;
  void make_slab_coefficients();
  void make_end_coefficients();
  void make_memory();

  Cell size_;
  Sides sides_;
  int cells_;
  std::size_t stride_;
  std::vector<Real> face_a_, face_b_;  ///< by depth of the cell inside the face; [cells_] is 0
  std::vector<Real> cell_a_, cell_b_;  ///< by depth
  std::array<std::array<Slab, 2>, 3> slabs_;  ///< [axis][side]; along x, `psi` holds psi and xi
  AlignedArray<Real> memory_;                 ///< of all slabs
  /// [side], in the order of the coordinate
  std::array<std::vector<typename SlabRow<Real>::Coefficients>, 2> slab_coefficients_;

  /// Coefficients of an x layer in the order of x.
  struct EndCoefficients {
    std::vector<Real> face_a, face_b, cell_a, cell_b;
  };
  int end_width_ = 0;  ///< cells of an x layer, rounded up to whole vectors
  std::array<EndCoefficients, 2> ends_;
  std::array<typename RowEnd<Real>::Coefficients, 2> row_ends_{};  ///< of an x layer of one vector
};

extern template class Cpml<float>;
extern template class Cpml<double>;

}  // namespace peal::wave
