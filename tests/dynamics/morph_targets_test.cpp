#include <peal/dynamics/morph_targets.h>

#include <gtest/gtest.h>

namespace peal::dynamics {
namespace {

using base::Vec3;
using scene::Interpolation;
using scene::MorphTargets;
using scene::Weights;

/// Two vertices; target 0 lifts the first, target 1 pushes both along X.
std::vector<Vec3> shape_at(scene::Track<Weights> weights, double t) {
  const MorphTargets morph{.base = {{0, 0, 0}, {1, 0, 0}},
                           .displacements = {{{0, 1, 0}, {0, 0, 0}}, {{2, 0, 0}, {2, 0, 0}}},
                           .weights = std::move(weights)};
  std::vector<Vec3> out(2);
  MorphTargetDeformation(std::make_shared<const MorphTargets>(morph)).vertices(t, out);
  return out;
}

Weights weights(double a, double b) {
  return Eigen::Vector2d(a, b);
}

TEST(MorphTargets, ShapesAreMixedByTheirWeights) {
  const scene::Track<Weights> still{Interpolation::linear, {0.0}, {weights(0.5, -1)}, {}, {}};
  EXPECT_EQ(shape_at(still, 3.0), (std::vector<Vec3>{{-2, 0.5, 0}, {-1, 0, 0}}));
  EXPECT_EQ(shape_at({}, 3.0), (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}})) << "no keys: the base";
}

TEST(MorphTargets, WeightsGoStraightFromKeyToKeyAndRestOutside) {
  const scene::Track<Weights> track{
      Interpolation::linear, {1.0, 3.0}, {weights(0, 1), weights(1, 0)}, {}, {}};
  EXPECT_EQ(shape_at(track, 0.0)[0], Vec3(2, 0, 0));
  EXPECT_EQ(shape_at(track, 1.5)[0], Vec3(1.5, 0.25, 0));
  EXPECT_EQ(shape_at(track, 9.0)[0], Vec3(0, 1, 0));
}

TEST(MorphTargets, StepsJumpAndSplinesAreHermite) {
  const std::vector<Weights> values = {weights(0, 0), weights(1, 0)};
  EXPECT_EQ(shape_at({Interpolation::step, {0.0, 2.0}, values, {}, {}}, 1.999)[0].y(), 0.0);
  EXPECT_EQ(shape_at({Interpolation::step, {0.0, 2.0}, values, {}, {}}, 2.0)[0].y(), 1.0);
  // With flat tangents the cubic is 3 f^2 - 2 f^3.
  const std::vector<Weights> flat = {weights(0, 0), weights(0, 0)};
  EXPECT_NEAR(shape_at({Interpolation::cubic_spline, {0.0, 2.0}, values, flat, flat}, 0.5)[0].y(),
              3 * 0.0625 - 2 * 0.015625, 1e-15);
  // Tangents of the chord make a straight line.
  const std::vector<Weights> chord = {weights(0.5, 0), weights(0.5, 0)};
  EXPECT_NEAR(shape_at({Interpolation::cubic_spline, {0.0, 2.0}, values, chord, chord}, 0.5)[0].y(),
              0.25, 1e-15);
}

}  // namespace
}  // namespace peal::dynamics
