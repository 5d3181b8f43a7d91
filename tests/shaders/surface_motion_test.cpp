#include <peal/shaders/surface_motion.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "base/accelerations_of.h"

namespace peal::shaders {
namespace {

using base::Vec3;

/// One vertex on the x axis.
class OnX : public base::Deformation {
 public:
  explicit OnX(std::function<double(double)> x) : x_(std::move(x)) {}
  void vertices(double t, std::span<Vec3> out) const override { out[0] = {x_(t), 2.0, -3.0}; }

 private:
  std::function<double(double)> x_;
};

/// Its acceleration along x at 48 kHz over the given time [s], from frames at `fps` from 0 to 1 s.
std::vector<double> heard(const std::function<double(double)>& x, double fps, double from,
                          double to) {
  const FrameClock frames{0.0, fps, static_cast<std::int64_t>(fps) + 1};
  const base::Rate rate{48000};
  const SurfaceMotion motion(std::make_shared<OnX>(x), frames, {.vertices = {Vec3::Zero()}}, 343.0,
                             rate);
  base::Coefficients all;
  motion.coefficients(rate, {std::lround(rate.samples(from)), std::lround(rate.samples(to))}, all);
  EXPECT_TRUE((all.bottomRows(2).array() == 0.0f).all()) << "y and z rest";
  std::vector<double> result;
  for (Eigen::Index i = 0; i < all.cols(); ++i) result.push_back(static_cast<double>(all(0, i)));
  return result;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

TEST(SurfaceMotion, TonesAreExactUpToAThirdOfTheFrameRate) {
  for (const double fps : {300.0, 1000.0, 7919.0, 8000.0, 48000.0}) {
    for (const double part : {0.003, 0.1, 0.2, 0.3, 1.0 / 3.0}) {
      const double omega = 2 * std::numbers::pi * part * fps;
      const auto x = [&](double t) { return 0.7 + std::sin(omega * t) / (omega * omega); };
      const std::vector<double> a = heard(x, fps, 0.4, 0.41);
      double worst = 0.0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double t = 0.4 + static_cast<double>(i) / 48000;
        worst = std::max(worst, std::abs(a[i] + std::sin(omega * t)));
      }
      // The positions have 16 digits, which frames at 48 kHz turn into an acceleration of 1e-6.
      EXPECT_LT(worst, 0.002) << fps << " frames/s, " << part << " of it";
    }
  }
}

TEST(SurfaceMotion, WhatFramesCannotTellIsLeftOut) {
  // 0.7 of the frame rate looks like 0.3 of it; between a third and a half the kernel falls.
  const double fps = 8000;
  const auto amplitude = [&](double part) {
    const double omega = 2 * std::numbers::pi * part * fps;
    return largest(
        heard([&](double t) { return std::sin(omega * t) / (omega * omega); }, fps, 0.4, 0.45));
  };
  EXPECT_LT(amplitude(0.5 - 1e-4), 0.01);
  EXPECT_LT(amplitude(0.4), 0.9);
  EXPECT_GT(amplitude(0.36), 0.8);
}

TEST(SurfaceMotion, ConstantVelocityIsSilentAlsoWhereTheFramesBeginAndEnd) {
  EXPECT_LT(
      largest(heard([](double t) { return 5.0 + 3.0 * std::clamp(t, 0.0, 1.0); }, 1000, -0.1, 1.1)),
      1e-6);
  EXPECT_LT(
      largest(heard([](double t) { return 3.0 * std::clamp(t, 0.0, 1.0); }, 48000, -0.01, 0.05)),
      1e-4);
}

TEST(SurfaceMotion, FramesThatBeginAmidAMotionFadeIn) {
  const double omega = 2 * std::numbers::pi * 200;
  const auto x = [&](double t) {
    return std::cos(omega * std::clamp(t, 0.0, 1.0)) / (omega * omega);
  };
  for (const double fps : {2000.0, 48000.0}) {
    const std::vector<double> a = heard(x, fps, -0.02, 0.05);
    EXPECT_LT(largest(a), 1.001);
    double step = 0.0;  // from sample to sample
    for (std::size_t i = 1; i < a.size(); ++i) step = std::max(step, std::abs(a[i] - a[i - 1]));
    EXPECT_LT(step, 2.0 * omega / 48000) << "a click";
  }
}

TEST(SurfaceMotion, ACutOfTheAnimationIsNoBlow) {
  const double omega = 2 * std::numbers::pi * 100;
  const auto x = [&](double t) {
    return std::sin(omega * t) / (omega * omega) + (t > 0.5003 ? 10.0 : 0.0);
  };
  EXPECT_LT(largest(heard(x, 1000, 0.45, 0.55)), 1.5);
  // The same step at a speed that is possible is heard.
  const auto slower = [&](double t) { return t > 0.5003 ? 0.1 : 0.0; };
  EXPECT_GT(largest(heard(slower, 1000, 0.45, 0.55)), 1e4);
}

TEST(SurfaceMotion, TheHashSeesTheFramesOfItsRangeAndNoOthers) {
  const auto hash = [](double bump_at) {
    const auto x = [=](double t) { return std::abs(t - bump_at) < 5e-4 ? 1e-6 : 0.0; };
    const FrameClock frames{0.0, 1000, 1001};
    const SurfaceMotion motion(std::make_shared<OnX>(x), frames, {.vertices = {Vec3::Zero()}},
                               343.0, {48000});
    return base::hash_of(motion, {48000}, {48 * 400, 48 * 500});
  };
  const std::string none = hash(9.0);
  for (const double frame : {400, 417, 450, 499, 500}) EXPECT_NE(none, hash(1e-3 * frame)) << frame;
  for (const double frame : {300, 600}) EXPECT_EQ(none, hash(1e-3 * frame)) << frame;
}

TEST(SurfaceMotion, OnlyFramesAtEqualDistancesMakeAClock) {
  const auto clock = frame_clock(std::vector<double>{0.5, 0.525, 0.55, 0.575001});
  ASSERT_TRUE(clock);
  EXPECT_NEAR(clock->rate, 40.0, 1e-3);
  EXPECT_EQ(clock->count, 4);
  EXPECT_EQ(clock->start, 0.5);
  EXPECT_FALSE(frame_clock(std::vector<double>{0.0, 1.0, 2.0, 4.0}));
  EXPECT_FALSE(frame_clock(std::vector<double>{0.0}));
  EXPECT_FALSE(frame_clock(std::vector<double>{}));
}

}  // namespace
}  // namespace peal::shaders
