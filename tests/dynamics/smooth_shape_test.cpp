#include <peal/dynamics/smooth_shape.h>
#include <peal/util/random.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::dynamics {
namespace {

Vec3 random_point(int i, double size) {
  const auto index = static_cast<std::uint64_t>(i);
  return size * (2.0 * Vec3(util::random_uniform(7, 0, index), util::random_uniform(7, 1, index),
                            util::random_uniform(7, 2, index)) -
                 Vec3::Ones());
}

const std::vector<scene::CollisionShape>& some_shapes() {
  static const std::vector<scene::CollisionShape> shapes = {
      scene::BallShape{0.03}, scene::BoxShape{{0.04, 0.02, 0.06}, 0.002},
      scene::TurnedShape{{{0, -0.01}, {0.03, -0.01}, {0.03, 0.01}, {0, 0.01}}, 0.001},
      // A cup: hollow from above.
      scene::TurnedShape{
          {{0, 0}, {0.03, 0}, {0.03, 0.05}, {0.026, 0.05}, {0.026, 0.004}, {0, 0.004}}, 0.0005}};
  return shapes;
}

TEST(SmoothShape, NormalsAreTheGradientOfTheDistance) {
  for (const auto& settings : some_shapes()) {
    const auto shape = make_smooth_shape(settings);
    int good = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random_point(i, 0.06);
      Vec3 normal, unused, slope;
      shape->distance(p, normal);
      for (int k = 0; k < 3; ++k) {
        const double e = 1e-7;
        slope[k] = (shape->distance(p + e * Vec3::Unit(k), unused) -
                    shape->distance(p - e * Vec3::Unit(k), unused)) /
                   (2.0 * e);
      }
      EXPECT_NEAR(normal.norm(), 1.0, 1e-12);
      good += (normal - slope).norm() < 1e-5 ? 1 : 0;
    }
    EXPECT_GE(good, 195) << "but on edges of the inside, where it has none";
  }
}

// A step along the normal ends on the surface, from outside exactly.
TEST(SmoothShape, DistancesLeadToTheSurface) {
  for (const auto& settings : some_shapes()) {
    const auto shape = make_smooth_shape(settings);
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random_point(i, 0.08);
      Vec3 normal, there;
      const double distance = shape->distance(p, normal);
      if (distance < 0.0) continue;
      EXPECT_NEAR(shape->distance(p - distance * normal, there), 0.0, 1e-12);
    }
  }
}

TEST(SmoothShape, FeaturesLieAFilletBelowTheSurface) {
  for (const auto& settings : some_shapes()) {
    const auto shape = make_smooth_shape(settings);
    for (const Feature& feature : shape->features()) {
      const Vec3 p =
          feature.a + (feature.kind == Feature::Kind::ring ? Vec3(0.6, 0, 0.8) * feature.ring_radius
                                                           : Vec3(Vec3::Zero()));
      Vec3 normal;
      EXPECT_NEAR(shape->distance(p, normal), -feature.radius, 1e-12);
    }
  }
}

TEST(SmoothShape, RefusesFilletsThatDoNotFit) {
  EXPECT_THROW(make_smooth_shape(scene::BoxShape{{0.01, 0.01, 0.01}, 0.005}),
               std::invalid_argument);
  EXPECT_THROW(make_smooth_shape(
                   scene::TurnedShape{{{0, -0.01}, {0.03, -0.01}, {0.03, 0.01}, {0, 0.01}}, 0.011}),
               std::invalid_argument);
}

}  // namespace
}  // namespace peal::dynamics
