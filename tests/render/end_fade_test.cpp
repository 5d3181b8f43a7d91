#include <peal/render/end_fade.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A decaying tone of 1 Pa and one second.
Sound ringing(double decay_db) {
  std::vector<float> samples(48000);
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const double t = static_cast<double>(n) / 48000.0;
    samples[n] = static_cast<float>(std::pow(10.0, -decay_db * t / 20.0) *
                                    std::cos(2.0 * std::numbers::pi * 1000.0 * t));
  }
  Sound sound;
  sound.listeners.push_back({"main", {.rate = {48000}, .channels = {samples}}});
  return sound;
}

TEST(EndFade, WhatStillRingsFadesInTheLastTenMillisecondsWithANotice) {
  Sound sound = ringing(20.0);
  const std::vector<float> before = sound.listeners[0].audio.channels[0];
  fade_ends(sound);
  const std::vector<float>& after = sound.listeners[0].audio.channels[0];
  for (std::size_t n = 0; n < 48000 - 480; ++n) ASSERT_EQ(after[n], before[n]);
  EXPECT_EQ(after.back(), 0.0f);
  EXPECT_NEAR(after[48000 - 240], 0.5f * before[48000 - 240], 0.01f);
  // 0.1 Pa of a tone is 71 dB.
  EXPECT_THAT(sound.notices, ElementsAre(testing::AllOf(
                                 HasSubstr("\"main\" still sounds at the end, at 71 dB SPL, "
                                           "20 dB below its peak"),
                                 HasSubstr("10 ms"), HasSubstr("--tail"))));
}

TEST(EndFade, WhatHasDiedAwayIsNotMentioned) {
  Sound sound = ringing(70.0);
  fade_ends(sound);
  EXPECT_EQ(sound.listeners[0].audio.channels[0].back(), 0.0f);
  EXPECT_THAT(sound.notices, IsEmpty());
}

TEST(EndFade, SilenceStaysSilence) {
  Sound sound;
  sound.listeners.push_back({"main", {.rate = {48000}, .channels = {std::vector<float>(1, 0.0f)}}});
  fade_ends(sound);
  EXPECT_THAT(sound.notices, IsEmpty());
}

}  // namespace
}  // namespace peal::render
