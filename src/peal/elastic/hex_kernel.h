#pragma once

#include <peal/elastic/small_matrix.h>

// Arithmetic of hexahedra, for one element (V = double) or several at once (V = lanes).
//
// A hexahedron's deformation is x = F X + sum_a h_a q_a, where h_a are the four patterns of corners
// that no linear map makes (rs, rt, st, rst) and F comes from the linear ones. Its energy is W = z
// K z / 2 over z = (Green's strain of F; F^T q_a), with K the small-strain stiffness in these
// coordinates: large rotations change nothing, and small strains give hex_stiffness() exactly.
namespace peal::elastic {

/// Sums over corners with the signs of 1, r, s, rs, t, rt, st, rst (by the bits of the index). The
/// transform is its own transpose except for the order of signs.
template <class V>
[[gnu::always_inline]] inline void corner_patterns(V (&w)[8]) {
  for (int bit = 1; bit < 8; bit *= 2) {
    for (int c = 0; c < 8; ++c) {
      if (c & bit) continue;
      const V low = w[c], high = w[c | bit];
      w[c] = low + high;
      w[c | bit] = high - low;
    }
  }
}

/// The transpose of corner_patterns(): values at corners from the weights of the patterns.
template <class V>
[[gnu::always_inline]] inline void pattern_values(V (&w)[8]) {
  for (int bit = 1; bit < 8; bit *= 2) {
    for (int c = 0; c < 8; ++c) {
      if (c & bit) continue;
      const V even = w[c], odd = w[c | bit];
      w[c] = even - odd;
      w[c | bit] = even + odd;
    }
  }
}

inline constexpr int linear_pattern[3] = {1, 2, 4};
inline constexpr int hourglass_pattern[4] = {3, 5, 6, 7};

/// A hexahedron of any shape. Constants: J0^-1 / 8 (9, row by row), h_a . X / 8 (12), the upper
/// half of K (171).
struct HexAny {
  static constexpr int constants = 9 + 12 + 171;
  static constexpr bool has_offsets = true;

  /// A row of F from the patterns of a coordinate, and back: the weight of linear pattern k in the
  /// forces from a row of the stress.
  template <class V, class C>
  [[gnu::always_inline]] static void gradient(const V (&w)[8], const C* c, std::array<V, 3>& F) {
    for (int j = 0; j < 3; ++j) F[j] = w[1] * c[j] + w[2] * c[3 + j] + w[4] * c[6 + j];
  }
  template <class V, class C>
  [[gnu::always_inline]] static V pulled(const std::array<V, 3>& P, const C* c, int k) {
    return P[0] * c[3 * k] + P[1] * c[3 * k + 1] + P[2] * c[3 * k + 2];
  }

  template <class V, class C>
  [[gnu::always_inline]] static void stress(const V (&z)[18], const C* c, V (&s)[18]) {
    const C* k = c + 21;
    for (V& value : s) value = V{};
    for (int i = 0; i < 18; ++i) {
      s[i] += *k++ * z[i];
      for (int j = i + 1; j < 18; ++j, ++k) {
        s[i] += *k * z[j];
        s[j] += *k * z[i];
      }
    }
  }
};

/// A box along the axes: J0 is diagonal, strain and hourglass modes are not coupled, and hourglass
/// modes are coupled only if they have the same symmetry. Constants: J0^-1 / 8 (3), lambda V and 2
/// mu V, three shear moduli times V, then 18 entries of K.
struct HexBox {
  static constexpr int constants = 3 + 2 + 3 + 18;
  static constexpr bool has_offsets = false;

  template <class V, class C>
  [[gnu::always_inline]] static void gradient(const V (&w)[8], const C* c, std::array<V, 3>& F) {
    for (int j = 0; j < 3; ++j) F[j] = w[linear_pattern[j]] * c[j];
  }
  template <class V, class C>
  [[gnu::always_inline]] static V pulled(const std::array<V, 3>& P, const C* c, int k) {
    return P[k] * c[k];
  }

  /// Hourglass modes that are coupled, as 3 * pattern + axis: reflections of r, s and t keep or
  /// change the sign of both.
  static constexpr int pairs[3][2] = {{0, 8}, {1, 5}, {3, 7}};
  static constexpr int triple[3] = {2, 4, 6};
  static constexpr int single[3] = {9, 10, 11};

