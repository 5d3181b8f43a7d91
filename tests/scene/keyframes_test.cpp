#include <peal/scene/keyframes.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::scene {
namespace {

using geometry::Quat;
using geometry::Vec3;

/// glTF 2.0, appendix C: cubic spline interpolation, written out plainly.
template <class T>
T cubic(const Track<T>& track, double t) {
  std::size_t k = 0;
  while (k + 2 < track.times.size() && t > track.times[k + 1]) ++k;
  const double h = track.times[k + 1] - track.times[k], s = (t - track.times[k]) / h;
  return (2 * s * s * s - 3 * s * s + 1) * track.values[k] +
         h * (s * s * s - 2 * s * s + s) * track.out_tangents[k] +
         (-2 * s * s * s + 3 * s * s) * track.values[k + 1] +
         h * (s * s * s - s * s) * track.in_tangents[k + 1];
}

Quat slerp(const Track<Eigen::Vector4d>& track, double t) {
  if (track.values.size() == 1) return Quat(track.values[0]);
  std::size_t k = 0;
  while (k + 2 < track.times.size() && t > track.times[k + 1]) ++k;
  const double s = (t - track.times[k]) / (track.times[k + 1] - track.times[k]);
  return Quat(track.values[k]).slerp(s, Quat(track.values[k + 1]));
}

Vec3 position(const MotionPath& path, double t) {
  geometry::Affine whole = geometry::Affine::Identity();
  for (const AnimatedTransform& link : path.chain) {
    if (!link.translation.empty()) whole.translate(link.translation.values[0]);
    if (!link.rotation.empty()) whole.rotate(slerp(link.rotation, t));
  }
  return whole.translation();
}

Turn turn_about(const Vec3& axis, double degrees) {
  return {Quat(Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis)), axis, degrees};
}

TEST(KeyframesAnalytic, SmoothKeysReproduceAThrownBall) {
  const auto ball = [](double t) -> Vec3 {
    return Vec3(1, 2, 3) + Vec3(0.5, 4, -1) * t + 0.5 * Vec3(0, -9.81, 0) * t * t;
  };
  const std::vector<double> times = {0.0, 0.1, 0.45, 0.5, 1.2};
  std::vector<Vec3> values;
  for (const double t : times) values.push_back(ball(t));
  const Track<Vec3> track = smooth_track(times, values);
  for (double t = 0.0; t <= 1.2; t += 0.01) {
    EXPECT_LT((cubic(track, t) - ball(t)).norm(), 1e-12) << t;
  }
}

TEST(KeyframesAnalytic, SmoothKeysConvergeWithThirdOrder) {
  const auto worst = [](int n) {
    std::vector<double> times;
    std::vector<Vec3> values;
    for (int i = 0; i <= n; ++i) {
      const double u = static_cast<double>(i) / n, t = u + 0.1 * std::sin(2 * std::numbers::pi * u);
      times.push_back(t);
      values.emplace_back(std::sin(5 * t), std::cos(5 * t), t);
    }
    const Track<Vec3> track = smooth_track(times, values);
    double error = 0.0;
    for (double t = 0.0; t <= 1.0; t += 1e-3) {
      error = std::max(error, (cubic(track, t) - Vec3(std::sin(5 * t), std::cos(5 * t), t)).norm());
    }
    return error;
  };
  EXPECT_GT(std::log2(worst(40) / worst(80)), 2.8);
}

TEST(Keyframes, SmoothWithTwoKeysIsAStraightLine) {
  const Track<Vec3> track = smooth_track<Vec3>({1.0, 3.0}, {Vec3(0, 0, 0), Vec3(4, 2, 0)});
  EXPECT_LT((cubic(track, 1.5) - Vec3(1, 0.5, 0)).norm(), 1e-14);
  EXPECT_TRUE(smooth_track<Vec3>({}, {}).empty());
}

