#include <peal/plot/audio_picture.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>

#include "plot/picture.h"

namespace peal::plot {
namespace {

using Signal = std::vector<float>;

Signal tone(double frequency, double amplitude, double seconds, double rate = 48000) {
  Signal x(static_cast<std::size_t>(seconds * rate));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(
        amplitude * std::sin(2 * std::numbers::pi * frequency * static_cast<double>(i) / rate));
  }
  return x;
}

std::vector<std::span<const float>> spans(const std::vector<Signal>& channels) {
  return {channels.begin(), channels.end()};
}

/// Middle of the lightest pixels in a column of a panel: a colour spans several pixels at its top.
double brightest_row(const Picture& picture, const PlacedAxes& axes, int column) {
  double most = -1;
  double sum = 0;
  int count = 0;
  for (int row = axes.top + 1; row < axes.top + axes.height - 1; ++row) {
    const double light = lightness(picture.at(column, row));
    if (light < most) continue;
    if (light > most) sum = count = 0;
    most = light;
    sum += row + 0.5;
    ++count;
  }
  return sum / count;
}

int brightest_column(const Picture& picture, const PlacedAxes& axes, int row) {
  int best = axes.left + 1;
  for (int column = axes.left + 1; column < axes.left + axes.width - 1; ++column) {
    if (lightness(picture.at(column, row)) > lightness(picture.at(best, row))) best = column;
  }
  return best;
}

class Ridge : public testing::TestWithParam<std::tuple<double, Scale, double>> {};

TEST_P(Ridge, OfAToneLiesInTheRowOfItsFrequency) {
  const auto [frequency, scale, rate] = GetParam();
  const std::vector<Signal> channels = {tone(frequency, 0.2, 1.5, rate)};
  const Figure figure =
      spectrogram_figure(spans(channels), rate, {.title = "tone", .frequency_scale = scale});
  const PlacedAxes axes = layout(figure)[1];
  const Picture picture = decode_png(draw_png(figure));
  const double row = brightest_row(picture, axes, axes.left + axes.width / 2);
  EXPECT_NEAR(row, axes.row(frequency), 1.0);
}

std::string ridge_name(const testing::TestParamInfo<Ridge::ParamType>& ridge) {
  const auto& [frequency, scale, rate] = ridge.param;
  return std::to_string(std::lround(frequency)) + "Hz" + (scale == Scale::log ? "Log" : "Linear") +
         std::to_string(std::lround(rate));
}

INSTANTIATE_TEST_SUITE_P(Frequencies, Ridge,
                         testing::Values(std::tuple{100.0, Scale::log, 48000.0},
                                         std::tuple{440.0, Scale::log, 48000.0},
                                         std::tuple{9876.5, Scale::log, 48000.0},
                                         std::tuple{9876.5, Scale::linear, 48000.0},
                                         std::tuple{1000.0, Scale::log, 8000.0},
                                         std::tuple{40000.0, Scale::log, 192000.0}),
                         ridge_name);

TEST(AudioPicture, ToneReadsAsItsSoundPressureLevel) {
  for (const double frequency : {440.0, 15003.7}) {
    const std::vector<Signal> channels = {tone(frequency, 1.0, 1.0)};
    const Figure figure = spectrogram_figure(spans(channels), 48000);
    const Image& image = *figure.panels[1].image;
    float loudest = -1000;
    for (std::size_t row = 0; row < image.rows; ++row) {
      loudest = std::max(loudest, image.values[row * image.columns + image.columns / 2]);
    }
    EXPECT_NEAR(loudest, 90.97, 0.4) << frequency;
    EXPECT_EQ(image.high, 95.0);
    EXPECT_EQ(image.low, 15.0);
  }
}

TEST(AudioPicture, FullScaleLevelsAreRelativeToOne) {
  const std::vector<Signal> channels = {tone(1000, 1.0, 1.0)};
  const Figure figure = spectrogram_figure(spans(channels), 48000, {.unit = Unit::full_scale});
  EXPECT_EQ(figure.panels[1].image->high, 0.0);
  EXPECT_THAT(figure.panels[1].image->label, testing::HasSubstr("dB re 1"));
}

TEST(AudioPicture, ClickLiesInTheColumnOfItsTime) {
  std::vector<Signal> channels = {Signal(48000, 0.0f)};
  channels[0][12000] = 1.0f;
  const Figure figure = spectrogram_figure(spans(channels), 48000);
  const PlacedAxes axes = layout(figure)[1];
  const Picture picture = decode_png(draw_png(figure));
  // The top of a Hann window is flat: the middle of the brightest stretch counts.
  const int row = axes.top + axes.height / 2;
  int first = brightest_column(picture, axes, row);
  int last = first;
  while (lightness(picture.at(last, row)) > 0.9) ++last;
  while (lightness(picture.at(first, row)) > 0.9) --first;
  EXPECT_NEAR(0.5 * (first + last + 1), axes.column(0.25), 2.0);
}

TEST(AudioPicture, LongFileShowsEveryClickWhereverItFalls) {
  // 100 s on about 1190 columns: 84 ms each, so frames that skipped samples would miss some.
  std::vector<Signal> channels = {Signal(4800000, 0.0f)};
  for (std::size_t k = 0; k < 20; ++k) channels[0][100000 + k * 234567] = 1.0f;
  const Figure figure = spectrogram_figure(spans(channels), 48000);
  const Image& image = *figure.panels[1].image;
  const std::size_t row = image.rows / 2;
  for (std::size_t k = 0; k < 20; ++k) {
    const double at = static_cast<double>(100000 + k * 234567) / 4800000;
    const auto column = static_cast<std::size_t>(at * static_cast<double>(image.columns));
    float level = -1000;
    for (std::size_t c = column - 1; c <= column + 1; ++c) {
      level = std::max(level, image.values[row * image.columns + c]);
    }
    EXPECT_GT(level, image.high - 20) << k;
  }
}

TEST(AudioPicture, SilenceAndEmptinessAreNamed) {
  const std::vector<Signal> silent = {Signal(48000, 0.0f)};
  const std::vector<Signal> empty = {Signal{}};
  for (const auto& make : {spectrogram_figure, spectrum_figure}) {
    const Figure quiet = make(spans(silent), 48000, {});
    EXPECT_EQ(quiet.panels.back().notice, "silence");
    EXPECT_FALSE(quiet.panels.back().image.has_value());
    EXPECT_EQ(make(spans(empty), 48000, {}).panels.back().notice, "no samples");
    EXPECT_EQ(make({}, 48000, {}).panels.back().notice, "no channels");
    EXPECT_EQ(decode_png(draw_png(quiet)).width, 1400);
  }
}

TEST(AudioPicture, VeryShortFilesDraw) {
  for (const std::size_t n : {1u, 2u, 7u}) {
    const std::vector<Signal> channels = {Signal(n, 0.5f)};
    EXPECT_EQ(decode_png(spectrogram_png(spans(channels), 48000)).width, 1400) << n;
    EXPECT_EQ(decode_png(spectrum_png(spans(channels), 48000)).width, 1400) << n;
  }
}

TEST(AudioPicture, SamplesThatAreNotFiniteAreReported) {
  std::vector<Signal> channels = {tone(440, 1.0, 0.5), tone(440, 1.0, 0.5)};
  channels[1][4800] = std::numeric_limits<float>::quiet_NaN();
  channels[1][9600] = std::numeric_limits<float>::infinity();
  const Figure figure = spectrogram_figure(spans(channels), 48000);
  EXPECT_THAT(figure.warning, testing::AllOf(testing::HasSubstr("2 samples are not finite"),
                                             testing::HasSubstr("first at 0.1 s")));
  for (const Panel& panel : figure.panels) {
    if (!panel.image) continue;
    for (const float level : panel.image->values) ASSERT_TRUE(std::isfinite(level));
  }
  EXPECT_EQ(decode_png(draw_png(figure)).width, 1400);
}

TEST(AudioPicture, ExtremeSamplesStayFinite) {
  for (const float size :
       {std::numeric_limits<float>::max(), 1e-38f, std::numeric_limits<float>::denorm_min()}) {
    const std::vector<Signal> channels = {Signal(5000, size)};
    EXPECT_EQ(decode_png(spectrogram_png(spans(channels), 48000)).width, 1400) << size;
    EXPECT_EQ(decode_png(spectrum_png(spans(channels), 48000)).width, 1400) << size;
  }
}

TEST(AudioPicture, SixteenChannelsShowTheFirstFourAndSaySo) {
  const std::vector<Signal> channels(16, tone(300, 0.1, 0.05));
  const Figure figure = spectrogram_figure(spans(channels), 48000);
  EXPECT_EQ(figure.panels.size(), 8u);
  EXPECT_THAT(figure.subtitle, testing::HasSubstr("channels 1 to 4 of 16 shown"));
  EXPECT_EQ(figure.panels[6].title, "channel 4");
}

TEST(AudioPicture, ChannelsOfDifferentLengthShareTheTimeAxis) {
  const std::vector<Signal> channels = {tone(300, 0.1, 0.2), tone(300, 0.1, 0.1)};
  const Figure figure = spectrogram_figure(spans(channels), 48000);
  EXPECT_DOUBLE_EQ(figure.panels[3].x.max, 0.2);
  const Image& image = *figure.panels[3].image;
  EXPECT_LT(image.values[image.columns - 10], image.low);  // nothing there
}

TEST(AudioPicture, SubtitleGivesDurationPeakAndRms) {
  const std::vector<Signal> channels = {tone(1000, 2.0, 1.0)};
  const Figure figure = spectrogram_figure(spans(channels), 48000);
  EXPECT_EQ(figure.subtitle,
            "1.000 s  ·  48 kHz  ·  mono  ·  peak 2 Pa (100.0 dB)  ·  RMS 1.41 Pa (97.0 dB)"
            "  re 20 µPa");
}

TEST(AudioPicture, SpectrumLabelsItsPeaks) {
  std::vector<Signal> channels = {tone(440, 1.0, 2.0)};
  const Signal second = tone(1297, 0.1, 2.0);
  for (std::size_t i = 0; i < second.size(); ++i) channels[0][i] += second[i];
  const Figure figure = spectrum_figure(spans(channels), 48000);
  std::vector<std::string> labels;
  for (const Note& note : figure.panels[0].notes) labels.push_back(note.text);
  EXPECT_THAT(labels, testing::ElementsAre("440.0 Hz", "1297 Hz"));
  EXPECT_NEAR(figure.panels[0].notes[0].y, 90.97, 0.5);
}

TEST(AudioPicture, SameSoundSameBytes) {
  const std::vector<Signal> channels = {tone(440, 1.0, 0.3), tone(441, 0.5, 0.3)};
  EXPECT_EQ(spectrogram_png(spans(channels), 48000), spectrogram_png(spans(channels), 48000));
  EXPECT_EQ(spectrum_png(spans(channels), 48000), spectrum_png(spans(channels), 48000));
}

TEST(AudioPicture, SampleRateMustBePositive) {
  const std::vector<Signal> channels = {tone(440, 1.0, 0.1)};
  EXPECT_THROW(spectrogram_figure(spans(channels), 0), std::invalid_argument);
  EXPECT_THROW(spectrum_figure(spans(channels), std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace peal::plot
