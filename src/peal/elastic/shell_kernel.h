#pragma once

#include <peal/fem/shell.h>

#include <array>

namespace peal::elastic {

/// Arithmetic of one shell triangle (fem::ShellTriangle), for one element (V = double) or several
/// at once (V = lanes). All terms are polynomials of positions and directors.
struct ShellKernel {
  static constexpr int constants = 17;

  template <class V>
  using Vector = std::array<V, 3>;
  /// Positions x or directors d of the three vertices, or the forces on them.
  template <class V>
  using Corners = std::array<Vector<V>, 3>;

  static std::array<double, constants> constants_of(const fem::ShellTriangle& t) {
    return {t.gradient[0], t.gradient[1], t.gradient[2], t.membrane, t.bending,  t.bend[0],
            t.bend[1],     t.bend[2],     t.slant[0],    t.slant[1], t.slant[2], t.shear[0],
            t.shear[1],    t.shear[2],    t.shear[3],    t.shear[4], t.shear[5]};
  }

  /// Edges from vertex 0, and what follows from them.
  template <class V>
  struct Deformation {
    Vector<V> a, b, F1, F2, G1, G2;       ///< edges of positions; columns of F and G
    Vector<V> mean01, mean02, mean12;     ///< half the sums of directors
    V strain[3], curvature[3], shear[3];  ///< 11, 22, 2 times 12; of the edges 01, 02, 12
  };

  template <class V>
  [[gnu::always_inline]] static V dot(const Vector<V>& p, const Vector<V>& q) {
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  }

  template <class V, class C>
  [[gnu::always_inline]] static void deform(const Corners<V>& x, const Corners<V>& d, const C* c,
                                            Deformation<V>& now) {
    for (int i = 0; i < 3; ++i) {
      now.a[i] = x[1][i] - x[0][i];
      now.b[i] = x[2][i] - x[0][i];
      now.F1[i] = now.a[i] * c[0];
      now.F2[i] = now.a[i] * c[1] + now.b[i] * c[2];
      const V da = d[1][i] - d[0][i], db = d[2][i] - d[0][i];
      now.G1[i] = da * c[0];
      now.G2[i] = da * c[1] + db * c[2];
      now.mean01[i] = 0.5 * (d[0][i] + d[1][i]);
      now.mean02[i] = 0.5 * (d[0][i] + d[2][i]);
      now.mean12[i] = 0.5 * (d[1][i] + d[2][i]);
    }
    now.strain[0] = 0.5 * (dot(now.F1, now.F1) - 1.0);
    now.strain[1] = 0.5 * (dot(now.F2, now.F2) - 1.0);
    now.strain[2] = dot(now.F1, now.F2);
    now.curvature[0] = dot(now.F1, now.G1) - c[5];
    now.curvature[1] = dot(now.F2, now.G2) - c[6];
    now.curvature[2] = dot(now.F1, now.G2) + dot(now.F2, now.G1) - c[7];
    now.shear[0] = dot(now.a, now.mean01) - c[8];
    now.shear[1] = dot(now.b, now.mean02) - c[9];
    now.shear[2] = dot(now.b, now.mean12) - dot(now.a, now.mean12) - c[10];
  }

  /// Forces in the plane, moments, and shear forces of the edges.
  template <class V>
  struct Stress {
    V n[3], m[3], q[3];
  };

  template <class V, class C>
  [[gnu::always_inline]] static void stress(const Deformation<V>& now, const C* c, double nu,
                                            Stress<V>& s) {
    const double half = 0.5 * (1.0 - nu);
    const auto plane = [&](const auto& stiffness, const V(&e)[3], V(&out)[3]) {
      out[0] = stiffness * (e[0] + nu * e[1]);
      out[1] = stiffness * (e[1] + nu * e[0]);
      out[2] = stiffness * half * e[2];
    };
    plane(c[3], now.strain, s.n);
    plane(c[4], now.curvature, s.m);
    const V(&g)[3] = now.shear;
    s.q[0] = c[11] * g[0] + c[14] * g[1] + c[15] * g[2];
    s.q[1] = c[14] * g[0] + c[12] * g[1] + c[16] * g[2];
    s.q[2] = c[15] * g[0] + c[16] * g[1] + c[13] * g[2];
  }

  /// Forces on positions, `f`, and on directors, `m`.
  template <class V, class C>
  [[gnu::always_inline]] static void force(const Corners<V>& x, const Corners<V>& d, const C* c,
                                           double nu, Corners<V>& f, Corners<V>& m) {
    Deformation<V> now;
    deform(x, d, c, now);
    Stress<V> s;
    stress(now, c, nu, s);
    for (int i = 0; i < 3; ++i) {
      const V F1 = now.F1[i], F2 = now.F2[i], G1 = now.G1[i], G2 = now.G2[i];
      const V P1 = s.n[0] * F1 + s.n[2] * F2 + s.m[0] * G1 + s.m[2] * G2;
      const V P2 = s.n[2] * F1 + s.n[1] * F2 + s.m[2] * G1 + s.m[1] * G2;
      const V M1 = s.m[0] * F1 + s.m[2] * F2, M2 = s.m[2] * F1 + s.m[1] * F2;
      const V across = s.q[2] * now.mean12[i];
      const V on_a = c[0] * P1 + c[1] * P2 + s.q[0] * now.mean01[i] - across;
      const V on_b = c[2] * P2 + s.q[1] * now.mean02[i] + across;
      f[0][i] = on_a + on_b;
      f[1][i] = -on_a;
      f[2][i] = -on_b;
      const V turn_a = c[0] * M1 + c[1] * M2, turn_b = c[2] * M2;
      const V q01 = 0.5 * s.q[0] * now.a[i], q02 = 0.5 * s.q[1] * now.b[i];
      const V q12 = 0.5 * s.q[2] * (now.b[i] - now.a[i]);
      m[0][i] = (turn_a + turn_b) - (q01 + q02);
      m[1][i] = -turn_a - (q01 + q12);
      m[2][i] = -turn_b - (q02 + q12);
    }
  }

  static double energy(const Corners<double>& x, const Corners<double>& d, const double* c,
                       double nu) {
    Deformation<double> now;
    deform(x, d, c, now);
    Stress<double> s;
    stress(now, c, nu, s);
    double sum = 0.0;
    for (int i = 0; i < 3; ++i)
      sum += 0.5 * (now.strain[i] * s.n[i] + now.curvature[i] * s.m[i] + now.shear[i] * s.q[i]);
    return sum;
  }

  /// Determinant of (F, mean director): about 1 at rest, negative if turned inside out.
  template <class V, class C>
  [[gnu::always_inline]] static V volume(const Corners<V>& x, const Corners<V>& d, const C* c) {
    Deformation<V> now;
    deform(x, d, c, now);
    V sum{};
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const V normal = now.F1[j] * now.F2[k] - now.F1[k] * now.F2[j];
      sum += normal * (1.0 / 3.0) * (d[0][i] + d[1][i] + d[2][i]);
    }
    return sum;
  }
};

}  // namespace peal::elastic
