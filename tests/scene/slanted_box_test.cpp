#include <peal/geometry/shapes/shapes.h>
#include <peal/scene/slanted_box.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <utility>

namespace peal::scene {
namespace {

using geometry::Vec3;

/// The triangles of a box of 0.2 x 0.006 x 0.02 m whose middle is at (1, 2, 3), turned about it.
geometry::TriMesh turned_bar(const geometry::Mat3& turn) {
  geometry::TriMesh bar;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner(k & 1 ? 0.1 : -0.1, k & 2 ? 0.003 : -0.003, k & 4 ? 0.01 : -0.01);
    bar.vertices.push_back(Vec3(1, 2, 3) + turn * corner);
  }
  bar.triangles = {{0, 3, 1}, {0, 2, 3}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                   {2, 7, 3}, {2, 6, 7}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return bar;
}

geometry::Mat3 turn_by(double degrees, const Vec3& axis) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()).toRotationMatrix();
}

TEST(SlantedBox, ABoxIsFoundHoweverItIsTurned) {
  for (const double degrees : {0.0, 0.3, 20.0, 29.0, 44.0, 71.0, 135.0, 180.0}) {
    for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(1, 2, -1)}) {
      const geometry::TriMesh mesh = turned_bar(turn_by(degrees, axis));
      const auto box = recognised_slanted_box(mesh);
      ASSERT_TRUE(box) << degrees << " degrees about " << axis.transpose();
      EXPECT_FALSE(box->is_mended);
      EXPECT_NEAR(box->size.prod(), 0.2 * 0.006 * 0.02, 1e-12);
      EXPECT_LT((box->turn * box->centre - Vec3(1, 2, 3)).norm(), 1e-9);
      // Corners are where they were.
      for (const Vec3& corner : mesh.vertices) {
        const Vec3 own = box->turn.conjugate() * corner - box->centre;
        EXPECT_LT((own.cwiseAbs() - 0.5 * box->size).norm(), 1e-9);
      }
    }
  }
  // What a file with few digits leaves is no turn.
  EXPECT_TRUE(
      recognised_slanted_box(turned_bar(turn_by(1e-4, Vec3::UnitZ())))->turn.vec().isZero(0.0));
  const auto straight = recognised_slanted_box(turned_bar(geometry::Mat3::Identity()));
  EXPECT_TRUE(straight->turn.vec().isZero(0.0));
  EXPECT_TRUE(straight->size.isApprox(Vec3(0.2, 0.006, 0.02)));
}

TEST(SlantedBox, FacesThatAreInsideOutAreTurned) {
  for (const double degrees : {0.0, 29.0}) {
    const geometry::TriMesh right = turned_bar(turn_by(degrees, Vec3::UnitZ()));
    geometry::TriMesh one = right, all = right;
    std::swap(one.triangles[7][0], one.triangles[7][1]);
    for (geometry::Triangle& corners : all.triangles) std::swap(corners[0], corners[1]);
    for (const geometry::TriMesh& mesh : {one, all}) {
      const auto box = recognised_slanted_box(mesh);
      ASSERT_TRUE(box);
      EXPECT_TRUE(box->is_mended);
      EXPECT_NEAR(box->size.maxCoeff(), 0.2, 1e-9);
    }
  }
}

TEST(SlantedBox, WhatIsNoBoxIsNotTakenForOne) {
  geometry::Mat3 sheared = geometry::Mat3::Identity();
  sheared(0, 1) = 0.1;
  EXPECT_FALSE(recognised_slanted_box(turned_bar(sheared)));
  geometry::TriMesh open = turned_bar(turn_by(29.0, Vec3::UnitZ()));
  open.triangles.pop_back();
  EXPECT_FALSE(recognised_slanted_box(open));
  EXPECT_FALSE(recognised_slanted_box(geometry::sphere_mesh(0.1, 0.03)));
  EXPECT_FALSE(recognised_slanted_box({}));
}

}  // namespace
}  // namespace peal::scene
