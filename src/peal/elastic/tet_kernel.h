#pragma once

#include <peal/elastic/small_matrix.h>

#include <array>
#include <cstddef>

// Arithmetic of tetrahedra, for one element (V = double) or several at once (V = lanes).
namespace peal::elastic {

/// lambda tr(E) I + 2 mu E for Green's strain E = (F^T F - 1) / 2, as F S: the first
/// Piola-Kirchhoff stress of the Saint Venant-Kirchhoff solid.
template <class V, class C>
[[gnu::always_inline]] inline Matrix3<V> stress_of(const Matrix3<V>& F, const C& lambda,
                                                   const C& mu) {
  const Symmetric3<V> E = green_strain(F);
  const V pressure = lambda * (E[0] + E[1] + E[2]);
  const C twice = mu + mu;
  return times_symmetric(F, {pressure + twice * E[0], pressure + twice * E[1],
                             pressure + twice * E[2], twice * E[3], twice * E[4], twice * E[5]});
}

template <class V, class C>
[[gnu::always_inline]] inline V energy_density(const Matrix3<V>& F, const C& lambda, const C& mu) {
  const Symmetric3<V> E = green_strain(F);
  const V trace = E[0] + E[1] + E[2];
  const V square =
      E[0] * E[0] + E[1] * E[1] + E[2] * E[2] + 2.0 * (E[3] * E[3] + E[4] * E[4] + E[5] * E[5]);
  return 0.5 * lambda * trace * trace + mu * square;
}

/// Four nodes, constant strain (O'Brien, Cook & Essl 2001; O'Brien & Hodgins 1999).
struct Tet4 {
  static constexpr int nodes = 4;
  static constexpr bool is_lattice = false;
  /// B (9, row by row): F = sum_i x_i (x) B_i over the first three edges; then lambda V and mu V
  /// [J].
  static constexpr int constants = 11;

  template <class V, class C>
  [[gnu::always_inline]] static Matrix3<V> gradient(const V (&x)[4][3], const C* c) {
    Matrix3<V> F;
    for (int i = 0; i < 3; ++i) {
      const V a = x[1][i] - x[0][i], b = x[2][i] - x[0][i], d = x[3][i] - x[0][i];
      for (int j = 0; j < 3; ++j) F[i][j] = a * c[j] + b * c[3 + j] + d * c[6 + j];
    }
    return F;
  }

  template <class V, class C>
  [[gnu::always_inline]] static void force(const V (&x)[4][3], const C* c, V (&f)[4][3]) {
    const Matrix3<V> P = stress_of(gradient(x, c), c[9], c[10]);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        f[k + 1][i] = -(P[i][0] * c[3 * k] + P[i][1] * c[3 * k + 1] + P[i][2] * c[3 * k + 2]);
      }
      f[0][i] = -(f[1][i] + f[2][i] + f[3][i]);
    }
  }

  static double energy(const double (&x)[4][3], const double* c) {
    return energy_density(gradient(x, c), c[9], c[10]);
  }
  static double volume_ratio(const double (&x)[4][3], const double* c) {
    return determinant(gradient(x, c));
  }
};

/// Ten nodes with straight edges, four points of quadrature: corners 0 to 3, then the middles of
/// the edges in the order of geometry::tet_edges.
struct Tet10 {
  static constexpr int nodes = 10;
  static constexpr bool is_lattice = false;
  /// As of Tet4, but lambda V / 4 and mu V / 4: those of one point.
  static constexpr int constants = 11;

  static constexpr double near =
      0.5854101966249685;                            ///< (5 + 3 sqrt 5) / 20, at the point's corner
  static constexpr double far = 0.1381966011250105;  ///< (5 - sqrt 5) / 20, at the others

  /// dx/dL_k - dx/dL_0 at point q: nodes' weights are 4 L - 1 for corners and 4 L_other for
  /// middles.
  template <class V>
  [[gnu::always_inline]] static void slopes(const V (&x)[10][3], int q, int i, V (&g)[4]) {
    constexpr int middle[4][4] = {{-1, 4, 5, 6}, {4, -1, 7, 8}, {5, 7, -1, 9}, {6, 8, 9, -1}};
    for (int k = 0; k < 4; ++k) {
      const double here = k == q ? near : far;
      V sum = (4.0 * here - 1.0) * x[k][i];
      for (int o = 0; o < 4; ++o) {
        if (o != k) sum += 4.0 * (o == q ? near : far) * x[middle[k][o]][i];
      }
      g[k] = sum;
    }
  }

  template <class V, class C>
  [[gnu::always_inline]] static Matrix3<V> gradient(const V (&x)[10][3], const C* c, int q) {
    Matrix3<V> F;
    for (int i = 0; i < 3; ++i) {
      V g[4];
      slopes(x, q, i, g);
      const V a = g[1] - g[0], b = g[2] - g[0], d = g[3] - g[0];
      for (int j = 0; j < 3; ++j) F[i][j] = a * c[j] + b * c[3 + j] + d * c[6 + j];
    }
    return F;
  }

  template <class V, class C>
  [[gnu::always_inline]] static void force(const V (&x)[10][3], const C* c, V (&f)[10][3]) {
    constexpr int middle[4][4] = {{-1, 4, 5, 6}, {4, -1, 7, 8}, {5, 7, -1, 9}, {6, 8, 9, -1}};
    for (auto& node : f) node[0] = node[1] = node[2] = V{};
    for (int q = 0; q < 4; ++q) {
      const Matrix3<V> P = stress_of(gradient(x, c, q), c[9], c[10]);
      for (int i = 0; i < 3; ++i) {
        V h[4];  // what the slopes of this point carry
        for (int k = 0; k < 3; ++k) {
          h[k + 1] = -(P[i][0] * c[3 * k] + P[i][1] * c[3 * k + 1] + P[i][2] * c[3 * k + 2]);
        }
        h[0] = -(h[1] + h[2] + h[3]);
        for (int k = 0; k < 4; ++k) {
          const double here = k == q ? near : far;
          f[k][i] += (4.0 * here - 1.0) * h[k];
          for (int o = 0; o < 4; ++o) {
            if (o != k) f[middle[k][o]][i] += 4.0 * (o == q ? near : far) * h[k];
          }
        }
      }
    }
  }

  static double energy(const double (&x)[10][3], const double* c) {
    double sum = 0.0;
    for (int q = 0; q < 4; ++q) sum += energy_density(gradient(x, c, q), c[9], c[10]);
    return sum;
  }
  static double volume_ratio(const double (&x)[10][3], const double* c) {
    double least = determinant(gradient(x, c, 0));
    for (int q = 1; q < 4; ++q) least = std::min(least, determinant(gradient(x, c, q)));
    return least;
  }
};

}  // namespace peal::elastic
