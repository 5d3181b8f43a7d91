#include <peal/play/pressure_bank.h>
#include <peal/util/measure.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::play {
namespace {

constexpr base::Rate ear_rate{48000};
constexpr std::array<const float*, most_contacts> no_force = {};

/// The sound of a bank that rings.
std::vector<float> rung(PressureBank& bank, std::int64_t samples) {
  std::vector<float> sound(static_cast<std::size_t>(samples), 0.0f);
  for (std::int64_t at = 0; at < samples; at += block_size) {
    const auto first = static_cast<std::size_t>(at);
    bank.process(std::min(block_size, samples - at), no_force, &sound[first]);
  }
  return sound;
}

/// A bank of one mode with q = 1 at the sample before the first, heard by q and q', or by q''.
PressureBank ringing(const base::Mode& mode, std::complex<float> gain, bool rings = false) {
  PressureBank bank(std::vector{mode}, rings ? 1 : 0, ear_rate);
  bank.set_gains(std::vector{gain}, 0);
  bank.add(0, {.q = 1.0}, 0.0);
  return bank;
}

TEST(PressureBankAnalytic, FrequencyAndDecayAreRightInTheSound) {
  for (const double frequency : {25.0, 440.0, 3000.0, 20000.0}) {
    for (const double decay : {0.5, 50.0}) {
      PressureBank bank = ringing({frequency, decay}, 1.0f);
      const auto samples = static_cast<std::int64_t>(std::min(3.0 / decay, 3.0) * 48000);
      const auto sound = util::as_double(rung(bank, samples));
      const util::Tone heard = util::find_mode(sound, 48000, frequency, 0.2 * frequency);
      const double damped =
          frequency * std::sqrt(1.0 - std::pow(decay / (2.0 * std::numbers::pi * frequency), 2));
      EXPECT_NEAR(heard.frequency, damped, 1e-6 * damped);
      EXPECT_NEAR(heard.decay, decay, 1e-4 * decay + 1e-4) << frequency;
    }
  }
}

TEST(PressureBankAnalytic, ImaginaryGainsHearTheVelocity) {
  const base::Mode mode{1234.0, 20.0};
  const double square = std::pow(2.0 * std::numbers::pi * mode.frequency, 2);
  PressureBank bank = ringing(mode, {0.0f, static_cast<float>(-1.0 / square)});
  const std::vector<float> sound = rung(bank, 2000);
  const double w = 2.0 * std::numbers::pi * mode.frequency, d = mode.decay_rate;
  const double wd = std::sqrt(w * w - d * d);
  for (std::size_t n = 0; n < sound.size(); ++n) {
    // From q = 1 at rest: q' = -w^2 / w_d exp(-d t) sin(w_d t).
    const double t = (static_cast<double>(n) + 1.0) / 48000.0;
    EXPECT_NEAR(sound[n], -w / wd * std::exp(-d * t) * std::sin(wd * t), 2e-5) << n;
  }
}

TEST(PressureBankAnalytic, ModesThatRingAreHeardByTheirAcceleration) {
  const base::Mode mode{1234.0, 300.0};
  PressureBank bank = ringing(mode, 1.0f, true);
  const std::vector<float> sound = rung(bank, 2000);
  const Oscillator exact(mode);
  const double square = std::pow(2.0 * std::numbers::pi * mode.frequency, 2);
  for (std::size_t n = 0; n < sound.size(); ++n) {
    const ModeState state = exact.after({.q = 1.0}, (static_cast<double>(n) + 1.0) / 48000.0);
    EXPECT_NEAR(sound[n], -square * state.q - 600.0 * state.velocity, 3e-5 * square) << n;
  }
}

TEST(PressureBankAnalytic, EnergyIsGivenRadiatedAndDissipated) {
  const base::Mode mode{500.0, 10.0};
  PressureBank bank(std::vector{mode}, 1, ear_rate);
  bank.set_radiation(std::vector{2.5});
  bank.add(0, {.q = 1e-3}, 0.0);
  const double given = 0.5 * std::pow(1e-3 * 2.0 * std::numbers::pi * 500.0, 2);
  rung(bank, 4800);
  const EnergyAccount now = bank.account();
  EXPECT_NEAR(now.given, given, 0.06 * given);  // it decays for a block before it is counted
  EXPECT_NEAR(now.in_modes, given * std::exp(-20.0 * 0.1), 0.02 * given);
  EXPECT_NEAR(now.given, now.in_modes + now.radiated + now.dissipated, 1e-9 * given);
  EXPECT_NEAR(now.radiated, (now.radiated + now.dissipated) / 4.0, 1e-9 * given);
}

TEST(PressureBank, MovingEarsMakeNoClicks) {
  // A gain that falls to a half: what a filter leaves of it far from the tone.
  const auto splash = [](std::int64_t ramp) {
    PressureBank bank = ringing({440.0, 0.1}, 1.0f);
    std::vector<float> sound = rung(bank, 1000);
    bank.set_gains(std::vector<std::complex<float>>{0.5f}, ramp);
    const std::vector<float> after = rung(bank, 2048);
    sound.insert(sound.end(), after.begin(), after.end());
    double largest = 0.0;  // of the fourth difference, which is small for low tones
    for (std::size_t n = 4; n < sound.size(); ++n)
      largest = std::max(largest, std::abs(double(sound[n]) - 4.0 * double(sound[n - 1]) +
                                           6.0 * double(sound[n - 2]) - 4.0 * double(sound[n - 3]) +
                                           double(sound[n - 4])));
    return largest;
  };
  EXPECT_LT(splash(512), 0.01 * splash(0));
}

TEST(PressureBank, FrequenciesGlideWithoutLosingTheirAmplitude) {
  PressureBank bank = ringing({300.0, 0.0}, 1.0f);
  bank.set_modes(std::vector<base::Mode>{{450.0, 0.0}}, 2400);
  rung(bank, 4800);
  const auto sound = util::as_double(rung(bank, 48000));
  const util::Tone heard = util::find_mode(sound, 48000, 450.0, 90.0);
  EXPECT_NEAR(heard.frequency, 450.0, 0.005);
  // The energy over the frequency is an invariant of slow changes.
  EXPECT_NEAR(bank.amplitude(0), std::sqrt(300.0 / 450.0), 0.02);
}

TEST(PressureBank, QuietModesComeToRest) {
  PressureBank bank = ringing({1000.0, 500.0}, 1.0f);
  rung(bank, 2048);
  EXPECT_FALSE(bank.is_at_rest());
  rung(bank, 6000);
  EXPECT_TRUE(bank.is_at_rest());
  for (const float sample : rung(bank, 256)) EXPECT_EQ(sample, 0.0f);
}

TEST(PressureBank, ModesThatDoNotOscillateDecay) {
  // The whole-body click of small bodies is such a mode (w < d, and w = sqrt(2) d).
  for (const base::Mode& mode : {base::Mode{1000.0, 9000.0}, base::Mode{2000.0, 8885.8}}) {
    PressureBank bank = ringing(mode, 1.0f);
    const Oscillator exact(mode);
    const std::vector<float> sound = rung(bank, 40);
    for (std::size_t n = 0; n < sound.size(); ++n)
      EXPECT_NEAR(sound[n], exact.after({.q = 1.0}, (double(n) + 1.0) / 48000.0).q, 1e-5) << n;
  }
}

TEST(PressureBank, ModesAboveHalfTheSampleRateAreSilent) {
  PressureBank bank = ringing({24100.0, 1.0}, 1.0f);
  for (const float sample : rung(bank, 256)) EXPECT_EQ(sample, 0.0f);
  EXPECT_FALSE(bank.sounds(0));
}

}  // namespace
}  // namespace peal::play
