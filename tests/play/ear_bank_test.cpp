#include <peal/play/ear_bank.h>
#include <peal/util/measure.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::play {
namespace {

constexpr base::Rate ear_rate{48000};
constexpr std::array<const float*, most_contacts> no_force = {};

/// The left ear's sound of a bank that rings.
std::vector<float> rung(EarBank& bank, std::int64_t samples) {
  std::vector<float> left(static_cast<std::size_t>(samples), 0.0f), right = left;
  for (std::int64_t at = 0; at < samples; at += block_size) {
    const auto first = static_cast<std::size_t>(at);
    bank.process(std::min(block_size, samples - at), no_force,
                 std::array<float*, ears>{&left[first], &right[first]});
  }
  return left;
}

/// A bank of one mode with q = 1 at the sample before the first.
EarBank ringing(const base::Mode& mode, std::complex<float> gain) {
  EarBank bank(std::vector{mode}, ear_rate);
  bank.set_ear(0, std::vector{gain}, 0);
  bank.add(0, {.q = 1.0}, 0.0);
  return bank;
}

TEST(EarBankAnalytic, FrequencyAndDecayAreRightInTheSound) {
  for (const double frequency : {25.0, 440.0, 3000.0, 20000.0}) {
    for (const double decay : {0.5, 50.0}) {
      EarBank bank = ringing({frequency, decay}, 1.0f);
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

TEST(EarBankAnalytic, ImaginaryGainsHearTheVelocity) {
  const base::Mode mode{1234.0, 20.0};
  EarBank bank = ringing(mode, {0.0f, 1.0f});
  const std::vector<float> sound = rung(bank, 2000);
  const double w = 2.0 * std::numbers::pi * mode.frequency, d = mode.decay_rate;
  const double wd = std::sqrt(w * w - d * d);
  for (std::size_t n = 0; n < sound.size(); ++n) {
    // From q = 1 at rest: q' = -w^2 / w_d exp(-d t) sin(w_d t).
    const double t = (static_cast<double>(n) + 1.0) / 48000.0;
    EXPECT_NEAR(sound[n], -w / wd * std::exp(-d * t) * std::sin(wd * t), 2e-5) << n;
  }
}

TEST(EarBank, MovingEarsMakeNoClicks) {
  // A gain that falls to a half: what a filter leaves of it far from the tone.
  const auto splash = [](std::int64_t ramp) {
    EarBank bank = ringing({440.0, 0.1}, 1.0f);
    std::vector<float> sound = rung(bank, 1000);
    bank.set_ear(0, std::vector<std::complex<float>>{0.5f}, ramp);
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

TEST(EarBank, FrequenciesGlideWithoutLosingTheirAmplitude) {
  EarBank bank = ringing({300.0, 0.0}, 1.0f);
  bank.set_modes(std::vector<base::Mode>{{450.0, 0.0}}, 2400);
  rung(bank, 4800);
  const auto sound = util::as_double(rung(bank, 48000));
  const util::Tone heard = util::find_mode(sound, 48000, 450.0, 90.0);
  EXPECT_NEAR(heard.frequency, 450.0, 0.005);
  // The energy over the frequency is an invariant of slow changes.
  EXPECT_NEAR(bank.amplitude(0), std::sqrt(300.0 / 450.0), 0.02);
}

TEST(EarBank, QuietModesComeToRest) {
  EarBank bank = ringing({1000.0, 500.0}, 1.0f);
  rung(bank, 2048);
  EXPECT_FALSE(bank.is_at_rest());
  rung(bank, 6000);
  EXPECT_TRUE(bank.is_at_rest());
  for (const float sample : rung(bank, 256)) EXPECT_EQ(sample, 0.0f);
}

TEST(EarBank, ModesThatDoNotOscillateDecay) {
  // The whole-body click of small bodies is such a mode (w < d, and w = sqrt(2) d).
  for (const base::Mode& mode : {base::Mode{1000.0, 9000.0}, base::Mode{2000.0, 8885.8}}) {
    EarBank bank = ringing(mode, 1.0f);
    const Oscillator exact(mode);
    const std::vector<float> sound = rung(bank, 40);
    for (std::size_t n = 0; n < sound.size(); ++n)
      EXPECT_NEAR(sound[n], exact.after({.q = 1.0}, (double(n) + 1.0) / 48000.0).q, 1e-5) << n;
  }
}

TEST(EarBank, ModesAboveHalfTheSampleRateAreSilent) {
  EarBank bank = ringing({24100.0, 1.0}, 1.0f);
  for (const float sample : rung(bank, 256)) EXPECT_EQ(sample, 0.0f);
  EXPECT_FALSE(bank.sounds(0));
}

}  // namespace
}  // namespace peal::play
