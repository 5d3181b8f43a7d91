#include <peal/geometry/mesh/triangle.h>
#include <peal/radiation/flat_mirrors.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace peal::radiation {

namespace {

using base::Vec3;

constexpr double same_direction = 1e-4;  ///< largest difference of normals of one plane
constexpr double same_plane = 1e-4;      ///< largest distance of its triangles, of the body's size

class MirroredMotion : public base::Motion {
 public:
  MirroredMotion(const base::Receiver& receiver, const FlatMirror& mirror)
      : receiver_(receiver), point_(mirror.point), normal_(mirror.normal) {}

  base::Pose pose(double t) const override {
    const base::Pose pose = receiver_.motion->pose(t);
    const Vec3 x = pose.to_world(receiver_.offset);
    // The mirror image of a frame is left-handed; with its x axis turned round it is a frame again.
    const Eigen::Matrix3d mirror =
        Eigen::Matrix3d::Identity() - 2.0 * normal_ * normal_.transpose();
    Eigen::Matrix3d axes = mirror * pose.orientation.toRotationMatrix();
    axes.col(0) *= -1.0;
    return {.position = x - 2.0 * normal_.dot(x - point_) * normal_,
            .orientation = geometry::Quat(axes)};
  }
  bool is_still() const override { return receiver_.motion->is_still(); }
  std::span<const double> jumps() const override { return receiver_.motion->jumps(); }
  std::span<const double> kinks() const override { return receiver_.motion->kinks(); }

 private:
  base::Receiver receiver_;
  Vec3 point_, normal_;
};

/// The response of a receiver whose frame is that of MirroredMotion.
class MirroredResponse : public base::DirectionalResponse {
 public:
  explicit MirroredResponse(std::shared_ptr<const base::DirectionalResponse> real)
      : real_(std::move(real)) {}
  void prepare(base::Rate rate) const override { real_->prepare(rate); }
  std::size_t taps(base::Rate rate) const override { return real_->taps(rate); }
  std::size_t lead(base::Rate rate) const override { return real_->lead(rate); }
  void filter(base::Rate rate, const Vec3& from, std::span<float> out) const override {
    real_->filter(rate, {-from.x(), from.y(), from.z()}, out);
  }

 private:
  std::shared_ptr<const base::DirectionalResponse> real_;
};

bool is_in_triangle(const Vec3& x, const Vec3* corners, const Vec3& normal) {
  for (int k = 0; k < 3; ++k) {
    const Vec3& from = corners[k];
    if ((corners[(k + 1) % 3] - from).cross(x - from).dot(normal) < 0.0) return false;
  }
  return true;
}

void add_flat_parts(const base::World& world, std::size_t index, double least_area,
                    std::vector<FlatMirror>& mirrors) {
  const base::Body& body = world.bodies[index];
  const base::Pose pose = body.motion->pose(0.0);
  const double size = geometry::bounds(body.mesh).diagonal().norm();
  std::vector<FlatMirror> parts;
  for (std::uint32_t t = 0; t < body.mesh.triangles.size(); ++t) {
    const Vec3 vector = pose.orientation * geometry::area_vector(body.mesh, t);
    const double area = vector.norm();
    if (!(area > 0.0)) continue;
    const Vec3 normal = vector / area;
    const Vec3 point = pose.to_world(body.mesh.vertices[body.mesh.triangles[t][0]]);
    FlatMirror* part = nullptr;
    for (FlatMirror& one : parts) {
      if ((one.normal - normal).norm() < same_direction &&
          std::abs(one.height(point)) < same_plane * size) {
        part = &one;
        break;
      }
    }
    // A curved surface has too many directions to be a mirror.
    if (part == nullptr) {
      if (parts.size() >= 64) return;
      parts.push_back({.body = index, .point = point, .normal = normal});
      part = &parts.back();
    }
    part->area += area;
    for (const std::uint32_t corner : body.mesh.triangles[t])
      part->corners.push_back(pose.to_world(body.mesh.vertices[corner]));
  }
  for (FlatMirror& part : parts) {
    if (part.area < least_area) continue;
    mirrors.push_back(part);
    if (!body.is_sheet) continue;
    part.normal = -part.normal;
    for (std::size_t i = 0; i < part.corners.size(); i += 3)
      std::swap(part.corners[i + 1], part.corners[i + 2]);
    mirrors.push_back(part);
  }
}

}  // namespace

bool FlatMirror::reflects(const Vec3& source, const Vec3& receiver) const {
  const double above = height(source), far = height(receiver);
  if (above <= 0.0 || far <= 0.0) return false;
  const Vec3 at = source + above / (above + far) * (mirrored(receiver) - source);
  for (std::size_t i = 0; i < corners.size(); i += 3)
    if (is_in_triangle(at, &corners[i], normal)) return true;
  return false;
}

std::vector<FlatMirror> flat_mirrors(const base::World& world, double least_area) {
  std::vector<FlatMirror> mirrors;
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].is_still() && !world.bodies[i].exists)
      add_flat_parts(world, i, least_area, mirrors);
  }
  return mirrors;
}

base::Receiver mirrored_receiver(const base::Receiver& receiver, const FlatMirror& mirror) {
  return {.name = receiver.name + ", mirrored",
          .motion = std::make_shared<MirroredMotion>(receiver, mirror),
          .response =
              receiver.response ? std::make_shared<MirroredResponse>(receiver.response) : nullptr};
}

}  // namespace peal::radiation
