#include <peal/elastic/hex_stiffness.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

namespace peal::elastic {
namespace {

using geometry::Mat3;
using geometry::Vec3;
using Row24 = Eigen::Matrix<double, 1, 24>;
using Strain24 = Eigen::Matrix<double, 6, 24>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// Natural coordinates of a corner.
Vec3 corner_place(int c) {
  return {c & 1 ? 1.0 : -1.0, c & 2 ? 1.0 : -1.0, c & 4 ? 1.0 : -1.0};
}

/// Derivatives of the trilinear functions by r, s, t: a column a corner.
Eigen::Matrix<double, 3, 8> trilinear_slopes(const Vec3& at) {
  Eigen::Matrix<double, 3, 8> slopes;
  for (int c = 0; c < 8; ++c) {
    const Vec3 e = corner_place(c), f = Vec3::Ones() + e.cwiseProduct(at);
    slopes.col(c) =
        0.125 * Vec3(e.x() * f.y() * f.z(), e.y() * f.z() * f.x(), e.z() * f.x() * f.y());
  }
  return slopes;
}

/// Jacobian with the columns dX/dr, dX/ds, dX/dt.
Mat3 jacobian_at(const HexCorners& corners, const Vec3& at) {
  const auto slopes = trilinear_slopes(at);
  Mat3 J = Mat3::Zero();
  for (int c = 0; c < 8; ++c) J += corners[c] * slopes.col(c).transpose();
  return J;
}

/// Pairs of axes of the strains, in the order xx, yy, zz, xy, yz, zx.
constexpr int strain_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};

/// Engineering strains along x, y, z from those along r, s, t: E_xy = E_ij (dr_i/dx) (dr_j/dy).
Matrix6 strain_transform(const Mat3& J) {
  const Mat3 A = J.inverse();  // dr_i / dx_j
  Matrix6 T;
  for (int p = 0; p < 6; ++p) {
    const auto [x, y] = strain_axes[p];
    for (int q = 0; q < 6; ++q) {
      const auto [i, j] = strain_axes[q];
      T(p, q) = A(i, x) * A(j, y);
      if (i != j) T(p, q) = 0.5 * (T(p, q) + A(j, x) * A(i, y));
      if (x != y) T(p, q) *= 2.0;
    }
  }
  return T;
}

/// Engineering strain along natural axes i, j at a point, as a row over the displacements of the
/// corners.
Row24 natural_strain(const HexCorners& corners, const Vec3& at, int i, int j) {
  const auto slopes = trilinear_slopes(at);
  const Mat3 J = jacobian_at(corners, at);
  Row24 row;
  for (int c = 0; c < 8; ++c) {
    const Vec3 part = i == j ? Vec3(slopes(i, c) * J.col(i))
                             : Vec3(slopes(i, c) * J.col(j) + slopes(j, c) * J.col(i));
    row.segment<3>(3 * c) = part.transpose();
  }
  return row;
}

/// Natural strains; strains across the shell are sampled where there is no locking.
Strain24 assumed_strain(const HexCorners& corners, const Vec3& at) {
  const double r = at.x(), s = at.y(), t = at.z();
  Strain24 B;
  B.row(0) = natural_strain(corners, at, 0, 0);
  B.row(1) = natural_strain(corners, at, 1, 1);
  B.row(3) = natural_strain(corners, at, 0, 1);
  B.row(2).setZero();
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-1.0, 1.0}) {
      B.row(2) += 0.25 * (1 + a * r) * (1 + b * s) * natural_strain(corners, {a, b, 0}, 2, 2);
    }
  }
  B.row(4) = 0.5 * (1 - r) * natural_strain(corners, {-1, 0, t}, 1, 2) +
             0.5 * (1 + r) * natural_strain(corners, {1, 0, t}, 1, 2);
  B.row(5) = 0.5 * (1 - s) * natural_strain(corners, {0, -1, t}, 2, 0) +
             0.5 * (1 + s) * natural_strain(corners, {0, 1, t}, 2, 0);
  return B;
}

