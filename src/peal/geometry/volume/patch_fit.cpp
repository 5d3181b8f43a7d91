#include <peal/geometry/volume/patch_fit.h>
#include <peal/geometry/volume/tet_smooth.h>

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <limits>

namespace peal::geometry {

namespace {

constexpr int fit_rounds = 3;
/// Part of the mean stiffness that keeps vertices where the patches do not care.
constexpr double fit_regularisation = 0.05;
constexpr double same_side = 0.5;  ///< cosine
/// Targets are searched within this times the limit of a vertex.
constexpr double fit_reach = 4.0;

struct PatchSample {
  Vec3 barycentrics;
  double weight;
};

/// Seven points of degree 5 (Strang & Fix 1973).
std::array<PatchSample, 7> patch_samples() {
  constexpr double a = 0.470142064105115, b = 0.101286507323456;
  constexpr double weight_a = 0.132394152788506, weight_b = 0.125939180544827;
  return {{{Vec3::Constant(1.0 / 3.0), 0.225},
           {{a, a, 1 - 2 * a}, weight_a},
           {{a, 1 - 2 * a, a}, weight_a},
           {{1 - 2 * a, a, a}, weight_a},
           {{b, b, 1 - 2 * b}, weight_b},
           {{b, 1 - 2 * b, b}, weight_b},
           {{1 - 2 * b, b, b}, weight_b}}};
}

/// One round of moves.
std::vector<Vec3> moves_toward(const SmoothSurface& smooth, const SurfaceQuery& target,
                               const std::vector<double>& limits) {
  const TriMesh& mesh = smooth.mesh();
  static const auto samples = patch_samples();
  std::vector<Mat3> matrix(mesh.vertices.size(), Mat3::Zero());
  std::vector<Vec3> sum(mesh.vertices.size(), Vec3::Zero());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corners = mesh.triangles[t];
    const double area = area_vector(mesh, t).norm();
    const double reach =
        fit_reach * std::max({limits[corners[0]], limits[corners[1]], limits[corners[2]]});
    for (const PatchSample& sample : samples) {
      const SmoothSurface::PatchPoint at = smooth.on_patch(t, sample.barycentrics);
      const auto distance = distance_along(target, at.position, at.normal, reach);
      if (!distance) continue;
      for (int k = 0; k < 3; ++k) {
        const double weight = area * sample.weight * sample.barycentrics[k];
        matrix[corners[k]] += weight * at.normal * at.normal.transpose();
        sum[corners[k]] += weight * *distance * at.normal;
      }
    }
  }
  std::vector<Vec3> moves(mesh.vertices.size(), Vec3::Zero());
  for (std::uint32_t v = 0; v < moves.size(); ++v) {
    if (smooth.is_on_crease(v)) {
      const auto near = target.closest_point_within(mesh.vertices[v], fit_reach * limits[v]);
      if (near) moves[v] = near->point - mesh.vertices[v];
      continue;
    }
    const double trace = matrix[v].trace();
    if (!(trace > 0.0)) continue;
    moves[v] = (matrix[v] + fit_regularisation * trace * Mat3::Identity()).ldlt().solve(sum[v]);
  }
  return moves;
}

}  // namespace

std::optional<double> distance_along(const SurfaceQuery& target, const Vec3& point,
                                     const Vec3& normal, double reach) {
  const auto faces_same = [&](const SurfacePoint& near) {
    return area_vector(target.mesh(), near.triangle).normalized().dot(normal) > same_side;
  };
  const auto nearest = target.closest_point_within(point, reach);
  if (!nearest) return std::nullopt;
  if (faces_same(*nearest)) return normal.dot(nearest->point - point);
  double best = std::numeric_limits<double>::infinity(), along = 0.0;
  for (const SurfacePoint& near : target.all_within(point, reach)) {
    if (near.distance >= best || !faces_same(near)) continue;
    best = near.distance;
    along = normal.dot(near.point - point);
  }
  if (!std::isfinite(best)) return std::nullopt;
  return along;
}

TriMesh patch_fitted(TriMesh mesh, const SurfaceQuery& target, const std::vector<double>& limits) {
  const std::vector<Vec3> start = mesh.vertices;
  for (int round = 0; round < fit_rounds; ++round) {
    const SmoothSurface smooth(mesh);
    const std::vector<Vec3> moves = moves_toward(smooth, target, limits);
    for (std::size_t v = 0; v < start.size(); ++v) {
      Vec3 total = mesh.vertices[v] + moves[v] - start[v];
      if (total.norm() > limits[v]) total *= limits[v] / total.norm();
      mesh.vertices[v] = start[v] + total;
    }
  }
  return mesh;
}

}  // namespace peal::geometry
