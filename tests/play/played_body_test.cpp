#include <peal/play/engine.h>
#include <peal/vibration/modal_response.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace peal::play {
namespace {

constexpr base::Rate player_rate{48000};

/// Modes from 40 Hz to 20 kHz, of all decays, with gains of both signs.
struct Body {
  std::vector<base::Mode> modes;
  std::vector<float> struck;
  std::vector<std::complex<float>> heard;

  explicit Body(int count) {
    for (int i = 0; i < count; ++i) {
      const double part = (i + 0.5) / count;
      modes.push_back({40.0 * std::pow(500.0, part), 0.5 + 300.0 * part * part});
      struck.push_back(static_cast<float>(std::sin(3.7 * i)));
      const double square = std::pow(2.0 * std::numbers::pi * modes.back().frequency, 2);
      heard.emplace_back(static_cast<float>(std::cos(2.9 * i) / square),
                         static_cast<float>(std::sin(i) / square));
    }
  }
};

struct Channels {
  std::vector<float> left, right;
};

/// What a body sounds like; `block` is the number of samples asked for at a time.
Channels played(PlayedBody& body, std::int64_t samples, std::int64_t block = block_size) {
  Channels sound{std::vector<float>(static_cast<std::size_t>(samples), 0.0f), {}};
  sound.right = sound.left;
  std::array<float, block_size> strength;
  for (std::int64_t at = 0; at < samples; at += block) {
    const std::int64_t count = std::min(block, samples - at);
    body.process(count,
                 std::array<float*, ears>{&sound.left[static_cast<std::size_t>(at)],
                                          &sound.right[static_cast<std::size_t>(at)]},
                 strength.data());
  }
  return sound;
}

/// A player of a body whose modes all ring.
PlayedBody player_of(const Body& body) {
  PlayedBody player(body.modes, body.modes.size(), player_rate, 0);
  player.set_gains(body.heard, 1.0, 0);
  return player;
}

/// The same by vibration::ModalResponse, a second implementation in double precision.
std::vector<double> exact(const Body& body, const base::ForcePulse& pulse, std::int64_t samples) {
  using Quantity = vibration::ModalResponse::Quantity;
  const vibration::ModalResponse response(body.modes,
                                          {{pulse, {body.struck.begin(), body.struck.end()}}});
  const auto second = response.evaluate(player_rate, {0, samples}, Quantity::acceleration);
  const auto velocity = response.evaluate(player_rate, {0, samples}, Quantity::velocity);
  std::vector<double> sound(static_cast<std::size_t>(samples), 0.0);
  for (std::size_t i = 0; i < body.modes.size(); ++i) {
    const double w = 2.0 * std::numbers::pi * body.modes[i].frequency;
    const auto row = static_cast<Eigen::Index>(i);
    for (std::size_t n = 0; n < sound.size(); ++n) {
      const auto column = static_cast<Eigen::Index>(n);
      sound[n] += static_cast<double>(body.heard[i].real() * second(row, column)) -
                  static_cast<double>(body.heard[i].imag() * velocity(row, column)) * w;
    }
  }
  return sound;
}

double relative_error(const std::vector<float>& sound, const std::vector<double>& reference) {
  const auto late = static_cast<std::size_t>(PlayedBody::delay_latency);
  double error = 0.0, power = 0.0;
  for (std::size_t n = 0; n + late < sound.size(); ++n) {
    error += std::pow(static_cast<double>(sound[n + late]) - reference[n], 2);
    power += std::pow(reference[n], 2);
  }
  return std::sqrt(error / power);
}

TEST(PlayedBodyAnalytic, AStrikeIsThatOfModalResponseAtAnyInstantAndHardness) {
  const Body body(150);
  for (const double contact : {2e-5, 1.1e-4, 5e-4, 3e-3, 2e-2}) {
    for (const double start : {10.0, 200.37, 255.999}) {
      PlayedBody player = player_of(body);
      ASSERT_TRUE(player.strike(start, contact, 0.01, body.struck));
      const Channels sound = played(player, 9600);
      const base::ForcePulse pulse{player_rate.samples_to_seconds(start), contact, 0.01};
      // 0.1 dB are 1e-2; single precision leaves a hundredth of that.
      EXPECT_LT(relative_error(sound.left, exact(body, pulse, 9600)), 1e-4)
          << contact << " " << start;
    }
  }
}

TEST(PlayedBodyAnalytic, AContactInResonanceIsNoExceptionForAnyMode) {
  const Body body(150);
  for (const std::size_t mode : {20u, 75u, 140u}) {
    const double contact = 0.5 / body.modes[mode].frequency;  // pi / T = w
    PlayedBody player = player_of(body);
    player.strike(3.0, contact, 0.01, body.struck);
    const base::ForcePulse pulse{player_rate.samples_to_seconds(3.0), contact, 0.01};
    EXPECT_LT(relative_error(played(player, 9600).left, exact(body, pulse, 9600)), 1e-3) << mode;
  }
}

TEST(PlayedBody, BlocksOfAnyLengthGiveTheSameSound) {
  const Body body(70);
  const auto sound_in_blocks = [&](std::int64_t block) {
    PlayedBody player = player_of(body);
    player.set_ear(1, 3e-4, std::vector{0.5f, 0.2f, 0.1f}, 700);
    player.play(200.4, std::vector<float>(300, 0.01f));
    player.strike(10.3, 1e-3, 0.01, body.struck);
    player.strike(500.7, 2e-4, 0.02, body.struck);
    player.scrape(0, body.struck, 0.1, 2000.0, 8000.0, 512);
    return played(player, 3000, block);
  };
  const Channels whole = sound_in_blocks(128), pieces = sound_in_blocks(37);
  double largest = 0.0;
  for (const float sample : whole.left) largest = std::max(largest, std::abs(double(sample)));
  for (std::size_t n = 0; n < whole.left.size(); ++n) {
    EXPECT_NEAR(whole.left[n], pieces.left[n], 1e-5 * largest) << n;
    EXPECT_NEAR(whole.right[n], pieces.right[n], 1e-5 * largest) << n;
  }
}

TEST(PlayedBody, TheFarEarHearsLater) {
  const Body body(30);
  PlayedBody player = player_of(body);
  player.set_ear(1, 24.0 / 48000.0, std::vector{1.0f}, 0);
  player.strike(0.0, 1e-3, 0.01, body.struck);
  const Channels sound = played(player, 1000);
  for (std::size_t n = 0; n + 24 < 1000; ++n) EXPECT_EQ(sound.left[n], sound.right[n + 24]) << n;
}

TEST(PlayedBody, FilterOfAnEarIsThatOfItsTaps) {
  const Body body(30);
  PlayedBody plain = player_of(body), filtered = player_of(body);
  std::vector<float> taps;
  for (int k = 0; k < 100; ++k)
    taps.push_back(static_cast<float>(std::cos(k) * std::exp(-0.05 * k)));
  filtered.set_ear(0, 0.0, taps, 0);
  for (PlayedBody* player : {&plain, &filtered}) player->strike(7.3, 1e-4, 0.01, body.struck);
  const Channels in = played(plain, 1000), out = played(filtered, 1000, 50);
  for (std::size_t n = 0; n < 1000; ++n) {
    double sum = 0.0;
    for (std::size_t k = 0; k < std::min<std::size_t>(taps.size(), n + 1); ++k)
      sum += double(taps[k]) * double(in.left[n - k]);
    EXPECT_NEAR(out.left[n], sum, 1e-6) << n;
    EXPECT_EQ(out.right[n], in.right[n]);
  }
}

TEST(PlayedBody, FiltersThatFollowAMovingHeadMakeNoClicks) {
  // A tone through filters that change every 7 ms, before the last change has ended.
  EarFilter filter;
  double largest = 0.0;
  std::vector<float> sound;
  for (int block = 0; block < 400; ++block) {
    if (block % 3 == 0) {
      const float gain = 0.5f + 0.5f * static_cast<float>(std::cos(0.1 * block));
      filter.set(std::vector{0.5f * gain, 0.3f, gain - 0.2f}, 512);
    }
    std::vector<float> in, out(128);
    for (int n = 0; n < 128; ++n)
      in.push_back(static_cast<float>(std::sin(0.02 * (128 * block + n))));
    filter.process(in, out);
    sound.insert(sound.end(), out.begin(), out.end());
  }
  for (std::size_t n = 2; n < sound.size(); ++n)
    largest = std::max(
        largest, std::abs(double(sound[n]) - 2.0 * double(sound[n - 1]) + double(sound[n - 2])));
  EXPECT_LT(largest, 2e-3);  // of the tone: 4e-4 times its gain, up to 1.6
}

TEST(PlayedBody, WhatIsHeldDiesAwayAndRingsAgainWhenReleased) {
  const Body body(1);
  const auto decay = [&](PlayedBody& player) {
    const double before = player.bank().amplitude(0);
    played(player, 2400);
    return std::log(before / player.bank().amplitude(0)) / 0.05;
  };
  PlayedBody player = player_of(body);
  const std::vector<float> touched = {2.0f};
  player.strike(0.0, 1e-3, 0.01, std::vector<float>{1.0f});
  played(player, 480);
  const double d = body.modes[0].decay_rate;
  EXPECT_NEAR(decay(player), d, 0.01 * d);
  player.hold(touched, 5.0);
  played(player, 480);
  EXPECT_NEAR(decay(player), d + 10.0, 0.01 * (d + 10.0));  // half of 5 N s/m times 2^2
  player.hold(touched, 0.0);
  played(player, 480);
  EXPECT_NEAR(decay(player), d, 0.01 * d);
}

TEST(PlayedBody, MoreStrikesThanPlacesAreRefused) {
  const Body body(4);
  PlayedBody player = player_of(body);
  for (std::size_t i = 0; i < PlayedBody::most_strikes; ++i)
    EXPECT_TRUE(player.strike(1e6, 1e-3, 0.01, body.struck));
  EXPECT_FALSE(player.strike(1e6, 1e-3, 0.01, body.struck));
  player.silence();
  EXPECT_TRUE(player.strike(0.0, 1e-3, 0.01, body.struck));
}

TEST(Engine, ABodyThatIsAddedLaterIsOnTheSameClock) {
  const Body body(10);
  Engine engine(player_rate);
  std::vector<float> left(block_size), right(block_size);
  const std::array<float*, ears> out = {left.data(), right.data()};
  for (int block = 0; block < 10; ++block) engine.process(block_size, out);
  PlayedBody* added = engine.body(engine.add_body(body.modes, body.modes.size()));
  added->set_gains(body.heard, 1.0, 0);
  engine.set_volume(1e-3, 0);
  added->strike(static_cast<double>(engine.now()) + 40.0, 1e-4, 0.01, body.struck);
  std::vector<float> sound;
  for (int block = 0; block < 3; ++block) {
    engine.process(block_size, out);
    sound.insert(sound.end(), left.begin(), left.end());
  }
  const std::size_t onset = 40 + PlayedBody::delay_latency + Limiter::look_ahead;
  for (std::size_t n = 0; n < onset; ++n) EXPECT_EQ(sound[n], 0.0f) << n;
  EXPECT_NE(sound[onset + 1], 0.0f);
}

}  // namespace
}  // namespace peal::play
