#pragma once

#include <peal/plot/figure.h>

#include <filesystem>
#include <span>
#include <string>

namespace peal::plot {

/// Samples of every channel; channels may differ in length (the longest sets the time axis).
using Channels = std::span<const std::span<const float>>;

/// What the number 1.0 in the samples means.
enum class Unit {
  pascal,      ///< levels in dB re 20 µPa
  full_scale,  ///< a plain audio file: levels in dB re 1
};

struct AudioPictureOptions {
  std::string title;  ///< usually the file's name
  Unit unit = Unit::pascal;
  Scale frequency_scale = Scale::log;
  double min_frequency = 20;  ///< [Hz]; 0 is meant on a linear scale
  double max_frequency = 0;   ///< [Hz]; 0: half the sample rate
  double span_db = 80;        ///< from the darkest to the lightest colour [dB]
  std::size_t window = 0;     ///< samples, multiple of 4; 0: chosen by the duration
  int width = 1400;           ///< [px]
  int height = 0;             ///< [px]; 0: 900, more for more than two channels
};

/// Waveform and spectrogram of each channel (the first four), with duration, rate, peak and RMS in
/// the title. A silent or empty file says so; samples that are not finite are reported and drawn
/// as zero. Throws std::invalid_argument for a sample rate that is not positive.
Figure spectrogram_figure(Channels channels, double sample_rate,
                          const AudioPictureOptions& options = {});

/// Average power spectrum of each channel (the first six), the main peaks labelled with their
/// frequency. A tone reads as its level.
Figure spectrum_figure(Channels channels, double sample_rate,
                       const AudioPictureOptions& options = {});

/// The same pictures as PNG bytes, and as files.
std::string spectrogram_png(Channels channels, double sample_rate,
                            const AudioPictureOptions& options = {});
std::string spectrum_png(Channels channels, double sample_rate,
                         const AudioPictureOptions& options = {});
void write_spectrogram(const std::filesystem::path& path, Channels channels, double sample_rate,
                       const AudioPictureOptions& options = {});
void write_spectrum(const std::filesystem::path& path, Channels channels, double sample_rate,
                    const AudioPictureOptions& options = {});

}  // namespace peal::plot
