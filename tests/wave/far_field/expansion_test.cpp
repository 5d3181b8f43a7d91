#include <gtest/gtest.h>

#include "wave/exact_field.h"

namespace peal::wave {
namespace {

/// Reference A05: fitted between 0.1 m and 0.2 m from the centre, heard at 0.8 m.
FarFieldSetup ray_setup(int terms) {
  FarFieldSetup setup = box_setup(38, 0.01, 4);
  setup.far_field = base::WaveSettings::FarField::expansion;
  setup.expansion_terms = terms;
  setup.expansion_from = 0.1;
  return setup;
}

double error(int terms, const Amplitude& source, double hz) {
  ExactField field(ray_setup(terms), source, hz, true);
  return field.error({receiver_at({0.8, 0, 0}), receiver_at({0.5, 0.5, 0.4})}, 500, 300);
}

TEST(ExpansionSlow, terms_are_exact_for_as_many_orders) {
  const Amplitude shaken = dipole({3, 1, 2});
  for (const double hz : {100.0, 500.0, 2000.0}) {
    EXPECT_LT(error(1, monopole(), hz), 2e-3) << hz;
    EXPECT_LT(error(2, shaken, hz), 5e-3) << hz;
    EXPECT_GT(error(1, shaken, hz), 0.02) << hz;
  }
  EXPECT_LT(error(3, quadrupole(), 2000.0), 0.02);
  EXPECT_GT(error(2, quadrupole(), 500.0), 0.1);
}

TEST(ExpansionSlow, a_moving_receiver_hears_the_doppler_shift) {
  ExactField field(ray_setup(2), dipole({3, 1, 2}), 500.0, true);
  EXPECT_LT(field.error({receiver_at({1.0, 0.0, 0.2}, {-5, 20, 0})}, 700, 400), 5e-3);
}

}  // namespace
}  // namespace peal::wave
