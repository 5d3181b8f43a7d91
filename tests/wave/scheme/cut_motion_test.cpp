#include "wave/cut_motion.h"

#include <gtest/gtest.h>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

// A sphere of radius 50 mm on 10 mm cells.
struct Motion {
  double speed;  ///< [m/s]
  bool driven;   ///< the sphere pulsates
  int steps_per_key = 1;
};

double motion_noise(const Motion& motion) {
  return MotionTest({.mesh = sphere_at(Vec3::Zero(), 0.05, 8),
                     .speed = motion.speed,
                     .driven = motion.driven,
                     .steps_per_key = motion.steps_per_key})
      .run()
      .noise;
}

TEST(CutMotionSlow, a_sphere_at_5_m_s_through_a_tone_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 5, .driven = false}), -80);
}

TEST(CutMotionSlow, a_sphere_at_20_m_s_through_a_tone_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 20, .driven = false}), -70);
}

TEST(CutMotionSlow, a_driven_sphere_at_5_m_s_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 5, .driven = true}), -67);
}

TEST(CutMotionSlow, a_driven_sphere_at_20_m_s_adds_little_noise) {
  EXPECT_LT(motion_noise({.speed = 20, .driven = true}), -58);
}

TEST(CutMotionSlow, keys_a_quarter_of_a_cell_apart_are_enough) {
  EXPECT_LT(motion_noise({.speed = 20, .driven = false, .steps_per_key = 8}), -68);
  EXPECT_LT(motion_noise({.speed = 20, .driven = true, .steps_per_key = 8}), -57);
}

TEST(CutMotionSlow, slow_motion_needs_few_keys) {
  EXPECT_LT(motion_noise({.speed = 5, .driven = true, .steps_per_key = 32}), -65);
}

}  // namespace
}  // namespace peal::wave
