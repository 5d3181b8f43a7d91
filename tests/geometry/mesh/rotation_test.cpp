#include <peal/geometry/mesh/rotation.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::geometry {
namespace {

TEST(LeastTurn, TakesOneDirectionToTheOtherAndTurnsNoFurther) {
  const Vec3 from(0.3, -2.0, 0.7);
  for (const Vec3& to : {Vec3(1, 0, 0), Vec3(-0.2, 5, 1), Vec3(0.3, -2.0, 0.7001)}) {
    const Quat turn = least_turn(from, to);
    EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), 1e-15);
    const double angle = std::acos(from.normalized().dot(to.normalized()));
    EXPECT_NEAR(2.0 * std::acos(turn.w()), angle, 1e-8);
  }
}

TEST(LeastTurn, OfOppositeDirectionsIsHalfATurn) {
  const Vec3 from(0.3, -2.0, 0.7);
  for (const double aside : {0.0, 1e-300, 1e-12, 1e-7}) {
    const Vec3 to = -from + aside * Vec3::UnitX();
    const Quat turn = least_turn(from, to);
    EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), 1e-14) << aside;
    EXPECT_NEAR(turn.norm(), 1.0, 1e-15);
  }
}

TEST(NearestRotation, LeavesStretchAndMirrorToTheSymmetricPart) {
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Mat3 stretch = Vec3(0.5, 2.0, -3.0).asDiagonal();
  const Mat3 rotation = nearest_rotation(turn * stretch);
  EXPECT_NEAR(rotation.determinant(), 1.0, 1e-14);
  const Mat3 left = rotation.transpose() * turn * stretch;
  EXPECT_LT((left - left.transpose()).norm(), 1e-14);
}

}  // namespace
}  // namespace peal::geometry
