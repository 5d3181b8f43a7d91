#include <peal/shaders/noise.h>
#include <peal/sounds/point.h>
#include <peal/util/audio_file.h>
#include <peal/util/error.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

namespace peal::sounds {
namespace {

using base::Rate;
using base::Signal;

Signal play(const PointSound& sound, base::SampleRange range, std::uint64_t stream = 0,
            std::vector<std::string>* notices = nullptr) {
  std::vector<std::string> ignored;
  const shaders::ShaderContext context{
      .seed = 1, .stream = stream, .notices = notices ? notices : &ignored};
  return PointPlayer(sound, context).strength(Rate{}, range);
}

TEST(PointSound, AToneHasItsFrequencyAmplitudeAndOvertones) {
  const Signal signal =
      play({.signal = scene::ToneSound{.frequency = 1000.0, .harmonics = {1, 0.25}},
            .pressure_at_1m = 2.0},
           {0, 48000});
  const auto samples = util::as_double(signal.samples);
  const auto steady = std::span(samples).subspan(4800);
  EXPECT_NEAR(util::tone_at(steady, 48000.0, 1000.0).amplitude, 2.0, 1e-5);
  EXPECT_NEAR(util::tone_at(steady, 48000.0, 2000.0).amplitude, 0.5, 1e-5);
  EXPECT_NEAR(util::find_tone(steady, 48000.0).frequency, 1000.0, 1e-4);
}

TEST(PointSound, OvertonesAboveNyquistAreLeftOutNotFolded) {
  const Signal signal =
      play({.signal = scene::ToneSound{.frequency = 10000.0, .harmonics = {1, 1, 1}}}, {0, 48000});
  const auto samples = util::as_double(signal.samples);
  EXPECT_LT(util::tone_at(std::span(samples).subspan(4800), 48000.0, 18000.0).amplitude, 1e-6);
}

TEST(PointSound, StartsAndStopsWhenToldWithoutAClick) {
  const Signal signal = play(
      {.signal = scene::ToneSound{.frequency = 500.0, .phase = 1.5}, .start = 0.1, .duration = 0.2},
      {0, 48000});
  EXPECT_EQ(signal.start, 4800);
  EXPECT_EQ(signal.samples.size(), 9600u);
  EXPECT_LT(util::click(util::as_double(signal.samples)), 0.02);
  EXPECT_NEAR(signal.samples.front(), 0.0f, 1e-3f);
  EXPECT_NEAR(signal.samples.back(), 0.0f, 1e-3f);
}

TEST(PointSound, AnyPartIsThatPartOfTheWhole) {
  for (const PointSound& sound : {PointSound{.signal = scene::ToneSound{}, .start = 0.01},
                                  PointSound{.signal = scene::ClickSound{.period = 0.013}},
                                  PointSound{.signal = scene::NoiseSound{}}}) {
    const Signal whole = play(sound, {0, 60000});
    const Signal part = play(sound, {31234, 41234});
    ASSERT_EQ(part.start, 31234);
    for (int i = 0; i < 10000; ++i) {
      ASSERT_EQ(part.samples[i], whole.samples[31234 - whole.start + i]);
    }
  }
}

TEST(PointSound, AClickPeaksAtOneHasItsWidthAndLeavesNoFlowBehind) {
  const double width = 4e-4;
  const Signal signal = play({.signal = scene::ClickSound{.width = width}}, {0, 48000});
  const auto samples = util::as_double(signal.samples);
  EXPECT_LT(samples.size(), 48000u) << "a single click ends";
  double sum = 0.0;
  int above_half = 0;
  for (const double sample : samples) {
    sum += sample;
    above_half += sample > 0.5;
  }
  EXPECT_NEAR(util::peak(samples), 1.0, 1e-2);
  EXPECT_NEAR(sum, 0.0, 1e-4);
  EXPECT_NEAR(above_half / 48000.0, width, 1.1 / 48000.0);
}

TEST(PointSound, ClicksRepeatAtTheirPeriod) {
  const Signal signal = play({.signal = scene::ClickSound{.period = 0.1}}, {0, 48000});
  for (int i = 0; i < 4800; ++i) {
    ASSERT_NEAR(signal.samples[i], signal.samples[i + 4800], 1e-5f);
  }
}

TEST(PointSound, NoiseHasUnitPowerAndStaysInItsBand) {
  const Signal signal =
      play({.signal = scene::NoiseSound{.low = 500.0, .high = 4000.0}}, {0, 480000});
  const auto samples = util::as_double(signal.samples);
  EXPECT_NEAR(util::rms(samples), 1.0, 0.02);
  const double below = util::tone_at(samples, 48000.0, 300.0).amplitude;
  const double inside = util::tone_at(samples, 48000.0, 1500.0).amplitude;
  EXPECT_LT(below, 1e-3 * inside);
}

TEST(PointSound, AVeryNarrowBandOfNoiseStillSounds) {
  const Signal signal =
      play({.signal = scene::NoiseSound{.low = 100.0, .high = 101.0}}, {0, 480000});
  EXPECT_NEAR(util::rms(util::as_double(signal.samples)), 1.0, 0.1);
}

TEST(PointSound, PinkNoiseHasEqualPowerInEachOctave) {
  scene::NoiseSound pink{.colour = scene::NoiseSound::Colour::pink, .low = 20, .high = 20000};
  // Power from a to 2a: the difference of two band-limited realisations is not needed, the band
  // edges of the generator itself are exact.
  const auto octave_power = [&](double low) {
    std::vector<float> out(96000);
    shaders::Noise(pink, 3, 0).fill(Rate{}, 0, out);
    double power = 0.0;
    const auto samples = util::as_double(out);
    for (double f = low; f < 2 * low; f += 7.0) {
      power += std::pow(util::tone_at(samples, 48000.0, f).amplitude, 2) * 7.0;
    }
    return power;
  };
  EXPECT_NEAR(octave_power(400.0) / octave_power(1600.0), 1.0, 0.35);
}

TEST(PointSound, EachSeedAndStreamGivesItsOwnNoiseAgainAndAgain) {
  const PointSound noise{.signal = scene::NoiseSound{}};
  EXPECT_EQ(play(noise, {0, 1000}).samples, play(noise, {0, 1000}).samples);
  EXPECT_NE(play(noise, {0, 1000}, 0).samples, play(noise, {0, 1000}, 1).samples);
}

class PointSoundRecording : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() /
        ("peal-recording-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
         "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(std::int64_t rate, int channels) {
    std::vector<std::vector<float>> audio(channels);
    for (int c = 0; c < channels; ++c) {
      for (std::int64_t i = 0; i < rate / 2; ++i) {
        audio[c].push_back(
            static_cast<float>(std::sin(2 * std::numbers::pi * 1000.0 * (c + 1) *
                                        static_cast<double>(i) / static_cast<double>(rate))));
      }
    }
    util::write_wav(folder_ / "tone.wav", rate, audio);
    return folder_ / "tone.wav";
  }

