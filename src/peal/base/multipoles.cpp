#include <peal/base/coarse_surface.h>
#include <peal/base/multipoles.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>

namespace peal::base {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using geometry::TriMesh;
using geometry::Vec3;
using std::numbers::pi;

/// Maximum number of surface points with dipoles, which is the size of the linear system.
constexpr std::size_t most_points = 500;

/// A mesh whose vertices are on one sphere to within this part of the radius stands for a ball.
constexpr double round_enough = 1e-4;

/// Of a ball the dipole is known: it carries half of its volume.
std::optional<RigidDipole> dipole_of_ball(const TriMesh& mesh, const Vec3& centre) {
  constexpr std::size_t fewest = 100;  // a cube's corners are on a sphere, too
  if (mesh.vertices.size() < fewest) return std::nullopt;
  double nearest = std::numeric_limits<double>::infinity(), farthest = 0.0;
  const Vec3 middle = geometry::bounds(mesh).center();
  for (const Vec3& vertex : mesh.vertices) {
    nearest = std::min(nearest, (vertex - middle).norm());
    farthest = std::max(farthest, (vertex - middle).norm());
  }
  const double volume = geometry::signed_volume(mesh);
  const bool is_round = farthest - nearest < round_enough * farthest &&
                        volume > 0.9 * 4.0 / 3.0 * pi * std::pow(farthest, 3);
  if (!is_round || (middle - centre).norm() > round_enough * farthest) return std::nullopt;
  return RigidDipole{geometry::Mat3::Identity(), Vec3::Constant(1.5 * volume),
                     geometry::Mat3::Zero()};
}

/// A triangle of dipoles whose strength is linear between its corners.
struct DipoleTriangle {
  std::array<std::uint32_t, 3> corners;
  Vec3 area;                    ///< area vector, along the normal [m^2]
  double size;                  ///< its area [m^2]
  std::array<Vec3, 3> curls;    ///< n x grad of the hat function of each corner [1/m]
  std::array<Vec3, 4> centres;  ///< centroids of its four quarters [m]
  Vec3 centre;                  ///< [m]
};

std::vector<DipoleTriangle> dipole_triangles(const CoarseSurface& surface) {
  std::vector<DipoleTriangle> result;
  for (const auto& t : surface.triangles) {
    const Vec3 p[3] = {surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
    DipoleTriangle triangle{t, 0.5 * (p[1] - p[0]).cross(p[2] - p[0]), 0.0, {}, {}, {}};
    triangle.size = triangle.area.norm();
    const double longest =
        std::max({(p[1] - p[0]).norm(), (p[2] - p[1]).norm(), (p[0] - p[2]).norm()});
    if (triangle.size < 1e-6 * longest * longest) continue;  // degenerate triangle
    triangle.centre = (p[0] + p[1] + p[2]) / 3.0;
    triangle.centres[3] = triangle.centre;
    for (int k = 0; k < 3; ++k) {
      // n x grad hat_k runs along the opposite edge.
      triangle.curls[k] = (p[(k + 2) % 3] - p[(k + 1) % 3]) / (2.0 * triangle.size);
      triangle.centres[k] = 0.5 * (triangle.centre + p[k]);
    }
    result.push_back(triangle);
  }
  return result;
}

/// The mean of 1 / R over two patches: exact for a disc with itself (A^2 / R -> 3.0 A^1.5) and in
/// the far field.
double inverse_distance(double square, double size) {
  return 1.0 / std::sqrt(square + 0.11 * size);
}

/// The integral of 1 / (4 pi R) over two triangles [m^3].
double potential(const DipoleTriangle& a, const DipoleTriangle& b) {
  const double square = (a.centre - b.centre).squaredNorm(), size = std::sqrt(a.size * b.size);
  double mean = 0.0;
  if (square > 9.0 * std::max(a.size, b.size)) {
    mean = inverse_distance(square, size);
  } else {
    for (const Vec3& p : a.centres)
      for (const Vec3& q : b.centres)
        mean += inverse_distance((p - q).squaredNorm(), 0.25 * size) / 16.0;
  }
  return mean * a.size * b.size / (4.0 * pi);
}

/// The kinetic energy of the flow of the dipoles: <mu, N mu>, with N_ab the integral of curl_a .
/// curl_b / (4 pi R) over the surface twice (Maue 1949).
MatrixXd flow_energy(const std::vector<DipoleTriangle>& triangles, Index points) {
  MatrixXd energy = MatrixXd::Zero(points, points);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const DipoleTriangle &a = triangles[i], &b = triangles[j];
      const double weight = potential(a, b);
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
          const double part = weight * a.curls[k].dot(b.curls[l]);
          energy(a.corners[k], b.corners[l]) += part;
          if (i != j) energy(b.corners[l], a.corners[k]) += part;
        }
      }
    }
  }
  return energy;
}

/// The dipoles [m^2/s] whose flow through the surface is each column of `flow` (integrals over the
/// area of each point, [m^3/s]).
MatrixXd dipoles_of(MatrixXd energy, const MatrixXd& flow) {
  // Uniform strength makes no flow. Quadrature errors may also make the energy negative where the
  // faces of a thin wall move apart.
  const double mean = energy.diagonal().mean();
  energy.array() += mean / double(energy.rows());
  for (double ridge = 1e-3;; ridge *= 3.0) {
    MatrixXd raised = energy;
    raised.diagonal().array() += ridge * mean;
    const Eigen::LLT<MatrixXd> factor(raised);
    if (factor.info() == Eigen::Success) return factor.solve(flow);
  }
}

}  // namespace

RigidDipole rigid_dipole(const TriMesh& mesh, const Vec3& centre) {
  if (const auto ball = dipole_of_ball(mesh, centre)) return *ball;
  const CoarseSurface surface = coarse_surface(finer(mesh, most_points), most_points);
  const std::vector<DipoleTriangle> triangles = dipole_triangles(surface);
  const auto points = static_cast<Index>(surface.points.size());
  // Flow at each point for the six rigid motions, all from the coarse surface itself so that the
  // matrix below is symmetric.
  MatrixXd flow = MatrixXd::Zero(points, 6);
  double volume = 0.0;
  for (const DipoleTriangle& triangle : triangles) {
    volume += triangle.area.dot(triangle.centre - centre) / 3.0;
    for (const std::uint32_t p : triangle.corners) {
      flow.row(p).head<3>() += triangle.area.transpose() / 3.0;
      flow.row(p).tail<3>() += (surface.points[p] - centre).cross(triangle.area).transpose() / 3.0;
    }
  }
  const MatrixXd energy = flow_energy(triangles, points);
  const MatrixXd moments = flow.leftCols<3>().transpose() * dipoles_of(energy, flow);
  // Merged points lie slightly inside a round surface.
  const double own = geometry::signed_volume(mesh), lost = own / volume;
  const geometry::Mat3 moved =
      lost * 0.5 * (moments.leftCols<3>() + moments.leftCols<3>().transpose());
  const geometry::PrincipalAxes principal = geometry::principal_axes(moved);
  return {.axes = principal.axes,
          .volumes = principal.moments.cwiseMax(own),  // added mass is never negative
          .turning = lost * principal.axes.transpose() * moments.rightCols<3>()};
}

}  // namespace peal::base
