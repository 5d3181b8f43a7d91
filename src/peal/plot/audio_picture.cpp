#include <peal/plot/audio_picture.h>
#include <peal/plot/audio_summary.h>
#include <peal/plot/spectral_peaks.h>
#include <peal/plot/spectrogram_image.h>
#include <peal/util/files.h>
#include <peal/util/spectrum.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace peal::plot {

namespace {

constexpr std::size_t most_spectrograms = 4;
constexpr std::size_t most_spectra = 6;
constexpr double waveform_share = 0.28;  ///< height of a waveform strip over its spectrogram's
constexpr Colour wave_ink = {0.22, 0.33, 0.50};

Axis time_axis(const AudioSummary& audio) {
  return {.label = "time (s)", .min = 0, .max = audio.samples() > 0 ? audio.duration() : 1.0};
}

Axis frequency_axis(double sample_rate, const AudioPictureOptions& options) {
  const double nyquist = 0.5 * sample_rate;
  Axis axis{.label = "frequency (Hz)", .scale = options.frequency_scale};
  axis.max = options.max_frequency > 0.0 ? std::min(options.max_frequency, nyquist) : nyquist;
  axis.min = axis.scale == Scale::linear ? 0.0 : options.min_frequency;
  if (axis.scale == Scale::log && !(axis.min > 0.0 && axis.min < 0.5 * axis.max)) {
    axis.min = axis.max / 1000.0;
  }
  return axis;
}

Axis wave_axis(const AudioSummary& audio, Unit unit, bool narrow) {
  const double limit = audio.silent() ? 1.0 : 1.08 * audio.peak();
  const char* pressure = narrow ? "p (Pa)" : "pressure (Pa)";
  const char* plain = narrow ? "x" : "amplitude";
  return {.label = unit == Unit::pascal ? pressure : plain, .min = -limit, .max = limit};
}

/// The waveform as it is where samples are few, else its lowest and highest value per pixel.
void add_waveform(Panel& panel, std::span<const float> signal, double sample_rate, int width) {
  const auto columns = static_cast<std::size_t>(width);
  if (signal.size() <= 3 * columns) {
    Curve curve{.colour = wave_ink, .width = 1.3};
    for (std::size_t i = 0; i < signal.size(); ++i) {
      curve.x.push_back((static_cast<double>(i) + 0.5) / sample_rate);
      curve.y.push_back(signal[i]);
    }
    if (signal.size() <= columns / 8) {
      panel.dots.push_back({.x = curve.x, .y = curve.y, .colour = wave_ink, .radius = 2.5});
    }
    panel.curves.push_back(std::move(curve));
    return;
  }
  Band band{.colour = wave_ink};
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t begin = column * signal.size() / columns;
    const std::size_t end = (column + 1) * signal.size() / columns;
    // One sample of the column before, so that neighbours touch.
    const auto part = signal.subspan(begin - (begin > 0), end - begin + (begin > 0));
    const auto [low, high] = std::minmax_element(part.begin(), part.end());
    band.x.push_back(0.5 * static_cast<double>(begin + end) / sample_rate);
    band.low.push_back(*low);
    band.high.push_back(*high);
  }
  panel.bands.push_back(std::move(band));
}

/// Sets the same range of levels for every image: from the loudest cell, rounded up, down by the
/// span.
void set_levels(Figure& figure, double span_db) {
  float loudest = -1000;
  for (const Panel& panel : figure.panels) {
    if (!panel.image || panel.image->values.empty()) continue;
    loudest = std::max(loudest,
                       *std::max_element(panel.image->values.begin(), panel.image->values.end()));
  }
  const double high = 5.0 * std::ceil(loudest / 5.0);
  for (Panel& panel : figure.panels) {
    if (!panel.image) continue;
    panel.image->high = high;
    panel.image->low = high - span_db;
  }
}

Figure headed(const AudioSummary& audio, const AudioPictureOptions& options) {
  Figure figure{.title = options.title, .subtitle = audio.subtitle(), .warning = audio.warning()};
  figure.width = options.width;
  figure.height = options.height > 0 ? options.height : 900;
  return figure;
}

void say_how_many(Figure& figure, std::size_t shown, std::size_t all) {
  if (shown < all) figure.subtitle += fmt::format("  ·  channels 1 to {} of {} shown", shown, all);
}

