#include <peal/dynamics/keyframed_motion.h>
#include <peal/scene/motion_scale.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace peal::dynamics {
namespace {

using base::Pose;
using geometry::Affine;
using geometry::Mat3;
using geometry::Quat;
using geometry::Vec3;
using scene::AnimatedTransform;
using scene::Interpolation;
using scene::MotionPath;
using scene::Track;
using std::numbers::pi;

template <class T>
Track<T> track(Interpolation interpolation, std::vector<double> times, std::vector<T> values) {
  return {interpolation, std::move(times), std::move(values), {}, {}};
}
template <class T>
Track<T> fixed(const T& value) {
  return track<T>(Interpolation::linear, {0.0}, {value});
}

Eigen::Vector4d turn(double angle, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized())).coeffs();
}

double angle_between(const Quat& a, const Quat& b) {
  return a.angularDistance(b);
}

MotionPath single(AnimatedTransform transform) {
  return {{std::move(transform)}};
}

TEST(KeyframedMotion, EmptyPathStaysAtTheOrigin) {
  const KeyframedMotion motion{MotionPath{}};
  EXPECT_TRUE(motion.is_still());
  EXPECT_EQ(motion.pose(3.0).position, Vec3::Zero());
}

TEST(KeyframedMotion, LinearTranslationIsStraightAndClamped) {
  const KeyframedMotion motion(
      single({.translation = track<Vec3>(Interpolation::linear, {1.0, 2.0, 4.0},
                                         {{0, 0, 0}, {1, 2, 3}, {5, 0, 0}})}));
  EXPECT_FALSE(motion.is_still());
  EXPECT_EQ(motion.pose(-10).position, Vec3(0, 0, 0));
  EXPECT_EQ(motion.pose(1.25).position, Vec3(0.25, 0.5, 0.75));
  EXPECT_EQ(motion.pose(2.0).position, Vec3(1, 2, 3));
  EXPECT_EQ(motion.pose(3.0).position, Vec3(3, 1, 1.5));
  EXPECT_EQ(motion.pose(99).position, Vec3(5, 0, 0));
  EXPECT_TRUE(motion.jumps().empty());
}

TEST(KeyframedMotion, StepHoldsUntilTheKeyAndJumpsThere) {
  const KeyframedMotion motion(
      single({.translation = track<Vec3>(Interpolation::step, {0.0, 1.0, 2.0, 3.0},
                                         {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}})}));
  EXPECT_EQ(motion.pose(std::nextafter(1.0, 0.0)).position, Vec3(0, 0, 0));
  EXPECT_EQ(motion.pose(1.0).position, Vec3(1, 0, 0));
  EXPECT_EQ(motion.pose(2.5).position, Vec3(1, 0, 0));
  // Not at the first key, before which it rests there, nor at a key that repeats the value.
  EXPECT_THAT(motion.jumps(), ::testing::ElementsAre(1.0, 3.0));
}

TEST(KeyframedMotion, JumpOfAParentIsAJumpOfItsChildren) {
  AnimatedTransform parent, child;
  parent.rotation = track<Eigen::Vector4d>(
      Interpolation::step, {0.0, 0.5, 1.0},
      {turn(0, Vec3::UnitY()), -turn(0, Vec3::UnitY()), turn(1, Vec3::UnitY())});
  child.translation = track<Vec3>(Interpolation::linear, {0, 2}, {{0, 0, 0}, {1000, 0, 0}});
  // q and -q are one rotation: no jump at 0.5.
  EXPECT_THAT(KeyframedMotion({{parent, child}}).jumps(), ::testing::ElementsAre(1.0));
}

