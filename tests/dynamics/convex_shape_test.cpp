#include <peal/dynamics/contact_point.h>
#include <peal/dynamics/rigid_world.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/geometry/volume/voronoi_pieces.h>

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>

namespace peal::dynamics {
namespace {

std::unique_ptr<SmoothShape> convex(geometry::TriMesh mesh, double fillet) {
  return make_smooth_shape(
      scene::ConvexShape{std::make_shared<const geometry::TriMesh>(std::move(mesh)), fillet});
}

TEST(ConvexShape, OfABoxIsTheRoundedBox) {
  const Vec3 size(0.04, 0.03, 0.01);
  const auto box = make_smooth_shape(scene::BoxShape{size, 5e-4});
  const auto same = convex(geometry::box_mesh(size, 0.01), 5e-4);
  EXPECT_TRUE(same->is_convex());
  EXPECT_EQ(same->features().size(), box->features().size());
  for (int i = 0; i < 500; ++i) {
    const Vec3 p(0.03 * std::sin(1.0 + 3.1 * i), 0.03 * std::sin(2.0 + 5.7 * i),
                 0.03 * std::sin(7.3 * i));
    Vec3 normal, expected;
    EXPECT_NEAR(same->distance(p, normal), box->distance(p, expected), 1e-12);
    // Inside, where two sides are equally far, either is right.
    if (box->distance(p, expected) > 0.0) {
      EXPECT_LT((normal - expected).norm(), 1e-9);
    }
    EXPECT_LE(same->least_distance(p), same->distance(p, normal) + 1e-12);
  }
}

TEST(ConvexShape, RoundsEveryEdgeOfAPieceByItsFillet) {
  const geometry::TriMesh pane = geometry::box_mesh({0.1, 0.1, 0.004}, 1.0);
  const auto sites = geometry::fracture_sites(pane, {.pieces = 9, .seed = 4});
  for (const geometry::TriMesh& piece : geometry::voronoi_pieces(pane, sites)) {
    const auto shape = convex(piece, 3e-4);
    Vec3 normal;
    for (const Feature& feature : shape->features()) {
      EXPECT_NEAR(shape->distance(feature.a, normal), -feature.radius, 1e-10);
      EXPECT_GT(feature.radius, 1e-4);
    }
    for (const Vec3& corner : piece.vertices) {
      const double over = shape->distance(corner, normal);
      EXPECT_GT(over, 0.0);
      EXPECT_LT(over, 2e-3);
    }
  }
}

TEST(ConvexShape, RefusesWhatIsNotConvex) {
  EXPECT_THROW(convex(geometry::torus_mesh(0.05, 0.01, 0.01), 1e-3), std::invalid_argument);
}

// A blow from outside gives a free body its impulse, and wakes it.
TEST(RigidWorldBlows, GiveABodyTheirMomentum) {
  const geometry::TriMesh cube = geometry::box_mesh({0.02, 0.02, 0.02}, 0.02);
  RigidBodySettings body{.name = "cube",
                         .shape = scene::BoxShape{{0.02, 0.02, 0.02}, 5e-4},
                         .mass = geometry::mass_properties(cube, 1000.0)};
  body.blows = {{.time = 0.01, .impulse = {0.008, 0, 0}, .point = {0, 0.01, 0}}};
  RigidWorld world({body}, {.gravity = Vec3::Zero(), .step = 1e-3});
  for (int i = 0; i < 10; ++i) world.step();
  EXPECT_TRUE(world.velocity(0).isZero());
  world.step();
  EXPECT_NEAR(world.velocity(0).x(), 1.0, 1e-12);  // 8 g
  const double moment = 0.008 * 4e-4 / 6.0;
  EXPECT_NEAR(world.angular_velocity(0).z(), -0.01 * 0.008 / moment, 1e-6);
}

}  // namespace
}  // namespace peal::dynamics
