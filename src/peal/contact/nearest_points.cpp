#include <peal/contact/nearest_points.h>
#include <peal/geometry/mesh/mesh_topology.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace peal::contact {

using base::Pose;

namespace {

constexpr double same_patch = 2e-4;  ///< points this much farther away touch as well [m]

struct NearPoint {
  Vec3 point, normal;
  double gap;
  const geometry::SurfaceQuery* surface;
  Vec3 closest;  ///< on the surface

  /// Its normal is that of all triangles there: none of an edge, where it is one of many.
  bool is_on_face() const {
    const std::vector<geometry::SurfacePoint> around = surface->all_within(closest, 1e-6);
    const auto normal_of = [&](const geometry::SurfacePoint& one) -> Vec3 {
      return geometry::area_vector(surface->mesh(), one.triangle).normalized();
    };
    return std::ranges::all_of(around, [&](const geometry::SurfacePoint& one) {
      return normal_of(one).dot(normal_of(around.front())) > 0.99;
    });
  }
};

/// Points of `one` near the surface of `other`; `sign` -1 if `one` is b.
void add_near_points(const SampledSurface& one, const Pose& pose, const SampledSurface& other,
                     const Pose& other_pose, double reach, double sign,
                     std::vector<NearPoint>& found) {
  const geometry::SurfaceQuery& surface = other.surface();
  for (const Vec3& sample : one.points()) {
    const Vec3 world = pose.to_world(sample);
    const Vec3 local = other_pose.to_local(world);
    if (other.bounds().exteriorDistance(local) > reach) continue;
    const auto near = surface.closest_point_within(local, reach);
    if (!near) continue;
    Vec3 normal = geometry::area_vector(surface.mesh(), near->triangle).normalized();
    const Vec3 away = local - near->point;
    const double distance = away.norm();
    double gap = away.dot(normal);
    // Nearest to an edge or a corner, the planes of the triangles there are not what is near.
    if (distance > 1e-6 && std::abs(gap) < 0.999 * distance) {
      const double side = gap > -1e-6 * distance ? 1.0 : -1.0;
      gap = side * distance;
      normal = side / distance * away;
    }
    found.push_back({.point = world,
                     .normal = sign * (other_pose.orientation * normal),
                     .gap = gap,
                     .surface = &surface,
                     .closest = near->point});
  }
}

}  // namespace

SampledSurface::SampledSurface(const LocalShape& shape)
    : shape_(&shape), points_(shape.surface().mesh().vertices) {
  const geometry::TriMesh& mesh = surface().mesh();
  bounds_ = geometry::bounds(mesh);
  for (const Vec3& v : mesh.vertices) radius_ = std::max(radius_, v.norm());
  constexpr double parts_of_a_body = 64.0;
  const double spacing = std::max(0.002, size() / parts_of_a_body);  // [m]
  for (const auto& [i, j] : geometry::mesh_topology(mesh).edges) {
    const Vec3 along = mesh.vertices[j] - mesh.vertices[i];
    const double parts = std::ceil(along.norm() / spacing);
    for (double k = 1.0; k < parts; ++k) points_.emplace_back(mesh.vertices[i] + k / parts * along);
  }
}

namespace {

/// Points of either surface within `reach` of the other [m]; none if bounding spheres are apart.
std::vector<NearPoint> near_points(const SampledSurface& a, const Pose& pose_a,
                                   const SampledSurface& b, const Pose& pose_b, double reach) {
  std::vector<NearPoint> found;
  const double apart = (pose_a.position - pose_b.position).norm();
  if (apart > a.radius() + b.radius() + reach) return found;
  add_near_points(a, pose_a, b, pose_b, reach, 1.0, found);
  add_near_points(b, pose_b, a, pose_a, reach, -1.0, found);
  return found;
}

}  // namespace

std::optional<NearestPoints> nearest_points(const SampledSurface& a, const Pose& pose_a,
                                            const SampledSurface& b, const Pose& pose_b,
                                            double reach) {
  std::vector<NearPoint> found = near_points(a, pose_a, b, pose_b, reach);
  if (found.empty()) return {};
  NearestPoints result;
  for (const NearPoint& one : found) result.gap = std::min(result.gap, one.gap);
  std::erase_if(found, [&](const NearPoint& one) { return one.gap > result.gap + same_patch; });
  const auto others = std::stable_partition(found.begin(), found.end(),
                                            [](const NearPoint& one) { return one.is_on_face(); });
  if (others != found.begin()) found.erase(others, found.end());
  double count = 0.0;
  for (const NearPoint& one : found) {
    result.point += one.point;
    result.normal += one.normal;
    count += 1.0;
  }
  result.point /= count;
  if (!(result.normal.norm() > 0.1 * count)) return {};  // on both sides of something thin
  result.normal.normalize();
  return result;
}

std::vector<NearestPoints> support_points(const SampledSurface& a, const Pose& pose_a,
                                          const SampledSurface& b, const Pose& pose_b,
                                          double reach) {
  std::vector<NearPoint> found = near_points(a, pose_a, b, pose_b, reach);
  std::erase_if(found, [&](const NearPoint& one) { return one.gap > reach || one.gap < -reach; });
  std::vector<NearestPoints> chosen;
  if (found.empty()) return chosen;
  Vec3 middle = Vec3::Zero();
  for (const NearPoint& one : found) middle += one.point / static_cast<double>(found.size());
  geometry::Mat3 spread = geometry::Mat3::Zero();
  for (const NearPoint& one : found)
    spread += (one.point - middle) * (one.point - middle).transpose();
  // The two axes along which they lie farthest, and how far along each.
  const geometry::Mat3 axes = Eigen::SelfAdjointEigenSolver<geometry::Mat3>(spread).eigenvectors();
  std::array<Vec3, 2> along = {axes.col(2), axes.col(1)};
  for (Vec3& axis : along) {
    double farthest = 0.0;
    for (const NearPoint& one : found)
      farthest = std::max(farthest, std::abs(axis.dot(one.point - middle)));
    axis /= std::max(farthest, same_patch);
  }
  for (const Vec3& direction : {Vec3(along[0] + along[1]), Vec3(along[0] - along[1]),
                                Vec3(-along[0] + along[1]), Vec3(-along[0] - along[1])}) {
    const NearPoint& corner = *std::ranges::max_element(
        found, {}, [&](const NearPoint& one) { return direction.dot(one.point - middle); });
    const bool is_new = std::ranges::none_of(chosen, [&](const NearestPoints& other) {
      return (other.point - corner.point).norm() < same_patch;
    });
    if (is_new) chosen.push_back({corner.gap, corner.point, corner.normal});
  }
  return chosen;
}

}  // namespace peal::contact