TEST(KeyframedMotion, SplineReproducesACubicExactly) {
  // x(t) = t^3 - 2 t^2 + 3 t - 1 with its own derivatives as tangents, unequal intervals.
  const auto x = [](double t) { return ((t - 2.0) * t + 3.0) * t - 1.0; };
  const auto v = [](double t) { return (3.0 * t - 4.0) * t + 3.0; };
  Track<Vec3> spline;
  spline.interpolation = Interpolation::cubic_spline;
  for (const double t : {-1.0, 0.0, 0.5, 2.0}) {
    spline.times.push_back(t);
    spline.values.emplace_back(x(t), -x(t), 0.0);
    spline.in_tangents.emplace_back(v(t), -v(t), 0.0);
    spline.out_tangents.emplace_back(v(t), -v(t), 0.0);
  }
  const KeyframedMotion motion(single({.translation = spline}));
  for (double t = -1.0; t <= 2.0; t += 0.01) {
    ASSERT_NEAR(motion.pose(t).position.x(), x(t), 1e-14);
    ASSERT_NEAR(motion.pose(t).position.y(), -x(t), 1e-14);
  }
  EXPECT_EQ(motion.pose(0.5).position.x(), x(0.5));
  EXPECT_EQ(motion.pose(5.0).position.x(), x(2.0));
}

TEST(KeyframedMotion, SplineUsesTheInAndOutTangentOfItsInterval) {
  Track<Vec3> spline;
  spline.interpolation = Interpolation::cubic_spline;
  spline.times = {0, 2, 3};
  spline.values = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  spline.in_tangents = {{9, 9, 9}, {2, 0, 0}, {0, 0, 4}};
  spline.out_tangents = {{1, 0, 0}, {0, 8, 0}, {9, 9, 9}};
  const KeyframedMotion motion(single({.translation = spline}));
  // At the middle of an interval of length d: d (out - in) / 8.
  EXPECT_EQ(motion.pose(1.0).position, Vec3(2.0 * (1.0 - 2.0) / 8.0, 0, 0));
  EXPECT_EQ(motion.pose(2.5).position, Vec3(0, 1, -0.5));
}

TEST(KeyframedMotion, LinearRotationTurnsEvenlyByTheShorterWay) {
  const Vec3 axis(1, 2, -2);
  // The second key is stored as -q, which would be the long way round.
  const KeyframedMotion motion(single(
      {.rotation = track<Eigen::Vector4d>(Interpolation::linear, {0.0, 1.0, 3.0},
                                          {turn(0.2, axis), -turn(2.2, axis), turn(5.0, axis)})}));
  for (double t = 0.0; t <= 3.0; t += 0.01) {
    const double angle = t < 1.0 ? 0.2 + 2.0 * t : 2.2 + 1.4 * (t - 1.0);
    ASSERT_LT(angle_between(motion.pose(t).orientation, Quat(turn(angle, axis))), 3e-8) << t;
    ASSERT_NEAR(motion.pose(t).orientation.norm(), 1.0, 1e-15);
    const Vec3 expected = Quat(turn(angle, axis)) * Vec3(1, 0, 0);
    ASSERT_LT((motion.pose(t).orientation * Vec3(1, 0, 0) - expected).norm(), 2e-15);
  }
}

TEST(KeyframedMotion, TinyRotationsAreNotLost) {
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    const KeyframedMotion motion(
        single({.rotation =
                    track<Eigen::Vector4d>(Interpolation::linear, {0.0, 1.0},
                                           {turn(0, Vec3::UnitZ()), turn(angle, Vec3::UnitZ())})}));
    const double y = (motion.pose(0.25).orientation * Vec3(1, 0, 0)).y();
    EXPECT_NEAR(y / std::sin(0.25 * angle), 1.0, 1e-10) << angle;
  }
}