/// Natural strains that each shell element may add on its own.
Eigen::MatrixXd enhanced_strain(const Vec3& at) {
  const double r = at.x(), s = at.y(), t = at.z();
  Eigen::MatrixXd modes = Eigen::MatrixXd::Zero(6, 7);
  modes(0, 0) = r;
  modes(1, 1) = s;
  modes(2, 2) = t;
  modes(2, 3) = r * t;
  modes(2, 4) = s * t;
  modes(3, 5) = r;
  modes(3, 6) = s;
  return modes;
}

/// Strains of a displacement gradient G e_k (x) slope, as columns k.
Eigen::Matrix<double, 6, 3> strain_of_slope(const Vec3& slope) {
  Eigen::Matrix<double, 6, 3> B = Eigen::Matrix<double, 6, 3>::Zero();
  for (int p = 0; p < 6; ++p) {
    const auto [x, y] = strain_axes[p];
    B(p, x) += slope[y];
    if (x != y) B(p, y) += slope[x];
  }
  return B;
}

Matrix6 elasticity_matrix(const fem::Lame& lame) {
  Matrix6 C = Matrix6::Zero();
  C.topLeftCorner<3, 3>().setConstant(lame.lambda);
  for (int i = 0; i < 3; ++i) {
    C(i, i) += 2.0 * lame.mu;
    C(i + 3, i + 3) = lame.mu;
  }
  return C;
}

/// Strains at a point as a matrix over 24 displacements and the inner unknowns.
Eigen::MatrixXd strains_at(const HexCorners& corners, const Vec3& at, HexElement element) {
  const Mat3 J = jacobian_at(corners, at), J0 = jacobian_at(corners, Vec3::Zero());
  const double shrink = J0.determinant() / J.determinant();
  if (element == HexElement::solid_shell) {
    Eigen::MatrixXd B(6, 31);
    B.leftCols<24>() = strain_transform(J) * assumed_strain(corners, at);
    B.rightCols<7>() = shrink * strain_transform(J0) * enhanced_strain(at);
    return B;
  }
  Eigen::MatrixXd B(6, 33);
  const Eigen::Matrix<double, 3, 8> slopes = J.inverse().transpose() * trilinear_slopes(at);
  for (int c = 0; c < 8; ++c) B.middleCols<3>(3 * c) = strain_of_slope(slopes.col(c));
  const Mat3 A0 = J0.inverse().transpose();
  for (int k = 0; k < 3; ++k) {  // of 1 - r^2, 1 - s^2, 1 - t^2
    B.middleCols<3>(24 + 3 * k) = strain_of_slope(-2.0 * at[k] * shrink * A0.col(k));
  }
  return B;
}

constexpr double gauss_two = 0.57735026918962576;  ///< 1 / sqrt 3

/// Reduces the part of the shear of r and s that is opposite at points that face each other along
/// t. The axes are those of the centre, where a constant strain of any cell has no such part.
void soften_twist(const Mat3& J0, double twist, std::array<Eigen::MatrixXd, 8>& strains) {
  const Matrix6 from_centre = strain_transform(J0), to_centre = from_centre.inverse();
  const double less = 1.0 - std::sqrt(twist);
  for (int q = 0; q < 4; ++q) {
    Eigen::MatrixXd &low = strains[q], &high = strains[q + 4];
    const Eigen::MatrixXd taken =
        from_centre.col(3) * (to_centre.row(3) * (0.5 * less * (high - low)));
    low += taken;
    high -= taken;
  }
}

/// Reduces the mean shears along the axes of the centre.
void soften_shear(const Mat3& J0, const std::array<double, 3>& kept,
                  const std::array<double, 8>& weights, std::array<Eigen::MatrixXd, 8>& strains) {
  const Matrix6 from_centre = strain_transform(J0), to_centre = from_centre.inverse();
  double volume = 0.0;
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(6, strains[0].cols());
  for (int q = 0; q < 8; ++q) {
    mean += weights[q] * strains[q];
    volume += weights[q];
  }
  mean = to_centre * mean / volume;
  for (int k = 0; k < 3; ++k) {
    const Eigen::MatrixXd taken =
        from_centre.col(3 + k) * ((1.0 - std::sqrt(kept[k])) * mean.row(3 + k));
    for (Eigen::MatrixXd& strain : strains) strain -= taken;
  }
}

