#pragma once

#include <peal/elastic/small_matrix.h>

// Arithmetic of tetrahedra, for one element (V = double) or several at once (V = lanes).
namespace peal::elastic {

/// One quadrature point of a tetrahedron of Saint Venant-Kirchhoff material.
///
/// F refers to axes at rest that are the element's own: its first edge lies along the first axis
/// and its second edge in the plane of the first two. The material is isotropic, so that the energy
/// does not change, and B, whose rows are the gradients of L_1 to L_3, becomes triangular. F is
/// also scaled by s = (mu V)^(1/4), where V is the volume that the point stands for: then the
/// energy is alpha tr(E)^2 + E:E with E = (F^T F - s^2) / 2 and alpha = lambda / (2 mu).
struct TetPoint {
  /// Number of constants: the upper triangle of s B [J^(1/4)/m], row by row; s^2 [J^(1/2)]; alpha
  /// [1].
  static constexpr int constants = 8;

  /// A row of F from a row of the slopes dx/dL_k - dx/dL_0, k = 1 to 3.
  template <class V, class C>
  [[gnu::always_inline]] static std::array<V, 3> gradient(const V (&slope)[3], const C* c) {
    return {slope[0] * c[0], slope[0] * c[1] + slope[1] * c[3],
            slope[0] * c[2] + slope[1] * c[4] + slope[2] * c[5]};
  }

  template <class V, class C>
  [[gnu::always_inline]] static Matrix3<V> gradient(const V (&slopes)[3][3], const C* c) {
    return {gradient(slopes[0], c), gradient(slopes[1], c), gradient(slopes[2], c)};
  }

  /// Replaces the slopes by minus the derivative of the energy by them.
  template <class V, class C>
  [[gnu::always_inline]] static void pull(V (&slopes)[3][3], const C* c) {
    const Matrix3<V> F = gradient(slopes, c);
    Symmetric3<V> S = product_less(F, c[6]);
    const V pressure = c[7] * (S[0] + S[1] + S[2]);
    for (int i = 0; i < 3; ++i) S[i] += pressure;
    for (int i = 0; i < 3; ++i) {
      const std::array<V, 3> P = row_times_symmetric(F[i], S);
      slopes[i][0] = -(P[0] * c[0] + P[1] * c[1] + P[2] * c[2]);
      slopes[i][1] = -(P[1] * c[3] + P[2] * c[4]);
      slopes[i][2] = -(P[2] * c[5]);
    }
  }

  static double energy(const double (&slopes)[3][3], const double* c) {
    const Symmetric3<double> E = product_less(gradient(slopes, c), c[6]);  // twice
    const double trace = E[0] + E[1] + E[2];
    return 0.25 * (c[7] * trace * trace + E[0] * E[0] + E[1] * E[1] + E[2] * E[2] +
                   2.0 * (E[3] * E[3] + E[4] * E[4] + E[5] * E[5]));
  }

  /// Determinant of F without the scale s.
  template <class V, class C>
  [[gnu::always_inline]] static V volume_ratio(const V (&slopes)[3][3], const C* c) {
    return determinant(gradient(slopes, c)) / (c[6] * root_of(c[6]));
  }
};

/// Four nodes, constant strain (O'Brien, Cook & Essl 2001; O'Brien & Hodgins 1999).
struct Tet4 {
  static constexpr int nodes = 4;
  static constexpr bool is_lattice = false;
  static constexpr int points = 1;
  static constexpr double slope_unit = 1.0;  ///< divisor of the slopes
  static constexpr int constants = TetPoint::constants;

  template <class V>
  [[gnu::always_inline]] static void slopes(const V (&x)[4][3], V (&s)[1][3][3]) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 1; k < 4; ++k) s[0][i][k - 1] = x[k][i] - x[0][i];
    }
  }

  template <class V>
  [[gnu::always_inline]] static void spread(const V (&h)[1][3][3], V (&f)[4][3]) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 1; k < 4; ++k) f[k][i] = h[0][i][k - 1];
      f[0][i] = -(h[0][i][0] + h[0][i][1] + h[0][i][2]);
    }
  }
};

/// Ten nodes with straight edges, four points of quadrature: corners 0 to 3, then the middles of
/// the edges in the order of geometry::tet_edges.
struct Tet10 {
  static constexpr int nodes = 10;
  static constexpr bool is_lattice = false;
  static constexpr int points = 4;
  static constexpr int constants = TetPoint::constants;

