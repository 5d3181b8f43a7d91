#include <peal/base/orthotropy.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using geometry::Mat3;
using geometry::Vec3;
using std::numbers::pi;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;

/// Which of the six strains a pair of axes is.
constexpr int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};

/// (ab)_jk = a_i C_ijkl b_l.
Mat3 between(const Vec3& a, const Matrix9& constants, const Vec3& b) {
  Mat3 result = Mat3::Zero();
  for (int i = 0; i < 3; ++i)
    for (int l = 0; l < 3; ++l)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) result(j, k) += a[i] * constants(3 * i + j, 3 * k + l) * b[l];
  return result;
}

/// n . L^-1 . n [1/Pa]: the deflection along the normal n of a half space at the distance r from a
/// unit force along n is that over 2 pi r, in the direction t. L is the third tensor of Barnett &
/// Lothe, the mean of (mm) - (mk) (kk)^-1 (km) over all pairs m, k of axes across t.
double surface_compliance(const Matrix9& constants, const Vec3& n, const Vec3& t) {
  constexpr int turns = 64;  // 1e-6 for spruce
  const Vec3 u = n.cross(t);
  Mat3 sum = Mat3::Zero();
  for (int i = 0; i < turns; ++i) {
    const double angle = pi * i / turns;
    const Vec3 m = std::cos(angle) * n + std::sin(angle) * u;
    const Vec3 k = std::cos(angle) * u - std::sin(angle) * n;
    const Mat3 mk = between(m, constants, k);
    sum += between(m, constants, m) - mk * between(k, constants, k).inverse() * mk.transpose();
  }
  return n.dot((sum / turns).inverse() * n);
}

}  // namespace

bool is_stable(const Orthotropy& orthotropy) {
  const auto& [el, er, et] = orthotropy.young_moduli;
  const auto& [lr, lt, rt] = orthotropy.poisson_ratios;
  const double rl = lr * er / el, tl = lt * et / el, tr = rt * et / er;
  const bool is_positive = std::ranges::min(orthotropy.young_moduli) > 0.0 &&
                           std::ranges::min(orthotropy.shear_moduli) > 0.0;
  return is_positive && lr * rl < 1.0 && lt * tl < 1.0 && rt * tr < 1.0 &&
         1.0 - lr * rl - lt * tl - rt * tr - 2.0 * lr * rt * tl > 0.0;
}

Matrix6 compliance(const Orthotropy& orthotropy) {
  const auto& [el, er, et] = orthotropy.young_moduli;
  const auto& [glr, glt, grt] = orthotropy.shear_moduli;
  const auto& [nlr, nlt, nrt] = orthotropy.poisson_ratios;
  Matrix6 result = Matrix6::Zero();
  result.diagonal() << 1.0 / el, 1.0 / er, 1.0 / et, 1.0 / grt, 1.0 / glt, 1.0 / glr;
  result(0, 1) = result(1, 0) = -nlr / el;
  result(0, 2) = result(2, 0) = -nlt / el;
  result(1, 2) = result(2, 1) = -nrt / er;
  return result;
}

Matrix9 stiffness(const Orthotropy& orthotropy) {
  const Matrix6 six = compliance(orthotropy).inverse();
  Matrix9 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) result(3 * i + j, 3 * k + l) = six(voigt[i][j], voigt[k][l]);
  return result;
}

double indentation_modulus(const Orthotropy& orthotropy, int normal) {
  constexpr int directions = 32;  // 1e-9 for spruce
  const Matrix9 constants = stiffness(orthotropy);
  const Vec3 n = Vec3::Unit(normal), a = Vec3::Unit((normal + 1) % 3), b = n.cross(a);
  double sum = 0.0;
  for (int i = 0; i < directions; ++i) {
    const double angle = pi * (i + 0.5) / directions;
    sum += surface_compliance(constants, n, std::cos(angle) * a + std::sin(angle) * b);
  }
  return 2.0 * directions / sum;
}

double indentation_modulus(const Orthotropy& orthotropy) {
  return 2.0 /
         (1.0 / indentation_modulus(orthotropy, 1) + 1.0 / indentation_modulus(orthotropy, 2));
}

}  // namespace peal::base
