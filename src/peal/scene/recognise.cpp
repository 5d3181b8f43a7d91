#include <peal/geometry/mass_properties.h>
#include <peal/scene/recognise.h>

#include <cmath>
#include <numbers>

namespace peal::scene {

using geometry::Vec3;

namespace {

constexpr double exact = 1e-4;        ///< of the size: what a file with five digits leaves
constexpr double fewest_facets = 60;  ///< of a ball; a die of 20 faces is meant to have them

}  // namespace

std::optional<BallShape> recognised_ball(const geometry::TriMesh& mesh) {
  const geometry::Box box = geometry::bounds(mesh);
  if (static_cast<double>(mesh.triangles.size()) < fewest_facets) return {};
  Vec3 centre = box.center();
  const double half = 0.5 * box.sizes().maxCoeff();
  for (const Vec3& v : mesh.vertices) {
    if (std::abs((v - centre).norm() - half) > 0.1 * half) return {};  // not even nearly
  }
  double radius = 0.0;
  for (int i = 0; i < 20; ++i) {
    Vec3 shift = Vec3::Zero();
    radius = 0.0;
    for (const Vec3& v : mesh.vertices) radius += (v - centre).norm();
    radius /= static_cast<double>(mesh.vertices.size());
    for (const Vec3& v : mesh.vertices) {
      const Vec3 out = v - centre;
      shift += 3.0 * (out.norm() - radius) * out.normalized();
    }
    centre += shift / static_cast<double>(mesh.vertices.size());
  }
  for (const Vec3& v : mesh.vertices) {
    if (!(std::abs((v - centre).norm() - radius) < exact * radius)) return {};
  }
  // All of it, not a cap with a lid.
  const double volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  if (!(geometry::signed_volume(mesh) > 0.8 * volume)) return {};
  return BallShape{radius, centre};
}

std::optional<BoxShape> recognised_box(const geometry::TriMesh& mesh) {
  const geometry::Box box = geometry::bounds(mesh);
  const Vec3 size = box.sizes();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = geometry::area_vector(mesh, t);
    Eigen::Index axis;
    const double along = area.cwiseAbs().maxCoeff(&axis);
    if (along == 0.0) continue;
    if (!(along > (1.0 - exact) * area.norm())) return {};
    for (const std::uint32_t v : mesh.triangles[t]) {
      const Vec3& p = mesh.vertices[v];
      const double off = area[axis] > 0.0 ? box.max()[axis] - p[axis] : p[axis] - box.min()[axis];
      if (!(std::abs(off) < exact * size.minCoeff())) return {};
    }
  }
  if (!(geometry::signed_volume(mesh) > (1.0 - exact) * size.prod())) return {};
  return BoxShape{.size = size, .centre = box.center()};
}

}  // namespace peal::scene
