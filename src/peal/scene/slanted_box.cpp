#include <peal/geometry/repair/mesh_repair.h>
#include <peal/scene/recognise.h>
#include <peal/scene/slanted_box.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace peal::scene {

namespace {

using geometry::Mat3;
using geometry::Vec3;

constexpr double same_direction = 1e-4;  ///< of unit vectors: what a file with five digits leaves

/// The direction of the largest area across to `across` (zero: of any), by all triangles along it.
Vec3 main_normal(const std::vector<Vec3>& areas, const Vec3& across) {
  Vec3 largest = Vec3::Zero();
  for (const Vec3& area : areas) {
    const bool is_across = std::abs(area.dot(across)) < same_direction * area.norm();
    if (is_across && area.norm() > largest.norm()) largest = area;
  }
  Vec3 sum = Vec3::Zero();
  for (const Vec3& area : areas) {
    const double along = area.dot(largest.normalized());
    if (std::abs(along) > (1.0 - same_direction) * area.norm()) sum += along > 0.0 ? area : -area;
  }
  return sum.normalized();
}

/// Columns, each where it is nearest to an axis of the mesh, and pointing along it.
Mat3 nearest_order(const std::array<Vec3, 3>& axes) {
  Mat3 best = Mat3::Identity();
  double nearest = -1.0;
  for (int first = 0; first < 3; ++first) {
    for (const int second : {(first + 1) % 3, (first + 2) % 3}) {
      const std::array<int, 3> order = {first, second, 3 - first - second};
      Mat3 turn;
      for (int k = 0; k < 3; ++k) {
        const Vec3& axis = axes[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])];
        turn.col(k) = axis[k] < 0.0 ? Vec3(-axis) : axis;
      }
      if (turn.determinant() < 0.0 || !(turn.trace() > nearest)) continue;
      nearest = turn.trace();
      best = turn;
    }
  }
  return best;
}

bool is_along_axes(const std::vector<Vec3>& areas, const std::array<Vec3, 3>& axes) {
  for (const Vec3& area : areas) {
    double along = 0.0;
    for (const Vec3& axis : axes) along = std::max(along, std::abs(area.dot(axis)));
    if (!(along >= (1.0 - same_direction) * area.norm())) return false;
  }
  return true;
}

/// Finds the box with edges along the columns of `turn`.
std::optional<SlantedBox> box_along(const geometry::TriMesh& mesh, const Mat3& turn) {
  const geometry::TriMesh own = geometry::transformed(mesh, geometry::Affine(turn.transpose()));
  const auto as_drawn = recognised_box(own);
  const auto box =
      as_drawn ? as_drawn : recognised_box(geometry::orient_consistently(geometry::weld(own)));
  if (!box || box->fillet > 0.0) return std::nullopt;
  return SlantedBox{box->size, box->centre, geometry::Quat(turn), !as_drawn};
}

}  // namespace

std::optional<SlantedBox> recognised_slanted_box(const geometry::TriMesh& mesh) {
  std::vector<Vec3> areas;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    areas.push_back(geometry::area_vector(mesh, t));
  std::array<Vec3, 3> axes;
  axes[0] = main_normal(areas, Vec3::Zero());
  axes[1] = main_normal(areas, axes[0]);
  axes[1] = (axes[1] - axes[0] * axes[0].dot(axes[1])).normalized();
  axes[2] = axes[0].cross(axes[1]);
  if (!(axes[2].norm() > 0.5) || !is_along_axes(areas, axes)) return std::nullopt;
  // As it was drawn, if that is nearly so: rounding turned it.
  if (const auto straight = box_along(mesh, Mat3::Identity())) return straight;
  return box_along(mesh, nearest_order(axes));
}

}  // namespace peal::scene