TEST(KeyframedMotion, RotationSplineIsTheNormalisedHermite) {
  Track<Eigen::Vector4d> spline;
  spline.interpolation = Interpolation::cubic_spline;
  spline.times = {0.0, 0.5};
  spline.values = {turn(0.0, Vec3::UnitX()), turn(2.0, Vec3(1, 1, 0))};
  spline.in_tangents = {Eigen::Vector4d::Zero(), Eigen::Vector4d(0.1, -0.2, 0.3, 0.4)};
  spline.out_tangents = {Eigen::Vector4d(0.5, 0.1, 0.0, -0.2), Eigen::Vector4d::Zero()};
  const KeyframedMotion motion(single({.rotation = spline}));
  const double f = 0.3, d = 0.5;
  const Eigen::Vector4d expected = (2 * f * f * f - 3 * f * f + 1) * spline.values[0] +
                                   d * (f * f * f - 2 * f * f + f) * spline.out_tangents[0] +
                                   (-2 * f * f * f + 3 * f * f) * spline.values[1] +
                                   d * (f * f * f - f * f) * spline.in_tangents[1];
  EXPECT_LT((motion.pose(f * d).orientation.coeffs() - expected.normalized()).norm(), 1e-15);
}

TEST(KeyframedMotion, SplineThroughZeroStillGivesARotation) {
  Track<Eigen::Vector4d> spline;
  spline.interpolation = Interpolation::cubic_spline;
  spline.times = {0.0, 1.0};
  spline.values = {turn(0.5, Vec3::UnitX()), -turn(0.5, Vec3::UnitX())};
  spline.in_tangents = spline.out_tangents = {Eigen::Vector4d::Zero(), Eigen::Vector4d::Zero()};
  EXPECT_NEAR(KeyframedMotion(single({.rotation = spline})).pose(0.5).orientation.norm(), 1, 1e-14);
}

TEST(KeyframedMotionAnalytic, RotatingParentKeepsTheRadius) {
  // 10 turns in 5 s, a key every quarter turn, as exporters must write it.
  AnimatedTransform arm, tip;
  arm.translation = fixed(Vec3(1, 2, 3));
  arm.rotation.interpolation = Interpolation::linear;
  for (int i = 0; i <= 40; ++i) {
    arm.rotation.times.push_back(0.125 * i);
    arm.rotation.values.push_back(turn(0.5 * pi * i, Vec3::UnitY()));
  }
  tip.translation = fixed(Vec3(0, 0, -2));
  const KeyframedMotion motion({{arm, tip}});
  for (int i = 0; i < 48000 * 5; i += 7) {
    const double t = i / 48000.0, angle = 4.0 * pi * t;
    const Vec3 p = motion.pose(t).position - Vec3(1, 2, 3);
    ASSERT_NEAR(p.norm(), 2.0, 1e-12);
    ASSERT_NEAR(p.x(), -2.0 * std::sin(angle), 1e-12);
    ASSERT_NEAR(p.z(), -2.0 * std::cos(angle), 1e-12);
  }
}

Affine local(const AnimatedTransform& link, double t) {
  // An independent evaluation for single linear intervals from 0 to 1.
  const auto blend = [t](const auto& track, auto otherwise) {
    if (track.empty()) return otherwise;
    if (track.is_constant()) return track.values[0];
    return decltype(otherwise)((1.0 - t) * track.values[0] + t * track.values[1]);
  };
  Quat rotation = Quat::Identity();
  if (link.rotation.values.size() == 1) rotation = Quat(link.rotation.values[0]);
  if (link.rotation.values.size() == 2) {
    rotation = Quat(link.rotation.values[0]).slerp(t, Quat(link.rotation.values[1]));
  }
  Affine affine = Affine::Identity();
  affine.translate(blend(link.translation, Vec3(Vec3::Zero())));
  affine.rotate(rotation);
  affine.scale(blend(link.scale, Vec3(Vec3::Ones())));
  return affine;
}

Affine product(const MotionPath& path, double t) {
  Affine world = Affine::Identity();
  for (const AnimatedTransform& link : path.chain) world = world * local(link, t);
  return world;
}

