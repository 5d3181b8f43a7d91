#include <peal/play/room_reverb.h>
#include <peal/util/random.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::play {
namespace {

constexpr base::Rate room_rate{48000};

struct BothEars {
  std::vector<float> left, right;
};

BothEars in_room(RoomReverb& room, const std::vector<float>& strength) {
  BothEars heard{std::vector<float>(strength.size(), 0.0f), {}};
  heard.right = heard.left;
  for (std::size_t at = 0; at + block_size <= strength.size(); at += block_size)
    room.process(std::span(strength).subspan(at, block_size),
                 std::array<float*, ears>{&heard.left[at], &heard.right[at]});
  return heard;
}

double power(const std::vector<float>& sound, double from, double to) {
  double sum = 0.0;
  const auto first = static_cast<std::size_t>(from * 48000),
             last = static_cast<std::size_t>(to * 48000);
  for (std::size_t n = first; n < last; ++n) sum += std::pow(double(sound[n]), 2);
  return sum / static_cast<double>(last - first);
}

TEST(RoomReverb, DiesAwayInTheReverberationTime) {
  for (const double time : {0.3, 1.2, 4.0}) {
    RoomReverb room(room_rate);
    room.set(60.0, time, time);
    std::vector<float> click(static_cast<std::size_t>(1.2 * time * 48000) / block_size *
                             block_size);
    click[0] = 1.0f;
    const BothEars heard = in_room(room, click);
    // 30 dB in half of it.
    const double fall = 10.0 * std::log10(power(heard.left, 0.2 * time, 0.3 * time) /
                                          power(heard.left, 0.7 * time, 0.8 * time));
    EXPECT_NEAR(fall, 30.0, 1.0) << time;
  }
}

TEST(RoomReverb, LevelIsThatOfTheDiffuseField) {
  RoomReverb room(room_rate);
  const double volume = 100.0, time = 0.8;
  room.set(volume, time, time);
  std::vector<float> noise(96000);
  for (std::size_t n = 0; n < noise.size(); ++n)
    noise[n] = static_cast<float>(std::sqrt(12.0) * (util::random_uniform(1, 0, n) - 0.5));
  const BothEars heard = in_room(room, noise);
  // The lines are not quite independent.
  const double expected = 16.0 * std::numbers::pi * time / (0.161 * volume);
  EXPECT_NEAR(10.0 * std::log10(power(heard.left, 1.0, 2.0) / expected), 0.0, 1.0);
  EXPECT_NEAR(10.0 * std::log10(power(heard.right, 1.0, 2.0) / expected), 0.0, 1.0);
  double both = 0.0;
  for (std::size_t n = 48000; n < 96000; ++n)
    both += double(heard.left[n]) * double(heard.right[n]);
  EXPECT_LT(std::abs(both) / 48000.0, 0.2 * expected);
}

TEST(RoomReverb, HighFrequenciesDieSoonerAndAllOfItEnds) {
  RoomReverb room(room_rate);
  room.set(50.0, 0.6, 0.2);
  std::vector<float> click(480000 / block_size * block_size);
  click[0] = 1.0f;
  const BothEars heard = in_room(room, click);
  EXPECT_EQ(power(heard.left, 8.0, 9.9), 0.0);
  const auto high = [&](double from) {
    double sum = 0.0, all = 0.0;
    for (auto n = static_cast<std::size_t>(from * 48000);
         n < static_cast<std::size_t>((from + 0.1) * 48000); ++n) {
      sum += std::pow(double(heard.left[n + 1]) - double(heard.left[n]), 2);
      all += std::pow(double(heard.left[n]), 2);
    }
    return sum / all;
  };
  EXPECT_LT(high(0.3), 0.3 * high(0.02));
}

TEST(RoomReverb, NoRoomIsSilence) {
  RoomReverb room(room_rate);
  std::vector<float> click(1280);
  click[0] = 1.0f;
  EXPECT_EQ(power(in_room(room, click).left, 0.0, 0.02), 0.0);
}

}  // namespace
}  // namespace peal::play