TEST(Keyframes, SmoothRotationsTakeTheShortWay) {
  const Eigen::Vector4d first(0, 0, 0, 1), second(0, 0.1, 0, -std::sqrt(0.99));
  const auto track = smooth_track<Eigen::Vector4d>({0, 1}, {first, second});
  EXPECT_GT(track.values[0].dot(track.values[1]), 0.0);
}

TEST(KeyframesAnalytic, WholeTurnsAboutOneAxisAreKept) {
  const std::vector<double> times = {0.0, 2.0, 3.0};
  const Vec3 axis = Vec3(1, 2, 2) / 3.0;
  const std::vector<Turn> turns = {turn_about(axis, 0), turn_about(axis, 720),
                                   turn_about(-axis, -360)};
  const auto track = turning_track(times, turns);
  for (double t = 0.0; t <= 3.0; t += 0.05) {
    const double degrees = t < 2.0 ? 360.0 * t : 720.0 - 360.0 * (t - 2.0);
    EXPECT_LT(slerp(track, t).angularDistance(turn_about(axis, degrees).rotation), 1e-7) << t;
  }
}

TEST(Keyframes, OtherRotationsTakeTheShortWayWithoutExtraKeys) {
  const std::vector<double> times = {0.0, 1.0};
  const std::vector<Turn> turns = {turn_about(Vec3::UnitX(), 80), turn_about(Vec3::UnitY(), 300)};
  const auto track = turning_track(times, turns);
  EXPECT_EQ(track.times.size(), 2u);
  EXPECT_GE(track.values[0].dot(track.values[1]), 0.0);
}

TEST(KeyframesAnalytic, ACircleIsExactAtEveryTime) {
  for (const double rate : {3.0, -0.7, 0.0}) {
    const Circle circle = {Vec3(1, 2, 3), Vec3::UnitY(), 0.4, rate, 30.0};
    const MotionPath path = circle_path(circle, 2.0);
    for (double t = 0.0; t <= 2.0; t += 0.013) {
      const double angle = std::numbers::pi / 6.0 + 2.0 * std::numbers::pi * rate * t;
      const Vec3 exact = circle.centre + 0.4 * Vec3(std::cos(angle), 0.0, -std::sin(angle));
      EXPECT_LT((position(path, t) - exact).norm(), 1e-12) << rate << " at " << t;
    }
  }
}

TEST(Keyframes, ACircleStartsTowardsXForAnyAxis) {
  const auto at = [](const Vec3& axis, double degrees) {
    return position(circle_path({Vec3::Zero(), axis, 1.0, 0.0, degrees}, 1.0), 0.0);
  };
  EXPECT_LT((at(Vec3::UnitZ(), 0) - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT((at(Vec3::UnitZ(), 90) - Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((at(-Vec3::UnitZ(), 90) + Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((at(Vec3::UnitX(), 0) - Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((at(Vec3::UnitX(), 90) - Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Keyframes, LookAtPointsMinusZAtTheTargetWithYUp) {
  const Vec3 from(1, 2, 3), target(-4, 0, 1);
  const Quat head = look_at(from, target);
  EXPECT_LT((head * -Vec3::UnitZ() - (target - from).normalized()).norm(), 1e-12);
  EXPECT_NEAR((head * Vec3::UnitX()).y(), 0.0, 1e-12) << "the horizon is level";
  EXPECT_GT((head * Vec3::UnitY()).y(), 0.0);
  const Quat down = look_at({0, 5, 0}, {0, 0, 0});
  EXPECT_LT((down * -Vec3::UnitZ() + Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((down * Vec3::UnitY() + Vec3::UnitZ()).norm(), 1e-12);
  const Quat up = look_at({0, 0, 0}, {0, 5, 0});
  EXPECT_LT((up * -Vec3::UnitZ() - Vec3::UnitY()).norm(), 1e-12);
}

}  // namespace
}  // namespace peal::scene
