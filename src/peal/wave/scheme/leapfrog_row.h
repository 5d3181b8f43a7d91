#pragma once

#include <peal/wave/grid/lanes.h>
#include <peal/wave/scheme/step_arithmetic.h>

#include <cstddef>

namespace peal::wave {

/// The rows around a row of cells that the 7-point Laplacian reads. The west and east neighbours
/// are in `centre` itself, which has one more value at both ends.
template <class Real>
struct Star {
  const Real* centre = nullptr;
  const Real *south = nullptr, *north = nullptr;  ///< y - 1, y + 1
  const Real *below = nullptr, *above = nullptr;  ///< z - 1, z + 1
};

/// The memory of the PML for a row along y or z (cpml.h).
template <class Real>
struct SlabRow {
  struct Coefficients {
    Real face_a = 0, face_b = 0;  ///< of the faces to higher coordinates
    Real cell_a = 0, cell_b = 0;
  };

  const Real* psi_low = nullptr;  ///< of the faces to lower coordinates, at this step
  Real* psi_high = nullptr;       ///< of the faces to higher coordinates, at the last step
  Real* xi = nullptr;
  const Coefficients* coefficients = nullptr;
  std::ptrdiff_t stride = 0;              ///< from one row to the next
  std::ptrdiff_t coefficient_stride = 0;  ///< from one row to the next

  void advance() {
    psi_low += stride, psi_high += stride, xi += stride, coefficients += coefficient_stride;
  }

  /// Advances the memory at x; returns v + xi, the axis' part of the Laplacian.
  template <class Vector>
  [[gnu::always_inline]] Vector term(int x, const Coefficients& c, const Vector& low,
                                     const Vector& centre, const Vector& high) const {
    const Vector up = high - centre, down = centre - low;
    const Vector psi = layer_memory(c.face_b, load<Vector>(psi_high + x), c.face_a, up);
    const Vector v = layer_divergence<Vector>(up, down, psi - load<Vector>(psi_low + x));
    const Vector memory = layer_memory(c.cell_b, load<Vector>(xi + x), c.cell_a, v);
    store(psi_high + x, psi);
    store(xi + x, memory);
    return v + memory;
  }
};

/// The memory of the PML for the first or last vector of a row, along x. psi belongs to the faces
/// on the outer side; that of the innermost face is 0.
template <class Real>
struct RowEnd {
  struct Coefficients {
    Lanes<Real> face_a, face_b, cell_a, cell_b;
  };

  Real* memory = nullptr;  ///< psi, then xi
  const Coefficients* coefficients = nullptr;

  void advance() { memory += 2 * lanes<Real>; }

  /// Advances the memory; returns the term to add to p_new, over lambda^2.
  template <int side>
  [[gnu::always_inline]] Lanes<Real> term(const Coefficients& c, const Lanes<Real>& west,
                                          const Lanes<Real>& centre,
                                          const Lanes<Real>& east) const {
    using Vector = Lanes<Real>;
    const Vector up = east - centre, down = centre - west;
    const Vector psi =
        layer_memory<Vector>(c.face_b, load<Vector>(memory), c.face_a, side == 0 ? down : up);
    const Vector bend =
        side == 0 ? from_second<Real>(psi, Vector{}) - psi : psi - from_last<Real>(Vector{}, psi);
    const Vector xi = layer_memory<Vector>(c.cell_b, load<Vector>(memory + lanes<Real>), c.cell_a,
                                           layer_divergence<Vector>(up, down, bend));
    store(memory, psi);
    store(memory + lanes<Real>, xi);
    return bend + xi;
  }
};

/// Both ends of a row. They are processed with the row if its length is a whole number of vectors
/// and each layer fits into one.
template <class Real>
struct RowEnds {
  RowEnd<Real> low, high;
  void advance() { low.advance(), high.advance(); }

