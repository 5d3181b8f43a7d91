#include <gtest/gtest.h>

#include "wave/exact_field.h"

namespace peal::wave {
namespace {

TEST(KirchhoffAnalytic, carries_exact_fields_outside) {
  const HearingSetup setup = box_setup();
  const struct {
    Amplitude amplitude;
    const char* name;
  } sources[] = {{monopole(), "monopole"},
                 {dipole({1, 2, 3}), "dipole"},
                 {quadrupole(), "quadrupole"},
                 {monopole({0.05, 0.05, 0.0353}), "off centre"}};
  const struct {
    double hz, limit;
  } tones[] = {{100, 2e-4}, {1000, 2e-4}, {2000, 1.5e-3}, {4000, 1.5e-2}};
  for (const auto& [amplitude, name] : sources) {
    for (const auto& [hz, limit] : tones) {
      ExactField field(setup, amplitude, hz);
      EXPECT_LT(field.error(around(1.2), 1200, 600), limit) << name << ", " << hz << " Hz";
    }
  }
}

}  // namespace
}  // namespace peal::wave
