#include <peal/util/measure.h>

#include <gtest/gtest.h>

#include "wave/exact_field.h"

namespace peal::wave {
namespace {

TEST(KirchhoffSlow, carries_exact_fields_outside) {
  const FarFieldSetup setup = box_setup();
  const struct {
    Amplitude amplitude;
    const char* name;
  } sources[] = {{dipole({1, 2, 3}), "dipole"},
                 {quadrupole(), "quadrupole"},
                 {monopole({0.05, 0.05, 0.0353}), "off centre"}};
  const struct { double hz, limit; } tones[] = {{100, 2e-4}, {1000, 1e-4}, {4000, 1e-2}};
  for (const auto& [amplitude, name] : sources) {
    for (const auto& [hz, limit] : tones) {
      ExactField field(setup, amplitude, hz);
      EXPECT_LT(field.error(around(1.2), 600, 300), limit) << name << ", " << hz << " Hz";
    }
  }
}

TEST(KirchhoffSlow, converges_at_fourth_order) {
  const Amplitude source = monopole({0.05, 0.05, 0.0353});
  ExactField coarse(box_setup(24, 0.02), source, 1500.0), fine(box_setup(48), source, 1500.0);
  const double ratio = coarse.error(around(1.2), 700, 200) / fine.error(around(1.2), 700, 200);
  EXPECT_GT(std::log2(ratio), 3.5);
}

TEST(KirchhoffSlow, a_moving_receiver_hears_the_exact_doppler_shift) {
  // Reference A13: 440 Hz, a receiver that approaches at 20 m/s.
  const FarFieldSetup setup = box_setup(24);
  ExactField field(setup, monopole(), 440.0);
  const std::vector<base::Receiver> receivers = {receiver_at({4, 0, 0}, {-20, 0, 0}),
                                                 receiver_at({3, 2, 1}, {7, -18, 5})};
  const int steps = 4000;
  EXPECT_LT(field.error(receivers, steps, 2000), 2e-4);
  const base::Signal received = field.received({receivers[0]}, steps)[0];
  std::vector<double> tone;
  for (std::size_t i = received.samples.size() - 2500; i < received.samples.size(); ++i) {
    const double t = received.rate.seconds(received.start + static_cast<std::int64_t>(i));
    tone.push_back(static_cast<double>(received.samples[i]) * (4.0 - 20.0 * t));
  }
  EXPECT_NEAR(util::find_tone(tone, 60000.0).frequency, 465.641025641026, 465.0 * 1e-4);
}

TEST(KirchhoffAnalytic, follows_receivers_at_a_third_of_the_speed_of_sound) {
  ExactField field(box_setup(16), monopole({0.02, 0.01, 0.0}), 1000.0);
  EXPECT_LT(field.error({receiver_at({0.5, -2, 0.3}, {0, 115, 0})}, 2000, 800), 1e-3);
}

/// A monopole above a rigid floor: with its image, both inside the box, which the floor crosses.
void expect_floor(double floor) {
  FarFieldSetup setup = box_setup(32);
  const Plane plane{.point = {0, floor, 0}, .normal = {0, 1, 0}};
  setup.mirrors = {plane};
  setup.open_area = [grid = setup.grid, floor](const Cell& inside, int face) {
    const double bottom = grid.origin.y() + grid.cell_size * inside[1];
    const double open = std::clamp((bottom - floor) / grid.cell_size + 1.0, 0.0, 1.0);
    return face == 2 ? 0.0 : open;
  };
  const Vec3 source(0.03, 0.02, -0.04), image = plane.mirrored(source);
  const Amplitude both = [=](const Vec3& x, double k) {
    return monopole_at(source, x, k) + monopole_at(image, x, k);
  };
  ExactField field(setup, both, 1000.0);
  const std::vector<base::Receiver> receivers = {
      receiver_at({1, 0.3, 0.2}), receiver_at({0.1, 1, 0.3}),
      receiver_at({-0.7, floor + 0.001, 0.5}), receiver_at({1, 1, 0}, {3, -2, 1})};
  EXPECT_LT(field.error(receivers, 900, 400), 1e-3) << floor;
}

TEST(KirchhoffAnalytic, a_rigid_floor_that_crosses_the_box_mirrors_receivers) {
  expect_floor(-0.10);
  expect_floor(-0.107);
}

TEST(Kirchhoff, results_do_not_depend_on_the_block) {
  ExactField field(box_setup(16), monopole({0.02, 0.03, 0.0}), 2000.0);
  const std::vector<base::Receiver> receivers = {receiver_at({0.5, 0.2, 0.1}),
                                                 receiver_at({0.5, -0.2, 0.1}, {5, 10, 0})};
  const std::vector<base::Signal> plain = field.received(receivers, 700);
  for (const int block : {7, 64, 700}) {
    const std::vector<base::Signal> other = field.received(receivers, 700, block);
    for (std::size_t r = 0; r < receivers.size(); ++r) {
      ASSERT_EQ(plain[r].samples.size(), other[r].samples.size());
      EXPECT_EQ(plain[r].start, other[r].start);
      for (std::size_t i = 0; i < plain[r].samples.size(); ++i) {
        ASSERT_NEAR(plain[r].samples[i], other[r].samples[i], 2e-6) << block << ", " << i;
      }
    }
  }
}

}  // namespace
}  // namespace peal::wave
