#include <peal/dynamics/contact_point.h>
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

/// An arc from one angle to another, in sides of 10 degrees or less.
geometry::Polygon arc_of(double x, double y, double radius, double from, double to) {
  geometry::Polygon points;
  const int n = static_cast<int>(std::ceil(std::abs(to - from) / 0.17));
  for (int i = 0; i <= n; ++i) {
    const double angle = from + (to - from) * i / n;
    points.emplace_back(x + radius * std::cos(angle), y + radius * std::sin(angle));
  }
  return points;
}

/// Open above, round below, with a round rim.
geometry::Polygon bowl_section() {
  geometry::Polygon section = arc_of(0, 0.04, 0.04, -0.5 * M_PI, 0.0);
  section.front().x() = 0.0;
  const auto rim = arc_of(0.038, 0.04, 0.002, 0.0, M_PI),
             inside = arc_of(0, 0.04, 0.036, 0.0, -0.5 * M_PI);
  section.insert(section.end(), rim.begin() + 1, rim.end());
  section.insert(section.end(), inside.begin() + 1, inside.end());
  section.back().x() = 0.0;
  return section;
}

/// Staves of 60 mm, bent by 40 degrees in all.
geometry::Polygon barrel_section() {
  geometry::Polygon section = arc_of(-0.06, 0, 0.085, -0.35, 0.35);
  section.insert(section.begin(), {0.0, section.front().y()});
  section.emplace_back(0.0, section.back().y());
  return section;
}

const std::vector<scene::CollisionShape>& some_shapes() {
  static const std::vector<scene::CollisionShape> shapes = {
      scene::BallShape{0.03}, scene::BoxShape{{0.04, 0.02, 0.06}, 0.002},
      scene::TurnedShape{{{0, -0.01}, {0.03, -0.01}, {0.03, 0.01}, {0, 0.01}}, 0.001},
      // A cup: hollow from above.
      scene::TurnedShape{
          {{0, 0}, {0.03, 0}, {0.03, 0.05}, {0.026, 0.05}, {0.026, 0.004}, {0, 0.004}}, 0.0005},
      scene::TurnedShape{bowl_section(), 0.0002}, scene::TurnedShape{barrel_section(), 0.001}};
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
      if (feature.is_part) continue;  // its ball may stick out
      const Vec3 p =
          feature.a + (feature.kind == Feature::Kind::ring ? Vec3(0.6, 0, 0.8) * feature.ring_radius
                                                           : Vec3(Vec3::Zero()));
      Vec3 normal;
      EXPECT_NEAR(shape->distance(p, normal), -feature.radius, 1e-12);
    }
  }
}

// Sides that stand for a circle are that circle: a ball, a ring, a barrel.
TEST(SmoothShapeAnalytic, OutlinesOfManySidesAreRound) {
  geometry::Polygon half = arc_of(0, 0, 0.03, -0.5 * M_PI, 0.5 * M_PI),
                    tube = arc_of(0.03, 0, 0.008, 0.1, 0.1 + 2.0 * M_PI);
  half.front().x() = half.back().x() = 0.0;
  tube.pop_back();
  const auto ball = make_smooth_shape(scene::TurnedShape{half, 0.0003});
  const auto ring = make_smooth_shape(scene::TurnedShape{tube, 0.0003});
  const auto barrel = make_smooth_shape(scene::TurnedShape{barrel_section(), 0.0003});
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = random_point(i, 0.06);
    const double r = std::hypot(p.x(), p.z());
    Vec3 normal;
    EXPECT_NEAR(ball->distance(p, normal), p.norm() - 0.03, 1e-10);
    EXPECT_NEAR(ring->distance(p, normal), std::hypot(r - 0.03, p.y()) - 0.008, 1e-10);
    if (std::abs(p.y()) < 0.02 && r > 0.02) {
      EXPECT_NEAR(barrel->distance(p, normal), std::hypot(r + 0.06, p.y()) - 0.085, 1e-10);
    }
  }
  EXPECT_TRUE(ball->is_convex());
  EXPECT_TRUE(barrel->is_convex());
  EXPECT_FALSE(ring->is_convex());
}

// The circles of slightly bent walls are larger than the body, and others may lie within them.
TEST(SmoothShape, WhatLiesUnderABowlDoesNotTouchIt) {
  const auto bowl = make_smooth_shape(scene::TurnedShape{{{0, 0.047},
                                                          {0.029, 0.047},
                                                          {0.042, 0.042},
                                                          {0.052, 0.033},
                                                          {0.0595, 0.0215},
                                                          {0.0645, 0.0095},
                                                          {0.067, 0},
                                                          {0.07, 0},
                                                          {0.0675, 0.0105},
                                                          {0.062, 0.0235},
                                                          {0.0541, 0.0357},
                                                          {0.043, 0.0455},
                                                          {0.03, 0.05},
                                                          {0, 0.05}},
                                                         0.0009});
  const auto box = make_smooth_shape(scene::BoxShape{{0.04, 0.016, 0.04}, 3e-4});
  for (int i = 0; i < 200; ++i) {
    const Vec3 axis = random_point(i, 1.0).normalized(), at = random_point(i + 1000, 0.012);
    const base::Pose pose{at + Vec3(0, 0.008, 0),
                          geometry::Quat(Eigen::AngleAxisd(0.01 * (i % 30), axis))};
    std::vector<ContactPoint> contact_points;
    find_contact_points({bowl.get(), {}}, {box.get(), pose}, 0, 1, 0.01, contact_points);
    for (const ContactPoint& contact_point : contact_points) EXPECT_GT(contact_point.gap, 0.0) << i;
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
