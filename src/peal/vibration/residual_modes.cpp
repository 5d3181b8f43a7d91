#include <peal/fem/cholesky.h>
#include <peal/fem/dense_algebra.h>
#include <peal/fem/symmetric_eigen.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/vibration/residual_modes.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace peal::vibration {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;

/// Directions shorter than this part of the longest one are combinations of others.
constexpr double shortest_direction = 1e-4;

/// The patch of each vertex, by the nearest of `count` vertices that are far from each other.
std::vector<int> patches_of(const TriMesh& surface, int count) {
  std::vector<double> nearest(surface.vertices.size(), std::numeric_limits<double>::infinity());
  std::vector<int> patch(surface.vertices.size(), 0);
  std::size_t seed = 0;
  for (int p = 0; p < count; ++p) {
    const Vec3 at = surface.vertices[seed];
    for (std::size_t v = 0; v < patch.size(); ++v) {
      const double square = (surface.vertices[v] - at).squaredNorm();
      if (square >= nearest[v]) continue;
      nearest[v] = square;
      patch[v] = p;
    }
    seed = static_cast<std::size_t>(std::ranges::max_element(nearest) - nearest.begin());
    if (!(nearest[seed] > 0.0)) break;
  }
  return patch;
}

/// A pressure of 1 Pa on each patch as forces on the nodes [N], a column a patch.
MatrixXd patch_loads(const fem::Matrices& matrices, const fem::Space& space, int patches) {
  const TriMesh& surface = space.surface;
  const std::vector<int> patch = patches_of(surface, patches);
  MatrixXd loads = MatrixXd::Zero(matrices.size(), patches);
  for (std::uint32_t t = 0; t < surface.triangles.size(); ++t) {
    const Vec3 force = geometry::area_vector(surface, t) / 3.0;
    for (const std::uint32_t v : surface.triangles[t])
      loads.block<3, 1>(3 * Index{space.surface_node[v]}, patch[v]) -= force;
  }
  for (std::size_t r = 0; r < matrices.held.size(); ++r)
    if (matrices.held[r]) loads.row(static_cast<Index>(r)).setZero();
  return loads;
}

}  // namespace

fem::Eigenpairs residual_modes(const fem::Matrices& matrices, const fem::Space& space,
                               const MatrixXd& known, double shift, double max_value, int patches) {
  const MatrixXd known_mass = matrices.times_mass(known);
  MatrixXd answers = patch_loads(matrices, space, patches);
  // Without what moves the known shapes; a free body is accelerated by the rest of the load only.
  answers -= fem::product(known_mass, fem::product(known.transpose(), answers));
  fem::Cholesky(matrices.shifted(shift)).solve(answers);
  for (int pass = 0; pass < 2; ++pass)
    answers -= fem::product(known, fem::product(known_mass.transpose(), answers));

  const auto gram = [](const MatrixXd& a, const MatrixXd& b) {
    const MatrixXd whole = fem::product(a.transpose(), b);
    return MatrixXd(0.5 * (whole + whole.transpose()));
  };
  const fem::SymmetricEigen along =
      fem::symmetric_eigen(gram(answers, matrices.times_mass(answers)));
  const VectorXd lengths = along.values.cwiseMax(0.0).cwiseSqrt();
  Index kept = 0;
  while (kept < lengths.size() &&
         lengths[lengths.size() - 1 - kept] > shortest_direction * lengths.maxCoeff())
    ++kept;
  const MatrixXd basis = fem::product(answers, along.vectors.rightCols(kept)) *
                         lengths.tail(kept).cwiseInverse().asDiagonal();
  const fem::SymmetricEigen best = fem::symmetric_eigen(
      gram(basis, matrices.times_stiffness(basis)), gram(basis, matrices.times_mass(basis)));
  Index count = 0;
  while (count < best.values.size() && (max_value <= 0.0 || best.values[count] <= max_value))
    ++count;
  return {best.values.head(count), fem::product(basis, best.vectors.leftCols(count))};
}

}  // namespace peal::vibration
