#include <peal/wave/wall_drive.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

/// Of a sphere that is stretched to 1.6 times its length along x within a second.
Vec3 stretching(const Vec3& rest, double t) {
  return {(1 + 0.6 * t) * rest.x(), rest.y(), rest.z()};
}

/// Keeps the places that it is asked for.
class Asked : public base::SurfaceShader {
 public:
  void add_acceleration(base::SampleTime, std::span<const base::SurfacePoint> points,
                        std::span<float>) const override {
    seen.assign(points.begin(), points.end());
  }
  mutable std::vector<base::SurfacePoint> seen;
};

TEST(WallDrive, asks_a_deforming_body_along_its_present_normals) {
  const double radius = 0.06, t = 1;
  base::World world = world_of(2);
  world.bodies.push_back(body_of("balloon", sphere_at(Vec3::Zero(), radius, 10)));
  base::Body& body = world.bodies[0];
  body.deformation = std::make_shared<Deforming>(body.mesh.vertices, stretching);
  const auto asked = std::make_shared<Asked>();
  body.shaders.push_back(asked);
  const Grid grid{Vec3::Constant(-0.15), 0.01, {30, 30, 30}};
  const Chunk chunk{.end = 2};
  Scenery scenery(world, grid, chunk.hold);
  WallDrive<float> drive(world, scenery, grid, chunk);
  const CutGeometry geometry = scenery.at(t);
  drive.enter(interval(grid, geometry, geometry), t);
  drive.source({48000, world.rate}, 0);

  ASSERT_GT(asked->seen.size(), 300u);
  std::vector<Vec3> vertices(body.mesh.vertices.size());
  body.deformation->vertices(t, vertices);
  double worst_turn = 0, worst_place = 0;
  for (const base::SurfacePoint& point : asked->seen) {
    const Vec3& x = point.position;
    const Vec3 exact = Vec3(x.x() / (1.6 * 1.6), x.y(), x.z()).normalized();
    worst_turn = std::max(worst_turn, std::acos(std::min(1.0, point.normal.dot(exact))));
    Vec3 place = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      place += point.barycentric[k] * vertices[body.mesh.triangles[point.triangle][k]];
    worst_place = std::max(worst_place, (place - x).norm());
  }
  // Facets of 6 degrees; the sphere at rest would be off by 13 degrees.
  EXPECT_LT(worst_turn, 0.14);
  EXPECT_LT(worst_place, 0.006);
}

}  // namespace
}  // namespace peal::wave