  /// Copies of the coefficients. The compiler must assume that a store might change the originals,
  /// and would load them again for each row.
  struct Coefficients {
    typename RowEnd<Real>::Coefficients low, high;
  };
  Coefficients coefficients() const { return {*low.coefficients, *high.coefficients}; }
};

/// h^2 times the Laplacian at x, with the terms of the layers along y and z.
template <bool in_y, bool in_z, class Vector, class Real>
[[gnu::always_inline]] inline Vector laplacian(int x, const Vector& west, const Vector& centre,
                                               const Vector& east, const Star<Real>& w,
                                               const SlabRow<Real>& y, const SlabRow<Real>& z,
                                               const typename SlabRow<Real>::Coefficients& cy,
                                               const typename SlabRow<Real>::Coefficients& cz) {
  const auto at = [x](const Real* row) { return load<Vector>(row + x); };
  const Vector south = at(w.south), north = at(w.north), below = at(w.below), above = at(w.above);
  if constexpr (in_y && in_z) {
    return laplacian_of_two<Real, Vector>(west, east, centre, y.term(x, cy, south, centre, north),
                                          z.term(x, cz, below, centre, above));
  } else if constexpr (in_y) {
    return laplacian_of_four<Real, Vector>(west, east, below, above, centre,
                                           y.term(x, cy, south, centre, north));
  } else if constexpr (in_z) {
    return laplacian_of_four<Real, Vector>(west, east, south, north, centre,
                                           z.term(x, cz, below, centre, above));
  } else {
    return laplacian_of_six<Real, Vector>(west, east, south, north, below, above, centre);
  }
}

/// Advances a row of n cells; p_old becomes p_new. `w` is p or, if `viscous`, p + alpha / (c tau)
/// (p - p_old); `y` and `z` are used in layers only. The cells of a last, partial vector are
/// processed like a whole one, padding included: `in_grid` is 1 for cells and 0 for the padding,
/// which therefore stays 0.
template <bool viscous, bool in_y, bool in_z, bool ends, class Real>
[[gnu::always_inline]] inline void leapfrog_row(int n, Real courant2, const Real* p,
                                                const Star<Real>& w, const SlabRow<Real>& y,
                                                const SlabRow<Real>& z, const RowEnds<Real>& x_ends,
                                                const typename RowEnds<Real>::Coefficients& cx,
                                                const Real* in_grid, Real* p_old) {
  // Copy the coefficients, because the compiler must assume that a store might change them.
  typename SlabRow<Real>::Coefficients cy, cz;
  if constexpr (in_y) cy = *y.coefficients;
  if constexpr (in_z) cz = *z.coefficients;
  const auto advanced = [&]<class Vector>(int x, const Vector& centre, const Vector& lap) {
    return leapfrog(viscous ? load<Vector>(p + x) : centre, load<Vector>(p_old + x), courant2, lap);
  };
  const auto lap_at = [&]<class Vector>(int x, const Vector& west, const Vector& centre,
                                        const Vector& east) {
    return laplacian<in_y, in_z>(x, west, centre, east, w, y, z, cy, cz);
  };
  // Advances a single vector; `end` adds the terms of the x layer, after everything else, as
  // Cpml::end_terms does: the sum is the same whether they fit the row or not.
  const auto single = [&](int x, auto end) {
    using Vector = Lanes<Real>;
    const auto west = load<Vector>(w.centre + x - 1), centre = load<Vector>(w.centre + x);
    const auto east = load<Vector>(w.centre + x + 1);
    return end(advanced(x, centre, lap_at(x, west, centre, east)), west, centre, east);
  };
  const auto plain = [](const auto& next, const auto&...) { return next; };
  int x = 0;
  if constexpr (ends) {
    store(p_old, single(0, [&](const auto& next, const auto&... star) {
            return next + courant2 * x_ends.low.template term<0>(cx.low, star...);
          }));
    for (x = lanes<Real>; x < wide_lanes<Real>; x += lanes<Real>)
      store(p_old + x, single(x, plain));
  }
  const int last = ends ? n - lanes<Real> : n;
  // Take the neighbours along x from the vectors at hand: loads across cache lines are slow.
  using Wide = WideLanes<Real>;
  Wide before = load<Wide>(w.centre + x - wide_lanes<Real>), centre = load<Wide>(w.centre + x);
  for (; x + wide_lanes<Real> <= last; x += wide_lanes<Real>) {
    const Wide after = load<Wide>(w.centre + x + wide_lanes<Real>);
    const Wide lap =
        lap_at(x, from_last<Real>(before, centre), centre, from_second<Real>(centre, after));
    store(p_old + x, advanced(x, centre, lap));
    before = centre;
    centre = after;
  }
  for (; x + lanes<Real> <= last; x += lanes<Real>) store(p_old + x, single(x, plain));
  if constexpr (ends) {
    store(p_old + x, single(x, [&](const auto& next, const auto&... star) {
            return next + courant2 * x_ends.high.template term<1>(cx.high, star...);
          }));
  } else if (x < n) {
    store(p_old + x, load<Lanes<Real>>(in_grid) * single(x, plain));
  }
}

/// Advances consecutive rows, `stride` values apart. The arguments are those of the first row,
/// except for `north` of the star, which is that of the last.
template <bool viscous, bool in_y, bool in_z, bool ends, class Real>
void leapfrog_rows(int rows, std::ptrdiff_t stride, int n, Real courant2, const Real* p,
                   const Star<Real>& star, const SlabRow<Real>& first_y,
                   const SlabRow<Real>& first_z, const RowEnds<Real>& first_ends,
                   const Real* in_grid, Real* p_old) {
  Star<Real> w = star;
  SlabRow<Real> y = first_y, z = first_z;
  RowEnds<Real> x_ends = first_ends;
  typename RowEnds<Real>::Coefficients cx{};
  if constexpr (ends) cx = x_ends.coefficients();
  for (int row = 0; row < rows; ++row, p += stride, p_old += stride) {
    w.north = row + 1 < rows ? w.centre + stride : star.north;
    leapfrog_row<viscous, in_y, in_z, ends>(n, courant2, p, w, y, z, x_ends, cx, in_grid, p_old);
    w.south = w.centre;
    w.centre += stride, w.below += stride, w.above += stride;
    if constexpr (in_y) y.advance();
    if constexpr (in_z) z.advance();
    if constexpr (ends) x_ends.advance();
  }
}

}  // namespace peal::wave