  std::filesystem::path folder_;
};

TEST_F(PointSoundRecording, AnotherRateIsConvertedAndSaid) {
  std::vector<std::string> notices;
  const Signal signal =
      play({.signal = scene::WavSound{.file = write(44100, 1)}}, {0, 48000}, 0, &notices);
  EXPECT_EQ(signal.samples.size(), 24000u);
  EXPECT_THAT(notices, testing::ElementsAre(testing::HasSubstr("44100")));
  const auto samples = util::as_double(signal.samples);
  EXPECT_NEAR(util::find_tone(std::span(samples).subspan(4800, 14400), 48000.0).frequency, 1000.0,
              1e-3);
}

TEST_F(PointSoundRecording, OneChannelIsPlayedAndTheOthersAreMentioned) {
  std::vector<std::string> notices;
  const Signal signal = play({.signal = scene::WavSound{.file = write(48000, 2), .channel = 1}},
                             {0, 48000}, 0, &notices);
  const auto samples = util::as_double(signal.samples);
  EXPECT_NEAR(util::find_tone(samples, 48000.0).frequency, 2000.0, 1e-3);
  EXPECT_THAT(notices, testing::ElementsAre(testing::HasSubstr("channel")));
}

TEST_F(PointSoundRecording, AMissingChannelIsAnError) {
  EXPECT_THROW(play({.signal = scene::WavSound{.file = write(48000, 1), .channel = 3}}, {0, 10}),
               util::InputError);
}

TEST_F(PointSoundRecording, ALoopAtAnotherRateHasNoSeam) {
  const Signal signal =
      play({.signal = scene::WavSound{.file = write(44100, 1), .loop = true}}, {0, 100000});
  EXPECT_LT(util::click(util::as_double(signal.samples)),
            0.03);  // a 1 kHz tone's own bend is 0.024
}

TEST_F(PointSoundRecording, ACutByDurationIsFaded) {
  const Signal signal =
      play({.signal = scene::WavSound{.file = write(48000, 1)}, .duration = 0.1003}, {0, 48000});
  EXPECT_NEAR(signal.samples.back(), 0.0f, 1e-3f);
  EXPECT_LT(util::click(util::as_double(signal.samples)), 0.03);
}

TEST_F(PointSoundRecording, ALoopGoesOn) {
  const Signal signal =
      play({.signal = scene::WavSound{.file = write(48000, 1), .loop = true}}, {0, 100000});
  ASSERT_EQ(signal.samples.size(), 100000u);
  EXPECT_EQ(signal.samples[100], signal.samples[24100]);
}

}  // namespace
}  // namespace peal::sounds