/// Reduces the strains along r, s and t, with one factor for strains that are equal at points that
/// face each other along t, and one for strains that are opposite. The axes are those of the
/// centre.
void soften_notch(const Mat3& J0, const NotchParts& kept, std::array<Eigen::MatrixXd, 8>& strains) {
  const Matrix6 from_centre = strain_transform(J0);
  const Eigen::Matrix<double, 3, 6> to_centre = Matrix6(from_centre.inverse()).topRows<3>();
  const double even = 1.0 - std::sqrt(kept.stretched), odd = 1.0 - std::sqrt(kept.bent);
  for (int q = 0; q < 4; ++q) {
    Eigen::MatrixXd &low = strains[q], &high = strains[q + 4];
    const Eigen::MatrixXd mean = from_centre.leftCols<3>() * (to_centre * (0.5 * (high + low)));
    const Eigen::MatrixXd half = from_centre.leftCols<3>() * (to_centre * (0.5 * (high - low)));
    low -= even * mean - odd * half;
    high -= even * mean + odd * half;
  }
}

}  // namespace

HexCorners corners_of(const geometry::HexMesh& mesh, const geometry::Hex& hex) {
  HexCorners corners;
  for (int c = 0; c < 8; ++c) corners[c] = mesh.vertices[hex[c]];
  return corners;
}

Eigen::MatrixXd condensed(Eigen::MatrixXd K, Eigen::Index kept) {
  for (Eigen::Index k = K.rows() - 1; k >= kept; --k) {
    const Eigen::VectorXd column = K.col(k).head(k);
    K.topLeftCorner(k, k) -= column * column.transpose() / K(k, k);
  }
  return K.topLeftCorner(kept, kept);
}

Eigen::MatrixXd hex_stiffness(const HexCorners& corners, const fem::Lame& lame, HexElement element,
                              const CachedStiffness& kept) {
  const Matrix6 C = elasticity_matrix(lame);
  std::array<Eigen::MatrixXd, 8> strains;
  std::array<double, 8> weights;
  for (int q = 0; q < 8; ++q) {
    const Vec3 at = gauss_two * corner_place(q);
    strains[q] = strains_at(corners, at, element);
    weights[q] = jacobian_at(corners, at).determinant();
  }
  const Mat3 J0 = jacobian_at(corners, Vec3::Zero());
  soften_twist(J0, kept.twist, strains);
  soften_shear(J0, kept.shear, weights, strains);
  soften_notch(J0, kept.notch, strains);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(strains[0].cols(), strains[0].cols());
  for (int q = 0; q < 8; ++q) K += weights[q] * strains[q].transpose() * C * strains[q];
  return condensed(std::move(K), 24);  // inner unknowns carry no force
}

std::array<double, 8> hex_corner_volumes(const HexCorners& corners) {
  std::array<double, 8> volumes{};
  for (int q = 0; q < 8; ++q) {
    const Vec3 at = gauss_two * corner_place(q);
    const double weight = jacobian_at(corners, at).determinant();
    for (int c = 0; c < 8; ++c) {
      volumes[c] += weight * 0.125 * (Vec3::Ones() + corner_place(c).cwiseProduct(at)).prod();
    }
  }
  return volumes;
}

double least_jacobian(const HexCorners& corners) {
  const double centre = jacobian_at(corners, Vec3::Zero()).determinant();
  const Mat3 J0 = jacobian_at(corners, Vec3::Zero());
  if (!(centre > 1e-9 * J0.col(0).norm() * J0.col(1).norm() * J0.col(2).norm())) return 0.0;
  double least = 1.0;
  for (int c = 0; c < 8; ++c) {
    least = std::min(least, jacobian_at(corners, corner_place(c)).determinant() / centre);
  }
  return least;
}

}  // namespace peal::elastic
