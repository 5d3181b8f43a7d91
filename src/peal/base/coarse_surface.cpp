#include <peal/base/coarse_surface.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace peal::base {

using geometry::TriMesh;
using geometry::Vec3;

namespace {

/// The one of the six axis directions nearest to a normal. It differs between the two faces of a
/// thin wall.
int side_of(const Vec3& normal) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  return static_cast<int>(2 * axis) + (normal[axis] < 0.0 ? 1 : 0);
}

/// The planes of the triangles around a coarse point, weighted by their area. The point that is
/// nearest to them all keeps edges, corners and the volume of round surfaces, where the mean of its
/// vertices lies inside (Lindstrom 2000, vertex clustering with quadric errors).
struct Planes {
  geometry::Mat3 matrix = geometry::Mat3::Zero();  ///< sum of area n n^T [m^2]
  Vec3 moved = Vec3::Zero();                       ///< sum of area n (n . x) [m^3]

  Vec3 nearest(const Vec3& mean) const {
    // Along what the planes leave open the point stays at the mean.
    constexpr double open = 2e-3;
    geometry::Mat3 raised = matrix;
    raised.diagonal().array() += open * matrix.trace();
    return mean + raised.ldlt().solve(moved - matrix * mean);
  }
};

/// Moves each point to where the planes around it meet, within the size of a cell.
void fit_points(const TriMesh& fine, double cell, CoarseSurface& coarse) {
  std::vector<Planes> planes(coarse.points.size());
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t) {
    const Vec3 area = geometry::area_vector(fine, t);
    const double size = area.norm();
    if (!(size > 0.0)) continue;
    const Vec3 normal = area / size, &corner = fine.vertices[fine.triangles[t][0]];
    std::array<std::uint32_t, 3> of{};
    for (int k = 0; k < 3; ++k) of[k] = coarse.point_of[fine.triangles[t][k]];
    for (int k = 0; k < 3; ++k) {
      if (std::find(of.begin(), of.begin() + k, of[k]) != of.begin() + k) continue;
      planes[of[k]].matrix += size * normal * normal.transpose();
      planes[of[k]].moved += size * normal * normal.dot(corner);
    }
  }
  for (std::size_t p = 0; p < planes.size(); ++p) {
    if (!(planes[p].matrix.trace() > 0.0)) continue;
    const Vec3 at = planes[p].nearest(coarse.points[p]);
    if ((at - coarse.points[p]).norm() < cell) coarse.points[p] = at;
  }
}

/// Merges the vertices that share a cell of size `cell` and a side.
CoarseSurface joined(const TriMesh& fine, const std::vector<Vec3>& normals, double cell) {
  CoarseSurface coarse;
  std::map<std::array<std::int64_t, 4>, std::uint32_t> number;
  std::vector<double> members;
  for (std::size_t v = 0; v < fine.vertices.size(); ++v) {
    std::array<std::int64_t, 4> key{0, 0, 0, side_of(normals[v])};
    for (int k = 0; k < 3; ++k)
      key[k] = static_cast<std::int64_t>(std::floor(fine.vertices[v][k] / cell));
    const auto [place, is_new] =
        number.try_emplace(key, static_cast<std::uint32_t>(coarse.points.size()));
    if (is_new) {
      coarse.points.push_back(Vec3::Zero());
      members.push_back(0.0);
    }
    coarse.point_of.push_back(place->second);
    coarse.points[place->second] += fine.vertices[v];
    members[place->second] += 1.0;
  }
  for (std::size_t i = 0; i < members.size(); ++i) coarse.points[i] /= members[i];
  fit_points(fine, cell, coarse);
  for (const auto& t : fine.triangles) {
    const std::array<std::uint32_t, 3> corners{coarse.point_of[t[0]], coarse.point_of[t[1]],
                                               coarse.point_of[t[2]]};
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      coarse.triangles.push_back(corners);
  }
  return coarse;
}

}  // namespace

CoarseSurface coarse_surface(const TriMesh& fine, std::size_t most_points) {
  std::vector<Vec3> normals(fine.vertices.size(), Vec3::Zero());
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t)
    for (const std::uint32_t v : fine.triangles[t]) normals[v] += geometry::area_vector(fine, t);
  double cell = std::sqrt(geometry::surface_area(fine) / double(most_points));
  for (;; cell *= 1.15) {
    CoarseSurface coarse = joined(fine, normals, cell);
    if (coarse.points.size() <= most_points) return coarse;
  }
}

TriMesh finer(TriMesh mesh, std::size_t most_points) {
  const double cell = std::sqrt(geometry::surface_area(mesh) / double(most_points));
  for (std::size_t most = 8 * most_points; mesh.triangles.size() < most;) {
    double longest = 0.0;
    for (const auto& t : mesh.triangles)
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm());
    if (longest <= cell) break;
    TriMesh cut;
    cut.vertices = mesh.vertices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [place, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(cut.vertices.size()));
      if (is_new) cut.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      return place->second;
    };
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      cut.triangles.insert(cut.triangles.end(),
                           {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh = std::move(cut);
  }
  return mesh;
}

}  // namespace peal::base
