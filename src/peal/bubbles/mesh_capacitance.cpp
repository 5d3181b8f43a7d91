#include <peal/base/layer_integrals.h>
#include <peal/bubbles/mesh_capacitance.h>
#include <peal/geometry/mesh/triangle.h>
#include <peal/util/error.h>
#include <peal/util/parallel.h>

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace peal::bubbles {

namespace {

using geometry::Vec3;

geometry::Corners corners_of(const geometry::TriMesh& mesh, Eigen::Index triangle) {
  const geometry::Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
  return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
}

geometry::Corners mirrored(const geometry::Corners& corners, const NearbyPlane& plane) {
  geometry::Corners image = corners;
  for (Vec3& corner : image)
    corner -= 2.0 * (plane.normal.dot(corner) - plane.offset) * plane.normal;
  return image;
}

}  // namespace

double mesh_capacitance(const geometry::TriMesh& mesh, const NearbyPlane& plane) {
  const auto count = static_cast<Eigen::Index>(mesh.triangles.size());
  if (count == 0) throw util::InputError({}, "a bubble without a surface has no capacitance");
  if (mesh.triangles.size() > most_capacitance_triangles) {
    throw util::InputError(
        {}, fmt::format("a bubble of {} triangles is too large for its capacitance", count),
        fmt::format("Use at most {}.", most_capacitance_triangles));
  }
  const bool has_plane = std::isfinite(plane.offset);
  Eigen::MatrixXd potential(count, count);
  Eigen::VectorXd areas(count);
  util::parallel_for(count, [&](std::int64_t j) {
    const geometry::Corners corners = corners_of(mesh, j);
    areas[j] = geometry::area_vector(mesh, static_cast<std::size_t>(j)).norm();
    const geometry::Corners image = has_plane ? mirrored(corners, plane) : corners;
    const double sign = !has_plane ? 0.0 : plane.is_free ? -1.0 : 1.0;
    for (Eigen::Index i = 0; i < count; ++i) {
      const geometry::Corners seen_from = corners_of(mesh, i);
      const Vec3 centre = (seen_from[0] + seen_from[1] + seen_from[2]) / 3.0;
      double sum = base::LayerIntegrals(corners, centre).inverse_distance;
      if (has_plane) sum += sign * base::LayerIntegrals(image, centre).inverse_distance;
      potential(i, j) = sum / (4.0 * std::numbers::pi);
    }
  });
  const Eigen::VectorXd charge = potential.partialPivLu().solve(Eigen::VectorXd::Ones(count));
  return areas.dot(charge) / (4.0 * std::numbers::pi);
}

}  // namespace peal::bubbles