void fill_images(Figure& figure, const AudioSummary& audio, double sample_rate,
                 const AudioPictureOptions& options) {
  const std::vector<PlacedAxes> placed = layout(figure);
  const std::size_t window =
      options.window > 0 ? options.window : spectrogram_window(audio.samples(), sample_rate);
  for (std::size_t i = 0; i < figure.panels.size(); i += 2) {
    const std::span<const float> signal = audio.channel(i / 2);
    add_waveform(figure.panels[i], signal, sample_rate, placed[i].width);
    const PlacedAxes& axes = placed[i + 1];
    Image& image = *figure.panels[i + 1].image;
    image.columns = static_cast<std::size_t>(axes.width);
    image.rows = static_cast<std::size_t>(axes.height);
    std::vector<float> padded;
    std::span<const float> whole = signal;
    if (signal.size() < audio.samples()) {
      padded.assign(signal.begin(), signal.end());
      padded.resize(audio.samples());
      whole = padded;
    }
    image.values = spectrogram_levels(whole, {.columns = image.columns,
                                              .rows = image.rows,
                                              .frequency = axes.y,
                                              .window = window,
                                              .sample_rate = sample_rate,
                                              .reference = audio.reference()});
  }
  set_levels(figure, options.span_db);
}

}  // namespace

Figure spectrogram_figure(Channels channels, double sample_rate,
                          const AudioPictureOptions& options) {
  const AudioSummary audio(channels, sample_rate, options.unit);
  const std::size_t shown = std::min(audio.channels(), most_spectrograms);
  Figure figure = headed(audio, options);
  say_how_many(figure, shown, audio.channels());
  if (options.height <= 0 && shown > 2) figure.height += 300 * static_cast<int>(shown - 2);

  const std::string notice = audio.channels() == 0 ? "no channels" : audio.notice();
  for (std::size_t i = 0; i < std::max<std::size_t>(shown, 1); ++i) {
    Panel wave{.title = shown > 0 ? audio.channel_name(i) : "",
               .x = time_axis(audio),
               .y = wave_axis(audio, options.unit, shown > 2),
               .share = waveform_share};
    Panel levels{.x = wave.x, .y = frequency_axis(sample_rate, options), .notice = notice};
    if (notice.empty()) levels.image = Image{.label = "level (" + audio.level_label() + ")"};
    figure.panels.push_back(std::move(wave));
    figure.panels.push_back(std::move(levels));
  }
  if (notice.empty()) fill_images(figure, audio, sample_rate, options);
  return figure;
}

namespace {

/// Window of the averaged spectrum: about a third of a second, so that partials 9 Hz apart
/// separate.
std::size_t spectrum_window(double sample_rate) {
  return std::size_t{1} << static_cast<int>(
             std::clamp(std::round(std::log2(0.34 * sample_rate)), 6.0, 20.0));
}

/// The strongest bin under each pixel, or every bin where bins are wider than pixels.
Curve spectrum_curve(const util::PowerSpectrum& spectrum, const PlacedAxes& axes,
                     double reference) {
  Curve curve{.width = 1.4};
  double column = -1e9;
  for (std::size_t k = 0; k < spectrum.power.size(); ++k) {
    const double frequency = static_cast<double>(k) * spectrum.bin_width;
    const double level = std::max(-400.0, util::level_db(spectrum.power[k], reference));
    if (frequency < axes.x.min && frequency + spectrum.bin_width < axes.x.min) continue;
    if (frequency == 0.0 && axes.x.scale == Scale::log) continue;
    const double here = std::floor(axes.column(frequency));
    if (here > column) {
      curve.x.push_back(frequency);
      curve.y.push_back(level);
    } else if (level > curve.y.back()) {
      curve.x.back() = frequency;
      curve.y.back() = level;
    }
    column = here;
  }
  return curve;
}

/// Range of levels from a round level over the loudest peak (room for its label) down to the
/// quietest bin, of at least 40 dB and at most `most_db`.
void set_level_axis(Panel& panel, const std::vector<util::PowerSpectrum>& spectra, double reference,
                    double most_db) {
  double loudest = 0;
  double quietest = std::numeric_limits<double>::infinity();
  for (const util::PowerSpectrum& spectrum : spectra) {
    for (std::size_t k = 0; k < spectrum.power.size(); ++k) {
      const double frequency = static_cast<double>(k) * spectrum.bin_width;
      if (frequency < panel.x.min || frequency > panel.x.max) continue;
      loudest = std::max(loudest, spectrum.power[k]);
      quietest = std::min(quietest, spectrum.power[k]);
    }
  }
  const double top = loudest > 0.0 ? util::level_db(loudest, reference) : 0.0;
  const double bottom = std::max(-1000.0, util::level_db(quietest, reference));
  panel.y.max = 10.0 * std::ceil((top + 8.0) / 10.0);
  panel.y.min = std::clamp(10.0 * std::floor(bottom / 10.0), panel.y.max - std::max(most_db, 40.0),
                           panel.y.max - 40.0);
}

/// Places for labels that do not cover each other.
class LabelSpace {
 public:
  /// How much higher than `y` a label at this place must be [px]; negative if there is no room.
  double claim(double x, double y) {
    for (double raised = 0; raised <= 4 * height; raised += height) {
      const bool free = std::none_of(taken_.begin(), taken_.end(), [&](const auto& other) {
        return std::abs(other.first - x) < width && std::abs(other.second - (y - raised)) < height;
      });
      if (!free) continue;
      taken_.emplace_back(x, y - raised);
      return raised;
    }
    return -1;
  }

