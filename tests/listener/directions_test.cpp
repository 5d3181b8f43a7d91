#include <peal/base/prescribed_source.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/radiation/flat_mirrors.h>
#include <peal/radiation/rays.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace peal::listener {
namespace {

using geometry::Vec3;

/// Hears what comes from its right, a sample late, and with the other sign from its left.
class RightOnly : public base::DirectionalResponse {
 public:
  std::size_t taps(base::Rate) const override { return 3; }
  std::size_t lead(base::Rate) const override { return 1; }
  void filter(base::Rate, const Vec3& from, std::span<float> out) const override {
    out[0] = out[1] = 0.0f;
    out[2] = static_cast<float>(from.normalized().x());
  }
};

TEST(Directions, MirrorImageOfAReceiverHearsTheReflectionFromItsSide) {
  const base::Receiver receiver{
      .name = "ear",
      .motion = std::make_shared<base::Resting>(base::Pose{
          .position = {0.3, 1.0, 0.2},
          .orientation = base::Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))}),
      .response = std::make_shared<RightOnly>()};
  const radiation::FlatMirror floor{
      .point = Vec3::Zero(), .normal = Vec3(0.1, 1.0, -0.2).normalized(), .corners = {}};
  const base::Receiver mirrored = radiation::mirrored_receiver(receiver, floor);
  const Vec3 source(2.0, 0.7, -1.0);
  // The image of the source is where the real receiver hears the reflection from.
  const Vec3 seen = receiver.motion->pose(0.0).to_local(floor.mirrored(source));
  float expected[3], got[3];
  receiver.response->filter({}, seen, expected);
  mirrored.response->filter({}, mirrored.motion->pose(0.0).to_local(source), got);
  EXPECT_NEAR(got[2], expected[2], 1e-6);
  EXPECT_NEAR(mirrored.motion->pose(0.0).to_local(source).norm(), seen.norm(), 1e-9);
}

TEST(Directions, SurfacesOfRaysAreHeardByTheDirectionOfTheirMiddle) {
  base::World world;
  world.samples = 1200;
  base::Body body{.name = "ball",
                  .mesh = geometry::sphere_mesh(0.05, 0.02),
                  .motion = std::make_shared<base::Resting>(Vec3(0.6, 0.0, -0.8))};
  body.sources.push_back(std::make_shared<base::PrescribedSource>(
      [](const base::SurfacePoint&) { return 1.0; },
      [](double t) { return std::sin(2.0 * std::numbers::pi * 500.0 * t); }));
  world.bodies.push_back(std::move(body));
  const auto motion = std::make_shared<base::Resting>();
  const std::vector<base::Receiver> receivers{
      {.name = "plain", .motion = motion},
      {.name = "right", .motion = motion, .response = std::make_shared<RightOnly>()}};
  util::Silent silent;
  const auto heard = radiation::RaysRadiator({.max_frequency = 8000.0})
                         .radiate(world, receivers, {0, 1200}, silent);
  double power = 0.0;
  for (std::size_t n = 1; n < 1200; ++n) {
    power += std::abs(static_cast<double>(heard[0].samples[n]));
    EXPECT_NEAR(heard[1].samples[n], 0.6 * heard[0].samples[n - 1], 1e-3) << n;
  }
  EXPECT_GT(power, 1.0);
}

}  // namespace
}  // namespace peal::listener
