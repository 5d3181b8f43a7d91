#include <peal/geometry/mesh/rotation.h>

#include <gtest/gtest.h>

#include "wave/cut_bodies.h"
#include "wave/cut_motion.h"

namespace peal::wave {
namespace {

// A disc of radius 60 mm, as a sheet or 2 mm thick, on 10 mm cells, with an oblique normal.
const Vec3 kNormal = Vec3(0.36, 0.8, 0.48).normalized();

MovingBody disc(double thickness) {
  const auto turn = geometry::least_turn(Vec3::UnitY(), kNormal);
  MovingBody body{.mesh = thickness > 0 ? geometry::cylinder_mesh(0.06, thickness, 0.008)
                                        : geometry::disc_mesh(0.06, 0.008),
                  .sheet = thickness == 0,
                  .steps_per_key = 8,
                  .drive = [](const Wall& wall) { return kNormal.dot(wall.area_vector); }};
  for (Vec3& v : body.mesh.vertices) v = turn * v;
  return body;
}

class CutShellMotionSlow : public testing::TestWithParam<double> {};

TEST_P(CutShellMotionSlow, through_a_tone) {
  MovingBody body = disc(GetParam());
  EXPECT_LT(MotionTest(body).run().noise, -60);
}

TEST_P(CutShellMotionSlow, driven) {
  MovingBody body = disc(GetParam());
  body.driven = true;
  // At the worst of three listeners, who is near the plane of the disc and hears 9 dB less of the
  // tone than the others.
  EXPECT_LT(MotionTest(body).run().noise, -40);
}

INSTANTIATE_TEST_SUITE_P(Thickness, CutShellMotionSlow, testing::Values(0, 0.002));

}  // namespace
}  // namespace peal::wave