 private:
  static constexpr double width = 74;   // [px] of "12.35 kHz"
  static constexpr double height = 17;  // [px]
  std::vector<std::pair<double, double>> taken_;
};

util::PowerSpectrum loudest_of(const std::vector<util::PowerSpectrum>& spectra) {
  util::PowerSpectrum result = spectra.front();
  for (const util::PowerSpectrum& spectrum : spectra) {
    if (spectrum.bin_width != result.bin_width) continue;  // a much shorter channel
    for (std::size_t k = 0; k < result.power.size(); ++k) {
      result.power[k] = std::max(result.power[k], spectrum.power[k]);
    }
  }
  return result;
}

void add_peaks(Panel& panel, const std::vector<util::PowerSpectrum>& spectra,
               const PlacedAxes& axes, double reference) {
  constexpr std::size_t most = 16;
  LabelSpace space;
  Dots dots{.colour = {0.75, 0.10, 0.08}, .radius = 2.6};
  for (const SpectralPeak& peak : spectral_peaks(loudest_of(spectra))) {
    const double column = axes.column(peak.frequency);
    const double level = util::level_db(peak.power, reference);
    const bool inside = column > axes.left + 36 && column < axes.left + axes.width - 40;
    if (!inside || level < panel.y.min || dots.x.size() >= most) continue;
    const double raised = space.claim(column, axes.row(level));
    if (raised < 0) continue;
    dots.x.push_back(peak.frequency);
    dots.y.push_back(level);
    panel.notes.push_back({peak.frequency, level, frequency_text(peak.frequency), raised});
  }
  panel.dots.push_back(std::move(dots));
}

}  // namespace

Figure spectrum_figure(Channels channels, double sample_rate, const AudioPictureOptions& options) {
  const AudioSummary audio(channels, sample_rate, options.unit);
  const std::size_t shown = std::min(audio.channels(), most_spectra);
  Figure figure = headed(audio, options);
  say_how_many(figure, shown, audio.channels());
  if (options.height <= 0) figure.height = 720;
  Panel panel;
  panel.x = frequency_axis(sample_rate, options);
  panel.y.label = "average level of a tone (" + audio.level_label() + ")";
  panel.y.max = 100;
  panel.notice = audio.channels() == 0 ? "no channels" : audio.notice();
  figure.panels.push_back(panel);
  if (!panel.notice.empty()) return figure;

  const std::size_t window = options.window > 0 ? options.window : spectrum_window(sample_rate);
  std::vector<util::PowerSpectrum> spectra;
  // Padding places the peaks of short sounds between bins; a long average has bins enough.
  const std::size_t transform = audio.samples() > 64 * window ? window : 2 * window;
  for (std::size_t i = 0; i < shown; ++i) {
    spectra.push_back(util::average_power(
        audio.channel(i), {.window = window, .transform = transform, .sample_rate = sample_rate},
        util::Ends::padded));
  }
  Panel& drawn = figure.panels.front();
  set_level_axis(drawn, spectra, audio.reference(), options.span_db + 20.0);
  const PlacedAxes axes = layout(figure).front();
  for (std::size_t i = 0; i < shown; ++i) {
    Curve curve = spectrum_curve(spectra[i], axes, audio.reference());
    curve.name = audio.channel_name(i);
    curve.colour = series_colour(i);
    drawn.curves.push_back(std::move(curve));
  }
  add_peaks(drawn, spectra, axes, audio.reference());
  return figure;
}

std::string spectrogram_png(Channels channels, double sample_rate,
                            const AudioPictureOptions& options) {
  return draw_png(spectrogram_figure(channels, sample_rate, options));
}

std::string spectrum_png(Channels channels, double sample_rate,
                         const AudioPictureOptions& options) {
  return draw_png(spectrum_figure(channels, sample_rate, options));
}

void write_spectrogram(const std::filesystem::path& path, Channels channels, double sample_rate,
                       const AudioPictureOptions& options) {
  write_png(path, spectrogram_figure(channels, sample_rate, options));
}

void write_spectrum(const std::filesystem::path& path, Channels channels, double sample_rate,
                    const AudioPictureOptions& options) {
  write_png(path, spectrum_figure(channels, sample_rate, options));
}

}  // namespace peal::plot
