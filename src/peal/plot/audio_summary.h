#pragma once

#include <peal/plot/audio_picture.h>

#include <cstddef>
#include <string>
#include <vector>

namespace peal::plot {

/// Header of an audio picture, and samples that are safe to draw.
class AudioSummary {
 public:
  /// Throws std::invalid_argument unless the sample rate is positive and finite.
  AudioSummary(Channels channels, double sample_rate, Unit unit);

  std::size_t channels() const { return channels_.size(); }
  std::size_t samples() const { return samples_; }  ///< length of the longest channel
  double duration() const;                          ///< [s]
  double peak() const { return peak_; }             ///< over all channels, finite samples only
  bool silent() const { return peak_ == 0.0; }
  std::string notice() const;    ///< why there is nothing to see: "silence", "no samples"; or ""
  std::string subtitle() const;  ///< duration, rate, channels, peak, RMS
  std::string warning() const;   ///< about samples that are not finite; "" if all are

  /// A channel with samples that are not finite set to zero.
  std::span<const float> channel(std::size_t i) const { return channels_[i]; }
  std::string channel_name(std::size_t i) const;  ///< "left", "channel 3"; "" for mono

  double reference() const;         ///< reference of levels, in the unit of the samples
  std::string level_label() const;  ///< "dB re 20 µPa"

 private:
  void add(std::span<const float> channel);

  double sample_rate_;
  Unit unit_;
  std::vector<std::span<const float>> channels_;
  std::vector<std::vector<float>> cleaned_;  ///< owns the channels that had to be changed
  std::size_t samples_ = 0;
  std::size_t bad_samples_ = 0;
  std::size_t first_bad_ = 0;
  double peak_ = 0;
  double square_sum_ = 0;
  std::size_t counted_ = 0;
};

}  // namespace peal::plot
