#include <peal/play/limiter.h>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace peal::play {
namespace {

std::vector<float> limited(Limiter& limiter, const std::vector<float>& sound) {
  std::vector<float> left = sound, right(sound.size(), 0.0f);
  limiter.process(static_cast<std::int64_t>(sound.size()),
                  std::array<float*, ears>{left.data(), right.data()});
  return left;
}

std::vector<float> tone(float amplitude, std::size_t samples) {
  std::vector<float> sound(samples);
  for (std::size_t n = 0; n < samples; ++n)
    sound[n] = amplitude * std::sin(0.1f * static_cast<float>(n));
  return sound;
}

TEST(Limiter, QuietSoundPassesAsItIs) {
  Limiter limiter({48000});
  const std::vector<float> sound = tone(0.9f, 1000);
  const std::vector<float> out = limited(limiter, sound);
  for (std::size_t n = Limiter::look_ahead; n < out.size(); ++n)
    EXPECT_EQ(out[n], sound[n - Limiter::look_ahead]);
  EXPECT_EQ(limiter.take_smallest_gain(), 1.0f);
}

TEST(Limiter, NothingExceedsFullScaleHoweverSuddenly) {
  Limiter limiter({48000});
  std::vector<float> sound = tone(0.5f, 6000);
  for (std::size_t n = 2000; n < 4000; ++n) sound[n] *= 40.0f;
  sound[300] = -25.0f;
  for (const float sample : limited(limiter, sound)) EXPECT_LE(std::abs(sample), 1.0f);
}

TEST(Limiter, SaysWhenItActsAndLetsGo) {
  Limiter limiter({48000});
  limited(limiter, tone(4.0f, 2000));
  EXPECT_NEAR(limiter.take_smallest_gain(), 0.25f, 0.01f);
  limited(limiter, tone(0.1f, 96000));
  limiter.take_smallest_gain();
  limited(limiter, tone(0.1f, 1000));
  EXPECT_EQ(limiter.take_smallest_gain(), 1.0f);
}

}  // namespace
}  // namespace peal::play