class RandomPaths {
 public:
  AnimatedTransform link(bool moving, bool even_scale) {
    AnimatedTransform link;
    link.translation = keys<Vec3>(moving, [&] { return Vec3(number(), number(), number()); });
    link.rotation = keys<Eigen::Vector4d>(
        moving, [&] { return turn(3.0 * number(), Vec3(number(), number(), number() + 3.0)); });
    const double s = 1.5 + number();
    link.scale = fixed(even_scale ? Vec3(s, s, s) : Vec3(s, 1.5 + number(), 1.5 + number()));
    return link;
  }

 private:
  template <class T, class Make>
  Track<T> keys(bool moving, const Make& make) {
    if (!moving) return fixed<T>(make());
    const T first = make(), second = make();
    return track<T>(Interpolation::linear, {0.0, 1.0}, {first, second});
  }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  std::mt19937 random_{5};
};

/// The whole product of the chain must be the pose times the fixed shape.
void expect_pose_times_shape(const MotionPath& path) {
  const scene::MotionScale scale = scene::motion_scale(path);
  ASSERT_EQ(scale.problem, "");
  const KeyframedMotion motion(path);
  const Mat3 shape = scene::geometry_scale(path).linear();
  EXPECT_LT((shape - shape.transpose()).norm(), 1e-12);
  for (const double t : {0.0, 0.1, 0.37, 0.9, 1.0}) {
    const Affine exact = product(path, t);
    const Pose pose = motion.pose(t);
    EXPECT_LT((pose.position - exact.translation()).norm(), 1e-13);
    EXPECT_LT((pose.orientation.toRotationMatrix() * shape - exact.linear()).norm(), 1e-12);
  }
}

TEST(KeyframedMotionHierarchy, EqualsTheProductOfMatrices) {
  RandomPaths random;
  for (int round = 0; round < 20; ++round) {
    expect_pose_times_shape({{random.link(true, true), random.link(true, true)}});
    // Uneven scale at the end, or above links that do not turn.
    expect_pose_times_shape({{random.link(true, true), random.link(true, false)}});
    expect_pose_times_shape({{random.link(false, true), random.link(true, true),
                              random.link(true, false), random.link(false, false)}});
    expect_pose_times_shape({{random.link(false, false), random.link(false, false)}});
    AnimatedTransform slides = random.link(true, false);
    slides.rotation = fixed(slides.rotation.values[0]);
    expect_pose_times_shape({{random.link(true, false), slides, random.link(false, false)}});
  }
}

TEST(KeyframedMotionHierarchy, MirrorsGoIntoTheShape) {
  RandomPaths random;
  AnimatedTransform mirror = random.link(true, true);
  mirror.scale = fixed(Vec3(-1, 2, 3));
  expect_pose_times_shape({{random.link(true, true), mirror}});
  expect_pose_times_shape({{mirror, random.link(false, false)}});
  const MotionPath leaf = {{random.link(true, true), mirror}};
  EXPECT_LT(scene::geometry_scale(leaf).linear().determinant(), 0.0);
}

TEST(KeyframedMotionHierarchy, ShearIsToldAndThePoseIsTheNearestRotation) {
  RandomPaths random;
  const MotionPath path = {{random.link(true, false), random.link(true, true)}};
  EXPECT_THAT(scene::motion_scale(path).problem, ::testing::HasSubstr("shears"));
  const Affine exact = product(path, 0.3);
  const Pose pose = KeyframedMotion(path).pose(0.3);
  EXPECT_LT((pose.position - exact.translation()).norm(), 1e-13);
  const Mat3 stretch = pose.orientation.toRotationMatrix().transpose() * exact.linear();
  EXPECT_LT((stretch - stretch.transpose()).norm(), 1e-12);  // polar decomposition
}

