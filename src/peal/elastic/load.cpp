#include <peal/elastic/load.h>

#include <utility>

namespace peal::elastic {

GripMotion rigid_grip(std::function<geometry::Affine(double t)> pose) {
  return [pose = std::move(pose)](double t, std::span<geometry::Vec3> points) {
    const geometry::Affine now = pose(t);
    for (geometry::Vec3& point : points) point = now * point;
  };
}

}  // namespace peal::elastic
