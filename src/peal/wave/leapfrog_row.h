#pragma once

#include <cstddef>

namespace peal::wave {

/// The rows around a row of cells: what the 7-point Laplacian reads. West and east are the
/// neighbours in `centre` itself, which has one more value at both ends.
template <class Real>
struct Star {
  const Real* centre = nullptr;
  const Real *south = nullptr, *north = nullptr;  ///< y - 1, y + 1
  const Real *below = nullptr, *above = nullptr;  ///< z - 1, z + 1
};

/// h^2 times the Laplacian (Wang et al. 2018, equation (5)). The sum of six equal values rounds as
/// six times the value, so a constant field has exactly none: otherwise its mean would run away.
template <class Real>
inline Real laplacian(Real centre, Real west, Real east, Real south, Real north, Real below,
                      Real above) {
  return ((west + east) + (south + north) + (below + above)) - Real(6) * centre;
}

/// p_new = 2 p - p_old + lambda^2 L (equation (3)), summed from the small to the large: one
/// rounding of the size of p.
template <class Real>
inline Real leapfrog(Real p, Real p_old, Real courant2, Real lap) {
  return p + ((p - p_old) + courant2 * lap);
}

/// A row of n cells; p_old becomes p_new. `w` is p or, with viscosity, p + alpha / (c tau)
/// (p - p_old); `extra` is a further term in the Laplacian if `has_extra`. The cells of a last,
/// partial cache line are worked on as one vector, padding included: `in_grid` is 1 for them and 0
/// for the padding, which therefore stays 0.
template <bool has_extra, class Real>
inline void leapfrog_row(int n, Real courant2, const Real* p, const Star<Real>& w,
                         const Real* extra, const Real* in_grid, Real* __restrict p_old) {
  constexpr int line = 64 / sizeof(Real), few = line / 4;
  const Real *c = w.centre, *s = w.south, *t = w.north, *b = w.below, *a = w.above;
  const auto advanced = [&](int x) {
    const Real lap = laplacian(c[x], c[x - 1], c[x + 1], s[x], t[x], b[x], a[x]);
    return leapfrog(p[x], p_old[x], courant2, has_extra ? lap + extra[x] : lap);
  };
  const int whole = n / line * line, rest = n - whole;
  for (int x = 0; x < whole; ++x) p_old[x] = advanced(x);
  if (rest > few) {
    for (int i = 0; i < line; ++i) p_old[whole + i] = in_grid[i] * advanced(whole + i);
  } else if (rest > 0) {
    Real values[few];
    for (int i = 0; i < few; ++i) values[i] = in_grid[i] * advanced(whole + i);
    for (int i = 0; i < few; ++i) p_old[whole + i] = values[i];
  }
}

/// Rows one after another, `stride` values apart; the arguments are those of the first.
template <class Real>
void leapfrog_rows(int rows, std::ptrdiff_t stride, int n, Real courant2, const Real* p,
                   Star<Real> w, const Real* in_grid, Real* p_old) {
  for (int row = 0; row < rows; ++row, p += stride, p_old += stride) {
    leapfrog_row<false>(n, courant2, p, w, static_cast<const Real*>(nullptr), in_grid, p_old);
    for (const Real** neighbour : {&w.centre, &w.south, &w.north, &w.below, &w.above}) {
      *neighbour += stride;
    }
  }
}

}  // namespace peal::wave
