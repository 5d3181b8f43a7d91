#include <peal/base/force_pulse.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace peal::base {
namespace {

// Reference C02: F / F_max at every 40th of the contact time, by an integrator of order 8.
TEST(ForcePulseAnalytic, HertzProfileMatchesTheExactEncounter) {
  const std::vector<double> exact = {0.0,
                                     0.0199535252282743,
                                     0.0563544316123734,
                                     0.103206519601832,
                                     0.158077734411241,
                                     0.21926284369125,
                                     0.285309636957201,
                                     0.354856958134922,
                                     0.426569212530022,
                                     0.49911169385675,
                                     0.571146913954842,
                                     0.641343236838919,
                                     0.708391264472227,
                                     0.771025155846982,
                                     0.828046845808653,
                                     0.878351513642419,
                                     0.920952865157919,
                                     0.955006942845232,
                                     0.979833318888109,
                                     0.994932680814666,
                                     1.0};
  const double peak = pulse_force(PulseProfile::hertz, 0.5);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double x = static_cast<double>(i) / 40.0;
    EXPECT_NEAR(pulse_force(PulseProfile::hertz, x) / peak, exact[i], 1e-9) << x;
    EXPECT_NEAR(pulse_force(PulseProfile::hertz, 1.0 - x) / peak, exact[i], 1e-9) << x;
  }
  // C01: the exact peak over that of the half sine.
  EXPECT_NEAR(peak / pulse_force(PulseProfile::half_sine, 0.5), 1.17109198616247, 1e-9);
}

TEST(ForcePulse, PassedImpulseIsTheIntegralOfTheForce) {
  for (const PulseProfile profile : {PulseProfile::half_sine, PulseProfile::hertz}) {
    double sum = 0.0;
    const int steps = 20000;
    for (int i = 0; i < steps; ++i) {
      sum += pulse_force(profile, (i + 0.5) / steps) / steps;
      if (i % 1000 == 999) {
        EXPECT_NEAR(pulse_passed(profile, (i + 1.0) / steps), sum, 1e-7);
      }
    }
    EXPECT_EQ(pulse_passed(profile, -0.1), 0.0);
    EXPECT_EQ(pulse_passed(profile, 1.1), 1.0);
  }
}

double impulse_of(const ForcePulse& pulse, PulseProfile profile, Rate rate) {
  std::vector<double> samples(static_cast<std::size_t>(rate.hz));
  add_pulse(pulse, profile, 1.0, rate, {0, rate.hz}, samples);
  return std::accumulate(samples.begin(), samples.end(), 0.0) * rate.step();
}

TEST(ForcePulse, ForceIntegratesToTheImpulseAtAnyRate) {
  for (const std::int64_t hz : {8000, 44100, 48000, 96000, 192000, 768000}) {
    for (const double contact : {1e-6, 3.7e-5, 4e-4, 0.013}) {
      for (const double start : {0.1, 0.2000001, 0.31234567}) {
        for (const PulseProfile profile : {PulseProfile::half_sine, PulseProfile::hertz}) {
          const ForcePulse pulse{start, contact, 0.157};
          EXPECT_NEAR(impulse_of(pulse, profile, {hz}) / 0.157, 1.0, 1e-9) << hz << ' ' << contact;
        }
      }
    }
  }
}

TEST(ForcePulse, AnyRangeGivesTheSameSamples) {
  const Rate rate{48000};
  const ForcePulse pulse{0.001, 0.0007, 2.0};
  std::vector<double> whole(200), part(30);
  add_pulse(pulse, PulseProfile::half_sine, 3.0, rate, {0, 200}, whole);
  add_pulse(pulse, PulseProfile::half_sine, 3.0, rate, {60, 90}, part);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[60 + i]);
  std::vector<double> far(10);
  add_pulse(pulse, PulseProfile::half_sine, 3.0, rate, {1000, 1010}, far);
  for (const double sample : far) EXPECT_EQ(sample, 0.0);
}

TEST(ForcePulse, LongPulsesAreSampledAsTheyAre) {
  const Rate rate{1000000};
  const ForcePulse pulse{0.0, 0.01, 1.0};
  std::vector<double> samples(10000);
  add_pulse(pulse, PulseProfile::hertz, 1.0, rate, {0, 10000}, samples);
  for (const int n : {100, 2500, 5000, 9000}) {
    EXPECT_NEAR(samples[static_cast<std::size_t>(n)],
                pulse_force(PulseProfile::hertz, n / 10000.0) / 0.01, 1e-3);
  }
}

}  // namespace
}  // namespace peal::base
