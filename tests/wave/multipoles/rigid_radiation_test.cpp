#include <peal/geometry/shapes/shapes.h>
#include <peal/wave/multipoles/rigid_radiation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

TEST(RigidRadiationAnalytic, a_sphere_that_shakes_is_the_dipole_of_theory) {
  const double a = 0.0075;
  const Vec3 centre(0.1, -0.2, 0.05);
  geometry::TriMesh ball = sphere_at(centre, a, 24);
  const base::Medium air;
  const RigidRadiationPlan plan = plan_rigid_radiation(ball, air, 20000.0);
  EXPECT_LT((plan.ball.centre - centre).norm(), 2e-3 * a);
  EXPECT_NEAR(plan.ball.radius, a, 2e-3 * a);
  const base::RigidRadiation table = plan.of_body(shape_radiation(ball, plan, [](double) {}), air);
  const std::vector<std::size_t> starts = table.offsets();
  double worst = 0.0, others = 0.0;
  for (std::size_t b = 0; b < table.frequencies(); ++b) {
    const double f = table.spacing * double(b);
    if (f > 16000.0) break;
    const double k = std::max(2 * pi * f / air.speed_of_sound, 1e-3 / a);
    // -rho h_1(kr) / (k h_1'(ka)) cos, at r = a: h_1' = h_0 - 2 h_1 / x.
    std::vector<Complex> h(2);
    base::spherical_hankel_up_to(1, k * a, h);
    const Complex exact = -air.density * h[1] / (k * (h[0] - 2.0 * h[1] / (k * a)));
    const double norm = std::sqrt(3.0 / (4.0 * pi));
    // x, y, z have the harmonics 3, 1, 2.
    const int of_axis[3] = {3, 1, 2};
    for (int m = 0; m < 3; ++m) {
      const auto values = table.at(starts[b], b, m);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Complex value(values[i].real(), values[i].imag());
        if (int(i) == of_axis[m])
          worst = std::max(worst, std::abs(value * norm - exact) / std::abs(exact));
        else
          others = std::max(others, std::abs(value) * norm / std::abs(exact));
      }
    }
  }
  EXPECT_LT(worst, 0.01);
  EXPECT_LT(others, 0.005);
}

TEST(RigidRadiation, bodies_of_one_shape_share_one_table_in_the_store) {
  const base::Medium air;
  const geometry::TriMesh small = geometry::box_mesh({0.01, 0.01, 0.01}, 0.005);
  geometry::TriMesh large = small;
  for (Vec3& vertex : large.vertices) vertex = 1.7 * vertex + Vec3(0.3, 0.0, 1.0);
  const auto one = plan_rigid_radiation(small, air, 16000.0);
  const auto other = plan_rigid_radiation(large, {.speed_of_sound = 350.0}, 16000.0);
  EXPECT_EQ(one.key, other.key);
  geometry::TriMesh longer = small;
  for (Vec3& vertex : longer.vertices) vertex.x() *= 1.01;
  EXPECT_NE(plan_rigid_radiation(longer, air, 16000.0).key, one.key);
}

TEST(RigidRadiation, bodies_that_are_too_large_get_as_much_of_the_band_as_can_be_computed) {
  const geometry::TriMesh table = geometry::box_mesh({1.8, 0.8, 0.4}, 0.2);
  const RigidRadiationPlan plan = plan_rigid_radiation(table, {}, 16000.0);
  EXPECT_FALSE(plan.is_complete);
  EXPECT_GT(plan.max_frequency, 1000.0);
  EXPECT_LT(plan.max_frequency, 3000.0);
}

}  // namespace
}  // namespace peal::wave
