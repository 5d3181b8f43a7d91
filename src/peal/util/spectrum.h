#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace peal::util {

/// Reference pressure of sound pressure levels in air [Pa] (ISO 1683).
inline constexpr double reference_pressure = 20e-6;

/// Level of a mean-square value: 10 log10(power / reference^2) [dB]; -infinity for zero power.
double level_db(double power, double reference = reference_pressure);

/// Hann window sin^2(pi (i + 1/2) / n): symmetric, no zero at either end, sum n/2, sum of squares
/// 3n/8. Copies n/4 apart add up to a constant, squared or not.
std::vector<double> hann_window(std::size_t size);

/// The division of a signal into windowed frames.
struct FrameSettings {
  std::size_t window = 4096;   ///< samples under the Hann window, multiple of 4
  std::size_t transform = 0;   ///< length of the FFT >= window, even; 0: equal to window. A longer
                               ///< one (zero padding) interpolates between bins
  double sample_rate = 48000;  ///< [Hz]
};

/// Power spectra of frames of a signal, calibrated for tones: a sine of amplitude A at the centre
/// of a bin shows A^2/2 there [unit of the signal squared]; half way between two bins of an
/// unpadded transform it shows 1.42 dB less in each. DC shows its square. Divide by noise_bandwidth
/// for a power spectral density [unit^2/Hz], which is what stays the same for noise when the window
/// changes.
class FrameSpectrum {
 public:
  explicit FrameSpectrum(const FrameSettings& settings);
  ~FrameSpectrum();
  FrameSpectrum(FrameSpectrum&&) noexcept;
  FrameSpectrum& operator=(FrameSpectrum&&) noexcept;

  std::size_t bins() const;  ///< transform/2 + 1
  double bin_width() const;  ///< [Hz]
  double noise_bandwidth()
      const;  ///< equivalent noise bandwidth of the window, 1.5 rate/window [Hz]

  /// Power spectrum of the frame whose first sample is signal[start]; samples outside the signal
  /// are zero. The result is valid until the next call.
  std::span<const double> power(std::span<const float> signal, std::ptrdiff_t start);
  std::span<const double> power(std::span<const double> signal, std::ptrdiff_t start);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Short-time power spectra, one row per frame. Units are those of FrameSpectrum.
struct Spectrogram {
  std::size_t frames = 0;
  std::size_t bins = 0;
  double bin_width = 0;       ///< [Hz]
  double frame_step = 0;      ///< [s]; frame j is centred at j * frame_step
  std::vector<double> power;  ///< frames x bins

  std::span<const double> frame(std::size_t j) const {
    return std::span(power).subspan(j * bins, bins);
  }
};

/// Frames every `hop` samples, the first centred on the first sample, the last not beyond the end.
Spectrogram spectrogram(std::span<const double> signal, std::size_t hop,
                        const FrameSettings& settings);

/// Treatment of the ends of the signal in the averaged spectrum.
enum class Ends {
  inside,  ///< only frames that lie inside (Welch 1967): a steady tone keeps its exact level
  padded,  ///< frames hang over both ends, so that every sample counts the same and the density
           ///< integrates to the mean square exactly, attack at the first sample included
};

struct PowerSpectrum {
  double bin_width = 0;        ///< [Hz]; bin k is at k * bin_width
  double noise_bandwidth = 0;  ///< [Hz]
  std::vector<double> power;   ///< tone power as in FrameSpectrum [unit^2]

  double density(std::size_t k) const { return power[k] / noise_bandwidth; }  ///< [unit^2/Hz]
};

/// Mean of the power spectra of frames a quarter window apart. A signal shorter than the window
/// shortens the window; an empty signal gives an empty spectrum.
PowerSpectrum average_power(std::span<const float> signal, const FrameSettings& settings,
                            Ends ends = Ends::inside);
PowerSpectrum average_power(std::span<const double> signal, const FrameSettings& settings,
                            Ends ends = Ends::inside);

}  // namespace peal::util