  static constexpr double near =
      0.5854101966249685;                            ///< (5 + 3 sqrt 5) / 20, at the point's corner
  static constexpr double far = 0.1381966011250105;  ///< (5 - sqrt 5) / 20, at the others
  /// Divisor of the slopes, which saves multiplications.
  static constexpr double slope_unit = 4.0 * far;
  static constexpr double own = 1.0 - 1.0 / slope_unit, across = (near - far) / far;

  /// The node between two corners, or the corner.
  static constexpr int node[4][4] = {{0, 4, 5, 6}, {4, 1, 7, 8}, {5, 7, 2, 9}, {6, 8, 9, 3}};

  /// dx/dL_k = (4 L_k - 1) x_k + 4 sum_o L_o x_ko, where at point q L_q is near and others are far:
  /// divided by 4 far it is own x_k + sum_o x_ko + across x_kq, with x_kk = x_k. The value of
  /// corner 0 is subtracted.
  template <class V>
  [[gnu::always_inline]] static void slopes(const V (&x)[10][3], V (&s)[4][3][3]) {
    for (int i = 0; i < 3; ++i) {
      for (int k = 1; k < 4; ++k) {
        V d[4];
        V common = own * (x[k][i] - x[0][i]);
        for (int q = 0; q < 4; ++q) {
          d[q] = x[node[k][q]][i] - x[node[0][q]][i];
          if (q != 0 && q != k) common += d[q];
        }
        for (int q = 0; q < 4; ++q) s[q][i][k - 1] = common + across * d[q];
      }
    }
  }

  /// The transpose of slopes().
  template <class V>
  [[gnu::always_inline]] static void spread(const V (&h)[4][3][3], V (&f)[10][3]) {
    for (int i = 0; i < 3; ++i) {
      V of_corner[4], of_point[4];
      for (int k = 1; k < 4; ++k) {
        of_corner[k] = h[0][i][k - 1] + h[1][i][k - 1] + h[2][i][k - 1] + h[3][i][k - 1];
      }
      of_corner[0] = of_corner[1] + of_corner[2] + of_corner[3];
      for (int q = 0; q < 4; ++q) of_point[q] = h[q][i][0] + h[q][i][1] + h[q][i][2];
      f[0][i] = -(own * of_corner[0] + across * of_point[0]);
      for (int k = 1; k < 4; ++k) {
        f[k][i] = own * of_corner[k] + across * h[k][i][k - 1];
        f[node[0][k]][i] = across * (h[0][i][k - 1] - of_point[k]) + (of_corner[k] - of_corner[0]);
        for (int o = k + 1; o < 4; ++o) {
          f[node[k][o]][i] =
              across * (h[o][i][k - 1] + h[k][i][o - 1]) + (of_corner[k] + of_corner[o]);
        }
      }
    }
  }
};

/// Forces, energy and volume ratio of an element, from its slopes at its quadrature points.
template <class Tet>
struct TetKernel : Tet {
  static constexpr int nodes = Tet::nodes, points = Tet::points;

  template <class V, class C>
  [[gnu::always_inline]] static void force(const V (&x)[nodes][3], const C* c, V (&f)[nodes][3]) {
    V s[points][3][3];
    Tet::slopes(x, s);
    // Unrolled, so that the results of a point are fused with the sums of nodes; saves 7 % of the
    // time.
#pragma GCC unroll 4
    for (int q = 0; q < points; ++q) TetPoint::pull(s[q], c);
    Tet::spread(s, f);
  }

  static double energy(const double (&x)[nodes][3], const double* c) {
    double s[points][3][3], sum = 0.0;
    Tet::slopes(x, s);
    for (int q = 0; q < points; ++q) sum += TetPoint::energy(s[q], c);
    return sum;
  }

  /// The least volume ratio of its points.
  template <class V, class C>
  [[gnu::always_inline]] static V volume_ratio(const V (&x)[nodes][3], const C* c) {
    V s[points][3][3];
    Tet::slopes(x, s);
    V least = TetPoint::volume_ratio(s[0], c);
    for (int q = 1; q < points; ++q) {
      const V next = TetPoint::volume_ratio(s[q], c);
      least = next < least ? next : least;
    }
    return least;
  }
};

}  // namespace peal::elastic