TEST(KeyframedMotionHierarchy, AnimatedScaleMovesChildrenAndIsToldForMeshes) {
  AnimatedTransform parent, child;
  parent.scale = track<Vec3>(Interpolation::linear, {0, 1}, {{1, 1, 1}, {3, 3, 3}});
  child.translation = fixed(Vec3(1, 0, 0));
  const MotionPath path = {{parent, child}};
  EXPECT_EQ(KeyframedMotion(path).pose(0.5).position, Vec3(2, 0, 0));
  EXPECT_THAT(scene::motion_scale(path).problem, ::testing::HasSubstr("scale is animated"));
  // The noise of an exporter is not an animation.
  parent.scale.values[1] = Vec3(1, 1.0000002, 0.9999999);
  EXPECT_EQ(scene::motion_scale({{parent, child}}).problem, "");
  parent.scale = fixed(Vec3(0, 0, 0));
  EXPECT_THAT(scene::motion_scale({{parent}}).problem, ::testing::HasSubstr("zero"));
}

TEST(KeyframedMotion, KeysThatRepeatOneValueAreStill) {
  Track<Vec3> keys =
      track<Vec3>(Interpolation::linear, {0, 1, 2}, {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  EXPECT_TRUE(KeyframedMotion(single({.translation = keys})).is_still());
  keys.interpolation = Interpolation::cubic_spline;
  keys.in_tangents = keys.out_tangents = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_TRUE(KeyframedMotion(single({.translation = keys})).is_still());
  keys.out_tangents[1] = {1, 0, 0};
  EXPECT_FALSE(KeyframedMotion(single({.translation = keys})).is_still());
}

TEST(KeyTimes, EveryTimeIsFoundAmongUnevenAndEvenKeys) {
  std::mt19937 random(3);
  std::vector<std::vector<double>> sets(3);
  double t = -2.0;
  for (int i = 0; i < 300; ++i) {
    sets[0].push_back(static_cast<float>(i) / 24.0f);  // as 32-bit exporters write frames
    sets[1].push_back(t += std::exp(std::uniform_real_distribution<double>(-12, 2)(random)));
    sets[2].push_back(i < 299 ? 1e-6 * i : 1000.0);
  }
  for (const auto& times : sets) {
    const KeyTimes keys(times);
    std::vector<double> queries = times;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
      queries.push_back(std::nextafter(times[i], -1e9));
      queries.push_back(std::nextafter(times[i], 1e9));
      queries.push_back(0.5 * (times[i] + times[i + 1]));
    }
    for (const double query : queries) {
      const auto after = std::upper_bound(times.begin(), times.end(), query) - times.begin();
      const KeyInterval found = keys.interval(query);
      ASSERT_EQ(found.key, static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0)));
      ASSERT_GE(found.fraction, 0.0);
      ASSERT_LE(found.fraction, 1.0);
    }
  }
}

TEST(KeyframedMotion, KinksAreWhereStraightStretchesMeetAtAnAngle) {
  scene::AnimatedTransform transform;
  // Straight on at 1 s, a turn at 2 s, a stop at 3 s.
  transform.translation = {.times = {0, 1, 2, 3},
                           .values = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}}};
  const KeyframedMotion motion({{transform}});
  EXPECT_THAT(std::vector<double>(motion.kinks().begin(), motion.kinks().end()),
              testing::ElementsAre(0.0, 2.0, 3.0));
}

TEST(KeyframedMotion, AnEvenTurnHasNoKinksHoweverFast) {
  scene::AnimatedTransform turning, arm;
  for (int i = 0; i <= 400; ++i) {
    const double half_angle = std::numbers::pi / 4.0 * i;
    turning.rotation.times.push_back(0.0025 * i);
    turning.rotation.values.emplace_back(0, std::sin(half_angle), 0, std::cos(half_angle));
  }
  arm.translation = {.times = {0}, .values = {{0.3, 0, 0}}};
  const KeyframedMotion motion({{turning, arm}});
  // Only where it starts and stops.
  EXPECT_THAT(std::vector<double>(motion.kinks().begin(), motion.kinks().end()),
              testing::ElementsAre(0.0, 1.0));
}

}  // namespace
}  // namespace peal::dynamics
