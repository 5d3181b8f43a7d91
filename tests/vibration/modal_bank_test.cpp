#include <peal/util/measure.h>
#include <peal/vibration/modal_bank.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace peal::vibration {
namespace {

constexpr base::Rate bank_rate{48000};

std::vector<float> struck_once(const base::Mode& mode, std::size_t samples,
                               base::Rate rate = bank_rate) {
  ModalBank bank(std::vector{mode}, rate);
  const double one = 1.0;
  bank.set_gains({&one, 1}, {&one, 1});
  std::vector<float> force(samples, 0.0f), out(samples, 0.0f);
  force[0] = static_cast<float>(rate.hz);  // an impulse of 1 N s
  bank.process(force, out);
  return out;
}

TEST(ModalBankAnalytic, IsTheImpulseInvariantRecursion) {
  // Reference D03: its frequency is that of the damped mode.
  const double wd = 2000 * std::numbers::pi, d = 30.0;
  const base::Mode mode{std::sqrt(wd * wd + d * d) / (2 * std::numbers::pi), d};
  const auto h = struck_once(mode, 64, {44100});
  EXPECT_EQ(h[0], 0.0f);
  EXPECT_NEAR(h[1], 2.25837310302564e-05, 3e-7 * 2.3e-5);
  for (std::size_t n = 0; n < h.size(); ++n) {
    const double t = static_cast<double>(n) / 44100;
    EXPECT_NEAR(h[n], std::exp(-d * t) * std::sin(wd * t) / wd, 1e-6 / wd) << n;
  }
}

TEST(ModalBankAnalytic, FrequencyAndDecayAreRightInTheSound) {
  for (const double frequency : {25.0, 100.0, 440.0, 3000.0, 12000.0, 20000.0}) {
    for (const double decay : {0.5, 5.0, 50.0}) {
      const auto samples = static_cast<std::size_t>(std::min(3.0 / decay, 3.0) * 48000);
      const auto sound = util::as_double(struck_once({frequency, decay}, samples));
      const util::Tone heard = util::find_mode(sound, 48000, frequency, 0.2 * frequency);
      const double w = 2 * std::numbers::pi * frequency;
      const double exact = std::sqrt(w * w - decay * decay) / (2 * std::numbers::pi);
      EXPECT_NEAR(heard.frequency, exact, 1e-6 * exact) << frequency << " " << decay;
      EXPECT_NEAR(heard.decay, decay, 1e-4 * decay) << frequency << " " << decay;
    }
  }
}

TEST(ModalBank, PiecesOfAnyLengthAreTheWhole) {
  std::vector<base::Mode> modes;
  for (int i = 0; i < 150; ++i) modes.push_back({50.0 + 130.0 * i, 3.0 + i});
  const std::vector<double> ones(modes.size(), 1.0);
  std::vector<float> force(1000);
  for (std::size_t i = 0; i < force.size(); ++i)
    force[i] = std::sin(0.3f * static_cast<float>(i * i));
  ModalBank whole(modes, bank_rate), pieces(modes, bank_rate);
  whole.set_gains(ones, ones);
  pieces.set_gains(ones, ones);
  std::vector<float> a(1000, 0.0f), b(1000, 0.0f);
  whole.process(force, a);
  for (std::size_t at = 0, size = 1; at < 1000;
       at += size, size = std::min<std::size_t>(size + 7, 1000 - at)) {
    pieces.process(std::span(force).subspan(at, size), std::span(b).subspan(at, size));
  }
  EXPECT_EQ(a, b);
}

TEST(ModalBank, AddsWhatIsHeardOfEachMode) {
  const std::vector<base::Mode> modes = {{300, 10}, {700, 20}, {30000, 5}};
  ModalBank bank(modes, bank_rate);
  bank.set_gains(std::vector{2.0, 1.0, 1.0}, std::vector{1.0, -3.0, 1.0});
  std::vector<float> force(500, 0.0f), out(500, 1.0f);
  force[0] = 48000.0f;
  bank.process(force, out);
  const auto a = struck_once(modes[0], 500), b = struck_once(modes[1], 500);
  for (std::size_t n = 0; n < 500; ++n) {
    EXPECT_NEAR(out[n], 1.0f + 2.0f * a[n] - 3.0f * b[n], 3e-7);
  }
  bank.silence();
  std::vector<float> rest(10, 0.0f);
  bank.process(std::vector<float>(10, 0.0f), rest);
  EXPECT_EQ(rest, std::vector<float>(10, 0.0f));
  EXPECT_THROW(bank.set_gains(std::vector{1.0}, std::vector{1.0}), std::invalid_argument);
}

TEST(ModalBank, AnOverdampedModeCreepsBack) {
  const base::Mode mode{100.0, 2000.0};
  const auto h = struck_once(mode, 2000);
  const double w = 200 * std::numbers::pi, r = std::sqrt(2000.0 * 2000.0 - w * w);
  for (const std::size_t n : {1u, 10u, 100u, 1000u}) {
    const double t = static_cast<double>(n) / 48000;
    const double exact = std::exp(-2000.0 * t) * std::sinh(r * t) / r;
    EXPECT_NEAR(h[n], exact, 2e-5 * exact) << n;
  }
}

}  // namespace
}  // namespace peal::vibration
