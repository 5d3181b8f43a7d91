#include <peal/wave/multipoles/modal_radiation.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "wave/cut_bodies.h"

namespace peal::wave {
namespace {

using Wave = std::complex<double>;

/// A sphere whose modes are harmonics of its surface.
base::ModalModel harmonic_modes(double a, const std::vector<double>& frequencies,
                                const std::vector<std::size_t>& harmonics) {
  base::ModalModel model;
  model.surface = sphere_at(Vec3::Zero(), a, 24);
  model.shapes.resize(3 * static_cast<Eigen::Index>(model.surface.vertices.size()),
                      static_cast<Eigen::Index>(frequencies.size()));
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    model.modes.push_back({.frequency = frequencies[j]});
    for (std::size_t v = 0; v < model.surface.vertices.size(); ++v) {
      const Vec3 out = model.surface.vertices[v].normalized();
      std::vector<double> y(16);
      base::spherical_harmonics(3, out, y);
      model.shapes.block<3, 1>(3 * static_cast<Eigen::Index>(v), static_cast<Eigen::Index>(j)) =
          (y[harmonics[j]] * out).cast<float>();
    }
  }
  return model;
}

TEST(ModalRadiation, modes_that_are_near_in_frequency_go_to_different_runs) {
  const base::ModalModel model =
      harmonic_modes(0.03, {1000, 1100, 1250, 1350, 2000, 30000}, {0, 1, 2, 3, 4, 5});
  const ModalRadiationPlan plan = plan_modal_radiation(model, {}, 16000.0);
  EXPECT_EQ(plan.modes, 5u);
  using Runs = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(plan.runs, (Runs{{0, 3, 4}, {1}, {2}}));
}

TEST(ModalRadiationSlow, spheres_that_vibrate_in_harmonics_radiate_as_theory_says) {
  const double a = 0.03;
  const std::vector<double> frequencies{900.0, 3000.0, 4500.0};
  const std::vector<std::size_t> harmonics{0, 6, 11};  // l = 0, 2, 3
  const base::ModalModel model = harmonic_modes(a, frequencies, harmonics);
  const base::Medium air;
  const ModalRadiationPlan plan = plan_modal_radiation(model, air, 16000.0);
  ASSERT_EQ(plan.runs.size(), 1u);
  const base::ModalRadiation table = modal_radiation(model, false, air, plan, [](double) {});
  for (std::size_t j = 0; j < frequencies.size(); ++j) {
    const double k = 2 * std::numbers::pi * frequencies[j] / air.speed_of_sound, x = k * a;
    const auto l = static_cast<std::size_t>(std::sqrt(double(harmonics[j])));
    std::vector<Wave> h(l + 2);
    base::spherical_hankel_up_to(static_cast<int>(l) + 1, x, h);
    // On the sphere p = -rho h_l / (k h_l'), h_l' = l h_l / x - h_(l+1); R is that of the ball.
    const Wave exact = -air.density * h[l] / (k * (double(l) * h[l] / x - h[l + 1]));
    const base::ModeRadiation& mode = table.modes[j];
    ASSERT_GT(mode.values.size(), harmonics[j]);
    for (std::size_t i = 0; i < mode.values.size(); ++i) {
      const Wave value(mode.values[i].real(), mode.values[i].imag());
      const double error = std::abs(value - (i == harmonics[j] ? exact : 0.0)) / std::abs(exact);
      EXPECT_LT(error, 0.02) << frequencies[j] << " Hz, harmonic " << i;
    }
    EXPECT_LE(mode.order, static_cast<int>(l) + 1) << "the order is no higher than needed";
  }
}

}  // namespace
}  // namespace peal::wave
