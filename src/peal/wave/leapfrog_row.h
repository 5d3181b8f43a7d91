#pragma once

namespace peal::wave {

/// The rows around a row of cells: what the 7-point Laplacian reads. West and east are the
/// neighbours in `centre` itself.
template <class Real>
struct Star {
  const Real* centre;
  const Real *south, *north;  ///< y - 1, y + 1
  const Real *below, *above;  ///< z - 1, z + 1
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
/// (p - p_old). Reads w.centre[-1] and w.centre[n]: the caller mends the row's ends.
template <class Real>
inline void leapfrog_row(int n, Real courant2, const Real* p, const Star<Real>& w,
                         Real* __restrict p_old) {
  const Real *c = w.centre, *s = w.south, *t = w.north, *b = w.below, *a = w.above;
  for (int x = 0; x < n; ++x) {
    const Real lap = laplacian(c[x], c[x - 1], c[x + 1], s[x], t[x], b[x], a[x]);
    p_old[x] = leapfrog(p[x], p_old[x], courant2, lap);
  }
}

/// The same with a further term in the Laplacian.
template <class Real>
inline void leapfrog_row(int n, Real courant2, const Real* p, const Star<Real>& w,
                         const Real* extra, Real* __restrict p_old) {
  const Real *c = w.centre, *s = w.south, *t = w.north, *b = w.below, *a = w.above;
  for (int x = 0; x < n; ++x) {
    const Real lap = laplacian(c[x], c[x - 1], c[x + 1], s[x], t[x], b[x], a[x]);
    p_old[x] = leapfrog(p[x], p_old[x], courant2, lap + extra[x]);
  }
}

}  // namespace peal::wave
