#include <peal/wave/grid/time_step.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::wave {
namespace {

TEST(TimeStepAnalytic, stable_step_is_the_papers_bound) {
  // Reference A16: alpha = 0.2 mm, h = 5 mm.
  EXPECT_NEAR(stable_step(0.005, 343.2, 0.0002), 7.84869246861333e-06, 1e-19);
  EXPECT_NEAR(stable_step(0.01, 343.2), 0.01 / std::sqrt(3.0) / 343.2, 1e-19);
}

TEST(TimeStep, rate_is_close_to_the_bound_below_and_above_audio) {
  const base::Rate audio{48000};
  for (const double h : {0.1, 0.02, 0.01, 0.005, 0.00123}) {
    for (const double alpha : {0.0, 2e-4}) {
      const base::Rate rate = choose_rate(audio, h, 343.2, alpha);
      EXPECT_LE(rate.step(), 0.999 * stable_step(h, 343.2, alpha));
      EXPECT_GT(rate.step(), 0.96 * stable_step(h, 343.2, alpha));
    }
  }
}

}  // namespace
}  // namespace peal::wave