  template <class V, class C>
  [[gnu::always_inline]] static void stress(const V (&z)[18], const C* c, V (&s)[18]) {
    const V pressure = c[3] * (z[0] + z[1] + z[2]);
    for (int i = 0; i < 3; ++i) {
      s[i] = pressure + c[4] * z[i];
      s[i + 3] = c[5 + i] * z[i + 3];
    }
    const C* k = c + 8;
    const V* const q = z + 6;
    V* const t = s + 6;
    for (const auto& [a, b] : pairs) {
      t[a] = k[0] * q[a] + k[1] * q[b];
      t[b] = k[1] * q[a] + k[2] * q[b];
      k += 3;
    }
    const auto [a, b, d] = triple;
    t[a] = k[0] * q[a] + k[1] * q[b] + k[2] * q[d];
    t[b] = k[1] * q[a] + k[3] * q[b] + k[4] * q[d];
    t[d] = k[2] * q[a] + k[4] * q[b] + k[5] * q[d];
    k += 6;
    for (int i = 0; i < 3; ++i) t[single[i]] = k[i] * q[single[i]];
  }
};

template <class Shape>
struct HexKernel {
  static constexpr int nodes = 8;
  static constexpr bool is_lattice = true;  ///< a bit of a corner's number is its side
  static constexpr int constants = Shape::constants;

  template <class V>
  struct Deformation {
    Matrix3<V> F;
    V q[4][3];
    V z[18];
  };

  template <class V, class C>
  [[gnu::always_inline]] static void deform(const V (&x)[8][3], const C* c, Deformation<V>& d) {
    for (int i = 0; i < 3; ++i) {
      V w[8];
      for (int k = 0; k < 8; ++k) w[k] = x[k][i];
      corner_patterns(w);
      Shape::gradient(w, c, d.F[i]);
      for (int a = 0; a < 4; ++a) {
        d.q[a][i] = 0.125 * w[hourglass_pattern[a]];
        if constexpr (Shape::has_offsets) {
          const C* const X = c + 9 + 3 * a;
          d.q[a][i] -= d.F[i][0] * X[0] + d.F[i][1] * X[1] + d.F[i][2] * X[2];
        }
      }
    }
    const Symmetric3<V> E = green_strain(d.F);
    for (int i = 0; i < 3; ++i) {
      d.z[i] = E[i];
      d.z[i + 3] = E[i + 3] + E[i + 3];
    }
    for (int a = 0; a < 4; ++a) {
      for (int j = 0; j < 3; ++j) {
        d.z[6 + 3 * a + j] = d.F[0][j] * d.q[a][0] + d.F[1][j] * d.q[a][1] + d.F[2][j] * d.q[a][2];
      }
    }
  }

  template <class V, class C>
  [[gnu::always_inline]] static void force(const V (&x)[8][3], const C* c, V (&f)[8][3]) {
    Deformation<V> d;
    deform(x, c, d);
    V s[18];
    Shape::stress(d.z, c, s);
    Matrix3<V> P = times_symmetric(d.F, {s[0], s[1], s[2], s[3], s[4], s[5]});
    for (int i = 0; i < 3; ++i) {
      V w[8];
      w[0] = V{};
      for (int a = 0; a < 4; ++a) {
        const V* const sa = s + 6 + 3 * a;
        const V carried = d.F[i][0] * sa[0] + d.F[i][1] * sa[1] + d.F[i][2] * sa[2];
        for (int j = 0; j < 3; ++j) {
          P[i][j] += d.q[a][i] * sa[j];
          if constexpr (Shape::has_offsets) P[i][j] -= carried * c[9 + 3 * a + j];
        }
        w[hourglass_pattern[a]] = -0.125 * carried;
      }
      for (int k = 0; k < 3; ++k) w[linear_pattern[k]] = -Shape::pulled(P[i], c, k);
      pattern_values(w);
      for (int k = 0; k < 8; ++k) f[k][i] = w[k];
    }
  }

  static double energy(const double (&x)[8][3], const double* c) {
    Deformation<double> d;
    deform(x, c, d);
    double s[18], sum = 0.0;
    Shape::stress(d.z, c, s);
    for (int i = 0; i < 18; ++i) sum += 0.5 * d.z[i] * s[i];
    return sum;
  }

  template <class V, class C>
  [[gnu::always_inline]] static V volume_ratio(const V (&x)[8][3], const C* c) {
    Deformation<V> d;
    deform(x, c, d);
    return determinant(d.F);
  }
};

}  // namespace peal::elastic
