#include <peal/geometry/mesh/curvature.h>
#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/smooth_surface.h>
#include <peal/util/parallel.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace peal::geometry {
namespace {

constexpr double no_area = 1e-12;  ///< of a triangle, over its longest edge squared

class CurvatureFit {
 public:
  explicit CurvatureFit(const TriMesh& mesh) : mesh_(mesh), topology_(mesh_topology(mesh)) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      const Vec3 &x = mesh.vertices[a], &y = mesh.vertices[b], &z = mesh.vertices[c];
      const double longest = std::max({(y - x).norm(), (z - y).norm(), (x - z).norm()});
      const Vec3 area = area_vector(mesh, t);
      const double size = area.norm();
      normals_.push_back(size > no_area * longest * longest ? Vec3(area / size)
                                                            : Vec3(Vec3::Zero()));
    }
  }

  struct Principal {
    double mean, gaussian;
  };
  Principal at(std::uint32_t vertex) const {
    const Vec3 normal = normal_at(vertex);
    if (normal.isZero(0.0)) return {0.0, 0.0};
    const std::vector<std::uint32_t> around = neighbours(vertex);
    const Vec3 e0 = normal.unitOrthogonal(), e1 = normal.cross(e0);
    // h / s = s / 2 (a c^2 + 2 b c d + f d^2) + tilt, with the direction (c, d) in the plane.
    Eigen::Matrix<double, 5, 5> sum = Eigen::Matrix<double, 5, 5>::Zero();
    Eigen::Matrix<double, 5, 1> right = Eigen::Matrix<double, 5, 1>::Zero();
    double bent = 0.0, length = 0.0;  // of a sphere: sums of 2 h / s^2 and of ones, times s^2
    for (const std::uint32_t v : around) {
      const Vec3 off = mesh_.vertices[v] - mesh_.vertices[vertex];
      const double s = off.norm(), x = e0.dot(off), y = e1.dot(off), flat = std::hypot(x, y);
      if (!(flat > 0.1 * s)) continue;
      const double depth = -normal.dot(off), c = x / flat, d = y / flat;
      Eigen::Matrix<double, 5, 1> row;
      row << 0.5 * s * c * c, s * c * d, 0.5 * s * d * d, x / s, y / s;
      sum += row * row.transpose();
      right += row * (depth / s);
      bent += 2.0 * depth;
      length += s * s;
    }
    if (!(length > 0.0)) return {0.0, 0.0};
    // Curvatures and tilts have different units: scaled so that all count alike.
    const Eigen::Matrix<double, 5, 1> scale =
        sum.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::Matrix<double, 5, 5> scaled = scale.asDiagonal() * sum * scale.asDiagonal();
    const Eigen::LDLT<Eigen::Matrix<double, 5, 5>> factor(scaled);
    if (around.size() < 5 || !(factor.vectorD().minCoeff() > 1e-6)) {
      const double k = bent / length;
      return {k, k * k};
    }
    const Eigen::Matrix<double, 5, 1> fit =
        scale.asDiagonal() * factor.solve(scale.asDiagonal() * right);
    return {0.5 * (fit[0] + fit[2]), fit[0] * fit[2] - fit[1] * fit[1]};
  }

 private:
  Vec3 normal_at(std::uint32_t vertex) const {
    Vec3 sum = Vec3::Zero();
    for (const std::uint32_t t : topology_.vertex_triangles[vertex]) {
      if (normals_[t].isZero(0.0)) continue;
      const Triangle& corners = mesh_.triangles[t];
      const auto k = std::ranges::find(corners, vertex) - corners.begin();
      const Vec3 a = mesh_.vertices[corners[(k + 1) % 3]] - mesh_.vertices[vertex];
      const Vec3 b = mesh_.vertices[corners[(k + 2) % 3]] - mesh_.vertices[vertex];
      sum += corner_normal(a, b);
    }
    const double length = sum.norm();
    return length > 0.0 ? Vec3(sum / length) : sum;
  }

  /// Vertices of two rings of triangles that smooth edges join.
  std::vector<std::uint32_t> neighbours(std::uint32_t vertex) const {
    std::vector<std::uint32_t> triangles, found;
    const auto add = [&](std::uint32_t t) {
      if (normals_[t].isZero(0.0) || std::ranges::find(triangles, t) != triangles.end()) return;
      triangles.push_back(t);
      for (const std::uint32_t v : mesh_.triangles[t]) {
        if (v != vertex && std::ranges::find(found, v) == found.end()) found.push_back(v);
      }
    };
    for (const std::uint32_t t : topology_.vertex_triangles[vertex]) add(t);
    const std::vector<std::uint32_t> ring = found;
    // From triangle to triangle, as long as they have a corner in the first ring.
    for (std::size_t i = 0; i < triangles.size(); ++i) {
      const std::uint32_t t = triangles[i];
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t next = topology_.triangle_neighbours[t][k];
        if (next == MeshTopology::none || normals_[t].dot(normals_[next]) < std::cos(sharpest_bend))
          continue;
        const bool touches = std::ranges::any_of(mesh_.triangles[next], [&](std::uint32_t v) {
          return std::ranges::find(ring, v) != ring.end();
        });
        if (touches) add(next);
      }
    }
    return found;
  }

  const TriMesh& mesh_;
  MeshTopology topology_;
  std::vector<Vec3> normals_;  ///< of triangles; zero if they have no area
};

}  // namespace

Curvature discrete_curvature(const TriMesh& mesh) {
  const CurvatureFit fit(mesh);
  Curvature result;
  result.mean.resize(mesh.vertices.size());
  result.gaussian.resize(mesh.vertices.size());
  util::parallel_for(static_cast<std::int64_t>(mesh.vertices.size()), [&](std::int64_t v) {
    const auto found = fit.at(static_cast<std::uint32_t>(v));
    result.mean[v] = found.mean;
    result.gaussian[v] = found.gaussian;
  });
  return result;
}

}  // namespace peal::geometry
