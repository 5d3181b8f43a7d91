#include <peal/shaders/tone.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::shaders {
namespace {

TEST(Tone, IsTheSumOfItsSinesHoursAfterItsStart) {
  const scene::ToneSound sound{.frequency = 1234.5, .harmonics = {1.0, 0.0, 0.3}, .phase = 0.7};
  const base::Rate rate{48000};
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{101}, std::int64_t{500'000'000}}) {
    std::vector<float> samples(1000);
    Tone(sound).fill(rate, first, samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double turns =
          std::fmod(sound.frequency * rate.seconds(first + static_cast<std::int64_t>(i)), 2.0);
      const double angle = 2.0 * std::numbers::pi * turns;
      EXPECT_NEAR(samples[i], std::sin(angle + 0.7) + 0.3 * std::sin(3.0 * angle + 0.7), 1e-6) << i;
    }
  }
}

TEST(Tone, DoesNotDependOnWhatElseIsAskedFor) {
  const Tone tone({.frequency = 333.3, .harmonics = {1.0, 0.5}});
  std::vector<float> whole(2000), part(700);
  tone.fill(base::Rate{44100}, 0, whole);
  tone.fill(base::Rate{44100}, 777, part);
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], whole[777 + i]);
}

}  // namespace
}  // namespace peal::shaders
